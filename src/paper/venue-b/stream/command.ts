// Parses commands of a client of venue B's stream: a valid command, or an error code (venue-b.md §10.1, §10.2). The session
// checks whether markets and subscriptions exist. Thread of the paper exchanges.

import { countOf, isObject, type JsonObject, parseJson, stringsOf } from '../../../core/domain/json.ts';
import { fail, ok, type Result } from '../../../core/domain/result.ts';
import type { VenueBMarket } from '../market.ts';
import type { Owner } from '../records.ts';
import type { Caller } from '../rest/access.ts';

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

/** Markets by ticker; on the ticker channel also by id. */
export interface MarketNames {
  readonly by: 'ticker' | 'id';
  /** Names, each once. */
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
      /** A missing or unknown action is reported only after the subscription is found. */
      readonly action: unknown;
      readonly markets: MarketNames;
      readonly skipsTickerAck: boolean;
    }
  | { readonly cmd: 'list_subscriptions' };

/** `id`: undefined if the client sent none, or 0. */
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

/** One name or several, tickers or ids; null if two of these come together. */
function readMarkets(parameters: JsonObject): MarketNames | null {
  const { market_ticker: ticker, market_tickers: tickers, market_id: id, market_ids: ids } = parameters;
  // Null counts as absent, here and below, as in Go.
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
