// The tip of the journal, in memory that all threads of a process share: where its last record ends, up to which the state has them, the
// lock of whoever appends the next one, and a bell for whoever waits until there is one. Made by the store's owner; threads that are
// started later find it.

import { realpathSync } from 'node:fs';
import { getEnvironmentData, setEnvironmentData } from 'node:worker_threads';
import { CONDITIONS, type Condition, type Position } from './position.ts';

const LOCK = 0;
const CONDITION = 1;
const BELL = 2;
const REFUSING = 3;
const WORDS = 4;
const [SEQUENCE, SEGMENT, BYTES, FLUSHED] = [0, 1, 2, 3];
const NUMBERS = 4;

const FREE = 0;
const HELD = 1;
/** And somebody waits for it. */
const WANTED = 2;

export class Tip {
  readonly #words: Int32Array<SharedArrayBuffer>;
  readonly #numbers: BigInt64Array<SharedArrayBuffer>;
  /** Where `of` finds it. */
  readonly #name: string;

  private constructor(name: string, memory: SharedArrayBuffer) {
    this.#name = name;
    this.#words = new Int32Array(memory, 0, WORDS);
    this.#numbers = new BigInt64Array(memory, 4 * WORDS, NUMBERS);
  }

  /** Of a store that nobody else has open. */
  static make(folder: string, position: Position): Tip {
    const name = nameOf(folder);
    const memory = new SharedArrayBuffer(4 * WORDS + 8 * NUMBERS);
    const tip = new Tip(name, memory);
    tip.advance(position);
    tip.noteFlushed(position.sequence);
    tip.turn(position.condition);
    setEnvironmentData(name, memory);
    return tip;
  }

  /** Null where the store's owner is another process. */
  static of(folder: string): Tip | null {
    const name = nameOf(folder);
    const memory = getEnvironmentData(name);
    return memory instanceof SharedArrayBuffer ? new Tip(name, memory) : null;
  }

  /** Nobody finds it any more. */
  leave(): void {
    setEnvironmentData(this.#name, undefined);
  }

  /** Number of the last record. */
  get sequence(): number {
    return this.#number(SEQUENCE);
  }

  get condition(): Condition {
    return CONDITIONS[Atomics.load(this.#words, CONDITION)]!;
  }

  /** Where that ends. Only for who holds the lock. */
  position(): Position {
    const [segment, bytes] = [this.#number(SEGMENT), this.#number(BYTES)];
    return { sequence: this.sequence, segment, bytes, condition: this.condition };
  }

  /** There is a record more. Only for who holds the lock. */
  advance({ sequence, segment, bytes }: Position): void {
    Atomics.store(this.#numbers, BYTES, BigInt(bytes));
    Atomics.store(this.#numbers, SEGMENT, BigInt(segment));
    Atomics.store(this.#numbers, SEQUENCE, BigInt(sequence));
  }

  /** Number of a record that is in the state with all before it: the last one as a rule. */
  get flushed(): number {
    return this.#number(FLUSHED);
  }

  /** For who has just committed the state. */
  noteFlushed(sequence: number): void {
    Atomics.store(this.#numbers, FLUSHED, BigInt(sequence));
  }

  turn(condition: Condition): void {
    Atomics.store(this.#words, CONDITION, CONDITIONS.indexOf(condition));
  }

  /** Whether the disk refused the last record that any thread tried to append. */
  get isRefusing(): boolean {
    return Atomics.load(this.#words, REFUSING) === 1;
  }

  noteRefusing(isRefusing: boolean): void {
    Atomics.store(this.#words, REFUSING, isRefusing ? 1 : 0);
  }

  /** Waits for whoever has it: for microseconds, and for ever if that thread has died. */
  lock(): void {
    if (Atomics.compareExchange(this.#words, LOCK, FREE, HELD) === FREE) return;
    while (Atomics.exchange(this.#words, LOCK, WANTED) !== FREE) Atomics.wait(this.#words, LOCK, WANTED);
  }

  unlock(): void {
    if (Atomics.exchange(this.#words, LOCK, FREE) === WANTED) Atomics.notify(this.#words, LOCK, 1);
  }

  /** Tells whoever waits that there are records more. */
  ring(): void {
    Atomics.add(this.#words, BELL, 1);
    Atomics.notify(this.#words, BELL);
  }

  /** How often it has rung. */
  get rings(): number {
    return Atomics.load(this.#words, BELL);
  }

  /** Resolves once it has rung more often than `rings`; keeps no thread alive. */
  async rung(rings: number): Promise<void> {
    await Atomics.waitAsync(this.#words, BELL, rings).value;
  }

  #number(index: number): number {
    return Number(Atomics.load(this.#numbers, index));
  }
}

function nameOf(folder: string): string {
  return `tip of ${realpathSync(folder)}`;
}
