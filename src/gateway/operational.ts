// Routes that operators read without a key: /healthz, /readyz and /metrics. If a metrics address is configured, /metrics is only there.
// /healthz and /readyz are then at both addresses. Main thread.

import type { CatalogLink } from '../catalog/catalog-link.ts';
import type { Config } from '../config.ts';
import { perVenue, type Venue } from '../core/domain/market.ts';
import type { Metrics } from '../core/metrics/metrics.ts';
import { prometheusText } from '../core/metrics/prometheus.ts';
import {
  type HttpRoute,
  jsonReply,
  ListenError,
  type Listener,
  listen,
  NO_STORE,
  type Reply,
} from '../core/net/listen.ts';
import { TokenBucket } from '../core/runtime/token-bucket.ts';
import type { Readiness } from '../core/wire/reports.ts';
import { limits } from '../limits.ts';
import type { Trading } from './trading/trading.ts';

interface OperationalParts {
  readonly isDraining: () => boolean;
  /** Whether all addresses are open, and the process handles its signals. */
  readonly isOpen: () => boolean;
  readonly catalog: Pick<CatalogLink, 'isPassed'>;
  readonly trading: Pick<Trading, 'recordFault' | 'isReady'>;
  /** The fault of the venue's market data. Returns null if there is no fault. */
  readonly feedProblem: (venue: Venue) => string | null;
  readonly metrics: Metrics;
  /** The reason why the keys may be out of date. Returns null if they are not. */
  readonly keysProblem: () => string | null;
}

export class Operational {
  readonly #parts: OperationalParts;
  readonly #pages: MetricsPages;

  constructor(parts: OperationalParts) {
    this.#parts = parts;
    this.#pages = new MetricsPages(() => metricsReply(parts.metrics));
    parts.metrics.gauge('ready', () => (this.isReady ? 1 : 0));
  }

  get isReady(): boolean {
    return this.readiness.status === READY;
  }

  /** The routes at the gateway's own address. */
  routesBeside(metricsAddress: Config['metricsAddress']): readonly HttpRoute[] {
    return metricsAddress === null ? this.#routes() : this.#probes();
  }

  /** Opens the metrics address. Rejects with a ListenError. */
  async listen({ host, port }: NonNullable<Config['metricsAddress']>): Promise<Listener> {
    const options = { host, port, connectionsMax: limits.metricsConnectionsMax, sockets: [], http: this.#routes() };
    return listen(options).catch(error => {
      throw error instanceof ListenError ? new ListenError('metricsAddress', port, error.message, error) : error;
    });
  }

  #routes(): readonly HttpRoute[] {
    return [...this.#probes(), ...bareRoutes('/metrics', () => this.#pages.pageAt(performance.now()))];
  }

  #probes(): readonly HttpRoute[] {
    const readyz = (): Reply => {
      const { readiness } = this;
      return { ...jsonReply(readiness.status === READY ? 200 : 503, readiness), headers: [NO_STORE] };
    };
    return [...bareRoutes('/healthz', () => HEALTHY), ...bareRoutes('/readyz', readyz)];
  }

  /** The state for /readyz. The fault of a feed does not stop trading, so it is only named. */
  get readiness(): Readiness {
    const { isDraining, isOpen, trading, catalog, feedProblem, keysProblem } = this.#parts;
    const feeds = perVenue(venue => feedProblem(venue) ?? 'ok');
    if (isDraining()) return { status: 'draining', feeds };
    if (!isOpen()) return { status: 'starting', feeds };
    const reason = trading.recordFault ?? keysProblem();
    if (reason !== null) return { status: 'unrecordable', reason, feeds };
    return { status: trading.isReady() && catalog.isPassed ? READY : 'starting', feeds };
  }
}

/** The routes of a path whose answer depends on no request. Load balancers and probes use GET or HEAD. */
export function bareRoutes(pattern: string, handle: () => Reply): readonly HttpRoute[] {
  return (['get', 'head'] as const).map(method => ({ method, pattern, isBare: true, handle }));
}

/** The only status of /readyz in which orders can be placed. */
const READY = 'ready';
const HEALTHY: Reply = { ...jsonReply(200, { status: 'ok' }), headers: [NO_STORE] };

/** The answers to GET /metrics. A page is made at a bounded rate; beyond that rate callers get the last page. */
export class MetricsPages {
  readonly #make: () => Reply;
  readonly #budget = new TokenBucket({ perS: limits.metricsPagesPerS, burstMax: limits.metricsPagesBurstMax });
  #latest: Reply | null = null;

  constructor(make: () => Reply) {
    this.#make = make;
  }

  /** `nowMs` is in monotonic milliseconds. */
  pageAt(nowMs: number): Reply {
    if (this.#budget.take(nowMs) || this.#latest === null) this.#latest = this.#make();
    return this.#latest;
  }
}

/** The metrics as Prometheus text. */
function metricsReply(metrics: Metrics): Reply {
  const contentType = 'text/plain; version=0.0.4';
  return { status: 200, contentType, body: prometheusText(metrics), headers: [NO_STORE] };
}
