// The last cursor of each actor's events. Engine thread.

import type { UndoLog } from './undo-log.ts';

export class CursorTable {
  readonly #undo: UndoLog;
  readonly #last = new Map<string, number>();
  #floor = 0;

  constructor(undo: UndoLog) {
    this.#undo = undo;
  }

  last(actorId: string): number {
    return Math.max(this.#last.get(actorId) ?? 0, this.#floor);
  }

  /** Returns the highest cursor of all actors. */
  highest(): number {
    let highest = this.#floor;
    for (const cursor of this.#last.values()) highest = Math.max(highest, cursor);
    return highest;
  }

  set(actorId: string, cursor: number): void {
    this.#undo.setIn(this.#last, actorId, cursor);
  }

  /** Makes sure that no cursor up to `floor` is used again. */
  skipTo(floor: number): void {
    this.#undo.note(fallBack, this, this.#floor);
    this.#floor = floor;
  }
}

const fallBack = (table: CursorTable, floor: number): void => table.skipTo(floor);
