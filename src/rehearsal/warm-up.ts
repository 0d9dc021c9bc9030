// The first order of a start must not be slow: before the gateway is ready, orders run the whole way through a rehearsal, until their
// code is compiled. Code gets warm, on the main thread and on the engine's, and nothing else remains. Main thread.

import { join } from 'node:path';
import { faultOf } from '../domain/error-words.ts';
import type { Venue } from '../domain/market.ts';
import { limits } from '../limits.ts';
import type { Log } from '../runtime/log.ts';
import { EngineThread } from '../threads/engine-thread.ts';
import { Rehearsal } from './rehearsal.ts';
import { sendOrders } from './rehearsed-orders.ts';

export interface WarmUpOptions {
  /** The rehearsal has a folder in it while it lasts. */
  readonly dataDir: string;
  /** Where pods have accounts. */
  readonly venues: readonly Venue[];
  readonly log: Log;
  /** No order is sent later; `limits.warmUpMs` by default. */
  readonly ordersMs?: number;
  /** It is given up then; `limits.warmUpGiveUpMs` by default. */
  readonly giveUpMs?: number;
}

/**
 * A thread for the engine. It is warm unless the rehearsal fails or takes too long: then it is a new one, and the log says why. Never
 * rejects.
 */
export async function warmEngineThread(options: WarmUpOptions): Promise<EngineThread> {
  const { dataDir, venues, log, ordersMs = limits.warmUpMs, giveUpMs = limits.warmUpGiveUpMs } = options;
  const thread = new EngineThread();
  if (venues.length === 0) return thread;
  const beganMs = performance.now();
  const rehearsal = new Rehearsal({ thread, folder: join(dataDir, 'warm-up'), venues });
  const tooLate = new Error(`it takes longer than ${giveUpMs} ms (warmUpGiveUpMs)`);
  const timer = setTimeout(() => rehearsal.giveUp(tooLate), giveUpMs);
  try {
    const orders = await Promise.race([rehearse(rehearsal, beganMs + ordersMs), rehearsal.lost]);
    log.info('warmed up', { orders, ms: Math.round(performance.now() - beganMs) });
    return thread;
  } catch (error) {
    log.warn('not warmed up: the first orders take longer', faultOf(error));
    // The start does not wait for what hangs: the rehearsal ends in the background.
    void Promise.allSettled([thread.close()]);
    return new EngineThread();
  } finally {
    clearTimeout(timer);
  }
}

/** Resolves with the number of orders when everything has ended. `untilMs`, by performance.now(): no order is sent later. */
async function rehearse(rehearsal: Rehearsal, untilMs: number): Promise<number> {
  try {
    const stage = await rehearsal.open();
    return await Promise.race([sendOrders(stage, untilMs), rehearsal.lost]);
  } finally {
    await rehearsal.close();
  }
}
