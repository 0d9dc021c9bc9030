// Makes the first order after a start quick. Before the gateway is ready, orders run the whole path in a rehearsal until their code is
// compiled. This warms code on the main and engine threads; nothing else remains. Main thread.

import { join } from 'node:path';
import { faultOf } from '../../core/domain/error-words.ts';
import type { Venue } from '../../core/domain/market.ts';
import type { Log } from '../../core/runtime/log.ts';
import { limits } from '../../limits.ts';
import { EngineThread } from '../../orders/engine/engine-thread.ts';
import { Rehearsal } from './rehearsal.ts';
import { sendOrders } from './rehearsed-orders.ts';

export interface WarmUpOptions {
  /** Holds the rehearsal's folder while it runs. */
  readonly dataDir: string;
  /** Venues where pods have accounts. */
  readonly venues: readonly Venue[];
  /** Whether the engine's thread has a door of its own. */
  readonly hasDoor: boolean;
  readonly log: Log;
  /** Milliseconds for orders; `limits.warmUpMs` by default. */
  readonly ordersMs?: number;
  /** Milliseconds until the rehearsal is abandoned; `limits.warmUpGiveUpMs` by default. */
  readonly giveUpMs?: number;
}

/**
 * Returns a warm thread for the engine. If the rehearsal fails or takes too long, it is a new thread, and the log says why. Never rejects.
 */
export async function warmEngineThread(options: WarmUpOptions): Promise<EngineThread> {
  const { dataDir, venues, hasDoor, log, ordersMs = limits.warmUpMs, giveUpMs = limits.warmUpGiveUpMs } = options;
  const thread = new EngineThread();
  if (venues.length === 0) return thread;
  const beganMs = performance.now();
  const rehearsal = new Rehearsal({ thread, folder: join(dataDir, 'warm-up'), venues, hasDoor });
  const tooLate = new Error(`it takes longer than ${giveUpMs} ms (warmUpGiveUpMs)`);
  const timer = setTimeout(() => rehearsal.giveUp(tooLate), giveUpMs);
  try {
    const orders = await Promise.race([rehearse(rehearsal, beganMs + ordersMs), rehearsal.lost]);
    log.info('warmed up', { orders, ms: Math.round(performance.now() - beganMs) });
    return thread;
  } catch (error) {
    log.warn('not warmed up: the first orders take longer', faultOf(error));
    // The start does not wait for a hung part: it ends in the background.
    void Promise.allSettled([rehearsal.abandon()]);
    return new EngineThread();
  } finally {
    clearTimeout(timer);
  }
}

/** Resolves with the number of orders when everything has ended. No order is sent after `untilMs`, by performance.now(). */
async function rehearse(rehearsal: Rehearsal, untilMs: number): Promise<number> {
  try {
    const stage = await rehearsal.open();
    return await Promise.race([sendOrders(stage, untilMs), rehearsal.lost]);
  } finally {
    await rehearsal.close();
  }
}
