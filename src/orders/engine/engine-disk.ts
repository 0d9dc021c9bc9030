// The engine's files: its journal, and the history rows that the engine reads. This opens the files, replays the journal, evicts rows and
// prunes segments. With a pod's stream, the journal is a copy of the stream (replica.ts). Engine thread.

import type { UnixMillis } from '../../core/domain/numbers.ts';
import { venuesOf } from '../../core/domain/pod-accounts.ts';
import { assert } from '../../core/domain/result.ts';
import { type Timers, wallTimers } from '../../core/runtime/timers.ts';
import { type Files, nodeFiles } from '../../core/store/files.ts';
import type { Account, LedgerStore } from '../../core/store/order-records.ts';
import { systemBootId } from '../../core/store/owner-lock.ts';
import { StoreError } from '../../core/store/store-error.ts';
import { limits } from '../../limits.ts';
import { startEpochs } from '../../market-data/book/memory.ts';
import type { BudgetedPod } from '../../venues/pod-budgets.ts';
import { HistoryArchive } from '../history/archive.ts';
import { historyIn, journalIn } from '../history/ledger-folder.ts';
import { HistoryTables } from '../history/tables.ts';
import { Journal } from '../journal/journal.ts';
import { JournalPositions } from '../journal/positions.ts';
import { EngineStore, type StepLog } from '../ledger/engine-store.ts';
import type { PodOwner } from '../ledger/pod-owner.ts';
import { replay } from '../ledger/state/engine-ledger.ts';
import type { EngineData, Recording } from './engine-messages.ts';
import { type ConnectPod, connectPod, Replica, type StandbyNews } from './replica.ts';

/** The machine under the disk: this one, or a simulated one. */
interface EngineMachine {
  readonly files: Files;
  readonly timers: Timers;
  /** Returns the id of the machine's boot. Null means that the system does not say. */
  readonly bootId: () => string | null;
  readonly openTables: (folder: string) => HistoryTables;
  /** The size at which the journal begins a new segment. */
  readonly segmentBytes: number;
  /** The number of journal bytes that are kept after the history has them. */
  readonly keptBytes: number;
  /** Connects to the stream of a replicated pod. */
  readonly connect: ConnectPod;
}

const THIS_MACHINE: EngineMachine = {
  files: nodeFiles,
  timers: wallTimers,
  bootId: systemBootId,
  openTables: folder => HistoryTables.open(folder),
  segmentBytes: limits.storeSegmentBytes,
  keptBytes: limits.journalKeptBytes,
  connect: connectPod,
};

type DiskData = Pick<EngineData, 'folder' | 'positions' | 'durability' | 'replication' | 'pods' | 'arena'>;

/** The mark that stands in place of a boot id. Clients get only events that the stream has, so no boot of this machine loses an event. */
const BOOT_OF_STREAM = 'stream';

interface OpenParts {
  readonly machine: EngineMachine;
  readonly tables: HistoryTables;
  readonly journal: Journal;
  readonly positions: JournalPositions;
  /** The pod's stream. Null means that the journal is the only copy. */
  readonly replica: Replica | null;
}

export class EngineDisk implements StepLog {
  readonly store: EngineStore;
  readonly #parts: OpenParts;
  #isRefusing = false;
  /** The fault that a file was removed from the folder. Null means that no file was removed. */
  #removed: StoreError | null = null;
  #isClosed = false;

  /**
   * Opens the files. Rejects with a StoreError if journal, history or the pod's stream cannot be used. The disk takes steps unless another
   * gateway owns the pod. Calls `lost` when another gateway has taken the pod over.
   */
  static async open(data: DiskData, onLost: (words: string) => void, machine = THIS_MACHINE): Promise<EngineDisk> {
    const { folder, positions: memory, durability, replication, pods, arena } = data;
    const { files, timers, segmentBytes, connect } = machine;
    const tables = machine.openTables(historyIn(folder));
    const positions = new JournalPositions(memory);
    const archive = new HistoryArchive(tables);
    const store = new EngineStore(archive, durability);
    const now = timers.now();
    const live = archive.live(pods.flatMap(accountsOf), now);
    positions.followed = live.followed;
    store.load(live);
    const onSynced = (sequence: number): void => {
      positions.synced = sequence;
    };
    const bounds = { segmentBytes, syncDelayMs: limits.storeSyncDelayMs };
    const options = { folder: journalIn(folder), files, timers, ...bounds, onSynced };
    const journal = Journal.open(options, live.followed + 1, (sequence, record) => replay(store, sequence, record));
    const replica =
      replication === null
        ? null
        : await Replica.open(replication, {
            ...replicatedPod(pods),
            journal,
            positions,
            state: store,
            timers,
            connect,
            onLost,
          });
    archive.release();
    positions.appended = journal.sequence;
    positions.synced = journal.synced;
    const disk = new EngineDisk({ machine, tables, journal, positions, replica }, store);
    startEpochs(arena, firstEpoch(store, now));
    if (disk.otherOwner === null) await disk.#begin();
    return disk;
  }

  private constructor(parts: OpenParts, store: EngineStore) {
    this.#parts = parts;
    this.store = store.appendTo(this);
  }

  /** The gateway that owns the pod. Null means that this gateway owns it. */
  get otherOwner(): PodOwner | null {
    return this.#parts.replica?.otherOwner ?? null;
  }

  /** Follows the pod's stream until this gateway owns the pod, or until `close` is called. Resolves to false if `close` was called. */
  async follow(news: StandbyNews): Promise<boolean> {
    await this.#parts.replica?.follow(news);
    if (this.#isClosed) return false;
    await this.#begin();
    return true;
  }

  get next(): number {
    const { journal, replica } = this.#parts;
    return (replica ?? journal).next;
  }

  get recording(): Recording {
    const { journal } = this.#parts;
    if (journal.fault !== null) return 'failed';
    if (this.#removed !== null) return 'removed';
    if (this.#isRefusing) return 'refused';
    return this.problem === null ? 'taken' : 'unreplicated';
  }

  get problem(): StoreError | null {
    return this.#parts.replica?.problem ?? null;
  }

  get backlog(): string | null {
    return this.#parts.positions.backlog;
  }

  append(record: Uint8Array): void {
    const { journal, positions, replica } = this.#parts;
    if (this.#removed !== null) throw this.#removed;
    this.#isRefusing = true;
    (replica ?? journal).append(record);
    this.#isRefusing = false;
    if (replica === null) positions.appended = journal.sequence;
  }

  /**
   * Checks that journal and history are where they were opened. If a file has moved, records appended to it would be lost when the process
   * ends.
   */
  checkPlaces(): void {
    const { tables, journal } = this.#parts;
    const removed = journal.isThere() ? (tables.isThere() ? null : 'history') : 'journal';
    this.#removed =
      removed === null ? null : new StoreError(`the ${removed} was removed from the data directory, or moved`);
  }

  durable(): Promise<void> {
    const { journal, replica } = this.#parts;
    return (replica ?? journal).durable();
  }

  /**
   * The fence for an action without a record of its own. Null means that the action need not wait. Otherwise resolves once the pod's stream
   * has everything so far, or cannot be reached. Never resolves if another gateway owns the pod.
   */
  fence(): Promise<void> | null {
    return this.#parts.replica?.fence() ?? null;
  }

  /** Like `fence`, but for a cancel: a process that was paused first finds out whether another gateway owns the pod. */
  cancelFence(): Promise<void> | null {
    return this.#parts.replica?.cancelFence() ?? null;
  }

  /** Runs `task` once a gateway that takes the pod over would know everything appended so far. */
  afterKept(task: () => void): void {
    const { replica } = this.#parts;
    if (replica === null) task();
    else replica.afterKept(task);
  }

  async #begin(): Promise<void> {
    const { machine, journal, replica } = this.#parts;
    if (replica !== null) await replica.takeOwnership(this.store);
    // With a stream, the torn end of the journal does not matter: the stream has the records that the journal has lost.
    if (replica === null) await this.store.openAfter(machine.bootId(), journal.wasTorn);
    else await this.store.openAfter(BOOT_OF_STREAM);
    reserveEpochs(this.store, machine.timers.now());
  }

  /** Drops rows from memory once the history has them on disk. */
  evict(): void {
    const { positions, machine } = this.#parts;
    this.store.evict(positions.followed, machine.timers.now(), limits.engineEvictionsMax);
  }

  /** Drops old segments of the journal. The newest bytes stay, because a backup and these bytes rebuild the history. */
  prune(): void {
    const { journal, positions, machine } = this.#parts;
    journal.prune(positions.followed, machine.keptBytes);
  }

  async close(): Promise<void> {
    const { tables, journal, replica } = this.#parts;
    this.#isClosed = true;
    try {
      if (this.otherOwner === null) await this.store.closeClean();
    } finally {
      await replica?.close();
      await journal.close().finally(() => tables.close());
    }
  }
}

/** Returns the one pod of a replicated gateway. A stream holds the records of one pod only. */
function replicatedPod(pods: readonly BudgetedPod[]): Pick<BudgetedPod, 'podId' | 'secretHex'> {
  const [pod] = pods;
  assert(pod !== undefined && pods.length === 1, 'a replicated gateway trades for one pod');
  return pod;
}

function accountsOf(pod: BudgetedPod): Account[] {
  return venuesOf(pod).map(venue => ({ podId: pod.podId, venue }));
}

const EPOCHS = 'epochs';
/** The number of epochs that are reserved for one start. No run uses so many: each snapshot from a venue starts one epoch. */
const EPOCHS_PER_START = 2 ** 32;
/** The factor from clock milliseconds to epochs. Stores without a mark had clock microseconds as epochs. */
const EPOCHS_PER_MS = 1_000;

/** Returns the first epoch of this start. It is above all earlier epochs, even if the clock was set back (contract §8). */
function firstEpoch(store: Pick<LedgerStore, 'mark'>, now: UnixMillis): number {
  return Math.max(Number(store.mark(EPOCHS) ?? 0), now * EPOCHS_PER_MS);
}

/** Returns `firstEpoch`, and reserves the epochs of this start: the next start begins above all of them. */
export function reserveEpochs(store: Pick<LedgerStore, 'mark' | 'change'>, now: UnixMillis): number {
  const floor = firstEpoch(store, now);
  store.change(transaction => transaction.putMark(EPOCHS, String(floor + EPOCHS_PER_START)));
  return floor;
}
