// Parses commands of a client of venue B's stream: a valid command, or an error code (venue-b.md §10.1, §10.2). The session
// checks whether markets and subscriptions exist. Thread of the paper exchanges.

import { countOf, isObject, type JsonObject, parseJson, stringsOf } from '../../../core/domain/json.ts';
import { fail, ok, type Result } from '../../../core/domain/result.ts';
import type { StreamErrorCode } from '../../replay/venue-b-frame.ts';
import { type Channel, isChannel, traitsOf } from './channels.ts';

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
