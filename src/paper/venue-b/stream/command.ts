// Parses commands of a client of venue B's stream. The result is a valid command or an error code (venue-b.md §10.1, §10.2). The session
// checks whether markets and subscriptions exist. Thread of the paper exchanges.

import { countOf, isObject, type JsonObject, parseJson, stringsOf } from '../../../core/domain/json.ts';
import { fail, ok, type Result } from '../../../core/domain/result.ts';
import type { VenueBMarket } from '../market.ts';
import type { Owner } from '../records.ts';
import type { Caller } from '../rest/access.ts';

/** The errors by code. The venue has retired 6, 16 and 17; 10, 18 and 23 cannot occur here. */
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

interface Traits {
  /** Whether the channel's messages have sequence numbers. Acknowledgements have them on every channel. */
  readonly isNumbered: boolean;
  /** Whether a subscription must, may or need not list markets. */
  readonly filter: 'required' | 'optional' | 'ignored';
  /** Whether the channel has only the caller's own data. */
  readonly isPrivate: boolean;
  /** Returns the error for a requirement that a subscription does not meet, else null. */
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
  // The channels below accept subscriptions and stay silent, because the simulator has no combos, requests for quotes or indexes.
  multivariate_market_lifecycle: PUBLIC,
  communications: { isNumbered: true, filter: 'ignored', isPrivate: true, lacks: shardError },
  cfbenchmarks_value: INDEX,
  cfbenchmarks_value_5hz: INDEX,
  pyth_value: { ...PUBLIC, isNumbered: false, lacks: lacksUnderlyings },
} as const satisfies Readonly<Record<string, Traits>>;

export type Channel = keyof typeof CHANNELS;

function isChannel(name: string): name is Channel {
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

/** Returns the error in a division of communications, else null. A stream may ask for the part `shard_key` of `shard_factor` parts. */
function shardError({ shard_factor: factor, shard_key: key }: JsonObject): StreamErrorCode | null {
  if (factor === undefined) return key === undefined ? null : 20;
  if (!isWhole(factor) || factor <= 0) return 19;
  if (key === undefined) return null;
  if (!isWhole(key) || key < 0) return 21;
  return key < factor ? null : 22;
}

function isWhole(value: unknown): value is number {
  return Number.isSafeInteger(value);
}

/** The caller of a stream, and the terms in which it gets prices. */
interface Listener {
  readonly caller: Caller;
  readonly usesYesPrice: boolean;
}

export interface Message {
  /** The type on the wire, such as `user_order` on the channel `user_orders`. */
  readonly type: string;
  readonly channel: Channel;
  /** The market. Null means that the message is about no market; it is then sent with any filter. */
  readonly market: VenueBMarket | null;
  /** The owner of the data. Null means that the message is public. */
  readonly owner: Owner | null;
  /** The JSON of `msg`. */
  text(listener: Listener): string;
}

/** Whether the caller may see the owner's data. It sees only its own data, and with a bound key only that of the key's subaccount. */
export function isOwn(caller: Caller, { userId, subaccount }: Owner): boolean {
  return caller.userId === userId && (caller.subaccount === null || caller.subaccount === subaccount);
}

/** Makes a message that is the same for all listeners. */
export function uniformMessage(about: Omit<Message, 'text'>, make: () => object): Message {
  return { ...about, text: memoized(() => JSON.stringify(make())) };
}

export function memoized(make: () => string): () => string {
  let text: string | null = null;
  return () => {
    text ??= make();
    return text;
  };
}

/** The markets that a command names: by ticker, or on the ticker channel also by id. */
export interface MarketNames {
  readonly by: 'ticker' | 'id';
  /** The names, each once. */
  readonly names: ReadonlySet<string>;
}

const ACTIONS = ['add_markets', 'delete_markets', 'get_snapshot'] as const;
type Action = (typeof ACTIONS)[number];

export type Order =
  | {
      readonly cmd: 'subscribe';
      readonly channels: ReadonlySet<Channel>;
      readonly markets: MarketNames;
      readonly usesYesPrice: boolean;
      readonly skipsTickerAck: boolean;
      readonly wantsInitialSnapshot: boolean;
    }
  | { readonly cmd: 'unsubscribe'; readonly sids: ReadonlySet<number> }
  | {
      readonly cmd: 'update_subscription';
      readonly sid: number;
      /** The action. A missing or unknown action is reported only once the subscription is found. */
      readonly action: unknown;
      readonly markets: MarketNames;
      readonly skipsTickerAck: boolean;
    }
  | { readonly cmd: 'list_subscriptions' };

/** A command. `id` is undefined if the client sent none, or 0. */
export interface Command {
  readonly id: number | undefined;
  readonly order: Result<Order, StreamErrorCode>;
}

export function isAction(value: unknown): value is Action {
  return ACTIONS.some(action => action === value);
}

export function readCommand(text: string): Command {
  const command = parseJson(text);
  if (!isObject(command)) return { id: undefined, order: fail(1) };
  const id = countOf(command.id ?? 0);
  if (id === null) return { id: undefined, order: fail(1) };
  return { id: id === 0 ? undefined : id, order: readOrder(command) };
}

function readOrder({ cmd, params }: JsonObject): Result<Order, StreamErrorCode> {
  if (cmd === 'list_subscriptions') return ok({ cmd });
  if (cmd !== 'subscribe' && cmd !== 'unsubscribe' && cmd !== 'update_subscription') return fail(5);
  if (!isObject(params)) return fail(2);
  if (cmd === 'subscribe') return readSubscribe(params);
  return cmd === 'unsubscribe' ? readUnsubscribe(params) : readUpdate(params);
}

function readSubscribe(parameters: JsonObject): Result<Order, StreamErrorCode> {
  const names = stringsOf(parameters.channels);
  if (names.length === 0) return fail(3);
  const channels = names.filter(isChannel);
  if (channels.length < names.length) return fail(8);
  const markets = readMarkets(parameters);
  if (markets === null) return fail(11);
  if (markets.by === 'id' && channels.some(channel => channel !== 'ticker')) return fail(11);
  for (const channel of channels) {
    const { filter, lacks } = traitsOf(channel);
    const missing = filter === 'required' && markets.names.size === 0 ? 14 : (lacks?.(parameters) ?? null);
    if (missing !== null) return fail(missing);
  }
  return ok({
    cmd: 'subscribe',
    channels: new Set(channels),
    markets,
    usesYesPrice: parameters.use_yes_price === true,
    skipsTickerAck: parameters.skip_ticker_ack === true,
    wantsInitialSnapshot: parameters.send_initial_snapshot === true,
  });
}

function readUnsubscribe({ sids }: JsonObject): Result<Order, StreamErrorCode> {
  const asked = numbersOf(sids);
  return asked.length === 0 ? fail(4) : ok({ cmd: 'unsubscribe', sids: new Set(asked) });
}

function readUpdate(parameters: JsonObject): Result<Order, StreamErrorCode> {
  const [sid, second] = [...numbersOf([parameters.sid]), ...numbersOf(parameters.sids)];
  if (sid === undefined || second !== undefined) return fail(12);
  const markets = readMarkets(parameters);
  if (markets === null) return fail(11);
  const action = parameters.action ?? undefined;
  return ok({ cmd: 'update_subscription', sid, action, markets, skipsTickerAck: parameters.skip_ticker_ack === true });
}

/** Returns the markets that a command names, by tickers or ids. Returns null if the command names them in two ways. */
function readMarkets(parameters: JsonObject): MarketNames | null {
  const { market_ticker: ticker, market_tickers: tickers, market_id: id, market_ids: ids } = parameters;
  // As in Go, null counts as absent, here and below.
  const given = [ticker, tickers, id, ids].filter(value => (value ?? null) !== null);
  if (given.length > 1) return null;
  const by = (id ?? ids ?? null) === null ? 'ticker' : 'id';
  const [value = []] = given;
  const names = stringsOf(Array.isArray(value) ? value : [value]);
  const count = Array.isArray(value) ? value.length : 1;
  return names.length < count || names.includes('') ? null : { by, names: new Set(names) };
}

function numbersOf(value: unknown): readonly number[] {
  return Array.isArray(value) ? value.map(countOf).filter(number => number !== null) : [];
}
