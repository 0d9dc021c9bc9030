// Applies the venues' frames in the plainest way, with none of the product's code but its decimal reader. The result is each book after every frame,
// and the last book. No other book may ever be visible.

import { micros, ticks } from '../support/amounts.ts';
import { levelsOf, mirrored, type PicturedBook, pictureOf } from './picture.ts';

/** The books of one address, first to last. Empty books of which nothing is known are left out. */
export interface Truth {
  readonly pictures: ReadonlySet<string>;
  readonly last: string;
  /** Whether the last book differs from all earlier books. A follower that sees such a book has seen all frames. */
  readonly isLastNew: boolean;
}

type Sides = readonly [bids: Map<number, number>, asks: Map<number, number>];
type Rows = readonly (readonly [price: string, size: string])[];

interface VenueBMessage {
  readonly market_ticker: string;
  readonly yes_dollars_fp?: Rows;
  readonly no_dollars_fp?: Rows;
  readonly side: 'yes' | 'no';
  readonly price_dollars: string;
  readonly delta_fp: string;
}

interface VenueALevel {
  readonly price: string;
  readonly size: string;
}

interface VenueAMessage {
  readonly event_type: string;
  readonly market: string;
  readonly asset_id: string;
  readonly bids: readonly VenueALevel[];
  readonly asks: readonly VenueALevel[];
  readonly price_changes: readonly (VenueALevel & { readonly asset_id: string; readonly side: 'BUY' | 'SELL' })[];
}

/** The books of venue B's frames, by ticker. NO bids are kept at their own prices until they are shown. */
export function truthOfVenueB(frames: readonly string[]): Map<string, Truth> {
  const yesAndNo = new Map<string, Sides>();
  const album = new Album();
  for (const text of frames) {
    const { type, msg } = JSON.parse(text) as { readonly type: string; readonly msg: VenueBMessage };
    if (type === 'orderbook_snapshot') {
      yesAndNo.set(msg.market_ticker, [mapOf(msg.yes_dollars_fp ?? []), mapOf(msg.no_dollars_fp ?? [])]);
    } else if (type === 'orderbook_delta') {
      const side = yesAndNo.get(msg.market_ticker)![msg.side === 'yes' ? 0 : 1];
      const price = ticks(msg.price_dollars);
      side.set(price, (side.get(price) ?? 0) + signedMicros(msg.delta_fp));
    } else continue;
    const [yes, no] = yesAndNo.get(msg.market_ticker)!;
    album.add(msg.market_ticker, { bids: levelsOf(yes, 'bid'), asks: mirrored(levelsOf(no, 'bid')) });
  }
  return album.truths;
}

/** The books of venue A's frames, by token. Each token's book comes from its own frames, never from its mirror. */
export function truthOfVenueA(frames: readonly string[]): Map<string, Truth> {
  const tokens = new Map<string, Sides>();
  const album = new Album();
  for (const text of frames) {
    const changed = new Set<string>();
    for (const message of messagesOf(text)) {
      if (message.event_type === 'book') {
        tokens.set(message.asset_id, [mapOf(rowsOf(message.bids)), mapOf(rowsOf(message.asks))]);
        changed.add(message.asset_id);
      } else if (message.event_type === 'price_change') {
        for (const { asset_id: token, side, price, size } of message.price_changes) {
          tokens.get(token)?.[side === 'BUY' ? 0 : 1].set(ticks(price), micros(size));
          if (tokens.has(token)) changed.add(token);
        }
      }
    }
    for (const token of changed) {
      const [bids, asks] = tokens.get(token)!;
      album.add(token, { bids: levelsOf(bids, 'bid'), asks: levelsOf(asks, 'ask') });
    }
  }
  return album.truths;
}

/** The two tokens of each condition, in the order of their first mention in a book. */
export function tokenPairs(frames: readonly string[]): [string, string][] {
  const byCondition = new Map<string, Set<string>>();
  for (const message of frames.flatMap(messagesOf)) {
    if (message.event_type !== 'book') continue;
    const tokens = byCondition.get(message.market) ?? new Set();
    byCondition.set(message.market, tokens.add(message.asset_id));
  }
  return [...byCondition.values()].map(tokens => [...tokens] as [string, string]);
}

class Album {
  readonly truths = new Map<string, { readonly pictures: Set<string>; last: string; isLastNew: boolean }>();

  add(address: string, book: PicturedBook): void {
    const truth = this.truths.get(address) ?? { pictures: new Set(), last: '', isLastNew: true };
    this.truths.set(address, truth);
    const picture = pictureOf(book);
    if (picture === truth.last) return;
    truth.last = picture;
    truth.isLastNew = !truth.pictures.has(picture);
    truth.pictures.add(picture);
  }
}

function messagesOf(text: string): VenueAMessage[] {
  const frame = JSON.parse(text) as VenueAMessage | VenueAMessage[];
  return Array.isArray(frame) ? frame : [frame];
}

function rowsOf(levels: readonly VenueALevel[]): Rows {
  return levels.map(({ price, size }) => [price, size]);
}

function mapOf(rows: Rows): Map<number, number> {
  return new Map(rows.map(([price, size]) => [ticks(price), micros(size)]));
}

function signedMicros(text: string): number {
  return text.startsWith('-') ? -micros(text.slice(1)) : micros(text);
}
