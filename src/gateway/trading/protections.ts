// The triggered protections of all actors, as the engine reports them. Main thread.

import type { Protection, ProtectionChange } from '../../core/domain/protection.ts';

export type HearProtection = (change: ProtectionChange) => void;

export class Protections {
  readonly #triggered = new Map<string, Protection>();
  readonly #listeners = new Set<HearProtection>();

  get triggeredCount(): number {
    return this.#triggered.size;
  }

  /** Triggered protections of an actor, by its full id. */
  triggeredOf(actorId: string): readonly Protection[] {
    return [...this.#triggered.values()].filter(it => it.actorId === actorId);
  }

  hear(change: ProtectionChange): void {
    const { event, protection } = change;
    const name = `${protection.actorId} ${protection.venue} ${protection.address}`;
    if (event === 'ENDED' || protection.triggered === null) this.#triggered.delete(name);
    else this.#triggered.set(name, protection);
    for (const hear of this.#listeners) hear(change);
  }

  /** Listens until the returned function is called. */
  listen(hear: HearProtection): () => void {
    this.#listeners.add(hear);
    return () => this.#listeners.delete(hear);
  }
}
