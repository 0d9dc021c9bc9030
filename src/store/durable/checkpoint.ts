// A checkpoint is the whole state as of one moment, on disk, sealed with size and CRC-32: what a state that cannot be
// believed is rebuilt from, with the journal since. Made beside the writers, on a thread that may block.

import { crc32 } from 'node:zlib';
import { limits } from '../../limits.ts';
import { PAGE_BYTES } from '../lmdb-files.ts';
import { StoreError } from '../store-error.ts';
import { type Files, type OpenFile, readText, replaceFile, syncPath } from './files.ts';
import {
  CHECKPOINT_DRAFT_NAME,
  checkpointName,
  checkpointSequences,
  journalFirsts,
  journalName,
  LMDB_DATA_NAME,
  SEAL_NAME,
} from './layout.ts';

/** What a checkpoint's data file must be, and what belongs to it. */
interface Seal {
  readonly bytes: number;
  readonly crc: number;
  /** A backup is complete without a journal; in a store the journal goes on from it. */
  readonly journal: 'follows' | 'none';
}

const SEAL = /^(\d{1,15}) (\d{1,10}) (follows|none)\n$/;
const SEAL_BYTES_MAX = 64;

/** `fill` puts LMDB's data file into the folder that it is given. Nothing, or all of it, is in `folder` afterwards. */
export async function makeCheckpoint(
  files: Files,
  folder: string,
  sequence: number,
  journal: Seal['journal'],
  fill: (draft: string) => Promise<void>,
): Promise<void> {
  const draft = `${folder}/${CHECKPOINT_DRAFT_NAME}`;
  if (files.list(folder).includes(CHECKPOINT_DRAFT_NAME)) {
    throw new StoreError(`store ${folder}: another checkpoint is being made`);
  }
  files.makeFolder(draft);
  try {
    await fill(draft);
    const data = `${draft}/${LMDB_DATA_NAME}`;
    syncPath(files, data);
    const { bytes, crc } = sumOf(files, data);
    replaceFile(files, draft, SEAL_NAME, `${bytes} ${crc} ${journal}\n`);
    files.rename(draft, `${folder}/${checkpointName(sequence)}`);
    files.syncFolder(folder);
  } catch (error) {
    files.remove(draft);
    throw error;
  }
}

/** Number of the latest; null if there is none. */
export function latestCheckpoint(files: Files, folder: string): number | null {
  return checkpointSequences(files.list(folder)).at(-1) ?? null;
}

/** Removes what the latest checkpoint makes needless: earlier ones, and segments with nothing but earlier records. */
export function removeObsolete(files: Files, folder: string): void {
  const names = files.list(folder);
  const checkpoints = checkpointSequences(names);
  const latest = checkpoints.at(-1);
  if (latest === undefined) return;
  for (const sequence of checkpoints.slice(0, -1)) files.remove(`${folder}/${checkpointName(sequence)}`);
  const firsts = journalFirsts(names);
  firsts.forEach((first, index) => {
    const following = firsts[index + 1];
    if (following !== undefined && following <= latest + 1) files.remove(`${folder}/${journalName(first)}`);
  });
}

/** Throws a StoreError if there is none that can be read. */
export function readSeal(files: Files, checkpoint: string): Seal {
  const path = `${checkpoint}/${SEAL_NAME}`;
  const [, bytes, crc, journal] = SEAL.exec(readText(files, path, SEAL_BYTES_MAX) ?? '') ?? [];
  if (bytes === undefined) throw new StoreError(`store file ${path}: is not the seal of a checkpoint`);
  return { bytes: Number(bytes), crc: Number(crc), journal: journal === 'none' ? 'none' : 'follows' };
}

/** Copies a checkpoint's data file to a new path; throws a StoreError if it is not what was sealed. Page by page, as `keepRoom` does. */
export function restoreCheckpoint(files: Files, checkpoint: string, target: string): Seal {
  const copy = files.create(target);
  try {
    return verifyCheckpoint(files, checkpoint, piece => {
      for (let at = 0; at < piece.length; at += PAGE_BYTES) files.append(copy, piece.subarray(at, at + PAGE_BYTES));
    });
  } finally {
    files.close(copy);
  }
}

/** Reads all of a checkpoint; throws a StoreError if it is not what was sealed. */
export function verifyCheckpoint(
  files: Files,
  checkpoint: string,
  onPiece: (piece: Uint8Array) => void = () => {},
): Seal {
  const pieces = checkpointInPieces(files, checkpoint);
  for (;;) {
    const { done, value } = pieces.next();
    if (done === true) return value;
    onPiece(value);
  }
}

/** As `verifyCheckpoint`, for whoever has others to wait for in between. */
export function* checkpointInPieces(files: Files, checkpoint: string): Generator<Uint8Array, Seal> {
  const seal = readSeal(files, checkpoint);
  const path = `${checkpoint}/${LMDB_DATA_NAME}`;
  const { bytes, crc } = yield* piecesOf(files, path);
  if (bytes === seal.bytes && crc === seal.crc) return seal;
  throw new StoreError(`store file ${path}: is not what was sealed, it is damaged`);
}

/** Bytes of journal after which a checkpoint should be made, given the size of the state. */
export function checkpointDueBytes(stateBytes: number): number {
  return Math.max(limits.storeCheckpointJournalBytes, Math.floor(stateBytes / 2));
}

function sumOf(files: Files, path: string): { bytes: number; crc: number } {
  const pieces = piecesOf(files, path);
  for (;;) {
    const { done, value } = pieces.next();
    if (done === true) return value;
  }
}

function* piecesOf(files: Files, path: string): Generator<Uint8Array, { bytes: number; crc: number }> {
  const file: OpenFile = files.open(path);
  try {
    let bytes = 0;
    let crc = 0;
    for (;;) {
      const piece = files.read(file, bytes, limits.storeLookBytes);
      if (piece.length === 0) return { bytes, crc };
      bytes += piece.length;
      crc = crc32(piece, crc);
      yield piece;
    }
  } finally {
    files.close(file);
  }
}
