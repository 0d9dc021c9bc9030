// Waits for the disk, or for the pod's stream, but not longer than a caller may wait, because a sync may hang without an error. Engine
// thread.

import type { Timers } from '../../core/runtime/timers.ts';
import type { LedgerStore } from '../../core/store/order-records.ts';
import { StoreError } from '../../core/store/store-error.ts';
import { limits } from '../../limits.ts';

/**
 * Resolves with the reason why the steps so far are not as safe as the mode requires, or with null, at the latest after `waitMs`. Returns
 * null in place of a promise if the steps are safe already. In the process-safe mode they always are.
 */
export function recordFault(
  store: Pick<LedgerStore, 'durable'>,
  timers: Pick<Timers, 'after'>,
  waitMs: number = limits.recordPatienceMs,
): Promise<StoreError | null> | null {
  const kept = store.durable();
  if (kept === null) return null;
  return new Promise((resolve, reject) => {
    const cancelTimer = timers.after(waitMs, () =>
      resolve(new StoreError(`the store did not keep it within ${waitMs} ms`)),
    );
    const failed = (error: unknown): void => {
      cancelTimer();
      if (error instanceof StoreError) resolve(error);
      else reject(error);
    };
    kept.then(() => {
      cancelTimer();
      resolve(null);
    }, failed);
  });
}

/** The answer for an order that is not sent because its record is not safe. */
export function unsafeAnswer({ message }: StoreError) {
  return { message: `the record of the order is not safe: ${message}`, retryAfterS: 1 } as const;
}
