// The last cursor of each actor's events. Engine thread.

import { setIn } from './by-owner.ts';

export class CursorTable {
  readonly #last = new Map<string, number>();
  #floor = 0;

  last(actorId: string): number {
    return Math.max(this.#last.get(actorId) ?? 0, this.#floor);
  }

  /** Over all actors. */
  highest(): number {
    let highest = this.#floor;
    for (const cursor of this.#last.values()) highest = Math.max(highest, cursor);
    return highest;
  }

  /** Returns the function that undoes it. */
  set(actorId: string, cursor: number): () => void {
    return setIn(this.#last, actorId, cursor);
  }

  /** As `set`: no cursor up to `floor` is used again. */
  leap(floor: number): () => void {
    const before = this.#floor;
    this.#floor = floor;
    return () => {
      this.#floor = before;
    };
  }
}
