// The best way to buy an outcome, and the best way to sell it, over all its routes. A route is at either venue, directly or as NO of a
// ticker. Prices are net of the taker's fee. A route counts only while its book is LIVE and its fees are known. All other routes are listed
// as omitted. Pure.

import { type FeeModel, takerFeeOfOne } from '../../core/domain/fees.ts';
import type { BookState, Level, MarketKey } from '../../core/domain/market.ts';
import {
  complementTicks,
  type MicroDollars,
  type MicroShares,
  type Ticks,
  type UnixMillis,
} from '../../core/domain/numbers.ts';
import type { OmittedRoute, OutcomeQuote, Route, RouteProblem, RouteQuote } from '../../core/wire/messages.ts';

/** The book behind a route. Its prices are the book's own, not yet turned into those of the NO side. */
export interface RouteBook {
  readonly state: BookState;
  readonly bid: Level | null;
  readonly ask: Level | null;
  readonly receivedAt: UnixMillis;
}

export interface KnownRoute {
  readonly route: Route;
  /** Null means that no feed carries the book now. */
  readonly book: RouteBook | null;
  /** Null means that the fees are not known. */
  readonly fees: FeeModel | null;
}

interface RoutedOutcome {
  readonly name: string;
  /** The routes in the catalog's order, which has direct routes first. */
  readonly routes: readonly KnownRoute[];
}

interface BestRoutes {
  readonly outcomes: readonly OutcomeQuote[];
  readonly omitted: readonly OmittedRoute[];
}

export function bestRoutes(outcomes: readonly RoutedOutcome[], now: UnixMillis): BestRoutes {
  const omitted = new Map<string, OmittedRoute>();
  for (const { route, ...known } of outcomes.flatMap(({ routes }) => routes)) {
    const why = problemOf(known);
    if (why !== null) omitted.set(JSON.stringify(route), { route, why });
  }
  return { outcomes: outcomes.map(outcome => quoteOf(outcome, now)), omitted: [...omitted.values()] };
}

function quoteOf({ name, routes }: RoutedOutcome, now: UnixMillis): OutcomeQuote {
  const trusted = routes.filter(known => problemOf(known) === null);
  const buys = trusted.map(known => offerOf(known, 'buy', now)).filter(it => it !== null);
  const sells = trusted.map(known => offerOf(known, 'sell', now)).filter(it => it !== null);
  return {
    name,
    buy: firstOf(buys, (one, another) => one.netPrice - another.netPrice),
    sell: firstOf(sells, (one, another) => another.netPrice - one.netPrice),
  };
}

/** The best quote. At equal prices the larger size is better. At equal sizes the route that is first in the catalog is better. */
function firstOf(
  offers: readonly RouteQuote[],
  order: (one: RouteQuote, another: RouteQuote) => number,
): RouteQuote | null {
  return offers.toSorted((one, another) => order(one, another) || another.size - one.size)[0] ?? null;
}

function problemOf({ book, fees }: Omit<KnownRoute, 'route'>): RouteProblem | null {
  if (book === null) return 'NO_BOOK';
  if (book.state !== 'LIVE') return book.state;
  return fees === null ? 'FEES_UNKNOWN' : null;
}

function offerOf({ route, book, fees }: KnownRoute, way: 'buy' | 'sell', now: UnixMillis): RouteQuote | null {
  if (book === null || fees === null) return null;
  const level = levelOf(route, book, way);
  if (level === null) return null;
  const { price, size } = level;
  const fee = takerFeeOfOne(fees, price, now);
  const dollars = price * MICRO_DOLLARS_PER_TICK;
  const netPrice = (way === 'buy' ? dollars + fee : dollars - fee) as MicroDollars;
  return { route, price, fee, netPrice, size, state: book.state, ageMs: Math.max(0, now - book.receivedAt) };
}

const MICRO_DOLLARS_PER_TICK = 100;

/** The level that the route trades with. Buying NO takes a YES bid at one dollar less its price, and selling NO takes a YES ask. */
function levelOf({ market, side }: Route, { bid, ask }: RouteBook, way: 'buy' | 'sell'): Level | null {
  const isNo = isNoOf(market, side);
  const level = (way === 'buy') === isNo ? bid : ask;
  if (level === null || !isNo) return level;
  return { price: complementTicks(level.price) as Ticks, size: level.size as MicroShares };
}

function isNoOf({ venue }: MarketKey, side: Route['side']): boolean {
  return venue === 'venue_b' && side === 'NO';
}
