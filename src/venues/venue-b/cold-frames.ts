// Reads a frame of venue B's stream with JSON.parse: all rare types, and book frames that the scanner left alone (venue-b.md §10.2, §10.4).
// The result is one of the variants below. A frame in a shape from before 2026, or of the sister product, is REFUSED and never
// reinterpreted. Venue B's feed thread.

import { SECOND_MS } from '../../core/domain/durations.ts';
import type { Grid } from '../../core/domain/grid.ts';
import { countOf, isObject, type JsonObject, parseJson } from '../../core/domain/json.ts';
import { TAKER_BUY, TAKER_SELL, TAKER_UNKNOWN, type TakerSide } from '../../core/domain/market.ts';
import { type MicroShares, type Ticks, type UnixMillis, unixMillisOf } from '../../core/domain/numbers.ts';
import { countUnknown } from '../../core/metrics/unknown-words.ts';
import { limits } from '../../limits.ts';
import { parseGrid } from './market-facts.ts';
import { priceOf, signedSizeOf, sizeOf, timeOf } from './trading/amounts.ts';

export interface ColdLevel {
  readonly price: Ticks;
  readonly size: MicroShares;
}

export type LifecycleChange =
  | { readonly event: 'PAUSED' | 'RESUMED' | 'RESOLVED' | 'OTHER' }
  | { readonly event: 'CLOSE_TIME'; readonly closeTime: UnixMillis }
  | { readonly event: 'GRID'; readonly grid: Grid };

/** The payload. The `ticker` of a refusal or of a lifecycle event is '' if the frame names no market. */
export type ColdMessage =
  | {
      readonly kind: 'DELTA';
      readonly ticker: string;
      readonly isYes: boolean;
      readonly price: Ticks;
      readonly change: number;
      readonly time: UnixMillis;
    }
  | { readonly kind: 'SNAPSHOT'; readonly ticker: string; readonly yes: ColdLevel[]; readonly no: ColdLevel[] }
  | {
      readonly kind: 'TRADE';
      readonly ticker: string;
      readonly price: Ticks;
      readonly size: MicroShares;
      readonly takerSide: TakerSide;
      readonly time: UnixMillis;
      readonly tradeId: string;
    }
  | { readonly kind: 'SUBSCRIBED'; readonly channel: string; readonly openedSid: number }
  | { readonly kind: 'OK' }
  | { readonly kind: 'UNSUBSCRIBED' }
  | { readonly kind: 'UNKNOWN_TYPE' }
  /** The type is known, and is not used here. */
  | { readonly kind: 'IGNORED' }
  | { readonly kind: 'ERROR'; readonly code: number; readonly words: string }
  | { readonly kind: 'LIFECYCLE'; readonly ticker: string; readonly change: LifecycleChange }
  /** A frame of a known type whose payload is unreliable. */
  | { readonly kind: 'REFUSED_BOOK'; readonly why: RefusalCause; readonly ticker: string }
  | { readonly kind: 'REFUSED_TRADE'; readonly why: RefusalCause; readonly ticker: string }
  | { readonly kind: 'REFUSED'; readonly why: RefusalCause };

export type RefusalCause = 'LEGACY' | 'UNREADABLE';

/** Numbers of the envelope are null if missing or not whole. */
export interface ColdFrame {
  readonly id: number | null;
  readonly sid: number | null;
  readonly seq: number | null;
  readonly message: ColdMessage;
}

const isTradeId = new RegExp(`^[!-~]{1,${limits.tradeIdBytesMax}}$`);
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** Reads a frame. Returns null if the bytes are not a JSON object with a type: they are cut, corrupted, or of another protocol. */
export function readColdFrame(bytes: Uint8Array): ColdFrame | null {
  const frame = parseJson(decoder.decode(bytes));
  if (!isObject(frame) || typeof frame.type !== 'string') return null;
  return {
    id: countOf(frame.id),
    sid: countOf(frame.sid),
    seq: countOf(frame.seq),
    message: readMessage(frame.type, frame.msg),
  };
}

function readMessage(type: string, payload: unknown): ColdMessage {
  const msg = isObject(payload) ? payload : {};
  switch (type) {
    case 'orderbook_delta':
      return readDelta(msg);
    case 'orderbook_snapshot':
      return readSnapshot(msg);
    case 'trade':
      return readTrade(msg);
    case 'subscribed': {
      const openedSid = countOf(msg.sid);
      return openedSid === null || typeof msg.channel !== 'string'
        ? { kind: 'REFUSED', why: 'UNREADABLE' }
        : { kind: 'SUBSCRIBED', channel: msg.channel, openedSid };
    }
    case 'ok':
      return { kind: 'OK' };
    case 'unsubscribed':
      return { kind: 'UNSUBSCRIBED' };
    case 'error':
      return { kind: 'ERROR', code: countOf(msg.code) ?? 0, words: typeof msg.msg === 'string' ? msg.msg : '' };
    case 'market_lifecycle_v2':
      return { kind: 'LIFECYCLE', ticker: tickerOf(msg), change: readLifecycle(msg) };
    // These events share the channel with the life of markets.
    case 'event_lifecycle':
    case 'event_fee_update':
      return { kind: 'IGNORED' };
    default:
      countUnknown('venue_b', 'message_type', type);
      return { kind: 'UNKNOWN_TYPE' };
  }
}

function readDelta(msg: JsonObject): ColdMessage {
  const [price, change, side] = [priceOf(msg.price_dollars), signedSizeOf(msg.delta_fp), msg.side];
  const ticker = tickerOf(msg);
  if (price === null || change === null || (side !== 'yes' && side !== 'no') || ticker === '') {
    const isLegacy = msg.price_dollars === undefined && msg.delta_fp === undefined && has(msg, ['price', 'delta']);
    return refusedBook(msg, isLegacy ? 'LEGACY' : 'UNREADABLE');
  }
  return { kind: 'DELTA', ticker, isYes: side === 'yes', price, change, time: statedTime(msg) };
}

function readSnapshot(msg: JsonObject): ColdMessage {
  const [yes, no, ticker] = [levelsOf(msg.yes_dollars_fp), levelsOf(msg.no_dollars_fp), tickerOf(msg)];
  const isCurrent = msg.yes_dollars_fp !== undefined || msg.no_dollars_fp !== undefined;
  if (!isCurrent && has(msg, ['yes', 'no', 'yes_dollars', 'no_dollars', 'bid', 'ask']))
    return refusedBook(msg, 'LEGACY');
  if (yes === null || no === null || ticker === '') return refusedBook(msg, 'UNREADABLE');
  return { kind: 'SNAPSHOT', ticker, yes, no };
}

function readTrade(msg: JsonObject): ColdMessage {
  const [price, size, ticker] = [priceOf(msg.yes_price_dollars), sizeOf(msg.count_fp), tickerOf(msg)];
  const tradeId = typeof msg.trade_id === 'string' && isTradeId.test(msg.trade_id) ? msg.trade_id : null;
  if (price === null || size === null || ticker === '' || tradeId === null) {
    const isLegacy = msg.yes_price_dollars === undefined && has(msg, ['price', 'yes_price', 'count']);
    return { kind: 'REFUSED_TRADE', why: isLegacy ? 'LEGACY' : 'UNREADABLE', ticker };
  }
  return { kind: 'TRADE', ticker, price, size, takerSide: takerOf(msg), time: statedTime(msg), tradeId };
}

/** Returns the taker's side in terms of YES. Newer field names go first; the venue may drop the older ones. */
function takerOf(msg: JsonObject): TakerSide {
  const side = msg.taker_outcome_side ?? msg.taker_book_side ?? msg.taker_side;
  if (side === 'yes' || side === 'bid') return TAKER_BUY;
  if (side === 'no' || side === 'ask') return TAKER_SELL;
  countUnknown('venue_b', 'taker_side', side);
  return TAKER_UNKNOWN;
}

function readLifecycle(msg: JsonObject): LifecycleChange {
  switch (msg.event_type) {
    case 'deactivated':
      return { event: 'PAUSED' };
    case 'activated':
      return { event: 'RESUMED' };
    case 'determined':
    case 'settled':
      return { event: 'RESOLVED' };
    case 'close_date_updated': {
      const closeTime = unixMillisOf((countOf(msg.close_ts) ?? 0) * SECOND_MS);
      return closeTime === null ? { event: 'OTHER' } : { event: 'CLOSE_TIME', closeTime };
    }
    case 'price_level_structure_updated': {
      const grid = parseGrid(msg.price_ranges);
      return grid === null ? { event: 'OTHER' } : { event: 'GRID', grid };
    }
    case 'created':
    case 'metadata_updated':
      return { event: 'OTHER' };
    default:
      countUnknown('venue_b', 'lifecycle_event', msg.event_type);
      return { event: 'OTHER' };
  }
}

function refusedBook(msg: JsonObject, why: RefusalCause): ColdMessage {
  return { kind: 'REFUSED_BOOK', why, ticker: tickerOf(msg) };
}

function has(msg: JsonObject, keys: readonly string[]): boolean {
  return keys.some(key => msg[key] !== undefined);
}

function tickerOf(msg: JsonObject): string {
  return typeof msg.market_ticker === 'string' ? msg.market_ticker : '';
}

/** Returns the stated time, or 0 if the frame states none. */
function statedTime({ ts_ms, ts }: JsonObject): UnixMillis {
  return timeOf(ts_ms, ts) ?? (0 as UnixMillis);
}

/** Returns the levels of one side. A missing key means an empty side. Returns null if a level is unreadable. */
function levelsOf(value: unknown): ColdLevel[] | null {
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value)) return null;
  const levels: ColdLevel[] = [];
  for (const level of value as unknown[]) {
    if (!Array.isArray(level) || level.length !== 2) return null;
    const [price, size] = [priceOf(level[0]), sizeOf(level[1])];
    if (price === null || size === null) return null;
    levels.push({ price, size });
  }
  return levels;
}
