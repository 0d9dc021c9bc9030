// Messages between net-outbound.bench.ts and its caller thread.

import type { LatencyCounts } from './latencies.ts';

export type OutboundClient = 'pool' | 'undici';

export interface OutboundCallerData {
  readonly port: number;
  readonly path: string;
}

export interface OutboundQuestion {
  readonly client: OutboundClient;
  /** Closed: the next request is sent after the last answer. Open: 1 000 are due each second, answered or not. */
  readonly loop: 'closed' | 'open';
  readonly count: number;
}

export interface OutboundAnswer {
  /** In an open loop, from the time a request was due. */
  readonly counts: LatencyCounts;
}
