// Book changes in recorded frames of both venues, in one form: YES prices (of the first token), ticks and micro-shares.
// Unreadable frames and frames without book changes give nothing. Pure.

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
  /** Milliseconds since the first frame. */
  readonly atMs: number;
  /** The text as the venue sent it; venue B's NO levels have NO prices. */
  readonly text: string;
  /** Addresses whose books are unknown from this frame to their next whole book. */
  readonly lost?: readonly string[];
}

/** `address`: ticker or token id. A caller that knows the tokens mirrors prices of second tokens. */
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
    };

/** Reads any message of either venue. */
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
  if (type !== 'orderbook_delta') return [];
  const text = textOf(msg.delta_fp);
  const level = levelOf(msg.price_dollars, text.replace('-', ''));
  if (level === null) return [];
  const by = (text.startsWith('-') ? -level.size : level.size) as MicroShares;
  return msg.side === 'no'
    ? [{ type: 'change', address, side: ASK, price: complementTicks(level.price), by }]
    : [{ type: 'change', address, side: BID, price: level.price, by }];
}

/** The same change for the other token or outcome. */
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

type Sizes = Map<Ticks, MicroShares>;
type Sides = readonly [bids: Sizes, asks: Sizes];

/** The addresses whose books are lost with a frame, for each frame that loses any. `frames` are in their order. */
export function lostBooks(frames: readonly RecordedFrame[]): Map<RecordedFrame, readonly string[]> {
  const books = new Map<string, Sides>();
  const lost = new Map<RecordedFrame, readonly string[]>();
  for (const frame of frames) {
    const touched = new Set<string>();
    for (const step of stepsOf(frame)) if (take(books, step)) touched.add(step.address);
    const crossed = [...touched].filter(address => isCrossed(books.get(address)!));
    for (const address of crossed) books.delete(address);
    if (crossed.length > 0) lost.set(frame, crossed);
  }
  return lost;
}

/** False: nobody knows the book, or the change cannot cross it. */
function take(books: Map<string, Sides>, step: RecordedStep): boolean {
  if (step.type === 'book') {
    books.set(step.address, [sizesOf(step.bids), sizesOf(step.asks)]);
    return true;
  }
  const sides = books.get(step.address);
  if (sides === undefined) return false;
  const { side, price } = step;
  const size = step.type === 'level' ? step.size : (sides[side].get(price) ?? 0) + step.by;
  if (size > 0) sides[side].set(price, size as MicroShares);
  else sides[side].delete(price);
  return size > 0 && reaches(sides, side, price);
}

function sizesOf(levels: readonly Level[]): Sizes {
  return new Map(levels.filter(({ size }) => size > 0).map(({ price, size }) => [price, size]));
}

/** Whether an order at that price would meet one of the other side. */
function reaches(sides: Sides, side: Side, price: Ticks): boolean {
  for (const other of sides[side === BID ? ASK : BID].keys())
    if (side === BID ? other <= price : other >= price) return true;
  return false;
}

function isCrossed(sides: Sides): boolean {
  for (const bid of sides[BID].keys()) if (reaches(sides, BID, bid)) return true;
  return false;
}
