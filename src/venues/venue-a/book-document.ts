// One token's whole book. REST `GET /book` and the `book` event have the same shape, but the event lacks some fields that only the hash
// needs. Texts stay as received, because the hash covers them. They are validated here, so that later code need not escape or check them.
// Cold path of venue A's feed thread.

import { isObject, type JsonObject } from '../../core/domain/json.ts';
import { isTokenId } from '../../core/domain/market.ts';
import type { MicroShares, Ticks } from '../../core/domain/numbers.ts';
import {
  complementTicks,
  formatTicks,
  parseMicroShares,
  parseTicks,
  TICKS_PER_DOLLAR,
} from '../../core/domain/numbers.ts';

export interface LevelText {
  readonly price: Ticks;
  readonly size: MicroShares;
  readonly priceText: string;
  readonly sizeText: string;
}

/** The fields, as text, that a book's hash covers beside market, token, time and levels (venue-a.md §5.4). */
export interface HashTerms {
  readonly minOrderSize: string;
  readonly tickSize: string;
  readonly negRisk: boolean;
  /** The price of the market's last trade, which is the same text for both tokens. Empty before the first trade. */
  readonly lastTradePrice: string;
}

export interface BookDocument {
  readonly market: string;
  readonly tokenId: string;
  readonly timestamp: string;
  readonly hash: string;
  /** The bids, worst first: bids ascend and asks descend. */
  readonly bids: readonly LevelText[];
  readonly asks: readonly LevelText[];
  /** The fields that the document states. */
  readonly terms: Partial<HashTerms>;
}

/** Reads a book from parsed JSON. Returns null if the value is not a book. */
export function readBookDocument(value: unknown): BookDocument | null {
  if (!isObject(value)) return null;
  const { market, asset_id: tokenId, timestamp, hash } = value;
  const bids = readLevels(value.bids ?? [], 1);
  const asks = readLevels(value.asks ?? [], -1);
  const terms = readTerms(value);
  if (!isPlainText(market) || typeof tokenId !== 'string' || !isTokenId(tokenId) || bids === null || asks === null)
    return null;
  if (typeof timestamp !== 'string' || !/^\d{0,15}$/.test(timestamp)) return null;
  if (typeof hash !== 'string' || !/^[0-9a-f]{40}$/.test(hash) || terms === null) return null;
  return { market, tokenId, timestamp, hash, bids, asks, terms };
}

/**
 * Returns levels in the complement token's frame: prices 1 − p, sizes and sequence unchanged; the caller swaps the sides (venue-a.md §9.1).
 */
export function mirrorLevels(levels: readonly LevelText[]): LevelText[] {
  return levels.map(level => {
    const price = complementTicks(level.price);
    return { ...level, price, priceText: formatTicks(price) };
  });
}

/** Whether a value is a text that needs no escape inside quotes. */
export function isPlainText(value: unknown): value is string {
  return typeof value === 'string' && /^[\w.-]*$/.test(value);
}

/** Returns the levels, worst first, from any sequence. Returns null if a level is malformed or repeated. */
function readLevels(value: unknown, direction: 1 | -1): LevelText[] | null {
  if (!Array.isArray(value)) return null;
  const levels: LevelText[] = [];
  for (const entry of value as unknown[]) {
    const { price: priceText, size: sizeText } = isObject(entry) ? entry : {};
    if (typeof priceText !== 'string' || typeof sizeText !== 'string') return null;
    const price = parseTicks(priceText);
    const size = parseMicroShares(sizeText);
    if (price === null || price === 0 || price === TICKS_PER_DOLLAR || size === null || size === 0) return null;
    levels.push({ price, size, priceText, sizeText });
  }
  levels.sort((one, other) => (one.price - other.price) * direction);
  return levels.some((level, index) => level.price === levels[index - 1]?.price) ? null : levels;
}

function readTerms(fields: JsonObject): Partial<HashTerms> | null {
  const { min_order_size, tick_size, neg_risk, last_trade_price } = fields;
  for (const text of [min_order_size, tick_size, last_trade_price]) {
    if (text !== undefined && !isPlainText(text)) return null;
  }
  return {
    ...(min_order_size === undefined ? {} : { minOrderSize: min_order_size as string }),
    ...(tick_size === undefined ? {} : { tickSize: tick_size as string }),
    ...(typeof neg_risk === 'boolean' ? { negRisk: neg_risk } : {}),
    ...(last_trade_price === undefined ? {} : { lastTradePrice: last_trade_price as string }),
  };
}
