// The triggered protections and reached loss limits of all actors, as the engine reports them. Main thread.

import { type HaltChange, haltName, isAbout, standingHalt } from '../../orders/engine/halt-change.ts';

export type HaltListener = (change: HaltChange) => void;

export class Halts {
  readonly #standing = new Map<string, HaltChange>();
  readonly #listeners = new Set<HaltListener>();

  get triggeredProtections(): number {
    return [...this.#standing.values()].filter(({ type }) => type === 'protection').length;
  }

  /** The halts that concern the actor. `actorId` is the full id. */
  of(actorId: string): readonly HaltChange[] {
    return [...this.#standing.values()].filter(it => isAbout(it, actorId));
  }

  apply(change: HaltChange): void {
    const after = standingHalt(change);
    if (after === null) this.#standing.delete(haltName(change));
    else this.#standing.set(haltName(change), after);
    for (const listener of this.#listeners) listener(change);
  }

  /** Calls `listener` for each change until the returned function is called. */
  listen(listener: HaltListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}
