// Observers of venue A's exchange: its streams, its history and others. They must not call back.

import type { VenueAEvent, VenueAObserver } from './records.ts';

export class Observers {
  readonly #observers = new Set<VenueAObserver>();

  /** Returns a function that ends the subscription. */
  add(observer: VenueAObserver): () => void {
    this.#observers.add(observer);
    return () => this.#observers.delete(observer);
  }

  emit(event: VenueAEvent): void {
    for (const observer of this.#observers) observer(event);
  }
}
