// The gateway's metrics, under the names that its parts use; the pool's threads share the block. Main thread.

import { LABEL_VALUES } from '../metrics/metric-table.ts';
import { Metrics } from '../metrics/metrics.ts';
import type { Listener } from '../net/listen.ts';
import { OPERATIONS } from './api/operations.ts';
import type { StreamClients } from './stream/clients.ts';

export type AuthFailureReason = (typeof LABEL_VALUES.reason)[number];
export type LimitName = (typeof LABEL_VALUES.bucket)[number];

/** Operation that counts stream upgrades. */
export const OPEN_STREAM = 'openStream';
/** Operations that count the requests of /v1/trade, and its upgrades. */
const TRADE_OPERATIONS = ['openTrade', 'tradeSubmit', 'tradeCancel', 'tradeCancelAll'];
/** Operation that counts requests to no operation. */
export const NO_OPERATION = 'none';

export class GatewayMetrics {
  readonly metrics = new Metrics({
    operations: [...OPERATIONS.map(({ operationId }) => operationId), OPEN_STREAM, ...TRADE_OPERATIONS, NO_OPERATION],
  });
  readonly #authFailures = slots(LABEL_VALUES.reason, reason => this.metrics.counter('auth_failures_total', reason));
  readonly #limited = slots(LABEL_VALUES.bucket, name => this.metrics.counter('rate_limited_total', name));
  readonly #replays = this.metrics.counter('signature_replays_total');
  readonly #streamsRefused = this.metrics.counter('stream_refused_total');

  /** Returns a function that counts one answer of the operation. */
  answers(operationId: string): (status: number, durationUs: number) => void {
    return this.metrics.answers(operationId);
  }

  /** Gauges of the listener and of the streams' clients. */
  watch(
    listener: Pick<Listener, 'connections' | 'connectionsRefused' | 'requestsInFlight'>,
    clients: Pick<StreamClients, 'count' | 'laggards'>,
    traders: { readonly count: number },
  ): void {
    this.metrics.gauge('http_connections', () => listener.connections);
    this.metrics.gauge('http_connections_refused_total', () => listener.connectionsRefused);
    this.metrics.gauge('http_requests_in_flight', () => listener.requestsInFlight);
    this.metrics.gauge('stream_connections', () => clients.count);
    this.metrics.gauge('trade_connections', () => traders.count);
    this.metrics.gauge('stream_lagging_total', () => clients.laggards);
  }

  countAuthFailure(reason: AuthFailureReason): void {
    this.metrics.add(this.#authFailures[reason]);
  }

  countLimited(name: LimitName): void {
    this.metrics.add(this.#limited[name]);
  }

  countSignatureReplay(): void {
    this.metrics.add(this.#replays);
  }

  countStreamRefused(): void {
    this.metrics.add(this.#streamsRefused);
  }
}

function slots<Name extends string>(
  names: readonly Name[],
  slotOf: (name: Name) => number,
): Readonly<Record<Name, number>> {
  return Object.fromEntries(names.map(name => [name, slotOf(name)])) as Record<Name, number>;
}
