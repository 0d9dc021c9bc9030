// Sends messages about the queues ahead of one actor's orders to one subscription. Each order is sent once at first, and again when a bound
// of its range has changed by the subscription's step. Only the latest value is sent, so nothing is kept for a slow reader. Main thread.

import type { OrderId } from '../../core/domain/order.ts';
import type { Timers } from '../../core/runtime/timers.ts';
import { type QueueAhead, queueView } from '../../core/wire/order-views.ts';
import type { OrderOutlet } from './order-follower.ts';
import type { ActorQueues } from './queues.ts';

export interface QueueNewsParts {
  readonly queues: ActorQueues;
  /** The step in micro-shares. */
  readonly step: number;
  readonly outlet: Pick<OrderOutlet, 'send' | 'batch' | 'hasRoom'>;
  /** Whether the subscription has been answered. */
  readonly hasBegun: () => boolean;
  readonly timers: Timers;
}

/** The interval between two looks at the queues. */
const CHECK_INTERVAL_MS = 250;

export class QueueNews {
  readonly #parts: QueueNewsParts;
  /** The queue that was last sent for each order. */
  readonly #sentQueues = new Map<OrderId, QueueAhead>();
  #cancelCheck: () => void = () => {};

  constructor(parts: QueueNewsParts) {
    this.#parts = parts;
    this.#scheduleCheck();
  }

  close(): void {
    this.#cancelCheck();
  }

  #scheduleCheck(): void {
    this.#cancelCheck = this.#parts.timers.after(CHECK_INTERVAL_MS, () => {
      this.#scheduleCheck();
      if (this.#parts.hasBegun()) this.#parts.outlet.batch(() => this.#sendChanges());
    });
  }

  #sendChanges(): void {
    const { queues, step, outlet } = this.#parts;
    const working = new Set(queues.ids());
    for (const orderId of this.#sentQueues.keys()) if (!working.has(orderId)) this.#sentQueues.delete(orderId);
    for (const orderId of working) {
      const ahead = queues.of(orderId);
      if (ahead === null || !hasChanged(this.#sentQueues.get(orderId), ahead, step)) continue;
      if (!outlet.hasRoom()) return;
      this.#sentQueues.set(orderId, ahead);
      outlet.send({ type: 'queue', venue: queues.venueOf(orderId), orderId, queueAhead: queueView(ahead) });
    }
  }
}

function hasChanged(before: QueueAhead | undefined, { range, book }: QueueAhead, step: number): boolean {
  if (before === undefined) return true;
  const { low, high, basis } = before.range;
  if (before.book !== book || basis !== range.basis) return true;
  if (high === null || range.high === null) return high !== range.high;
  const changed = Math.max(Math.abs(low - range.low), Math.abs(high - range.high));
  return changed > 0 && (changed >= step || range.high === 0);
}
