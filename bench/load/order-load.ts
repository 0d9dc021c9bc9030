// Turns of new orders from many callers on one thread.

import { Latencies } from './latencies.ts';
import type { OrderLoadAnswer, OrderLoadPlan } from './order-messages.ts';
import type { OrderTakerData } from './order-taker.ts';
import { Peer } from './peer.ts';
import type { Turn } from './rig.ts';
import type { Stages } from './server-timing.ts';

export interface OrderTurn extends Turn {
  /** Of each order, in microseconds; none straight to a venue. */
  readonly stages: readonly Stages[];
}

export class OrderLoad {
  readonly #callers: Peer;
  readonly #cpuMs: () => number;

  /** Ends with `close`. `cpuMs`: what whoever is loaded has used so far. */
  constructor(taker: OrderTakerData, cpuMs: () => number = () => Number.NaN) {
    this.#cpuMs = cpuMs;
    this.#callers = Peer.thread(new URL('order-load-worker.ts', import.meta.url), `callers of ${taker.taker}`, taker);
  }

  /** Every order of it has been made. */
  async turn(plan: OrderLoadPlan): Promise<OrderTurn> {
    await this.prepare(plan);
    return this.run();
  }

  /** Connects and signs, outside of what is timed. */
  async prepare(plan: OrderLoadPlan): Promise<void> {
    await this.#callers.ask({ op: 'prepare', plan });
  }

  /** What has been prepared. */
  async run(): Promise<OrderTurn> {
    const cpuBefore = this.#cpuMs();
    const { count, elapsedMs, latencies: counts, stages } = await this.#callers.ask<OrderLoadAnswer>({ op: 'run' });
    const cpuPercent = (100 * (this.#cpuMs() - cpuBefore)) / elapsedMs;
    const latencies = new Latencies();
    latencies.merge(counts);
    return { deliveries: count, lost: 0, elapsedMs, latencies, cpuPercent, stages };
  }

  /** All orders of the last run, as their callers would: the rest of the book is as it was. */
  async cancel(): Promise<void> {
    await this.#callers.ask({ op: 'cancel' });
  }

  close(): Promise<void> {
    return this.#callers.kill();
  }
}
