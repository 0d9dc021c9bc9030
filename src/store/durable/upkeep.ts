// What an operator does to a store that nobody has open: look whether it is sound, make it smaller. These read
// everything and block; for the command line. All throw a StoreError when somebody has the store open.

import { cpSync } from 'node:fs';
import { limits } from '../../limits.ts';
import { systemBootId } from '../../runtime/boot-id.ts';
import { type KeyValue, openUnsyncedEnvironment, type UnsyncedEnvironment } from '../lmdb.ts';
import { usedBytes } from '../lmdb-files.ts';
import { takeOwnership } from '../owner-lock.ts';
import { StoreError } from '../store-error.ts';
import { latestCheckpoint, makeCheckpoint } from './checkpoint.ts';
import { type Files, nodeFiles } from './files.ts';
import { createSegment } from './journal.ts';
import { missing } from './journal-reader.ts';
import {
  CHECK_DRAFT_NAME,
  checkpointName,
  checkpointSequences,
  journalFirsts,
  journalName,
  LMDB_DATA_NAME,
  STATE_DISTRUSTED_NAME,
  STATE_NAME,
} from './layout.ts';
import { markClean } from './mark.ts';
import { decodePosition, LOSS_KEY, POSITION_KEY } from './position.ts';
import { isStateUsable, recover } from './recover.ts';
import { tableOf } from './tables.ts';

interface StoreCheck {
  /** What is wrong, in words; empty for a sound store. */
  readonly faults: readonly string[];
  /** Number of the last transaction that the journal has; null if it cannot be read. */
  readonly transactions: number | null;
  /** By number of the table. */
  readonly rows: ReadonlyMap<number, number>;
  readonly checkpoint: number | null;
  readonly journalBytes: number;
  /** Bytes after the last whole transaction, which the next start cuts off. */
  readonly tornBytes: number;
  /**
   * What is read, beside what the journal says. `behind`: the next start adds what it lacks; `ahead`: the journal lacks its end;
   * `unusable`: after a power cut, say, so that the next start builds it anew.
   */
  readonly state: 'same' | 'behind' | 'ahead' | 'unusable' | 'different';
}

/**
 * Compares the state with what checkpoint and journal say. Needs room for a second state; changes nothing. `readsState`: false of one
 * that ends whoever reads it, which is called unusable.
 */
export async function checkStore(
  folder: string,
  bootId: string | null = systemBootId(),
  readsState = true,
): Promise<StoreCheck> {
  return owning(folder, async () => {
    const draft = `${folder}/${CHECK_DRAFT_NAME}`;
    nodeFiles.remove(draft);
    nodeFiles.makeFolder(draft);
    const names = nodeFiles.list(folder);
    const journals = journalFirsts(names).map(journalName);
    for (const name of [...journals, ...checkpointSequences(names).map(checkpointName)]) {
      cpSync(`${folder}/${name}`, `${draft}/${name}`, { recursive: true });
    }
    const known = {
      checkpoint: latestCheckpoint(nodeFiles, folder),
      journalBytes: journals.reduce((sum, name) => sum + (nodeFiles.sizeOf(`${folder}/${name}`) ?? 0), 0),
    };
    try {
      if (known.journalBytes === 0 && known.checkpoint === null) {
        throw new StoreError(`store ${folder}: its journal is missing`);
      }
      const { environment, recovery } = await recover(nodeFiles, draft, bootId);
      const rows = new Map<number, number>();
      for (const row of rowsOf(environment)) tally(rows, row);
      const compared =
        readsState && (await isStateUsable(nodeFiles, folder, bootId))
          ? await compare(folder, environment)
          : { state: 'unusable' as const, faults: [] };
      const transactions = sequenceIn(environment);
      await environment.close();
      return { ...known, ...compared, transactions, rows, tornBytes: recovery.cutBytes };
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
      return {
        ...known,
        // Of the copy, which nobody will find.
        faults: [error.message.replaceAll(draft, folder)],
        transactions: null,
        rows: new Map(),
        tornBytes: 0,
        state: 'unusable',
      };
    } finally {
      nodeFiles.remove(draft);
    }
  });
}

/** Puts what checkpoint and journal make in the place of the state. For whoever knows from `checkStore` that they are whole. */
export async function rebuildState(folder: string): Promise<void> {
  return owning(folder, () => recovered(nodeFiles, folder, async () => {}, true));
}

/**
 * Builds the state anew without the room that deleted rows have left, and drops all journal that is not needed. Whenever it is
 * stopped, the store is as it was before or as it is after.
 */
export async function compactStore(
  folder: string,
  files: Files = nodeFiles,
): Promise<{ bytesBefore: number; bytesAfter: number }> {
  const state = `${folder}/${STATE_NAME}`;
  const stateBytes = (): number => (files.sizeOf(`${state}/${LMDB_DATA_NAME}`) === null ? 0 : usedBytes(state));
  return owning(folder, async () => {
    const bytesBefore = stateBytes();
    await recovered(files, folder, async (environment, sequence) => {
      if (sequence === 0) return;
      if (sequence !== latestCheckpoint(files, folder)) {
        await makeCheckpoint(files, folder, sequence, 'follows', draft => environment.copyTo(draft));
      }
      // What is older is in the checkpoint, and never read again: not even where it is damaged.
      files.close(createSegment(files, folder, sequence + 1).file);
    });
    await recovered(files, folder, async () => {}, true);
    files.remove(`${folder}/${STATE_DISTRUSTED_NAME}`);
    return { bytesBefore, bytesAfter: stateBytes() };
  });
}

async function owning<T>(folder: string, work: () => Promise<T>): Promise<T> {
  if (nodeFiles.list(folder).length === 0) throw new StoreError(`store: there is none in ${folder}`);
  const giveUp = takeOwnership(folder);
  try {
    return await work();
  } finally {
    giveUp();
  }
}

/** For its owner. Closed clean afterwards. */
async function recovered(
  files: Files,
  folder: string,
  work: (environment: UnsyncedEnvironment, sequence: number) => Promise<void>,
  isAnew = false,
): Promise<void> {
  const { environment } = await recover(files, folder, systemBootId(), { isAnew });
  try {
    await work(environment, sequenceIn(environment));
    markClean(files, folder);
  } finally {
    await environment.close();
  }
}

function sequenceIn(environment: UnsyncedEnvironment): number {
  return decodePosition(environment.get(POSITION_KEY))?.sequence ?? 0;
}

/** `right` is what checkpoint and journal make. */
async function compare(folder: string, right: UnsyncedEnvironment): Promise<Pick<StoreCheck, 'state' | 'faults'>> {
  const path = `${folder}/${STATE_NAME}`;
  const state = openUnsyncedEnvironment(path, limits.storeStateBytesMax);
  try {
    const [has, says] = [sequenceIn(state), sequenceIn(right)];
    if (has < says) return { state: 'behind', faults: [] };
    if (has > says) {
      return {
        state: 'ahead',
        faults: [missing(folder, says + 1).message],
      };
    }
    const difference = differenceOf(rowsOf(state), rowsOf(right));
    if (difference === null) return { state: 'same', faults: [] };
    return { state: 'different', faults: [`${path}: ${difference}`] };
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    return { state: 'different', faults: [error.message] };
  } finally {
    await state.close();
  }
}

/** The first difference, in words. */
function differenceOf(left: Iterable<KeyValue>, right: Iterator<KeyValue, undefined>): string | null {
  for (const row of left) {
    const expected = right.next();
    if (expected.done === true || !isSame(row, expected.value))
      return `row ${nameOf(row)} is not what the journal says`;
  }
  const missing = right.next();
  return missing.done === true ? null : `lacks row ${nameOf(missing.value)}`;
}

function tally(rows: Map<number, number>, row: KeyValue): void {
  const table = tableOf(row);
  if (table !== null) rows.set(table, (rows.get(table) ?? 0) + 1);
}

/** All rows but those that are not in the journal, in pages. */
function* rowsOf(environment: UnsyncedEnvironment): Generator<KeyValue, undefined> {
  environment.refresh();
  for (let gte: Uint8Array = Uint8Array.of(0); ; ) {
    const page = environment.range({ gte, lt: Uint8Array.of(0xff), reverse: false, limit: limits.storeRangeRowsMax });
    yield* page.filter(({ key }) => !UNJOURNALED.some(own => Buffer.compare(key, own) === 0));
    const last = page.at(-1);
    if (last === undefined) return;
    gte = Uint8Array.of(...last.key, 0);
  }
}

const UNJOURNALED = [POSITION_KEY, LOSS_KEY];

function isSame(left: KeyValue, right: KeyValue): boolean {
  return Buffer.compare(left.key, right.key) === 0 && Buffer.compare(left.value, right.value) === 0;
}

function nameOf(row: KeyValue): string {
  const { key } = row;
  return `${tableOf(row) ?? 'own'}/${Buffer.from(key.subarray(1)).toString('hex')}`;
}
