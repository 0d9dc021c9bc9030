// Words of venues that our readers do not know: statuses, sides, types of messages and fees. All threads count the words by name in one
// block of shared memory, and the main thread shows them at /metrics. A reader is a pure function, and gets no object of its thread. So the
// block belongs to the process, and new threads inherit it. Any thread.
//
//     counts   one 64-bit integer for each slot; the last slots count, for each venue, the words that found no slot
//     states   one 32-bit integer for each slot: FREE, TAKEN by a thread that writes the name, or NAMED
//     names    `unknownWordBytesMax` bytes of ASCII for each slot, filled up with zeros

import { getEnvironmentData, setEnvironmentData } from 'node:worker_threads';
import { limits } from '../../limits.ts';
import type { GaugeRow } from './metrics.ts';

/** The venues with words that are counted. */
const SPEAKERS = ['venue_a', 'venue_b'] as const;
type Speaker = (typeof SPEAKERS)[number];

const FREE = 0;
const TAKEN = 1;
const NAMED = 2;
const ONE = 1n;
/** The name for the words beyond the bounded number. */
const OTHERS = 'others';

const SLOTS = limits.unknownWordsMax + SPEAKERS.length;
const COUNT_BYTES = BigInt64Array.BYTES_PER_ELEMENT;
const STATE_BYTES = Int32Array.BYTES_PER_ELEMENT;
const BYTES = SLOTS * (COUNT_BYTES + STATE_BYTES + limits.unknownWordBytesMax);

export class UnknownWords {
  readonly memory: SharedArrayBuffer;
  readonly #counts: BigInt64Array;
  readonly #states: Int32Array;
  readonly #names: Uint8Array;
  /** The slots that this thread has met, by name. */
  readonly #slots = new Map<string, number>();

  /** `memory` is the memory of another thread. By default, new memory is made. */
  constructor(memory = new SharedArrayBuffer(BYTES)) {
    this.memory = memory;
    this.#counts = new BigInt64Array(memory, 0, SLOTS);
    this.#states = new Int32Array(memory, SLOTS * COUNT_BYTES, SLOTS);
    this.#names = new Uint8Array(memory, SLOTS * (COUNT_BYTES + STATE_BYTES));
  }

  /** Counts the word of a field. A value that is missing or empty is no word. */
  count(venue: Speaker, field: string, word: unknown): void {
    if (word === undefined || word === null || word === '') return;
    const name = `${venue} ${plainOf(field)} ${plainOf(word)}`.slice(0, limits.unknownWordBytesMax);
    Atomics.add(this.#counts, this.#slotOf(name) ?? limits.unknownWordsMax + SPEAKERS.indexOf(venue), ONE);
  }

  /** Returns the venue, field and word of each name, with its count. */
  rows(): readonly GaugeRow[] {
    const counts = new Map<string, number>();
    for (let slot = 0; slot < limits.unknownWordsMax; slot += 1) {
      if (Atomics.load(this.#states, slot) !== NAMED) continue;
      // Two threads that meet a word at the same time may each have given it a slot.
      counts.set(this.#nameAt(slot), (counts.get(this.#nameAt(slot)) ?? 0) + this.#countAt(slot));
    }
    const named = Array.from(counts, ([name, value]) => ({ values: name.split(' '), value }));
    const rest = SPEAKERS.map(venue => ({ values: [venue, OTHERS, OTHERS], value: this.#unnamed(venue) }));
    return [...named, ...rest.filter(({ value }) => value > 0)];
  }

  /** Returns how many unknown words each venue has said, repetitions included. */
  totals(): readonly GaugeRow[] {
    const rows = this.rows();
    return SPEAKERS.map(venue => {
      const ofVenue = rows.filter(({ values }) => values[0] === venue);
      return { values: [venue], value: ofVenue.reduce((sum, { value }) => sum + value, 0) };
    });
  }

  /** Forgets all words. This is for tests, whose files share a process: no other thread may count meanwhile. */
  forget(): void {
    this.#slots.clear();
    new Uint8Array(this.memory).fill(0);
  }

  /** Returns the slot of a name, or null if all slots have other names. */
  #slotOf(name: string): number | null {
    const known = this.#slots.get(name);
    if (known !== undefined) return known;
    for (let slot = 0; slot < limits.unknownWordsMax; slot += 1) {
      const state = Atomics.compareExchange(this.#states, slot, FREE, TAKEN);
      if (state === FREE) this.#name(slot, name);
      if (state === TAKEN || this.#nameAt(slot) !== name) continue;
      this.#slots.set(name, slot);
      return slot;
    }
    return null;
  }

  #name(slot: number, name: string): void {
    this.#names.set(Buffer.from(name, 'latin1'), slot * limits.unknownWordBytesMax);
    Atomics.store(this.#states, slot, NAMED);
  }

  #nameAt(slot: number): string {
    const start = slot * limits.unknownWordBytesMax;
    const bytes = this.#names.subarray(start, start + limits.unknownWordBytesMax);
    return Buffer.from(bytes).toString('latin1').replace(/\0+$/, '');
  }

  #countAt(slot: number): number {
    return Number(Atomics.load(this.#counts, slot));
  }

  #unnamed(venue: Speaker): number {
    return this.#countAt(limits.unknownWordsMax + SPEAKERS.indexOf(venue));
  }
}

/**
 * Returns the beginning of a word, up to a character that no word of a venue has: a reason or an id may follow. For a value that is no
 * text, returns its kind.
 */
function plainOf(word: unknown): string {
  const text = typeof word === 'string' ? word : typeof word;
  return /^[\w.-]{1,40}/.exec(text)?.[0] ?? '?';
}

const INHERITED = 'crossbook unknown words';

function openBlock(): UnknownWords {
  const inherited: unknown = getEnvironmentData(INHERITED);
  if (inherited instanceof SharedArrayBuffer) return new UnknownWords(inherited);
  const made = new UnknownWords();
  setEnvironmentData(INHERITED, made.memory);
  return made;
}

/** The unknown words of this process. */
export const unknownWords = openBlock();

/** Counts a word that a reader does not know. */
export function countUnknown(venue: Speaker, field: string, word: unknown): void {
  unknownWords.count(venue, field, word);
}
