// A route of venue B's REST as its handler sees it. The handler gets a request of an authenticated caller who has paid its tokens, and
// returns a reply. serving.ts does everything else. Thread of the paper exchanges.

import { HOUR_MS } from '../../../core/domain/durations.ts';
import type { JsonObject } from '../../../core/domain/json.ts';
import type { MicroShares, Ticks, UnixMillis } from '../../../core/domain/numbers.ts';
import { fail, ok, type Result } from '../../../core/domain/result.ts';
import type { Reply } from '../../../core/net/listen.ts';
import { limits } from '../../../limits.ts';
import type { Uuids } from '../../ids.ts';
import type { VenueBExchange } from '../exchange.ts';
import type { VenueBMarket } from '../market.ts';
import type { Owner, VenueBEvent } from '../records.ts';
import type { Caller, Scope, VenueBAccess } from './access.ts';
import { errorOf, OTHER_SUBACCOUNT, type VenueBError } from './errors.ts';
import { type Funds, isShard } from './funds.ts';
import type { Struct } from './go-body.ts';
import type { QueryReader } from './query.ts';

/** The services that routes use. */
export interface VenueBParts {
  readonly exchange: VenueBExchange;
  readonly access: VenueBAccess;
  readonly funds: Funds;
  readonly days: DayHistory;
  readonly uuids: Uuids;
}

export interface Call {
  readonly parameters: readonly string[];
  /** Reads the query. If the reader has refused a parameter by the end, this refusal is the answer instead of the handler's. */
  readonly query: QueryReader;
  /** The lag of private reads, in milliseconds. */
  readonly staleMs: number;
}

/** A call of a private route. */
export interface SignedCall extends Call {
  /** The body in the form of the route's `body`. It is empty if the request has no body. */
  readonly body: JsonObject;
  readonly caller: Caller;
  /** The caller, with the `subaccount` of query or body. */
  readonly owner: Owner;
}

interface RouteCommon {
  readonly method: 'get' | 'post' | 'put' | 'delete';
  /** The path below `/trade-api/v2`. */
  readonly path: string;
  /** The venue's name of the call, for refusals of its query. */
  readonly operation?: string;
  /** The tokens that the call takes from the caller's bucket (venue-b.md §9). The default is 10. */
  readonly cost?: number;
}

export type PublicRoute = RouteCommon & { readonly access: 'public'; handle(call: Call, venue: VenueBParts): Reply };

export type SignedRoute = RouteCommon & {
  /** The bucket that pays, which is also the scope that the key needs. */
  readonly access: 'read' | 'write';
  /** A narrower scope that suffices, too. */
  readonly scope?: Scope;
  /** True if keys that are restricted to a subaccount may not use the route. */
  readonly isWholeAccount?: true;
  /** The struct of the body. Without it the body is not read. */
  readonly body?: Struct;
  /** True if the cost counts for each item of the body's `orders`. */
  readonly billsEachOrder?: true;
  /** Answers a call. A reply that is no promise is sent at once. */
  handle(call: SignedCall, venue: VenueBParts): Reply | Promise<Reply>;
};

export type VenueBRoute = PublicRoute | SignedRoute;

export function publicGet(path: string, handle: PublicRoute['handle'], operation = ''): VenueBRoute {
  return { method: 'get', path, access: 'public', operation, handle };
}

type Terms = Omit<SignedRoute, 'method' | 'path' | 'access' | 'handle'>;

export function read(path: string, handle: SignedRoute['handle'], terms: Terms = {}): SignedRoute {
  return { ...terms, method: 'get', path, access: 'read', handle };
}

export function write(
  method: 'post' | 'put' | 'delete',
  path: string,
  handle: SignedRoute['handle'],
  terms: Terms = {},
): SignedRoute {
  return { ...terms, method, path, access: 'write', handle };
}

const DAY_HOURS = 24;
const ZERO = 0 as Ticks;

/** One hour of a market: its volume, and the quotes at its end. */
interface Hour {
  readonly hour: number;
  yesBid: Ticks;
  yesAsk: Ticks;
  price: Ticks;
  volume: MicroShares;
}

interface LastDay {
  readonly volume: MicroShares;
  /** The quotes a day ago. Null means that the market was not listed then. */
  readonly before: Pick<Hour, 'yesBid' | 'yesAsk' | 'price'> | null;
}

export class DayHistory {
  /** The hours of each market, oldest first. Hours without a change are left out. */
  readonly #byMarket = new Map<VenueBMarket, Hour[]>();

  readonly hear = (event: VenueBEvent): void => {
    if (event.type === 'forgotten') this.#byMarket.delete(event.market);
    else if (event.type === 'level') this.#current(event.market, event.at);
    else if (event.type === 'trade') {
      const { market, at, price, size } = event.trade;
      const hour = this.#current(market, at);
      hour.price = price;
      hour.volume = (hour.volume + size) as MicroShares;
    }
  };

  lastDay(market: VenueBMarket, now: UnixMillis): LastDay {
    const start = hourOf(now) - DAY_HOURS;
    const hours = this.#byMarket.get(market) ?? [];
    const volume = hours.reduce((sum, it) => (it.hour > start ? sum + it.volume : sum), 0) as MicroShares;
    return { volume, before: hours.findLast(it => it.hour <= start) ?? null };
  }

  /** Returns the hour of that time, with the present quotes. */
  #current(market: VenueBMarket, at: UnixMillis): Hour {
    const hours = this.#byMarket.get(market) ?? [];
    if (hours.length === 0) this.#byMarket.set(market, hours);
    const hour = hourOf(at);
    let current = hours.at(-1);
    if (current?.hour !== hour) {
      current = { hour, yesBid: ZERO, yesAsk: ZERO, price: current?.price ?? ZERO, volume: 0 as MicroShares };
      hours.push(current);
      // The last hour before the day is kept, because its quotes still stood when the day began.
      while (hours.length > 1 && hours[1]!.hour <= hour - DAY_HOURS) hours.shift();
    }
    current.yesBid = market.bestBid?.price ?? ZERO;
    current.yesAsk = market.bestAsk?.price ?? ZERO;
    return current;
  }
}

function hourOf(at: UnixMillis): number {
  return Math.floor(at / HOUR_MS);
}

/** Returns the owner that a request is about. Null as `named` means that the request names no subaccount. */
export function ownerOf({ userId, subaccount: only }: Caller, named: number | null): Result<Owner, VenueBError> {
  if (named === null) return ok({ userId, subaccount: only ?? 0 });
  if (!Number.isInteger(named) || named < 0 || named >= limits.paperSubaccountsMax) {
    return fail(errorOf(400, 'invalid_subaccount'));
  }
  return only === null || only === named ? ok({ userId, subaccount: named }) : fail(OTHER_SUBACCOUNT);
}

/** Returns the subaccount that a body names. A value that is no number is left to the checks of the body. */
export function subaccountIn({ subaccount }: JsonObject): number | null {
  return typeof subaccount === 'number' ? subaccount : null;
}

/** Returns the owners for a call that means all subaccounts unless it names one. */
export function ownersOf(exchange: VenueBExchange, call: SignedCall): readonly Owner[] {
  return call.query.has('subaccount') ? [call.owner] : reachableOwners(exchange, call);
}

/** Returns the owners of all accounts that the key may use. */
export function reachableOwners(exchange: VenueBExchange, { caller, owner }: SignedCall): readonly Owner[] {
  return caller.subaccount === null ? allOwnersOf(exchange, caller.userId) : [owner];
}

export function allOwnersOf(exchange: VenueBExchange, userId: string): readonly Owner[] {
  const [primary, ...others] = exchange.subaccounts(userId);
  const numbers = primary === 0 ? [primary, ...others] : [0, ...exchange.subaccounts(userId)];
  return numbers.map(subaccount => ({ userId, subaccount }));
}

export function hasSubaccount(exchange: VenueBExchange, userId: string, subaccount: number): boolean {
  return subaccount === 0 || exchange.subaccounts(userId).includes(subaccount);
}

/** The fields of a request that name a shard: values of its body, or texts of its query. */
export interface Routing {
  readonly shard: unknown;
  readonly ticker: unknown;
}

/** Whether the market is on the shard that the request names, if it names one. The ticker of the request must be the market's. */
export function isNamed(market: VenueBMarket, shard: unknown): boolean {
  return namedOf(shard) === null || namedOf(shard) === market.shard;
}

/** Whether the order is on the shard that the request means. True for an unknown order. */
export function isRouted(exchange: VenueBExchange, owner: Owner, orderId: string, { shard, ticker }: Routing): boolean {
  const market = exchange.reads(0).order(owner, orderId)?.market;
  if (market === undefined) return true;
  const named = namedOf(shard);
  if (named !== null) return named === market.shard;
  if (typeof ticker === 'string' && ticker !== '') return exchange.markets.get(ticker)?.shard === market.shard;
  return market.shard === 0;
}

/** Returns the shard that pays for a request: the shard that it names, the shard of its ticker, or the first. */
export function payingShard(exchange: VenueBExchange, { shard, ticker }: Routing): number {
  const named = namedOf(shard);
  if (named !== null) return isShard(named) ? named : 0;
  return typeof ticker === 'string' ? (exchange.markets.get(ticker)?.shard ?? 0) : 0;
}

/** Returns the number of the shard. Null means that the request names none. */
function namedOf(shard: unknown): number | null {
  const index = typeof shard === 'string' && shard !== '' ? Number(shard) : shard;
  return typeof index === 'number' && index >= 0 ? index : null;
}
