// Transactions over state and journal: LMDB's write lock is the lock of both, the journal's record is appended as the last
// step before the commit, and what cannot be committed is taken back from the journal. One per thread.

import { wordsOf } from '../../domain/error-words.ts';
import { assert } from '../../domain/result.ts';
import { limits } from '../../limits.ts';
import type { UnsyncedEnvironment } from '../lmdb.ts';
import { StoreError } from '../store-error.ts';
import { NoDescriptor } from './files.ts';
import { type Journal, SyncFailure } from './journal.ts';
import { RecordBuilder } from './journal-record.ts';
import { decodePosition, encodePosition, POSITION_KEY, type Position } from './position.ts';

/** From one look at the room in the state's file to the next: far less than it takes to fill that. */
const COMMITS_PER_LOOK = 16;
const BYTES_PER_LOOK = 64 * 1024;

export class Transactor {
  readonly #folder: string;
  readonly #environment: UnsyncedEnvironment;
  readonly #journal: Journal;
  readonly #record = new RecordBuilder();
  /** Since the last look at the room in the state's file. */
  #commitsUnseen = 0;
  #bytesUnseen = 0;
  #isOpen = false;
  /** What broke this transaction, which its work may have caught. */
  #broken: StoreError | null = null;
  /** Why this thread commits no more. */
  #fault: StoreError | null = null;

  constructor(folder: string, environment: UnsyncedEnvironment, journal: Journal) {
    this.#folder = folder;
    this.#environment = environment;
    this.#journal = journal;
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  get fault(): StoreError | null {
    return this.#fault;
  }

  /** Of the journal record that is being made. */
  get bytes(): number {
    return this.#record.bytes;
  }

  /** After the latest commit of anybody; in a transaction, before it. */
  position(): Position {
    if (!this.#isOpen) {
      if (this.#fault !== null) throw this.#fault;
      this.#environment.refresh();
    }
    const position = decodePosition(this.#environment.get(POSITION_KEY));
    if (position === null) throw new StoreError(`store ${this.#folder}: its state lacks the position in the journal`);
    return position;
  }

  /** `synced`: known to be on disk. True if anything was written; what `work` throws undoes it and is thrown on. */
  run(work: () => void, synced: number): boolean {
    assert(!this.#isOpen, 'transactions are not nested');
    if (this.#fault !== null) throw this.#fault;
    let appended = false;
    this.#record.clear();
    this.#broken = null;
    try {
      this.#environment.transact(() => {
        this.#isOpen = true;
        const position = this.position();
        this.#refuse(position);
        work();
        if (this.#broken !== null) throw this.#broken;
        if (this.#record.isEmpty) return;
        appended = true;
        const next = this.#journal.append(position, this.#record, synced);
        this.#environment.put(POSITION_KEY, encodePosition(next));
        this.#keepRoom();
      });
    } catch (error) {
      this.#isOpen = false;
      if (error instanceof SyncFailure) this.fail(error);
      // Files are opened before the record is written.
      else if (appended && !(error instanceof NoDescriptor)) this.#takeBack();
      throw error;
    } finally {
      this.#isOpen = false;
    }
    return appended;
  }

  put(key: Uint8Array, value: Uint8Array): void {
    if (value.length > limits.storeValueBytesMax) {
      throw this.#break(`a value of ${value.length} bytes exceeds storeValueBytesMax (${limits.storeValueBytesMax})`);
    }
    this.#write(key, value);
  }

  remove(key: Uint8Array): void {
    this.#write(key, undefined);
  }

  /** Nobody commits any more, on any thread, until an owner has opened the store anew. */
  fail(error: unknown): void {
    if (this.#fault !== null) return;
    const why = wordsOf(error);
    this.#fault = new StoreError(`store ${this.#folder}: takes no changes until it is opened anew: ${why}`);
    try {
      this.#environment.transact(() => this.#setCondition('doubtful'));
    } catch {
      // This thread knows; for the others, the disk that failed here will fail there.
    }
  }

  /**
   * Refuses all later commits of all threads; the journal is to be on disk before. False, with nothing changed, if the disk has failed
   * one of them: the next owner has to know.
   */
  end(): boolean {
    let isSound = false;
    this.#environment.transact(() => {
      isSound = decodePosition(this.#environment.get(POSITION_KEY))?.condition !== 'doubtful';
      if (!isSound) return;
      this.#setCondition('closed');
      this.#environment.keepRoom();
    });
    return isSound;
  }

  #keepRoom(): void {
    this.#commitsUnseen += 1;
    this.#bytesUnseen += this.#record.bytes;
    if (this.#commitsUnseen < COMMITS_PER_LOOK && this.#bytesUnseen < BYTES_PER_LOOK) return;
    this.#commitsUnseen = 0;
    this.#bytesUnseen = 0;
    this.#environment.keepRoom();
  }

  #setCondition(condition: Position['condition']): void {
    const position = decodePosition(this.#environment.get(POSITION_KEY));
    if (position !== null) this.#environment.put(POSITION_KEY, encodePosition({ ...position, condition }));
  }

  #write(key: Uint8Array, value: Uint8Array | undefined): void {
    assert(this.#isOpen, 'a change is part of a transaction');
    try {
      if (value === undefined) this.#environment.remove(key);
      else this.#environment.put(key, value);
    } catch (error) {
      throw this.#break(wordsOf(error));
    }
    this.#record.add(key, value);
    if (this.#record.bytes > limits.storeTransactionBytesMax) {
      throw this.#break(`a transaction exceeds storeTransactionBytesMax (${limits.storeTransactionBytesMax} bytes)`);
    }
  }

  #break(fault: string): StoreError {
    this.#broken = new StoreError(`store ${this.#folder}: ${fault}`);
    return this.#broken;
  }

  #refuse({ condition }: Position): void {
    if (condition === 'open') return;
    const why = condition === 'closed' ? 'its owner has closed it' : 'the disk has failed';
    throw new StoreError(`store ${this.#folder}: takes no changes: ${why}`);
  }

  /** Else the next recovery would make the failed transaction happen. */
  #takeBack(): void {
    try {
      this.#environment.transact(() => {
        const position = decodePosition(this.#environment.get(POSITION_KEY));
        if (position !== null) this.#journal.cutTo(position);
      });
    } catch (error) {
      this.fail(error);
    }
  }
}
