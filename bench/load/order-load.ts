// Turns of new orders from many callers on one thread.

import type { BenchOptions } from '../harness.ts';
import { Latencies } from './latencies.ts';
import type { OrderLoadAnswer, OrderLoadPlan } from './order-messages.ts';
import type { OrderTakerData } from './order-taker.ts';
import { Peer } from './peer.ts';
import type { Turn } from './rig.ts';
import type { Stages } from './server-timing.ts';

export interface OrderTurn extends Turn {
  /** The stages of each order, in microseconds. Empty for a venue. */
  readonly stages: readonly Stages[];
}

export class OrderLoad {
  readonly #callers: Peer;
  readonly #cpuMs: () => number;

  /** The load ends with `close`. `cpuMs` returns the processor time of the loaded side so far. */
  constructor(taker: OrderTakerData, cpuMs: () => number = () => Number.NaN) {
    this.#cpuMs = cpuMs;
    this.#callers = Peer.thread(new URL('order-load-worker.ts', import.meta.url), `callers of ${taker.taker}`, taker);
  }

  /** Runs a turn, in which every order is made. */
  async turn(plan: OrderLoadPlan): Promise<OrderTurn> {
    await this.prepare(plan);
    return this.run();
  }

  /** Connects and signs. This is outside of timed parts. */
  async prepare(plan: OrderLoadPlan): Promise<void> {
    await this.#callers.ask({ op: 'prepare', plan });
  }

  /** Runs the prepared turn. */
  async run(): Promise<OrderTurn> {
    const cpuBefore = this.#cpuMs();
    const { count, elapsedMs, latencies: counts, stages } = await this.#callers.ask<OrderLoadAnswer>({ op: 'run' });
    const cpuPercent = (100 * (this.#cpuMs() - cpuBefore)) / elapsedMs;
    const latencies = Latencies.of(counts);
    return { deliveries: count, lost: 0, elapsedMs, latencies, cpuPercent, stages };
  }

  /** Cancels all orders of the last run as their callers would, so that the book is as before. */
  async cancel(): Promise<void> {
    await this.#callers.ask({ op: 'cancel' });
  }

  close(): Promise<void> {
    return this.#callers.kill();
  }
}

const TOGETHER: OrderLoadPlan = { count: 3_000, connections: 64, ordersPerSecond: null };
const ALONE: OrderLoadPlan = { count: 1_500, connections: 1, ordersPerSecond: null };
const TURNS = [TOGETHER, ALONE, TOGETHER, ALONE, TOGETHER, ALONE, TOGETHER, ALONE];
const SMOKE: OrderLoadPlan = { count: 50, connections: 64, ordersPerSecond: null };

/** Warms the taker up. No order rests when the promise resolves. */
export async function warmUp(load: OrderLoad, { smoke }: BenchOptions): Promise<void> {
  for (const plan of smoke ? [SMOKE] : TURNS) {
    await load.turn(plan);
    await load.cancel();
  }
}
