// Looks through what the state would be built anew from, beside those who write it, a piece at a time. Whoever believes the state reads
// the end of the journal only: damage before it would first be met when the journal is needed. Any thread.

import { limits } from '../../limits.ts';
import { checkpointInPieces, latestCheckpoint, readSeal } from './checkpoint.ts';
import type { Files } from './files.ts';
import { damage, missing } from './journal-reader.ts';
import { decodeRecord, decodeSegmentHead, type JournalRecord, SEGMENT_HEAD_BYTES } from './journal-record.ts';
import { checkpointName, journalFirsts, journalName } from './layout.ts';
import type { Position } from './position.ts';

/**
 * Up to `position`, of the latest commit: what comes later is for the next round. A piece a step; throws a StoreError that names what
 * is damaged.
 */
export function* lookThrough(files: Files, folder: string, position: Position): Generator<unknown, void> {
  const latest = latestCheckpoint(files, folder);
  try {
    if (latest === null) return yield* journalInPieces(files, folder, 1, false, position);
    const checkpoint = `${folder}/${checkpointName(latest)}`;
    const isBackup = readSeal(files, checkpoint).journal === 'none';
    yield* journalInPieces(files, folder, latest + 1, isBackup, position);
    yield* checkpointInPieces(files, checkpoint);
  } catch (error) {
    // If another has been made meanwhile, what was looked at is needed no more, and gone.
    if (latestCheckpoint(files, folder) === latest) throw error;
  }
}

/**
 * From the segment that has record `from`, or begins with it. On a backup from wherever it begins: that has what was committed while it was
 * made, too, and its name does not say how much.
 */
function* journalInPieces(
  files: Files,
  folder: string,
  from: number,
  isBackup: boolean,
  position: Position,
): Generator<unknown, void> {
  const firsts = journalFirsts(files.list(folder)).filter(first => first <= position.segment);
  const needed = firsts.slice(
    Math.max(
      0,
      firsts.findLastIndex(first => first <= from),
    ),
  );
  // Where the one with `from` is gone, none of them follows.
  const begun = needed[0] ?? from;
  let next = isBackup ? begun : Math.min(from, begun);
  for (const first of needed) {
    if (first !== next) break;
    const end = first === position.segment ? position.bytes : null;
    next = yield* segmentInPieces(files, `${folder}/${journalName(first)}`, first, end);
  }
  if (next === position.sequence + 1) return;
  throw missing(folder, next);
}

/** Up to `end`, null: all of it. The number of the record that follows. */
function* segmentInPieces(files: Files, path: string, first: number, end: number | null): Generator<unknown, number> {
  const file = files.open(path);
  try {
    const salt = decodeSegmentHead(files.read(file, 0, SEGMENT_HEAD_BYTES));
    if (salt === null) throw damage(path, 0, 'is not a journal');
    const bytes = end ?? files.size(file);
    let next = first;
    for (let at = SEGMENT_HEAD_BYTES; at < bytes; ) {
      const piece = files.read(file, at, Math.min(limits.storeLookBytes, bytes - at));
      let records = recordsOf(piece, salt);
      // The first of them may be longer than a piece.
      if (records.length === 0) records = recordsOf(files.read(file, at, bytes - at), salt);
      if (records.length === 0) throw damage(path, at, `record ${next} is damaged`);
      for (const record of records) {
        if (record.sequence !== next) throw damage(path, at, `holds record ${record.sequence} in the place of ${next}`);
        next += 1;
        at += record.bytes;
      }
      yield;
    }
    return next;
  } finally {
    files.close(file);
  }
}

/** Those that it begins with and has whole. */
function recordsOf(piece: Uint8Array, salt: number): readonly JournalRecord[] {
  const records: JournalRecord[] = [];
  for (let at = 0; ; at += records.at(-1)!.bytes) {
    const record = decodeRecord(piece, at, salt);
    if (record === null) return records;
    records.push(record);
  }
}
