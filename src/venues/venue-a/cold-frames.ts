// Reads the rare events of the stream with JSON.parse: trades, tick changes, resolutions, and the tokens of a legacy event. A reader
// returns null if the event does not match its type. Venue A's feed thread.

import { isObject, type JsonObject, stringsOf } from '../../core/domain/json.ts';
import { TAKER_BUY, TAKER_SELL, TAKER_UNKNOWN, type TakerSide } from '../../core/domain/market.ts';
import type { MicroShares, Ticks, UnixMillis } from '../../core/domain/numbers.ts';
import { parseMicroShares, TICKS_PER_DOLLAR } from '../../core/domain/numbers.ts';
import { countUnknown } from '../../core/metrics/unknown-words.ts';
import { limits } from '../../limits.ts';
import { parseJsonBytes } from '../venue-json.ts';
import { nearestTicksOf, timeOf } from './trading/wire-numbers.ts';

interface TradeEvent {
  /** The taker's token. Price and side are in this token's frame. */
  readonly tokenId: string;
  /** The price to the nearest tick. */
  readonly price: Ticks;
  readonly size: MicroShares;
  readonly takerSide: TakerSide;
  readonly time: UnixMillis;
  readonly tradeId: string;
}

interface TickSizeEvent {
  readonly tokenId: string;
  readonly tickSize: string;
}

/** Returns one event's object from the bytes of a frame, or null if the bytes are not an object. */
export function parseEvent(bytes: Uint8Array, at: number, end: number): JsonObject | null {
  const event = parseJsonBytes(bytes.subarray(at, end));
  return isObject(event) ? event : null;
}

export function readTrade(event: JsonObject): TradeEvent | null {
  const { asset_id: tokenId, price: priceText, size: sizeText, side, timestamp, transaction_hash: transaction } = event;
  if (typeof tokenId !== 'string' || typeof priceText !== 'string' || typeof sizeText !== 'string') return null;
  // The price of a taker who took several levels is their average.
  const price = nearestTicksOf(priceText);
  const size = parseMicroShares(sizeText);
  if (price === null || price === 0 || price === TICKS_PER_DOLLAR || size === null || size === 0) return null;
  const time = timeOf(timestamp);
  return {
    tokenId,
    price,
    size,
    takerSide: takerOf(side),
    time,
    tradeId: tradeIdOf(transaction, `${time}-${priceText}-${sizeText}`),
  };
}

function takerOf(side: unknown): TakerSide {
  if (side === 'BUY') return TAKER_BUY;
  if (side === 'SELL') return TAKER_SELL;
  countUnknown('venue_a', 'taker_side', side);
  return TAKER_UNKNOWN;
}

export function readTickSize(event: JsonObject): TickSizeEvent | null {
  const { asset_id: tokenId, new_tick_size: tickSize } = event;
  return typeof tokenId === 'string' && typeof tickSize === 'string' ? { tokenId, tickSize } : null;
}

/** Returns the tokens that an event of any shape names. */
export function tokensOf(event: JsonObject): string[] {
  return [...stringsOf([event.asset_id]), ...stringsOf(event.assets_ids)];
}

/**
 * Returns an id for a public trade, which has none of its own. The id is the transaction that settles the trade, which just fits as
 * hexadecimal without `0x`. Trades of one match may share it. If it is missing (2024 traffic), time, price and size replace it.
 */
function tradeIdOf(transaction: unknown, otherwise: string): string {
  const digits = typeof transaction === 'string' ? /^0x([0-9a-fA-F]{64})$/.exec(transaction)?.[1] : undefined;
  return digits ?? otherwise.slice(0, limits.tradeIdBytesMax);
}
