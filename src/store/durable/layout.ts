// What lies in the folder of a durable store, and under which names. Any thread.
//
//   owner                     who has the store open (owner-lock.ts)
//   owner.next                who takes away the lock of an owner that is dead (owner-lock.ts)
//   mark                      whether LMDB's files can be believed (mark.ts)
//   state/                    LMDB: what is read; may be nonsense after a power cut
//   journal-000000000000001   redo records, named by the sequence number of the first (journal-record.ts)
//   journal-000000000002301   … only the last one grows
//   checkpoint-0000000000022… a copy of the state on disk, named by the last sequence number in it (checkpoint.ts)
//
// The truth is the checkpoint and the journal after it; `state` is what follows from them, kept ready.

const DIGITS = 15;
const JOURNAL = /^journal-(\d{15})$/;
const CHECKPOINT = /^checkpoint-(\d{15})$/;

export const MARK_NAME = 'mark';
export const STATE_NAME = 'state';
/** A state that is being put together. */
export const STATE_DRAFT_NAME = 'state.draft';
export const CHECKPOINT_DRAFT_NAME = 'checkpoint.draft';
/** The last segment, written anew after the disk had failed. */
export const JOURNAL_DRAFT_NAME = 'journal.draft';
/** A copy that is being compared with the state. */
export const CHECK_DRAFT_NAME = 'check.draft';
/** What somebody was at when he was stopped. */
export const DRAFT_NAMES = [STATE_DRAFT_NAME, CHECKPOINT_DRAFT_NAME, JOURNAL_DRAFT_NAME, CHECK_DRAFT_NAME] as const;
/** The last state that was not believed, for whoever wants to know why. */
export const STATE_DISTRUSTED_NAME = 'state.distrusted';
export const LMDB_DATA_NAME = 'data.mdb';
/** In a checkpoint: what its data file must be. */
export const SEAL_NAME = 'seal';

export function journalName(first: number): string {
  return `journal-${String(first).padStart(DIGITS, '0')}`;
}

export function checkpointName(sequence: number): string {
  return `checkpoint-${String(sequence).padStart(DIGITS, '0')}`;
}

/** Sequence numbers of the first records of all segments, ascending. */
export function journalFirsts(names: readonly string[]): number[] {
  return numbersIn(names, JOURNAL);
}

/** Sequence numbers of all checkpoints, ascending. */
export function checkpointSequences(names: readonly string[]): number[] {
  return numbersIn(names, CHECKPOINT);
}

function numbersIn(names: readonly string[], pattern: RegExp): number[] {
  return names
    .flatMap(name => pattern.exec(name)?.[1] ?? [])
    .map(Number)
    .sort((a, b) => a - b);
}
