// Channels of venue B's stream and their differences (venue-b.md §10.1, §10.3). Thread of the paper exchanges.

import { type JsonObject, stringsOf } from '../../../core/domain/json.ts';
import type { StreamErrorCode } from '../../replay/venue-b-frame.ts';
import type { VenueBMarket } from '../market.ts';
import type { Owner } from '../records.ts';
import type { Caller } from '../rest/access.ts';

interface Traits {
  /** Whether its messages have sequence numbers; acknowledgements have them on every channel. */
  readonly isNumbered: boolean;
  /** Meaning of a list of markets. */
  readonly filter: 'required' | 'optional' | 'ignored';
  /** Whether it has only the caller's own data. */
  readonly isPrivate: boolean;
  /** The requirement that a subscription lacks. */
  readonly lacks?: (parameters: JsonObject) => StreamErrorCode | null;
}

const PUBLIC = { isNumbered: true, filter: 'ignored', isPrivate: false } as const;
const OWN = { isNumbered: false, filter: 'optional', isPrivate: true } as const;
const INDEX = { ...PUBLIC, isNumbered: false, lacks: lacksIndexes } as const;

const CHANNELS = {
  orderbook_delta: { isNumbered: true, filter: 'required', isPrivate: false },
  ticker: { isNumbered: false, filter: 'optional', isPrivate: false },
  trade: { isNumbered: true, filter: 'optional', isPrivate: false },
  fill: OWN,
  market_positions: OWN,
  user_orders: OWN,
  order_group_updates: { isNumbered: true, filter: 'ignored', isPrivate: true },
  market_lifecycle_v2: PUBLIC,
  // The following channels accept subscriptions and are silent: there are no combos, requests for quotes or indexes
  // here.
  multivariate_market_lifecycle: PUBLIC,
  communications: { isNumbered: true, filter: 'ignored', isPrivate: true, lacks: misshards },
  cfbenchmarks_value: INDEX,
  cfbenchmarks_value_5hz: INDEX,
  pyth_value: { ...PUBLIC, isNumbered: false, lacks: lacksUnderlyings },
} as const satisfies Readonly<Record<string, Traits>>;

export type Channel = keyof typeof CHANNELS;

export function isChannel(name: string): name is Channel {
  return Object.hasOwn(CHANNELS, name);
}

export function traitsOf(channel: Channel): Traits {
  return CHANNELS[channel];
}

function lacksIndexes({ index_ids }: JsonObject): StreamErrorCode | null {
  return stringsOf(index_ids).length === 0 ? 24 : null;
}

function lacksUnderlyings({ underlying_tickers }: JsonObject): StreamErrorCode | null {
  return stringsOf(underlying_tickers).length === 0 ? 28 : null;
}

/** Communications can be divided: this stream gets part `shard_key` of `shard_factor`. */
function misshards({ shard_factor: factor, shard_key: key }: JsonObject): StreamErrorCode | null {
  if (factor === undefined) return key === undefined ? null : 20;
  if (!isWhole(factor) || factor <= 0) return 19;
  if (key === undefined) return null;
  if (!isWhole(key) || key < 0) return 21;
  return key < factor ? null : 22;
}

function isWhole(value: unknown): value is number {
  return Number.isSafeInteger(value);
}

/** The caller of a stream, and its variant. */
interface Listener {
  readonly caller: Caller;
  readonly usesYesPrice: boolean;
}

export interface Message {
  /** The type on the wire: `user_order` of channel `user_orders`. */
  readonly type: string;
  readonly channel: Channel;
  /** Null for a message about no market, which is sent with any filter. */
  readonly market: VenueBMarket | null;
  /** Null for a public message. */
  readonly owner: Owner | null;
  /** The JSON of `msg`. */
  text(listener: Listener): string;
}

/**
 * Whether the caller may see the owner's data: only its own, and only of the subaccount that its key may be bound to.
 */
export function isOwn(caller: Caller, { userId, subaccount }: Owner): boolean {
  return caller.userId === userId && (caller.subaccount === null || caller.subaccount === subaccount);
}

/** A message without variants. */
export function uniformMessage(about: Omit<Message, 'text'>, make: () => object): Message {
  return { ...about, text: once(() => JSON.stringify(make())) };
}

export function once(make: () => string): () => string {
  let text: string | null = null;
  return () => {
    text ??= make();
    return text;
  };
}
