// Callers that wait for an order. Each change of the order, or of its key, makes them look again. Engine thread.

import type { OrderId } from '../../core/domain/order.ts';
import type { Timers } from '../../core/runtime/timers.ts';

export class OrderWaiters {
  readonly #waiting = new Map<OrderId, Set<() => void>>();

  /** Calls `look` after each change of the order, outside of the step. The returned function ends this. */
  wait(orderId: OrderId, look: () => void): () => void {
    const waiting = this.#waiting.get(orderId) ?? new Set();
    this.#waiting.set(orderId, waiting);
    waiting.add(look);
    return () => {
      waiting.delete(look);
      if (waiting.size === 0 && this.#waiting.get(orderId) === waiting) this.#waiting.delete(orderId);
    };
  }

  wake(orderIds: readonly OrderId[]): void {
    if (this.#waiting.size === 0) return;
    for (const orderId of orderIds) {
      const waiting = this.#waiting.get(orderId);
      if (waiting === undefined) continue;
      queueMicrotask(() => {
        for (const look of waiting) look();
      });
    }
  }
}

interface Patience {
  readonly timers: Pick<Timers, 'after'>;
  readonly waitMs: number;
}

/**
 * Resolves with the result of `look`, now or after a change. Resolves with null if there is no result before the timeout. Rejects with an
 * error that `look` throws.
 */
export async function firstResult<T>(
  waiters: OrderWaiters,
  orderId: OrderId,
  { timers, waitMs }: Patience,
  look: () => T | null,
): Promise<T | null> {
  const known = look();
  if (known !== null || waitMs <= 0) return known;
  return new Promise((resolve, reject) => {
    const leave = waiters.wait(orderId, () => {
      try {
        const found = look();
        if (found === null) return;
        resolve(found);
      } catch (error) {
        reject(error);
      }
      end();
    });
    const cancelTimer = timers.after(waitMs, () => {
      leave();
      resolve(null);
    });
    const end = (): void => {
      leave();
      cancelTimer();
    };
  });
}
