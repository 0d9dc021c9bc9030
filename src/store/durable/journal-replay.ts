// The part of recovery that deals with the journal: finds the segments that the state needs, does again what it lacks,
// cuts off what a crash has left half written, and makes sure that the rest is on disk. Owner only.

import type { UnsyncedEnvironment } from '../lmdb.ts';
import { StoreError } from '../store-error.ts';
import type { Files } from './files.ts';
import { createSegment } from './journal.ts';
import { missing, readSegment, type SegmentEnd } from './journal-reader.ts';
import { type Operation, SEGMENT_HEAD_BYTES } from './journal-record.ts';
import { JOURNAL_DRAFT_NAME, journalFirsts, journalName } from './layout.ts';
import { encodePosition, POSITION_KEY, type Position } from './position.ts';

interface Replay {
  readonly replayed: number;
  readonly cutBytes: number;
}

/**
 * Sequence numbers that name the segments from the one with `position`, or with the next transaction, on. A journal of which
 * nothing is there is begun where that is right.
 */
export function findSegments(files: Files, folder: string, position: Position, mayBeMissing: boolean): number[] {
  const firsts = journalFirsts(files.list(folder));
  const next = position.sequence + 1;
  if (firsts.length === 0 && mayBeMissing) {
    files.close(createSegment(files, folder, next).file);
    return [next];
  }
  // Where the one with `position` ends there, and is gone, a checkpoint has it all.
  const start =
    position.segment === 0
      ? firsts.findLastIndex(first => first <= next)
      : firsts.findIndex(first => first === position.segment || first === next);
  if (start < 0) throw missing(folder, next);
  return firsts.slice(start);
}

/** Afterwards state and journal are level, and the journal is on disk. */
export function replayJournal(
  files: Files,
  folder: string,
  environment: UnsyncedEnvironment,
  position: Position,
  segments: readonly number[],
): Replay {
  let { sequence } = position;
  let replayed = 0;
  let cutBytes = 0;

  function replay(number: number, operations: readonly Operation[]): void {
    if (number <= sequence) return;
    for (const { key, value } of operations) {
      if (value === undefined) environment.remove(key);
      else environment.put(key, value);
    }
    sequence = number;
    replayed += 1;
  }

  const write = (row: Position): void => environment.put(POSITION_KEY, encodePosition(row));

  segments.forEach((first, index) => {
    const path = `${folder}/${journalName(first)}`;
    const isLast = index === segments.length - 1;
    const isPlaced = first === position.segment;
    const expected = isPlaced ? sequence + 1 : first;
    if (expected > sequence + 1) throw missing(folder, sequence + 1);
    let end: SegmentEnd = { bytes: 0, tornBytes: 0, next: expected };
    environment.transact(() => {
      end = readSegment(files, path, isPlaced ? position.bytes : 0, expected, replay);
      write({ sequence, segment: first, bytes: end.bytes, condition: position.condition });
    });
    if (!isLast) {
      if (end.tornBytes > 0) throw damaged(path, end.bytes);
      return;
    }
    if (end.next - 1 < sequence) throw missing(folder, end.next);
    cutBytes = end.tornBytes;
    const bytes = settle(files, folder, first, end, position.condition === 'doubtful');
    environment.transact(() => write({ sequence, segment: first, bytes, condition: 'open' }));
  });
  return { replayed, cutBytes };
}

/**
 * Cuts the last segment to its sound part and has it on disk; one without a head never came into use and gets one, and one
 * that the disk once failed to write is written anew. Returns its size.
 */
function settle(files: Files, folder: string, first: number, end: SegmentEnd, isDoubtful: boolean): number {
  if (end.bytes === 0) {
    files.close(createSegment(files, folder, first).file);
    return SEGMENT_HEAD_BYTES;
  }
  const path = `${folder}/${journalName(first)}`;
  const file = files.open(path);
  try {
    if (isDoubtful) writeAnew(files, folder, path, files.read(file, 0, end.bytes));
    else {
      if (end.tornBytes > 0) files.truncate(file, end.bytes);
      // The truncation too: otherwise a power cut could bring the removed bytes back behind what is written next.
      files.sync(file);
    }
  } finally {
    files.close(file);
  }
  return end.bytes;
}

function writeAnew(files: Files, folder: string, path: string, content: Uint8Array): void {
  const draft = `${folder}/${JOURNAL_DRAFT_NAME}`;
  const copy = files.create(draft);
  try {
    files.append(copy, content);
    files.sync(copy);
  } finally {
    files.close(copy);
  }
  files.rename(draft, path);
  files.syncFolder(folder);
}

function damaged(path: string, offset: number): StoreError {
  return new StoreError(`store file ${path}, offset ${offset}: is damaged, and later segments follow`);
}
