// What operators read without a key: /healthz, /readyz and /metrics. With an address of their own, /metrics is there alone, and the other two
// are at both. Main thread.

import type { Config } from '../config.ts';
import { limits } from '../limits.ts';
import type { Metrics } from '../metrics/metrics.ts';
import { type HttpRoute, jsonReply, ListenError, type Listener, listen, NO_STORE, type Reply } from '../net/listen.ts';
import type { Trading } from '../trading/trading.ts';
import { MetricsPages, metricsReply } from './metrics-page.ts';

export interface OperationalParts {
  readonly isDraining: () => boolean;
  readonly trading: Pick<Trading, 'recordFault' | 'isReady'>;
  readonly metrics: Metrics;
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
    return this.#readiness().status === READY.status;
  }

  /** Routes at the gateway's own address. */
  routesBeside(metricsAddress: Config['metricsAddress']): readonly HttpRoute[] {
    return metricsAddress === null ? this.#routes() : this.#probes();
  }

  /** Rejects with a ListenError. */
  async listen({ host, port }: NonNullable<Config['metricsAddress']>): Promise<Listener> {
    const options = { host, port, connectionsMax: limits.metricsConnectionsMax, sockets: [], http: this.#routes() };
    return listen(options).catch(error => {
      throw error instanceof ListenError ? new ListenError('metricsAddress', port, error.message, error) : error;
    });
  }

  #routes(): readonly HttpRoute[] {
    return [...this.#probes(), ...bareRoutes('/metrics', () => this.#pages.at(performance.now()))];
  }

  #probes(): readonly HttpRoute[] {
    return [...bareRoutes('/healthz', () => HEALTHY), ...bareRoutes('/readyz', () => this.#readiness())];
  }

  #readiness(): Reply {
    const { isDraining, trading } = this.#parts;
    if (isDraining()) return DRAINING;
    const reason = trading.recordFault;
    if (reason !== null) return jsonReply(503, { status: 'unrecordable', reason });
    return trading.isReady() ? READY : STARTING;
  }
}

/** Of an answer that depends on no request. Load balancers and probes use GET or HEAD. */
export function bareRoutes(pattern: string, handle: () => Reply): readonly HttpRoute[] {
  return (['get', 'head'] as const).map(method => ({ method, pattern, isBare: true, handle }));
}

function standing(httpStatus: number, status: string): Reply {
  return { ...jsonReply(httpStatus, { status }), headers: [NO_STORE] };
}

const HEALTHY = standing(200, 'ok');
const READY = standing(200, 'ready');
const STARTING = standing(503, 'starting');
const DRAINING = standing(503, 'draining');
