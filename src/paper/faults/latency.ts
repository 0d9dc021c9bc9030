// The time that an order or a cancel takes to a venue that is far away. The house shows what a feed brought, which is already as old as the
// feed is slow. So a request is delayed by both ways before it meets the book that is shown here. Thread of the paper exchanges.

import { type Latency, NO_LATENCY } from '../../core/runtime/paper-terms.ts';
import { Random } from '../../core/runtime/random.ts';
import type { RequestFault } from './faults.ts';

const CANCELS = /^DELETE .*(order|cancel)/;
/** The paths that place orders. Scores of orders and groups of orders are none of them. */
const ORDERS = /^POST .*\/orders?(\/|$)/;

export class RequestLatency {
  readonly #latency: Latency;
  readonly #random: Random;
  readonly #isNone: boolean;

  constructor(latency: Latency, seed: number) {
    this.#latency = latency;
    this.#random = new Random(seed);
    this.#isNone = Object.keys(NO_LATENCY).every(way => latency[way as keyof Latency].every(ms => ms === 0));
  }

  /** Returns the delay of a request. Null means that it has none. */
  of(operation: string): RequestFault | null {
    if (this.#isNone) return null;
    const { feed, order, cancel } = this.#latency;
    const way = CANCELS.test(operation) ? cancel : ORDERS.test(operation) ? order : null;
    if (way === null) return null;
    return { kind: 'delay', beforeMs: this.#random.pick(way) + this.#random.pick(feed), afterMs: 0 };
  }
}

/** Returns the latencies for a recording that plays at this speed. */
export function latencyAt(speed: number, { feed, order, cancel }: Latency): Latency {
  const at = (samples: readonly number[]): readonly number[] => samples.map(ms => Math.ceil(ms / speed));
  return { feed: at(feed), order: at(order), cancel: at(cancel) };
}
