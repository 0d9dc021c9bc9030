// A durable store as one thread has it open: puts together the transactions, their groups, the syncs and the checkpoints.

import { dirname } from 'node:path';
import { limits } from '../../limits.ts';
import type { UnsyncedEnvironment } from '../lmdb.ts';
import { StoreError } from '../store-error.ts';
import { checkpointDueBytes, latestCheckpoint, makeCheckpoint, removeObsolete } from './checkpoint.ts';
import type { DurableStore, DurableStoreOptions, Taking } from './durable-store.ts';
import { type Files, nodeFiles } from './files.ts';
import { GroupCommit, type Until } from './group-commit.ts';
import { Journal } from './journal.ts';
import { JournalSync, type StoreTimers } from './journal-sync.ts';
import { CHECKPOINT_DRAFT_NAME, journalFirsts, journalName } from './layout.ts';
import { lookThrough } from './look-through.ts';
import { markClean } from './mark.ts';
import { LOSS_KEY, positionIn, SCHEMA_KEY } from './position.ts';
import type { Recovery } from './recover.ts';
import type { SchemaRow } from './schema.ts';
import type { Reader, Transaction } from './tables.ts';
import { type Row, type RowRange, rowOf, stateKey, stateRange, type Tables } from './tables.ts';
import { Tip } from './tip.ts';
import { Transactor } from './transactor.ts';

export class OpenStore<Table extends string> implements DurableStore<Table> {
  readonly recovery: Recovery | null;
  readonly #folder: string;
  readonly #files: Files;
  readonly #isOwner: boolean;
  readonly #tables: Tables<Table>;
  readonly #environment: UnsyncedEnvironment;
  readonly #journal: Journal;
  readonly #tip: Tip | null;
  readonly #transactor: Transactor;
  readonly #sync: JournalSync;
  readonly #group: GroupCommit;
  readonly #giveUp: () => void;
  readonly #reader: Reader<Table>;
  readonly #transaction: Transaction<Table>;
  readonly #timers: StoreTimers;
  /** Null while no moment of the state is kept. */
  #cancelRelease: (() => void) | null = null;
  #isClosed = false;

  /** `giveUp` ends the ownership. */
  constructor(
    options: DurableStoreOptions<Table>,
    environment: UnsyncedEnvironment,
    recovery: Recovery | null,
    giveUp: () => void,
  ) {
    const { folder, files = nodeFiles, bounds = limits, gathersCommits = true, mode, role, tables, timers } = options;
    this.recovery = recovery;
    this.#folder = folder;
    this.#files = files;
    this.#isOwner = role === 'owner';
    this.#tables = tables;
    this.#environment = environment;
    this.#giveUp = giveUp;
    this.#timers = timers;
    this.#journal = new Journal(files, folder, bounds.storeSegmentBytes);
    this.#tip = this.#isOwner ? Tip.make(folder, positionIn(environment, folder)) : Tip.of(folder);
    this.#transactor = new Transactor(folder, environment, this.#journal, this.#tip);
    const transactor = this.#transactor;
    this.#sync = new JournalSync(
      {
        journal: this.#journal,
        timers,
        delayMs: bounds.storeSyncDelayMs,
        onDue: () => this.#tip?.ring(),
        position: () => transactor.position(),
        onFailure: error => transactor.fail(error),
      },
      // The owner has just seen to it.
      this.#isOwner ? transactor.position().sequence : 0,
    );
    this.#group = new GroupCommit({
      gathers: gathersCommits,
      transact: work => this.#run(work),
      bytes: () => transactor.bytes,
      safe: () => (mode === 'power-safe' ? this.#sync.durable() : null),
    });
    this.#reader = {
      get: (table, key) => transactor.get(stateKey(tables[table], key)),
      range: (table, range) => transactor.range(stateRange(tables[table], range)).map(rowOf),
    };
    this.#transaction = {
      ...this.#reader,
      put: (table, key, value) => transactor.put(stateKey(tables[table], key), value),
      delete: (table, key) => transactor.remove(stateKey(tables[table], key)),
    };
  }

  get(table: Table, key: Uint8Array): Uint8Array | undefined {
    this.#refresh();
    return this.#transactor.get(stateKey(this.#tables[table], key));
  }

  range(table: Table, range: RowRange): Row[] {
    return this.read(reader => reader.range(table, range));
  }

  read<T>(work: (reader: Reader<Table>) => T): T {
    this.#refresh();
    return work(this.#reader);
  }

  transact<T>(work: (transaction: Transaction<Table>) => T): T {
    let value: T;
    this.#run(() => {
      value = work(this.#transaction);
    });
    return value!;
  }

  rehearse<T>(work: (transaction: Transaction<Table>) => T): T {
    this.#refuseIfClosed();
    this.#releaseSoon();
    let value: T;
    this.#transactor.rehearse(() => {
      value = work(this.#transaction);
    });
    return value!;
  }

  async commit<T>(work: (transaction: Transaction<Table>) => T, until: Until = 'safe'): Promise<T> {
    this.#refuseIfClosed();
    return this.#group.add(() => work(this.#transaction), until);
  }

  async durable(): Promise<void> {
    this.#refuseIfClosed();
    return this.#sync.durable();
  }

  isCheckpointDue(): boolean {
    this.#refuseIfClosed();
    const stateBytes = this.#environment.usedBytes();
    const sizes = journalFirsts(this.#files.list(this.#folder)).map(
      first => this.#files.sizeOf(`${this.#folder}/${journalName(first)}`) ?? 0,
    );
    return sizes.reduce((sum, size) => sum + size, 0) > checkpointDueBytes(stateBytes);
  }

  async checkpoint(): Promise<void> {
    this.#refuseIfClosed();
    this.#transactor.flush();
    const { sequence } = this.#transactor.flushed();
    if (sequence === latestCheckpoint(this.#files, this.#folder)) return;
    await makeCheckpoint(this.#files, this.#folder, sequence, 'follows', draft => this.#copyTo(draft));
    removeObsolete(this.#files, this.#folder);
  }

  flush(): void {
    this.#refuseIfClosed();
    this.#transactor.flush();
  }

  get rings(): number {
    return this.#tip?.rings ?? 0;
  }

  async rung(rings: number): Promise<void> {
    await this.#tip?.rung(rings);
  }

  /** From memory alone: whoever asks must not wait for a disk that hangs. */
  get unflushed(): number {
    return this.#tip === null ? 0 : this.#tip.sequence - this.#tip.flushed;
  }

  get taking(): Taking {
    if (this.#transactor.fault !== null || this.#tip?.condition === 'doubtful') return 'failed';
    return this.#tip?.isRefusing === true ? 'refused' : 'taken';
  }

  abandonCheckpoint(): void {
    this.#refuseIfClosed();
    this.#files.remove(`${this.#folder}/${CHECKPOINT_DRAFT_NAME}`);
  }

  forgetDeadReaders(): void {
    this.#refuseIfClosed();
    this.#environment.forgetDeadReaders();
  }

  lookThrough(): Generator<unknown, void> {
    this.#refuseIfClosed();
    return lookThrough(this.#files, this.#folder, this.#transactor.position());
  }

  async backup(folder: string): Promise<void> {
    this.#refuseIfClosed();
    this.#files.makeFolder(folder);
    if (this.#files.list(folder).length > 0) throw new StoreError(`store: the folder ${folder} is not empty`);
    this.#files.syncFolder(dirname(folder));
    this.#transactor.flush();
    const { sequence } = this.#transactor.flushed();
    await makeCheckpoint(this.#files, folder, sequence, 'none', draft => this.#copyTo(draft));
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#group.flush();
    try {
      await this.#leave(async () => {
        if (this.#transactor.fault === null) await this.#finish();
      });
    } finally {
      this.#giveUp();
    }
  }

  /** Of one that could not be opened to its end: all stays as it is, for the next start. */
  abandon(): Promise<void> {
    return this.#leave(async () => {});
  }

  schemaRow(): SchemaRow {
    return {
      read: () => {
        this.#refresh();
        return this.#transactor.get(SCHEMA_KEY)?.[0] ?? null;
      },
      write: version => this.#run(() => this.#transactor.put(SCHEMA_KEY, Uint8Array.of(version))),
    };
  }

  async settleLoss(settle: (transaction: Transaction<Table>) => void): Promise<void> {
    this.#refresh();
    if (this.#transactor.get(LOSS_KEY) === undefined) return;
    this.#run(() => settle(this.#transaction));
    // Or a second power cut could take it back, after others have built upon it.
    await this.#sync.durable();
    this.#environment.transact(() => this.#environment.remove(LOSS_KEY));
  }

  async #leave(work: () => Promise<void>): Promise<void> {
    this.#isClosed = true;
    this.#cancelRelease?.();
    this.#sync.stop();
    try {
      await work();
    } finally {
      if (this.#isOwner) this.#tip?.leave();
      this.#journal.close();
      await this.#environment.close();
    }
  }

  async #finish(): Promise<void> {
    if (this.#isOwner && !this.#transactor.end()) return;
    await this.#sync.durable();
    if (this.#isOwner) markClean(this.#files, this.#folder);
  }

  #run(work: () => void): void {
    this.#refuseIfClosed();
    this.#releaseSoon();
    if (this.#transactor.run(work, this.#sync.synced)) this.#sync.schedule();
  }

  /** What this copy has may not be newer than what of the journal is on disk. */
  async #copyTo(folder: string): Promise<void> {
    await this.#environment.copyTo(folder);
    await this.#sync.durable();
  }

  #refresh(): void {
    this.#refuseIfClosed();
    this.#releaseSoon();
    this.#transactor.refresh();
  }

  /** A thread that reads no more must not keep the state from using its pages again. */
  #releaseSoon(): void {
    this.#cancelRelease ??= this.#timers.after(limits.storeMomentMs, () => {
      this.#cancelRelease = null;
      this.#transactor.release();
    });
  }

  #refuseIfClosed(): void {
    if (this.#isClosed) throw new StoreError(`store ${this.#folder}: is closed`);
  }
}
