// The latest order events of each pod, for a tail of its orders and fills. In memory: the history has them all. Main thread.

import type { OrderEventRecord } from '../../store/order-records.ts';

export interface NumberedEvent {
  /** Ascends by one within a process, and is higher in a later process. */
  readonly number: number;
  readonly record: OrderEventRecord;
}

/** Of each pod. */
const EVENTS_KEPT_MAX = 500;

export class PodEvents {
  readonly #keptMax: number;
  readonly #ofPod = new Map<string, NumberedEvent[]>();
  #number: number;

  /** `startedAt`: Unix milliseconds. */
  constructor(startedAt: number, keptMax: number = EVENTS_KEPT_MAX) {
    this.#number = startedAt * 1_000;
    this.#keptMax = keptMax;
  }

  hear(records: readonly OrderEventRecord[]): void {
    for (const record of records) {
      this.#number += 1;
      const kept = this.#ofPod.get(record.order.podId) ?? [];
      this.#ofPod.set(record.order.podId, kept);
      kept.push({ number: this.#number, record });
      // Rarely, and many at once: each removal moves the rest.
      if (kept.length >= 2 * this.#keptMax) kept.splice(0, kept.length - this.#keptMax);
    }
  }

  /** Those after a number, oldest first: the latest that are kept. */
  after(podId: string, number: number): readonly NumberedEvent[] {
    const kept = (this.#ofPod.get(podId) ?? []).slice(-this.#keptMax);
    return kept.filter(it => it.number > number);
  }
}
