// Who is told of what happens at venue A's exchange: its streams, and whoever else wants to know. They must not call back.

import type { VenueAEvent, VenueAObserver } from './records.ts';

export class Observers {
  readonly #observers = new Set<VenueAObserver>();

  /** The returned function ends it. */
  add(observer: VenueAObserver): () => void {
    this.#observers.add(observer);
    return () => this.#observers.delete(observer);
  }

  emit(event: VenueAEvent): void {
    for (const observer of this.#observers) observer(event);
  }
}
