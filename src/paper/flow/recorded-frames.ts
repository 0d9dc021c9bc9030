// Reads book changes and trades from recorded frames of both venues, in one form: YES prices (those of the first token), ticks and
// micro-shares. Unreadable frames and frames without book changes give nothing. Pure.

import { isObject, type JsonObject, objectsOf, parseJson, textOf } from '../../core/domain/json.ts';
import { ASK, BID, type Level, type Side, type Venue } from '../../core/domain/market.ts';
import {
  complementTicks,
  type MicroShares,
  parseMicroShares,
  parseTicks,
  type Ticks,
} from '../../core/domain/numbers.ts';

export interface RecordedFrame {
  readonly venue: Venue;
  /** The milliseconds since the first frame. */
  readonly atMs: number;
  /** The text as the venue sent it. Venue B's NO levels have NO prices. */
  readonly text: string;
  /** The addresses of books that are unknown from this frame until their next whole book. */
  readonly lost?: readonly string[];
}

/** A step of a book. `address` is a ticker or a token id. A caller that knows the tokens mirrors the prices of second tokens. */
export type RecordedStep =
  | {
      readonly type: 'book';
      readonly address: string;
      readonly bids: readonly Level[];
      readonly asks: readonly Level[];
    }
  | {
      readonly type: 'level';
      readonly address: string;
      readonly side: Side;
      readonly price: Ticks;
      readonly size: MicroShares;
    }
  | {
      readonly type: 'change';
      readonly address: string;
      readonly side: Side;
      readonly price: Ticks;
      readonly by: MicroShares;
    }
  | {
      readonly type: 'trade';
      readonly address: string;
      /** The side of the taker. */
      readonly side: Side;
      readonly price: Ticks;
      readonly size: MicroShares;
    };

/** Returns the messages of a frame of either venue. */
export function messagesOf({ text }: RecordedFrame): readonly JsonObject[] {
  const value = parseJson(text);
  return isObject(value) ? [value] : objectsOf(value);
}

export function stepsOf(frame: RecordedFrame): readonly RecordedStep[] {
  return messagesOf(frame).flatMap(frame.venue === 'venue_a' ? stepsOfVenueA : stepsOfVenueB);
}

/** Reads the messages of venue-a.md §5.2. */
function stepsOfVenueA(message: JsonObject): RecordedStep[] {
  if (message.event_type === 'book') {
    const levels = (side: unknown) => objectsOf(side).flatMap(({ price, size }) => levelOf(price, size) ?? []);
    const [bids, asks] = [levels(message.bids), levels(message.asks)];
    return [{ type: 'book', address: textOf(message.asset_id), bids, asks }];
  }
  if (message.event_type === 'last_trade_price') {
    const side = message.side === 'BUY' ? BID : ASK;
    return tradeOf(textOf(message.asset_id), side, message.price, message.size);
  }
  if (message.event_type !== 'price_change') return [];
  return objectsOf(message.price_changes).flatMap(change => {
    const level = levelOf(change.price, change.size);
    const side = change.side === 'BUY' ? BID : ASK;
    return level === null ? [] : [{ type: 'level', address: textOf(change.asset_id), side, ...level }];
  });
}

/** Reads the messages of venue-b.md §10.4. */
function stepsOfVenueB({ type, msg }: JsonObject): RecordedStep[] {
  if (!isObject(msg)) return [];
  const address = textOf(msg.market_ticker);
  if (type === 'orderbook_snapshot') {
    return [
      { type: 'book', address, bids: pairsOf(msg.yes_dollars_fp), asks: pairsOf(msg.no_dollars_fp).map(mirrored) },
    ];
  }
  // A block trade was arranged elsewhere, so it did not match with any order of the book.
  if (type === 'trade' && msg.is_block_trade !== true) {
    const takerSide = textOf(msg.taker_book_side) || textOf(msg.taker_side);
    return tradeOf(address, /^(bid|yes)$/.test(takerSide) ? BID : ASK, msg.yes_price_dollars, msg.count_fp);
  }
  if (type !== 'orderbook_delta') return [];
  const text = textOf(msg.delta_fp);
  const level = levelOf(msg.price_dollars, text.replace('-', ''));
  if (level === null) return [];
  const by = (text.startsWith('-') ? -level.size : level.size) as MicroShares;
  return msg.side === 'no'
    ? [{ type: 'change', address, side: ASK, price: complementTicks(level.price), by }]
    : [{ type: 'change', address, side: BID, price: level.price, by }];
}

function tradeOf(address: string, side: Side, price: unknown, size: unknown): RecordedStep[] {
  const level = levelOf(price, size);
  return level === null ? [] : [{ type: 'trade', address, side, ...level }];
}

/** Returns the same change in terms of the other token or outcome. */
export function mirrored({ price, size }: Level): Level {
  return { price: complementTicks(price), size };
}

function pairsOf(value: unknown): Level[] {
  const pairs = Array.isArray(value) ? value.filter(Array.isArray) : [];
  return pairs.flatMap(([price, size]) => levelOf(price, size) ?? []);
}

function levelOf(price: unknown, size: unknown): Level | null {
  const [ticks, micros] = [parseTicks(textOf(price)), parseMicroShares(textOf(size))];
  return ticks === null || micros === null ? null : { price: ticks, size: micros };
}
