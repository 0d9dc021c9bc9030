// What net-outbound.bench.ts says to its caller thread, and what that answers.

import type { LatencyCounts } from './latencies.ts';

export type OutboundClient = 'pool' | 'undici';

export interface OutboundCallerData {
  readonly port: number;
  readonly path: string;
}

export interface OutboundQuestion {
  readonly client: OutboundClient;
  /** Closed: the next request is sent when the last one is answered. Open: 1 000 are due each second, whatever comes. */
  readonly loop: 'closed' | 'open';
  readonly count: number;
}

export interface OutboundAnswer {
  /** In an open loop since a request was due. */
  readonly counts: LatencyCounts;
}
