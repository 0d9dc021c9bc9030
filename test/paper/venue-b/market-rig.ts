// Venue B's exchange with one game in three markets, served on a real port with public REST and the stream. Its API keys are names of callers. Time
// stands still until a test moves it.

import type { JsonObject } from '../../../src/core/domain/json.ts';
import { ASK, BID, type Side } from '../../../src/core/domain/market.ts';
import type { MicroDollars, UnixMillis } from '../../../src/core/domain/numbers.ts';
import { fail, ok } from '../../../src/core/domain/result.ts';
import { jsonReply, type Listener, listen } from '../../../src/core/net/listen.ts';
import { Random } from '../../../src/core/runtime/random.ts';
import type {
  Game,
  VenueBEventListing,
  VenueBMarketListing,
  VenueBSeries,
} from '../../../src/paper/catalog/listings.ts';
import type { Faults } from '../../../src/paper/faults/faults.ts';
import { Uuids } from '../../../src/paper/ids.ts';
import { VenueBExchange } from '../../../src/paper/venue-b/exchange.ts';
import type { VenueBMarket } from '../../../src/paper/venue-b/market.ts';
import type { Execution, NewOrder, Owner } from '../../../src/paper/venue-b/records.ts';
import { type Caller, VenueBAccess } from '../../../src/paper/venue-b/rest/access.ts';
import { Funds } from '../../../src/paper/venue-b/rest/funds.ts';
import { DayHistory } from '../../../src/paper/venue-b/rest/route.ts';
import { httpRoute } from '../../../src/paper/venue-b/rest/serving.ts';
import { VENUE_B_ROUTES } from '../../../src/paper/venue-b/server.ts';
import { streamRoute } from '../../../src/paper/venue-b/stream/stream-route.ts';
import { micros, ticks } from '../../support/amounts.ts';
import { NO_FAULTS } from '../../support/no-faults.ts';
import { VirtualTimers } from '../../support/virtual-timers.ts';
import { PLAIN_TERMS } from './core/rig.ts';
import { StreamClient } from './stream-client.ts';

export const START = 1_780_000_000_000;
const HOUR_MS = 3_600_000;
const GRID = { name: 'linear_cent', ranges: [{ start: '0.0000', end: '1.0000', step: '0.0100' }] };

export const EVENT = 'KXNBAGAME-26MAY28BOSLAL';
export const BOSTON = `${EVENT}-BOS`;
export const LAKERS = `${EVENT}-LAL`;
export const TOTAL_EVENT = 'KXNBATOTAL-26MAY28BOSLAL';
export const TOTAL = `${TOTAL_EVENT}-220`;

const GAME: Game = {
  id: 'nba-2026-05-28-bos-lal',
  league: 'nba',
  home: { code: 'LAL', name: 'Los Angeles Lakers', place: 'Los Angeles L', nickname: 'Lakers' },
  away: { code: 'BOS', name: 'Boston Celtics', place: 'Boston', nickname: 'Celtics' },
  startsAt: (START + HOUR_MS) as UnixMillis,
  lengthMs: 2 * HOUR_MS,
  strength: { home: 110, away: 108, deviation: 12 },
};

function series(ticker: string, title: string): VenueBSeries {
  return {
    ticker,
    title,
    category: 'Sports',
    tags: ['Basketball'],
    frequency: 'custom',
    feeType: 'quadratic',
    feeMultiplier: '1',
  };
}

const GAMES = series('KXNBAGAME', 'Professional Basketball Game');
const TOTALS = series('KXNBATOTAL', 'Pro Basketball Total Points');

function listing(
  eventTicker: string,
  suffix: string,
  number: number,
  strike: VenueBMarketListing['strike'],
): VenueBMarketListing {
  return {
    ticker: `${eventTicker}-${suffix}`,
    marketId: `00000000-0000-4000-8000-00000000000${number}`,
    eventTicker,
    title: `Question ${suffix}?`,
    yesSubTitle: `${suffix} it is`,
    noSubTitle: `${suffix} it is`,
    grid: GRID,
    createdAt: (START - 48 * HOUR_MS) as UnixMillis,
    openAt: (START - 47 * HOUR_MS) as UnixMillis,
    closeAt: (START + 72 * HOUR_MS) as UnixMillis,
    expectedExpirationAt: (START + 4 * HOUR_MS) as UnixMillis,
    strike,
    rulesPrimary: 'First rule.',
    rulesSecondary: 'Second rule.',
    pricedBy: { question: suffix, isComplement: false },
  };
}

function event(
  eventTicker: string,
  of: VenueBSeries,
  scope: string,
  markets: VenueBMarketListing[],
): VenueBEventListing {
  return {
    eventTicker,
    series: of,
    title: 'Boston at Los Angeles L',
    subTitle: 'BOS at LAL (May 28)',
    isMutuallyExclusive: scope === 'Games',
    game: GAME,
    competition: 'Pro Basketball (M)',
    scope,
    markets,
  };
}

const team = (number: number) => ({
  type: 'structured',
  custom: { basketball_team: `00000000-0000-4000-9000-00000000000${number}` },
});
const EVENTS = [
  event(EVENT, GAMES, 'Games', [listing(EVENT, 'BOS', 1, team(1)), listing(EVENT, 'LAL', 2, team(2))]),
  event(TOTAL_EVENT, TOTALS, 'Totals', [listing(TOTAL_EVENT, '220', 3, { type: 'greater', floor: 220.5 })]),
];

/** The callers by API key; the keys of the rig are the names of callers. */
export const CALLERS: Readonly<Record<string, Caller>> = {
  alice: caller('alice', 'a', null, ['read', 'write']),
  'alice-sub': caller('alice-sub', 'a', 1, ['read', 'write']),
  bob: caller('bob', 'b', null, ['read', 'write']),
  writer: caller('writer', 'c', null, ['write']),
};

function caller(keyId: string, user: string, subaccount: number | null, scopes: readonly string[]): Caller {
  return { keyId, userId: `${user.repeat(8)}-0000-4000-8000-000000000000`, subaccount, scopes } as Caller;
}

export function ownerOf(name: string, subaccount = 0): Owner {
  return { userId: CALLERS[name]!.userId, subaccount };
}

/** An order. `buy` and `sell` are sides of YES; prices and counts are texts. */
interface Wish {
  readonly who?: Owner;
  readonly ticker?: string;
  readonly side: 'buy' | 'sell';
  readonly price: string;
  readonly count: string;
  readonly more?: Partial<NewOrder>;
}

export class MarketRig {
  readonly timers: VirtualTimers;
  readonly exchange: VenueBExchange;
  readonly #access: VenueBAccess;
  readonly #listener: Listener;
  readonly #clients: StreamClient[] = [];
  #orders = 0;

  private constructor(timers: VirtualTimers, exchange: VenueBExchange, access: VenueBAccess, listener: Listener) {
    this.timers = timers;
    this.exchange = exchange;
    this.#access = access;
    this.#listener = listener;
  }

  static async start(faults: Faults = NO_FAULTS): Promise<MarketRig> {
    const timers = new VirtualTimers(START);
    const exchange = new VenueBExchange({
      series: [GAMES, TOTALS],
      events: EVENTS,
      timers,
      faults,
      random: new Random(7),
    });
    for (const name of ['alice', 'bob']) exchange.deposit(ownerOf(name), 1e12 as MicroDollars);
    exchange.deposit(ownerOf('alice', 1), 1e12 as MicroDollars);
    const days = new DayHistory();
    exchange.observe(days.hear);
    const access = new VenueBAccess(() => exchange.now());
    const uuids = new Uuids(new Random(8));
    const parts = { exchange, access, days, uuids, funds: new Funds(exchange), faults, timers };
    const listener = await listen({
      host: '127.0.0.1',
      port: 0,
      http: VENUE_B_ROUTES.filter(({ access }) => access === 'public').map(route => httpRoute(parts, route)),
      sockets: [
        streamRoute({
          exchange,
          authenticate: request => {
            const known = CALLERS[request.header('kalshi-access-key')];
            return known === undefined ? fail(jsonReply(401, { error: { code: 'authentication_error' } })) : ok(known);
          },
          faults,
          timers,
        }),
      ],
    });
    return new MarketRig(timers, exchange, access, listener);
  }

  get port(): number {
    return this.#listener.port;
  }

  close(): void {
    for (const client of this.#clients) client.close();
    this.#listener.close();
  }

  async connect(key: string): Promise<StreamClient> {
    const client = await StreamClient.connect(this.port, key);
    this.#clients.push(client);
    return client;
  }

  /** Opens a stream with these subscriptions, and reads the answers to them. */
  async listen(key: string, channels: readonly string[], more: object = {}): Promise<StreamClient> {
    const client = await this.connect(key);
    await client.ask({ id: 1, cmd: 'subscribe', params: { channels, ...more } });
    return client;
  }

  /** Registers a public key: signed requests of the caller are accepted from now on. */
  register(name: string, publicKeyPem: string): void {
    const { keyId, userId, subaccount, scopes } = CALLERS[name]!;
    this.#access.addUser({ userId, tier: 'unlimited' });
    const added = this.#access.addKey({ keyId, userId, subaccount, scopes, publicKeyPem, name });
    if (!added.ok) throw new Error(added.error);
  }

  market(ticker: string): VenueBMarket {
    const market = this.exchange.markets.get(ticker);
    if (market === undefined) throw new Error(`no market ${ticker}`);
    return market;
  }

  /** Places an order, and fails if it is refused. */
  place({ who = ownerOf('alice'), ticker = BOSTON, side, price, count, more = {} }: Wish): Execution {
    this.#orders += 1;
    const placed = this.exchange.orders.place(who, {
      clientOrderId: `order-${this.#orders}`,
      market: this.market(ticker),
      side: sideOf(side),
      price: ticks(price),
      size: micros(count),
      ...PLAIN_TERMS,
      ...more,
    });
    if (!placed.ok) throw new Error(placed.error);
    return placed.value;
  }

  /** Returns the body of an answer, and fails if the answer is not a success. */
  async read(path: string): Promise<JsonObject> {
    const { status, body, text } = await this.get(path);
    if (status !== 200) throw new Error(`${path} answers ${status} ${text}`);
    const unsorted = unsortedKeys(body);
    if (unsorted.length > 0) throw new Error(`${path} has keys in no alphabetical order: ${unsorted.join(' and ')}`);
    return body as JsonObject;
  }

  /** Matches two users. */
  trade(price: string, count: string, ticker: string = BOSTON): void {
    this.place({ ticker, side: 'buy', price, count });
    this.place({ who: ownerOf('bob'), ticker, side: 'sell', price, count });
  }

  async get(path: string): Promise<{ status: number; body: unknown; text: string }> {
    const answer = await fetch(`http://127.0.0.1:${this.port}/trade-api/v2${path}`);
    const text = await answer.text();
    return { status: answer.status, body: JSON.parse(text), text };
  }
}

/** Returns the keys that are out of alphabetical order. Success bodies have alphabetical keys (venue-b.md §1). */
function unsortedKeys(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  const keys = Array.isArray(value) ? [] : Object.keys(value);
  const wrong = keys.toSorted().join() === keys.join() ? [] : [keys.join()];
  return [...wrong, ...Object.values(value).flatMap(unsortedKeys)];
}

export function tickersOf(answer: JsonObject): readonly unknown[] {
  return (answer.markets as JsonObject[]).map(({ ticker }) => ticker);
}

function sideOf(side: 'buy' | 'sell'): Side {
  return side === 'buy' ? BID : ASK;
}
