// A read-only venue on a loopback port: faults first, then the venue's rate limit, then the route. Thread of the paper exchanges.

import { type HttpRoute, jsonReply, type Reply } from '../../core/net/listen.ts';
import type { Timers } from '../../core/runtime/timers.ts';
import type { Faults, FaultVenue } from '../faults/faults.ts';
import { withFaults } from '../faults/with-faults.ts';
import { type HttpServer, NOT_SERVED, serve } from '../http-server.ts';

export interface SideServerOptions {
  readonly timers: Timers;
  readonly faults: Faults;
  readonly seed: number;
  readonly host: string;
  /** 0 picks a free one. */
  readonly port: number;
}

export interface SideRoute {
  /** The path, with parameters as `:name`. */
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

/** The rows that `page` and `limit` of a query ask for; null if these are invalid. */
export function pageOf<Row>(rows: readonly Row[], query: URLSearchParams, limitMax: number): readonly Row[] | null {
  const [page, limit] = [query.get('page') ?? '1', query.get('limit') ?? '10'].map(Number) as [number, number];
  return page >= 1 && limit >= 1 && limit <= limitMax ? rows.slice((page - 1) * limit, page * limit) : null;
}

const RETRY_AFTER_S = 1;

/** Rejects if the port cannot be bound. */
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

/** One request per interval, with a burst (generic cell rate algorithm). */
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
