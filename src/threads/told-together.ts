// Order events on their way to the main thread: what is told in one go, as by commits that were made together, is one message. Order
// workers.

import type { OrderEventRecord } from '../store/order-records.ts';

type Tell = (events: readonly OrderEventRecord[]) => void;

/** `post` has them in their order, and before the answers to what has changed them. */
export function toldTogether(post: Tell): Tell {
  let waiting: OrderEventRecord[] = [];
  const postAll = (): void => {
    const events = waiting;
    waiting = [];
    post(events);
  };
  return events => {
    if (waiting.length === 0) queueMicrotask(postAll);
    waiting.push(...events);
  };
}
