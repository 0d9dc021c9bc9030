// Tables of bytes with transactions that survive the end of the process and of the machine (contract §4.8, ADR 0009). LMDB,
// without syncing, holds what is read; a journal of what was written is the truth, and is synced. Several threads of a
// process may have it open, and other processes: each opens its own.

import type { Durability } from '../../config.ts';
import { limits } from '../../limits.ts';
import { systemBootId } from '../../runtime/boot-id.ts';
import { openUnsyncedEnvironment, type UnsyncedEnvironment } from '../lmdb.ts';
import { isOwned, takeOwnership } from '../owner-lock.ts';
import { StoreError } from '../store-error.ts';
import { type Files, nodeFiles } from './files.ts';
import type { Until } from './group-commit.ts';
import type { StoreTimers } from './journal-sync.ts';
import { STATE_NAME } from './layout.ts';
import { readMark } from './mark.ts';
import { OpenStore } from './open-store.ts';
import { SCHEMA_KEY } from './position.ts';
import { type Recovery, recover } from './recover.ts';
import { agreeOnSchema, type Schema } from './schema.ts';
import { checkTables, type Reader, readerOf, type Tables, type Transaction } from './tables.ts';

/** Reads are of the latest commit of anybody. */
export interface DurableStore<Table extends string> extends Reader<Table> {
  /** What the owner found when it opened; null for a member. */
  readonly recovery: Recovery | null;
  /** Several reads of one moment. */
  read<T>(work: (reader: Reader<Table>) => T): T;
  /**
   * All of `work` or, if it throws, nothing; survives kill -9 when it returns, and is on disk within 10 ms if the event loop
   * runs. Waits for other writers. After a StoreError nothing has happened, unless the store takes no changes any more:
   * then the next start decides.
   */
  transact<T>(work: (transaction: Transaction<Table>) => T): T;
  /** What `work` would bring, seen from within; nothing of it stays. Also while the store takes no changes. */
  rehearse<T>(work: (transaction: Transaction<Table>) => T): T;
  /**
   * As `transact`, together with others of this turn of the event loop; resolves when it is as safe as is wanted: `safe`, if not said.
   * `work` may run twice, when another one throws: it must have no effect but through the transaction.
   */
  commit<T>(work: (transaction: Transaction<Table>) => T, until?: Until): Promise<T>;
  /** Resolves when all that is committed now, by anybody, is on disk. */
  durable(): Promise<void>;
  /** Has everything that is committed in the state, from which it is read by whoever knows nothing of the journal. Any thread, at any time. */
  flush(): void;
  /** How often there was something to be flushed, some milliseconds after it was committed; `rung` resolves once that is more. */
  readonly rings: number;
  rung(rings: number): Promise<void>;
  /** Transactions that the state lacks yet. */
  readonly unflushed: number;
  /** `refused`: the disk refused the last change of any thread; `failed`: no change is taken until the store is opened anew. */
  readonly taking: Taking;
  /** Whether the journal has grown so much that a checkpoint should be made. */
  isCheckpointDue(): boolean;
  /** Copies the state to disk and drops the journal before it. Others go on writing; this thread blocks at times. */
  checkpoint(): Promise<void>;
  /** Cleans up after a thread or process that died while making a checkpoint: until then nobody else can make one. */
  abandonCheckpoint(): void;
  /** Cleans up after a process that was killed while it read, as a backup is: until then the state grows with every change. */
  forgetDeadReaders(): void;
  /**
   * One round through the journal and the checkpoint, which nothing else reads as long as the state is believed: each step reads a
   * piece, and throws if it is damaged. Call `return` if you do not follow it to its end.
   */
  lookThrough(): Generator<unknown, void>;
  /** Makes a folder that can be opened as a store, of the moment of the call or later. */
  backup(folder: string): Promise<void>;
  /** The owner closes last: it makes everybody's commits durable, after which the next start has nothing to recover. */
  close(): Promise<void>;
}

/** Whether changes are taken. */
export type Taking = 'taken' | 'refused' | 'failed';

export interface DurableStoreOptions<Table extends string> {
  readonly folder: string;
  readonly mode: Durability;
  /** The owner, one per folder, recovers it and must be open before and after all members. */
  readonly role: 'owner' | 'member';
  readonly tables: Tables<Table>;
  readonly schema: Schema<Table>;
  /**
   * Of the owner: what was committed, and told, may be gone (a power cut, or a backup in the place of what followed it). What it
   * writes is on disk before anybody uses the store.
   */
  readonly onLoss?: (transaction: Transaction<Table>) => void;
  /**
   * Of the owner: what is wrong with rows that every start reads, in words, or null. The state is built anew from checkpoint and journal
   * then, as after a power cut.
   */
  readonly faultOf?: (reader: Reader<Table>) => string | null;
  readonly timers: StoreTimers;
  /** Whether commits of one turn of the event loop share a transaction: so unless said. Not for who makes one at a time. */
  readonly gathersCommits?: boolean;
  readonly bounds?: { readonly storeSegmentBytes: number; readonly storeSyncDelayMs: number };
  readonly files?: Files;
  /** Of this start of the machine; null if that cannot be told. */
  readonly bootId?: string | null;
}

/** Makes the store if there is none. Rejects with a StoreError that names the file when it cannot be used. */
export async function openDurableStore<Table extends string>(
  options: DurableStoreOptions<Table>,
): Promise<DurableStore<Table>> {
  const { folder, role, files = nodeFiles, bootId = systemBootId() } = options;
  checkTables(options.tables);
  if (role === 'member') {
    if (readMark(files, folder).is !== 'open' || !isOwned(files, folder)) {
      throw new StoreError(`store ${folder}: no owner has it open`);
    }
    const environment = openUnsyncedEnvironment(`${folder}/${STATE_NAME}`, limits.storeStateBytesMax);
    return opened(options, environment, null, () => {});
  }
  files.makeFolder(folder);
  const giveUp = takeOwnership(folder);
  try {
    const { environment, recovery } = await recover(files, folder, bootId, {
      faultOf: state => faultOf(options, state),
    });
    return await opened(options, environment, recovery, giveUp);
  } catch (error) {
    giveUp();
    throw error;
  }
}

/** Of a state of this version; another is brought up to date first. */
function faultOf<Table extends string>(
  { faultOf: find = () => null, schema, tables }: DurableStoreOptions<Table>,
  state: UnsyncedEnvironment,
): string | null {
  return state.get(SCHEMA_KEY)?.[0] === schema.version ? find(readerOf(state, tables)) : null;
}

async function opened<Table extends string>(
  options: DurableStoreOptions<Table>,
  environment: UnsyncedEnvironment,
  recovery: Recovery | null,
  giveUp: () => void,
): Promise<DurableStore<Table>> {
  let store: OpenStore<Table> | null = null;
  try {
    store = new OpenStore(options, environment, recovery, giveUp);
    agreeOnSchema(options.schema, options.role, store, store.schemaRow());
    if (options.role === 'owner') {
      await store.settleLoss(options.onLoss ?? (() => {}));
      // Other processes read the state alone.
      store.flush();
    }
    return store;
  } catch (error) {
    if (store === null) await environment.close();
    else await store.abandon();
    throw error;
  }
}
