// Notes the values that the current step has replaced, so that a step that fails is undone as a whole. A step notes functions and their
// arguments in an array that each step uses again. So no change makes a closure. Engine thread.

import type { Venue } from '../../../core/domain/market.ts';
import type { ByName } from './by-owner.ts';

const WIDTH = 6;

export class UndoLog {
  readonly #notes: unknown[] = [];
  #end = 0;
  /** Whether a step is open. Outside of a step nothing is noted, because a replayed record is never undone. */
  #isKept = false;

  begin(): void {
    this.#end = 0;
    this.#isKept = true;
  }

  end(): void {
    this.#isKept = false;
  }

  /** Notes a call that undoes a change: `back` puts back what its arguments name. */
  note<A, B, C, D, E>(back: (a: A, b: B, c: C, d: D, e: E) => void, a: A, b: B, c?: C, d?: D, e?: E): void {
    if (!this.#isKept) return;
    const [notes, end] = [this.#notes, this.#end];
    notes[end] = back;
    notes[end + 1] = a;
    notes[end + 2] = b;
    notes[end + 3] = c;
    notes[end + 4] = d;
    notes[end + 5] = e;
    this.#end = end + WIDTH;
  }

  /** Sets a value and notes the value before. Undefined removes the value. */
  setName<Value>(of: ByName<Value>, owner: string, venue: Venue, name: string, value: Value | undefined): void {
    this.note(setName<Value>, of, owner, venue, name, of.get(owner, venue, name));
    of.set(owner, venue, name, value);
  }

  /** Like `setName`, for a plain map. */
  setIn<Value>(of: Map<string, Value>, key: string, value: Value | undefined): void {
    this.note(setIn<Value>, of, key, of.get(key));
    setIn(of, key, value);
  }

  /** Undoes all changes of the step, the last change first. */
  undo(): void {
    this.end();
    while (this.#end > 0) {
      this.#end -= WIDTH;
      const [back, ...its] = this.#notes.slice(this.#end, this.#end + WIDTH);
      (back as (...its: unknown[]) => void)(...its);
    }
  }
}

function setName<Value>(of: ByName<Value>, owner: string, venue: Venue, name: string, value: Value | undefined): void {
  of.set(owner, venue, name, value);
}

function setIn<Value>(of: Map<string, Value>, key: string, value: Value | undefined): void {
  if (value === undefined) of.delete(key);
  else of.set(key, value);
}
