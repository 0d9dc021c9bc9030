// A read-only venue on a loopback port. A request meets faults first, then the venue's rate limit, then its route. Thread of the paper
// exchanges.

import { createHash } from 'node:crypto';
import {
  MICROS_PER_SHARE,
  type MicroShares,
  TICKS_PER_DOLLAR,
  type Ticks,
  type UnixMillis,
} from '../../core/domain/numbers.ts';
import { type HttpRoute, jsonReply, type Reply } from '../../core/net/listen.ts';
import { Random } from '../../core/runtime/random.ts';
import type { Timers } from '../../core/runtime/timers.ts';
import type { Faults, FaultVenue } from '../faults/faults.ts';
import { withFaults } from '../faults/with-faults.ts';
import { type HttpServer, NOT_SERVED, serve } from '../http-server.ts';

export interface SideServerOptions {
  readonly timers: Timers;
  readonly faults: Faults;
  readonly seed: number;
  readonly host: string;
  /** 0 picks a free port. */
  readonly port: number;
}

export interface SideRoute {
  /** The path. Its parameters are written as `:name`. */
  readonly path: string;
  handle(parameters: readonly string[], query: URLSearchParams): Reply;
}

interface SideVenue {
  readonly venue: FaultVenue;
  readonly basePath: string;
  readonly routes: readonly SideRoute[];
  readonly rate: RequestRateTerms;
  /** Formats a refusal. */
  readonly refuse: (status: number) => object;
}

/** Returns the rows that `page` and `limit` of a query ask for. Null means that these are invalid. */
export function pageOf<Row>(rows: readonly Row[], query: URLSearchParams, limitMax: number): readonly Row[] | null {
  const [page, limit] = [query.get('page') ?? '1', query.get('limit') ?? '10'].map(Number) as [number, number];
  return page >= 1 && limit >= 1 && limit <= limitMax ? rows.slice((page - 1) * limit, page * limit) : null;
}

const RETRY_AFTER_S = 1;

/** Starts the server. Rejects if the port cannot be bound. */
export function startSideServer(venue: SideVenue, options: SideServerOptions): Promise<HttpServer> {
  const { host, port } = options;
  const refusal = (status: number): Reply => jsonReply(status, venue.refuse(status));
  const rate = new RequestRate(venue.rate, options.timers);
  const refuse = {
    notFound: () => jsonReply(404, { ...venue.refuse(404), ...NOT_SERVED }),
    methodNotAllowed: () => refusal(405),
    malformed: () => refusal(400),
    bodyTooLarge: () => refusal(413),
    failed: () => refusal(500),
  };
  return serve(
    { host, port, http: venue.routes.map(route => httpRoute(route, venue, options, rate)), refuse },
    venue.basePath,
  );
}

function httpRoute(
  { path, handle }: SideRoute,
  { venue, basePath, refuse }: SideVenue,
  { faults, timers }: SideServerOptions,
  rate: RequestRate,
): HttpRoute {
  const status = (code: number): Reply => jsonReply(code, refuse(code));
  const rateLimited = (): Reply => ({ ...status(429), headers: [['Retry-After', String(RETRY_AFTER_S)]] });
  const asked = { venue, key: '', operation: `GET ${path}` };
  return {
    method: 'get',
    pattern: basePath + path,
    handle: ({ query }, parameters) => {
      const act = (): Reply => (rate.take() ? handle(parameters, new URLSearchParams(query)) : rateLimited());
      return withFaults(faults, asked, timers, act, { rateLimited, status });
    },
  };
}

interface RequestRateTerms {
  readonly intervalMs: number;
  readonly burstMax: number;
}

/** Allows one request per interval, and a burst (generic cell rate algorithm). */
export class RequestRate {
  readonly #terms: RequestRateTerms;
  readonly #timers: Timers;
  #fullAt = 0;

  constructor(terms: RequestRateTerms, timers: Timers) {
    this.#terms = terms;
    this.#timers = timers;
  }

  /** Whether one more request is allowed. */
  take(): boolean {
    const { intervalMs, burstMax } = this.#terms;
    const now = this.#timers.now();
    const fullAt = Math.max(this.#fullAt, now) + intervalMs;
    if (fullAt - now > intervalMs * burstMax) return false;
    this.#fullAt = fullAt;
    return true;
  }
}

/** The sides of the book that have orders. */
export type Sides = 'both' | 'bids' | 'asks' | 'none';

export interface SideLevel {
  readonly price: Ticks;
  readonly size: MicroShares;
}

/** The levels of YES, best first. */
interface SideBook {
  readonly bids: readonly SideLevel[];
  readonly asks: readonly SideLevel[];
}

/** The step of prices: both venues quote in tenths of a cent. */
const GRID_TICKS = 10;
const PRICE_MIN = 50;
const STEP_MS = 500;
/** The most steps to catch up. More steps would make no visible difference. */
const STEPS_MAX = 1_000;
const LEVELS = 5;
const SHARES_MAX = 500;
const HALF_SPREADS = [1, 1, 2, 2, 3, 5];

export class LivingBook {
  readonly #random: Random;
  readonly #timers: Timers;
  readonly #sides: Sides;
  #centre: Ticks;
  #halfSpread = 1;
  #steppedAt: number;

  /** `centre` is the price at the start. */
  constructor(seed: number, timers: Timers, centre: Ticks, sides: Sides) {
    this.#random = new Random(seed);
    this.#timers = timers;
    this.#centre = centre;
    this.#sides = sides;
    this.#steppedAt = timers.now();
  }

  /** The price in the middle between the two sides. */
  get centre(): Ticks {
    this.#step(this.#timers.now());
    return this.#centre;
  }

  get book(): SideBook {
    this.#step(this.#timers.now());
    return {
      bids: this.#sides === 'both' || this.#sides === 'bids' ? this.#levels(-1) : [],
      asks: this.#sides === 'both' || this.#sides === 'asks' ? this.#levels(1) : [],
    };
  }

  #step(now: UnixMillis): void {
    const steps = Math.floor((now - this.#steppedAt) / STEP_MS);
    this.#steppedAt += Math.max(0, steps) * STEP_MS;
    for (let step = 0; step < Math.min(steps, STEPS_MAX); step += 1) {
      const moved = this.#centre + (this.#random.below(3) - 1) * GRID_TICKS;
      this.#centre = Math.min(Math.max(moved, PRICE_MIN), TICKS_PER_DOLLAR - PRICE_MIN) as Ticks;
      this.#halfSpread = this.#random.pick(HALF_SPREADS);
    }
  }

  #levels(direction: 1 | -1): SideLevel[] {
    const levels: SideLevel[] = [];
    for (let index = 0; index < LEVELS; index += 1) {
      const price = (this.#centre + direction * GRID_TICKS * (this.#halfSpread + index)) as Ticks;
      // Sizes depend only on prices, so that an unchanged level keeps its size.
      const shares = 1 + ((price * 7_919) % SHARES_MAX);
      if (price > 0 && price < TICKS_PER_DOLLAR)
        levels.push({ price, size: (shares * MICROS_PER_SHARE) as MicroShares });
    }
    return levels;
  }
}

/** Returns the id of an outcome token: 256 bits in decimal, as on a chain. The same name gives the same id. */
export function tokenIdOf(name: string): string {
  return BigInt(`0x${createHash('sha256').update(name).digest('hex')}`).toString();
}
