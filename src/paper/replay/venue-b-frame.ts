// Recorded frames of venue B, prepared for any connection. Each connection has sids and sequence numbers of its own; all other recorded
// bytes stay. Replay thread.

import { isObject, type JsonObject, parseJson, textOf } from '../../core/domain/json.ts';
import { complementTicks, formatTicks, parseTicks } from '../../core/domain/numbers.ts';

/** The channels that a client may name (venue-b.md §10.1), each with its types of messages. */
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

/** A message that the venue sends to all subscribers. It is no answer to one client. */
export interface Broadcast {
  readonly type: string;
  readonly channel: string;
  /** The market's ticker. It is empty if the message is not about a single market. */
  readonly ticker: string;
  readonly message: JsonObject;
  /** Whether frames of this kind are numbered, so that each one uses up a sequence number. */
  readonly isNumbered: boolean;
  render(sid: number, seq: number): string;
}

/**
 * Reads a frame. Returns null for frames that a replay does not repeat: acknowledgements, errors, and frames that are no JSON. `frame` must
 * be the value of `text`.
 */
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
    render: (sid, seq) => renumber(text, frame, sid, seq),
  };
}

/** Writes a numbered message, with its keys in the venue's order. */
export function renderMessage(type: string, sid: number, seq: number, message: JsonObject): string {
  return JSON.stringify({ type, sid, seq, msg: message });
}

/**
 * Returns the recorded bytes with other numbers, if the numbers stand before the message as the venue writes them. Otherwise it returns the
 * same JSON value.
 */
function renumber(text: string, frame: JsonObject, sid: number, seq: number): string {
  const parts = /^(\s*\{[^{}]*?"sid":\s*)\d+(?:([^{}]*?"seq":\s*)\d+)?([^{}]*\{.*)$/s.exec(text);
  if (parts !== null && (parts[2] !== undefined) === (frame.seq !== undefined)) {
    return parts[2] === undefined ? `${parts[1]}${sid}${parts[3]}` : `${parts[1]}${sid}${parts[2]}${seq}${parts[3]}`;
  }
  return JSON.stringify(frame.seq === undefined ? { ...frame, sid } : { ...frame, sid, seq });
}

/** The bands of a price grid (venue-b.md §3.2). */
export type PriceRanges = readonly { readonly start: string; readonly end: string; readonly step: string }[];

/** Returns a grid of one step over the whole dollar: the coarsest grid that fits every price. */
export function gridOfPrices(prices: Iterable<string>): PriceRanges {
  let step = '0.0100';
  for (const price of prices) {
    const ticks = parseTicks(price) ?? 0;
    if (ticks % 10 !== 0) step = '0.0001';
    else if (ticks % 100 !== 0 && step === '0.0100') step = '0.0010';
  }
  return [{ start: '0.0000', end: '1.0000', step }];
}

/** Returns all prices that a message of the books' channel names. */
export function pricesOf(message: JsonObject): string[] {
  const levels = [message.yes_dollars_fp, message.no_dollars_fp].filter(Array.isArray).flat();
  return [textOf(message.price_dollars), ...levels.map(level => textOf(Array.isArray(level) ? level[0] : ''))];
}

/** Converts a frame that was recorded with `use_yes_price` to the form without it. */
export function withNoPrices(text: string): string {
  const broadcast = parseBroadcast(text);
  if (broadcast === null || broadcast.channel !== 'orderbook_delta') return text;
  return JSON.stringify({ ...(parseJson(text) as JsonObject), msg: repriceNo(broadcast.message) });
}

/** Levels `[price, size]`, as on the wire. */
type WireLevels = [price: string, size: string][];

/** Converts a message about the NO side to prices at 1 − q, as `use_yes_price` asks for. To convert twice changes nothing. */
function repriceNo(message: JsonObject): JsonObject {
  if ('side' in message) {
    return message.side === 'no'
      ? { ...message, price_dollars: complementText(textOf(message.price_dollars)) }
      : message;
  }
  const levels = message.no_dollars_fp;
  return Array.isArray(levels) ? { ...message, no_dollars_fp: mirrored(levels as WireLevels) } : message;
}

function mirrored(rows: WireLevels): WireLevels {
  return rows.map(([price, size]): [string, string] => [complementText(price), size]).reverse();
}

/** Returns 1 − price with the wire's four decimals. Text that is no price stays unchanged. */
function complementText(price: string): string {
  const ticks = parseTicks(price);
  if (ticks === null) return price;
  const [whole, fraction = ''] = formatTicks(complementTicks(ticks)).split('.');
  return `${whole}.${fraction.padEnd(4, '0')}`;
}

/** Returns the market of a frame's `msg`. It is empty if the frame names none. */
function tickerOf(frame: JsonObject): string {
  const message = frame.msg;
  return isObject(message) ? textOf(message.market_ticker) || textOf(message.ticker) : '';
}
