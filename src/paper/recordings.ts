// Recordings as frames of both venues; replay/ reads their formats. Thread of the paper exchanges.

import { textOf } from '../domain/json.ts';
import { noteWords, type Recording, type RecordingNote, readRecording } from '../replay/recording.ts';
import { framesOf } from '../replay/script.ts';
import { messagesOf, type RecordedFrame, stepsOf } from './flow/recorded-frames.ts';

export interface RecordedFrames {
  /** By time, each recording from its own first frame. */
  readonly frames: readonly RecordedFrame[];
  /** Venue A: tokens of each condition, first one first, if a recording names them. */
  readonly tokensByCondition: ReadonlyMap<string, readonly [string, string]>;
  /** What was read of each file, as text. */
  readonly notes: readonly string[];
}

/** Rejects with a `RecordingError` for a file that cannot be played. */
export async function readFrames(files: readonly string[]): Promise<RecordedFrames> {
  const recordings = await Promise.all(files.map(readRecording));
  const read = recordings.map(recording => booksOf(recording));
  return {
    frames: read.flatMap(({ frames }) => frames).sort((a, b) => a.atMs - b.atMs),
    tokensByCondition: new Map(recordings.flatMap(({ facts }) => [...facts.tokensByCondition])),
    notes: read.map(({ note }) => noteWords(note)),
  };
}

/** The frames that concern a book; other frames do not trade. */
function booksOf(recording: Recording): { frames: RecordedFrame[]; note: RecordingNote } {
  const { venue, note } = recording;
  const skipped: Record<string, number> = { ...note.skipped };
  const frames = framesOf([recording], venue).filter(frame => {
    if (stepsOf(frame).length > 0) return true;
    const what = kindOf(frame);
    skipped[what] = (skipped[what] ?? 0) + 1;
    return false;
  });
  return { frames, note: { ...note, frames: frames.length, skipped } };
}

function kindOf(frame: RecordedFrame): string {
  const [message] = messagesOf(frame);
  return textOf(message?.event_type) || textOf(message?.type);
}
