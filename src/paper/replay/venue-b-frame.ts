// Recorded frames of venue B, prepared for any connection. Each connection has its own sid and its own count of seq; all other
// recorded bytes stay. Replay thread.

import { isObject, type JsonObject, parseJson, textOf } from '../../core/domain/json.ts';
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
