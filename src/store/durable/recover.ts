// From whatever a crash has left to a state that has every transaction of the journal, and a journal that has every
// transaction of the state. The owner does it before anybody writes. After a power cut LMDB's files are not even opened:
// the state is built anew from the checkpoint and the journal.

import { dirname } from 'node:path';
import { limits } from '../../limits.ts';
import { openUnsyncedEnvironment, type UnsyncedEnvironment } from '../lmdb.ts';
import { isWholeDataFile } from '../lmdb-files.ts';
import { StoreError } from '../store-error.ts';
import { latestCheckpoint, readSeal, removeObsolete, restoreCheckpoint } from './checkpoint.ts';
import type { Files } from './files.ts';
import { createSegment } from './journal.ts';
import { findSegments, replayJournal } from './journal-replay.ts';
import {
  checkpointName,
  checkpointSequences,
  DRAFT_NAMES,
  journalFirsts,
  LMDB_DATA_NAME,
  STATE_DISTRUSTED_NAME,
  STATE_DRAFT_NAME,
  STATE_NAME,
} from './layout.ts';
import { isStateBelieved, markOpen, readMark, unmark } from './mark.ts';
import { decodePosition, encodePosition, LOSS_KEY, POSITION_KEY, type Position, positionIn } from './position.ts';

/** What the owner found and did. */
export interface Recovery {
  /** The state was new, could be used as it was, or had to be built from checkpoint and journal. */
  readonly state: 'new' | 'kept' | 'rebuilt';
  /** Transactions that the state lacked and the journal had. */
  readonly replayed: number;
  /** Bytes at the journal's end that were no whole transaction, and are gone. */
  readonly cutBytes: number;
  /** Why the state was built anew, where its own rows said so. */
  readonly damage?: string;
}

export interface RecoverOptions {
  /** The state is built anew though it may be as it should. */
  readonly isAnew?: boolean;
  /** What is wrong with the rows of a state, in words; null: nothing. */
  readonly faultOf?: (state: UnsyncedEnvironment) => string | null;
}

interface Recovered {
  readonly environment: UnsyncedEnvironment;
  readonly recovery: Recovery;
}

/** Throws a StoreError that names the file when what is there cannot be made whole. */
export async function recover(
  files: Files,
  folder: string,
  bootId: string | null,
  { isAnew = false, faultOf }: RecoverOptions = {},
): Promise<Recovered> {
  for (const draft of DRAFT_NAMES) files.remove(`${folder}/${draft}`);
  const names = files.list(folder);
  const isNew = journalFirsts(names).length === 0 && checkpointSequences(names).length === 0;
  if (isNew && names.includes(STATE_NAME)) throw new StoreError(`store ${folder}: its journal is missing`);
  // Before there is a state, so that a state without a journal is always a loss.
  if (isNew) {
    files.syncFolder(dirname(folder));
    files.close(createSegment(files, folder, 1).file);
  }

  const trust = isAnew ? DISTRUSTED : await trustIn(files, folder, bootId, faultOf);
  const { isBelieved, damage } = trust;
  if (!isBelieved) await buildState(files, folder, isNew);
  markOpen(files, folder, bootId);
  const environment = openUnsyncedEnvironment(`${folder}/${STATE_NAME}`, limits.storeStateBytesMax);
  try {
    const position = positionIn(environment, folder);
    const segments = findSegments(files, folder, position, hasBackupOnly(files, folder));
    const replay = replayJournal(files, folder, environment, position, segments);
    environment.transact(() => environment.keepRoom());
    removeObsolete(files, folder);
    return {
      environment,
      recovery: { state: isNew ? 'new' : isBelieved ? 'kept' : 'rebuilt', ...replay, ...(damage && { damage }) },
    };
  } catch (error) {
    await environment.close();
    throw error;
  }
}

interface Trust {
  readonly isBelieved: boolean;
  /** Why not, where its own rows say so. */
  readonly damage?: string;
}

const DISTRUSTED: Trust = { isBelieved: false };

/** Whether LMDB may open its files, as they are what it wrote, and all there; and finds in them what every state has. */
export async function isStateUsable(files: Files, folder: string, bootId: string | null): Promise<boolean> {
  return (await trustIn(files, folder, bootId)).isBelieved;
}

async function trustIn(
  files: Files,
  folder: string,
  bootId: string | null,
  faultOf: RecoverOptions['faultOf'] = () => null,
): Promise<Trust> {
  const state = `${folder}/${STATE_NAME}`;
  const data = `${state}/${LMDB_DATA_NAME}`;
  const isToBeRead = isStateBelieved(readMark(files, folder), bootId) && files.sizeOf(data) !== null;
  if (!isToBeRead || !isWholeDataFile(data)) return DISTRUSTED;
  const environment = openUnsyncedEnvironment(state, limits.storeStateBytesMax);
  try {
    environment.refresh();
    if (environment.get(POSITION_KEY) === undefined) return DISTRUSTED;
    const damage = faultOf(environment);
    return damage === null ? { isBelieved: true } : { isBelieved: false, damage };
  } catch (error) {
    // A page on the way to it is damaged.
    if (error instanceof StoreError) return { isBelieved: false, damage: error.message };
    throw error;
  } finally {
    await environment.close();
  }
}

/** Puts the latest checkpoint, or an empty state, in the place of the one that is there; complete or not at all. */
async function buildState(files: Files, folder: string, isNew: boolean): Promise<void> {
  // After a clean end the journal is whole. After a power cut its last records may be missing, and to a backup all that followed.
  const mayLack = !isNew && readMark(files, folder).is !== 'clean';
  unmark(files, folder);
  const draft = `${folder}/${STATE_DRAFT_NAME}`;
  files.makeFolder(draft);
  const checkpoint = latestCheckpoint(files, folder);
  if (checkpoint !== null) {
    restoreCheckpoint(files, `${folder}/${checkpointName(checkpoint)}`, `${draft}/${LMDB_DATA_NAME}`);
  }
  const environment = openUnsyncedEnvironment(draft, limits.storeStateBytesMax);
  try {
    const found = decodePosition(environment.get(POSITION_KEY));
    if (found === null && checkpoint !== null) {
      throw new StoreError(`store ${folder}/${checkpointName(checkpoint)}: lacks its position in the journal`);
    }
    // A backup is from another folder: where in the journal its last transaction is, the sequence number tells.
    const position: Position = { sequence: found?.sequence ?? 0, segment: 0, bytes: 0, condition: 'open' };
    environment.transact(() => {
      environment.put(POSITION_KEY, encodePosition(position));
      if (mayLack) environment.put(LOSS_KEY, new Uint8Array());
    });
  } finally {
    await environment.close();
  }
  files.remove(`${folder}/${STATE_DISTRUSTED_NAME}`);
  if (files.list(folder).includes(STATE_NAME)) {
    files.rename(`${folder}/${STATE_NAME}`, `${folder}/${STATE_DISTRUSTED_NAME}`);
  }
  files.rename(draft, `${folder}/${STATE_NAME}`);
}

function hasBackupOnly(files: Files, folder: string): boolean {
  const checkpoint = latestCheckpoint(files, folder);
  return checkpoint !== null && readSeal(files, `${folder}/${checkpointName(checkpoint)}`).journal === 'none';
}
