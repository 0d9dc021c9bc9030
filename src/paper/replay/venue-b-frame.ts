// Recorded frames of venue B, prepared for any connection. Each connection has its own sid and its own count of seq; all other
// recorded bytes stay. Replay thread.

import { isObject, type JsonObject, parseJson, textOf } from '../../core/domain/json.ts';
import { parseTicks } from '../../core/domain/numbers.ts';
import { repriceNo, tickerOf } from './venue-b-book.ts';

/** Channels that a client may name (venue-b.md §10.1), and the message types of each. */
const TYPES_BY_CHANNEL: Readonly<Record<string, readonly string[]>> = {
  orderbook_delta: ['orderbook_snapshot', 'orderbook_delta'],
  ticker: ['ticker'],
  trade: ['trade'],
  fill: ['fill'],
  market_positions: ['market_position'],
  user_orders: ['user_order'],
  order_group_updates: ['order_group_updates'],
  market_lifecycle_v2: ['market_lifecycle_v2', 'event_lifecycle', 'event_fee_update'],
  multivariate_market_lifecycle: ['multivariate_market_lifecycle'],
  communications: ['rfq_created', 'rfq_deleted', 'quote_created', 'quote_accepted', 'quote_executed'],
  cfbenchmarks_value: ['cfbenchmarks_value'],
  cfbenchmarks_value_5hz: ['cfbenchmarks_value_5hz'],
  pyth_value: ['pyth_value'],
};
const channelByType = new Map(
  Object.entries(TYPES_BY_CHANNEL).flatMap(([channel, types]) => types.map(type => [type, channel] as const)),
);

export const BOOK_CHANNEL = 'orderbook_delta';

export function isChannel(name: string): boolean {
  return Object.hasOwn(TYPES_BY_CHANNEL, name);
}

/** A message that the venue sends to all subscribers, as opposed to an answer to one client. */
export interface Broadcast {
  readonly type: string;
  readonly channel: string;
  /** Empty if the message is not about a single market. */
  readonly ticker: string;
  readonly message: JsonObject;
  /** Whether frames of this kind are numbered: sending one consumes a seq. */
  readonly isNumbered: boolean;
  render(sid: number, seq: number, useYesPrice: boolean): string;
}

/** Null for frames that a replay does not repeat: acknowledgements, errors, frames that are not JSON. `frame` is the value of `text`. */
export function parseBroadcast(text: string, frame = parseJson(text)): Broadcast | null {
  if (!isObject(frame)) return null;
  const type = textOf(frame.type);
  const channel = channelByType.get(type);
  const message = isObject(frame.msg) ? frame.msg : null;
  if (channel === undefined || message === null) return null;
  const isNumbered = typeof frame.seq === 'number';
  return {
    type,
    channel,
    ticker: tickerOf(frame),
    message,
    isNumbered,
    render: (sid, seq, useYesPrice) =>
      useYesPrice && channel === BOOK_CHANNEL
        ? renderMessage(type, sid, seq, repriceNo(message))
        : renumber(text, frame, sid, seq),
  };
}

/** A numbered message, keys in the venue's order. */
export function renderMessage(type: string, sid: number, seq: number, message: JsonObject): string {
  return JSON.stringify({ type, sid, seq, msg: message });
}

/**
 * The recorded bytes with other numbers, if these come before the message as the venue writes them; else the same JSON value.
 */
function renumber(text: string, frame: JsonObject, sid: number, seq: number): string {
  const parts = /^(\s*\{[^{}]*?"sid":\s*)\d+(?:([^{}]*?"seq":\s*)\d+)?([^{}]*\{.*)$/s.exec(text);
  if (parts !== null && (parts[2] !== undefined) === (frame.seq !== undefined)) {
    return parts[2] === undefined ? `${parts[1]}${sid}${parts[3]}` : `${parts[1]}${sid}${parts[2]}${seq}${parts[3]}`;
  }
  return JSON.stringify(frame.seq === undefined ? { ...frame, sid } : { ...frame, sid, seq });
}

/** Fields of a market's object beside its book. */
export interface VenueBListing {
  readonly ticker: string;
  readonly title: string;
  readonly yesSubTitle: string;
  /** Name and bands of the price grid (venue-b.md §3.2). */
  readonly priceLevelStructure: string;
  readonly priceRanges: readonly { readonly start: string; readonly end: string; readonly step: string }[];
}

/** A grid of one step over the whole dollar, with the venue's name: the coarsest that fits every price. */
export function gridOfPrices(prices: Iterable<string>): Pick<VenueBListing, 'priceLevelStructure' | 'priceRanges'> {
  let [priceLevelStructure, step] = ['linear_cent', '0.0100'];
  for (const price of prices) {
    const ticks = parseTicks(price) ?? 0;
    if (ticks % 10 !== 0) [priceLevelStructure, step] = ['center_centi_edge_centi_cent', '0.0001'];
    else if (ticks % 100 !== 0 && step === '0.0100') [priceLevelStructure, step] = ['deci_cent', '0.0010'];
  }
  return { priceLevelStructure, priceRanges: [{ start: '0.0000', end: '1.0000', step }] };
}

/** All prices that a message of the books' channel names. */
export function pricesOf(message: JsonObject): string[] {
  const levels = [message.yes_dollars_fp, message.no_dollars_fp].filter(Array.isArray).flat();
  return [textOf(message.price_dollars), ...levels.map(level => textOf(Array.isArray(level) ? level[0] : ''))];
}

export const REST_PATH = '/trade-api/v2';
export const STREAM_PATH = '/trade-api/ws/v2';

/** Errors by code. 6, 16 and 17 are retired; 10, 18 and 23 cannot occur here. */
export const STREAM_ERRORS = {
  1: 'Unable to process message',
  2: 'Params required',
  3: 'Channels required',
  4: 'Subscription IDs required',
  5: 'Unknown command',
  7: 'Unknown subscription ID',
  8: 'Unknown channel name',
  9: 'Authentication required',
  11: 'Invalid parameter',
  12: 'Exactly one subscription ID is required',
  13: 'Unsupported action',
  14: 'Market ticker required',
  15: 'Action required',
  19: 'shard_factor must be greater than 0',
  20: 'shard_factor is required when shard_key is set',
  21: 'shard_key must not be negative',
  22: 'shard_key must be less than shard_factor',
  24: 'Index IDs required',
  25: 'Subscription buffer overflow',
  26: 'Subscription market limit exceeded',
  27: 'Too many requests',
  28: 'Underlying tickers required',
} as const;
export type StreamErrorCode = keyof typeof STREAM_ERRORS;
