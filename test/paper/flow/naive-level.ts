// The fill model of one price, step by step. The queue is a list of single steps, and each step that the venue took away is one mark.

import type { QueueModel } from '../../../src/core/runtime/paper-terms.ts';
import { limits } from '../../../src/limits.ts';

interface Loss {
  readonly atMs: number;
  readonly caller: string | undefined;
  readonly ahead: number;
  readonly total: number;
  /** The caller's order that was ahead of each step; 0 means the front of the queue. */
  marks: number[];
}

export class NaiveLevel {
  /** The queue, step by step: `h` for a step of the house, otherwise the caller's order. */
  tokens: string[] = [];
  readonly #model: QueueModel;
  #shown = 0;
  #losses: Loss[] = [];
  /** The times of traded steps that the displayed book does not show yet. */
  #early: number[] = [];

  constructor(model: QueueModel) {
    this.#model = model;
  }

  show(size: number, atMs: number, keepsTaken: boolean): void {
    this.#forget(atMs);
    if (size === this.#shown) return;
    const taken = this.#shown - this.#house;
    const keeps = keepsTaken || this.#model === 'pessimistic';
    const wanted = Math.max(0, size - (keeps ? taken : 0));
    for (let step = size; step < this.#shown; step += 1)
      if (this.#early.shift() !== undefined && this.#house > wanted) this.#removeHouse(this.tokens.length);
    this.#shown = size;
    while (this.#house < wanted) this.tokens.push('h');
    if (this.#house === wanted) return;
    const [ahead, total] = [this.#houseAhead, this.#house];
    const loss: Loss = { atMs, caller: this.#caller, ahead, total, marks: [] };
    while (this.#house > wanted) {
      const before = this.tokens.slice(0, this.tokens.lastIndexOf('h'));
      loss.marks.push(Number(before.findLast(it => it !== 'h') ?? 0));
      this.#removeHouse(this.tokens.length);
    }
    this.#losses.push(loss);
  }

  trade(size: number, absorbed: number, atMs: number): number {
    this.#forget(atMs);
    const house = this.#house;
    for (let step = 0; step < size; step += 1) {
      const loss = this.#losses.find(({ marks }) => marks.length > 0);
      if (loss === undefined) this.#early.push(atMs);
      else {
        const mark = Math.min(...loss.marks);
        loss.marks.splice(loss.marks.indexOf(mark), 1);
        const later = this.tokens.findIndex(it => it !== 'h' && Number(it) > mark);
        this.tokens.splice(later === -1 ? this.tokens.length : later, 0, 'h');
      }
    }
    const gone = this.tokens.splice(0, size - absorbed);
    while (this.#house < house) this.tokens.push('h');
    while (this.#house > house) this.#removeHouse(this.tokens.length);
    return gone.filter(it => it !== 'h').length;
  }

  get #house(): number {
    return this.tokens.filter(it => it === 'h').length;
  }

  get #lastCaller(): number {
    return this.tokens.findLastIndex(it => it !== 'h');
  }

  get #caller(): string | undefined {
    return this.tokens[this.#lastCaller];
  }

  get #houseAhead(): number {
    return this.tokens.slice(0, Math.max(0, this.#lastCaller)).filter(it => it === 'h').length;
  }

  /** Removes the house's last step before the position `end`. */
  #removeHouse(end: number): boolean {
    const index = this.tokens.slice(0, end).lastIndexOf('h');
    if (index >= 0) this.tokens.splice(index, 1);
    return index >= 0;
  }

  #forget(atMs: number): void {
    const isOver = (since: number): boolean => atMs - since > limits.paperTradeWaitMs;
    for (const { marks, caller, ahead, total } of this.#losses.filter(it => isOver(it.atMs))) {
      const isSame = caller === this.#caller;
      const lost = isSame ? marks.filter(it => it !== Number(caller ?? 0)).length : marks.length;
      const shares = { pessimistic: 0, optimistic: Math.min(marks.length, ahead), proportional: 0 };
      for (let step = 1; step * total <= marks.length * ahead && total > 0; step += 1) shares.proportional = step;
      const moved = Math.min(shares[this.#model] - lost, marks.length - lost);
      for (let step = 0; step < moved; step += 1)
        if (this.#removeHouse(Math.max(0, this.#lastCaller))) this.tokens.push('h');
    }
    this.#losses = this.#losses.filter(it => !isOver(it.atMs));
    this.#early = this.#early.filter(it => !isOver(it));
  }
}
