// Transactions over journal and state. A transaction is one record of the journal, appended while the thread holds the tip's lock, and is made
// once it stands there. LMDB, the state, gets what many of them have written later and together (`flush`); until then each thread reads
// it from its memtable, for which it follows the journal. One per thread.

import { wordsOf } from '../../domain/error-words.ts';
import { assert } from '../../domain/result.ts';
import { limits } from '../../limits.ts';
import type { KeyRange, KeyValue, UnsyncedEnvironment } from '../lmdb.ts';
import { StoreError } from '../store-error.ts';
import { NoDescriptor } from './files.ts';
import { type Journal, SyncFailure } from './journal.ts';
import { missing } from './journal-reader.ts';
import { RecordBuilder } from './journal-record.ts';
import { Memtable, textOf } from './memtable.ts';
import { encodePosition, POSITION_KEY, type Position, positionIn } from './position.ts';
import { StateMoment } from './state-moment.ts';
import type { Tip } from './tip.ts';

/** Flushed at once, they leave the room in the state's file as it should be. */
const BYTES_PER_LOOK = 64 * 1024;

export class Transactor {
  readonly #folder: string;
  readonly #environment: UnsyncedEnvironment;
  readonly #journal: Journal;
  /** Null where the store's owner is another process: what that has flushed is read, and nothing written. */
  readonly #tip: Tip | null;
  readonly #memtable = new Memtable();
  readonly #moment: StateMoment;
  readonly #record = new RecordBuilder();
  /** Up to where this thread knows the journal. */
  #known: Position;
  /** Up to where the state has it, at the moment that this thread reads. */
  #flushed: Position;
  #isOpen = false;
  /** What broke this transaction, which its work may have caught. */
  #broken: StoreError | null = null;
  /** Why this thread commits no more. */
  #fault: StoreError | null = null;

  constructor(folder: string, environment: UnsyncedEnvironment, journal: Journal, tip: Tip | null) {
    this.#folder = folder;
    this.#environment = environment;
    this.#moment = new StateMoment(environment);
    this.#journal = journal;
    this.#tip = tip;
    this.#flushed = this.#known = this.flushed();
  }

  get fault(): StoreError | null {
    return this.#fault;
  }

  /** Of the journal record that is being made. */
  get bytes(): number {
    return this.#record.bytes;
  }

  /** After the latest commit of anybody, as far as this process can know. */
  position(): Position {
    if (this.#fault !== null) throw this.#fault;
    if (this.#tip === null) return this.flushed();
    this.#tip.lock();
    try {
      return this.#tip.position();
    } finally {
      this.#tip.unlock();
    }
  }

  /** After the latest commit that is in the state. The moment of it is not kept: nobody would let go of it. */
  flushed(): Position {
    const position = this.#positionNow();
    this.release();
    return position;
  }

  /**
   * The next reads are of the latest commit of anybody, and all of one moment until the event loop turns. In a transaction they are of
   * that. Whoever calls it sees to it that the moment is let go of (`release`).
   */
  refresh(): void {
    if (this.#isOpen) return;
    const tip = this.#tip;
    // First the state, then the journal: what of the state is seen then is never newer than what is known of the journal.
    if (tip === null || !this.#moment.isKept || tip.flushed > this.#flushed.sequence) this.#lookAtState();
    if (tip === null) return;
    while (!this.#follow(tip.sequence)) {
      // A checkpoint has dropped what of the journal is in the state now.
      const before = this.#flushed.sequence;
      this.#lookAtState();
      if (this.#flushed.sequence === before) throw missing(this.#folder, this.#known.sequence + 1);
    }
  }

  /** Of the moment of the state that was read last, which need not be kept. */
  release(): void {
    this.#moment.release();
  }

  /** As it is now, and is seen until the next look: what has been written since is in the memtable. */
  #lookAtState(): void {
    this.#flushed = this.#positionNow();
    this.#memtable.drop(this.#flushed.sequence);
    if (this.#known.sequence < this.#flushed.sequence) this.#known = this.#flushed;
  }

  #positionNow(): Position {
    this.#moment.renew();
    return positionIn(this.#environment, this.#folder);
  }

  /** False if the journal has not all up to the record with the number `last`. */
  #follow(last: number): boolean {
    this.#known = this.#journal.follow(this.#known, last, it => this.#memtable.put(it));
    this.#memtable.keep();
    return this.#known.sequence >= last;
  }

  get(key: Uint8Array): Uint8Array | undefined {
    const text = textOf(key);
    const row = this.#memtable.get(key[0]!, text);
    return row === undefined ? this.#moment.get(key, text) : row.value;
  }

  range(range: KeyRange): KeyValue[] {
    return this.#memtable.range(range, it => this.#moment.range(it));
  }

  /** `synced`: known to be on disk. True if anything was written; what `work` throws undoes it and is thrown on. */
  run(work: () => void, synced: number): boolean {
    assert(!this.#isOpen, 'transactions are not nested');
    if (this.#fault !== null) throw this.#fault;
    if (this.#tip === null) throw new StoreError(`store ${this.#folder}: is written to by its owner's process only`);
    if (this.#memtable.size > limits.storeMemtableRowsMax) this.#makeRoom(this.#tip);
    this.#tip.lock();
    try {
      return this.#runLocked(this.#tip, work, synced);
    } finally {
      this.#tip.unlock();
    }
  }

  /** What `work` would do to the store as it is now: nothing of it stays, and nothing is written. Also while commits are refused. */
  rehearse(work: () => void): void {
    assert(!this.#isOpen, 'transactions are not nested');
    if (this.#tip === null) throw new StoreError(`store ${this.#folder}: is written to by its owner's process only`);
    this.#record.clear();
    this.#broken = null;
    this.refresh();
    this.#isOpen = true;
    try {
      work();
      if (this.#broken !== null) throw this.#broken;
    } finally {
      this.#memtable.rollBack();
      this.#isOpen = false;
    }
  }

  #makeRoom(tip: Tip): void {
    try {
      this.flush();
    } catch (error) {
      tip.noteRefusing(true);
      throw error;
    }
  }

  #runLocked(tip: Tip, work: () => void, synced: number): boolean {
    this.#record.clear();
    this.#broken = null;
    this.refresh();
    const position = tip.position();
    this.#refuse(position);
    this.#isOpen = true;
    try {
      work();
      if (this.#broken !== null) throw this.#broken;
      if (this.#record.isEmpty) return false;
      this.#known = this.#append(tip, position, synced);
      tip.advance(this.#known);
      tip.noteRefusing(false);
      this.#memtable.keep();
      return true;
    } catch (error) {
      this.#memtable.rollBack();
      throw error;
    } finally {
      this.#isOpen = false;
    }
  }

  #append(tip: Tip, position: Position, synced: number): Position {
    try {
      return this.#journal.append(position, this.#record, synced);
    } catch (error) {
      tip.noteRefusing(true);
      if (error instanceof SyncFailure) this.fail(error);
      // Files are opened before the record is written.
      else if (!(error instanceof NoDescriptor)) this.#takeBack(position);
      throw error;
    }
  }

  /** Brings the state up to date with the journal. Any thread may at any time; while others commit, too. */
  flush(): void {
    const tip = this.#tip;
    if (tip === null) return;
    this.refresh();
    let bytes = 0;
    this.#environment.transact(() => {
      const { sequence: flushed, condition } = positionIn(this.#environment, this.#folder);
      // Only the state tells what a sync in another process has met.
      if (condition === 'doubtful') tip.turn(condition);
      // Another thread was here first.
      if (flushed >= this.#known.sequence) return;
      for (const { key, value, sequence } of this.#memtable.rows) {
        if (sequence <= flushed) continue;
        if (value === undefined) this.#environment.remove(key);
        else this.#environment.put(key, value);
        bytes += key.length + (value?.length ?? 0);
      }
      this.#environment.put(POSITION_KEY, encodePosition({ ...this.#known, condition: tip.condition }));
      this.#environment.keepRoom();
    });
    tip.noteFlushed(this.#known.sequence);
    // So much may have taken all the room that was kept.
    if (bytes > BYTES_PER_LOOK) this.#environment.transact(() => this.#environment.keepRoom());
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
    this.#tip?.turn('doubtful');
    try {
      this.#environment.transact(() => this.#setCondition('doubtful'));
    } catch {
      // All threads know; for the next owner, the disk that failed here will fail there.
    }
  }

  /**
   * Of the owner: refuses all later commits of all threads, and has all earlier ones in the state. False if the disk has failed one of them: the
   * next owner has to know, which the state tells it.
   */
  end(): boolean {
    const tip = this.#tip;
    assert(tip !== null, 'the owner has made the tip');
    tip.lock();
    if (tip.condition === 'open') tip.turn('closed');
    tip.unlock();
    this.flush();
    let isSound = false;
    this.#environment.transact(() => {
      isSound = tip.condition === 'closed' && positionIn(this.#environment, this.#folder).condition !== 'doubtful';
      if (!isSound) return;
      this.#setCondition('closed');
      this.#environment.keepRoom();
    });
    return isSound;
  }

  #setCondition(condition: Position['condition']): void {
    this.#environment.put(POSITION_KEY, encodePosition({ ...positionIn(this.#environment, this.#folder), condition }));
  }

  #write(key: Uint8Array, value: Uint8Array | undefined): void {
    assert(this.#isOpen, 'a change is part of a transaction');
    this.#memtable.put({ table: key[0]!, key, value, sequence: this.#known.sequence + 1 });
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
  #takeBack(position: Position): void {
    try {
      this.#journal.cutTo(position);
    } catch (error) {
      this.fail(error);
    }
  }
}
