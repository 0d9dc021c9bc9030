// Recordings as frames of both venues: replay/ knows their formats. Thread of the paper exchanges.

import { readRecording } from '../replay/recording.ts';
import { framesOf } from '../replay/script.ts';
import type { RecordedFrame } from './flow/recorded-frames.ts';

export interface RecordedFrames {
  /** In the order of their times, each recording from its own first frame. */
  readonly frames: readonly RecordedFrame[];
  /** Venue A: the tokens of a condition, first one first, where a recording names them. */
  readonly tokensByCondition: ReadonlyMap<string, readonly [string, string]>;
}

/** Rejects with a `RecordingError` for a file that cannot be played. */
export async function readFrames(files: readonly string[]): Promise<RecordedFrames> {
  const recordings = await Promise.all(files.map(readRecording));
  const frames = [...framesOf(recordings, 'venue_a'), ...framesOf(recordings, 'venue_b')];
  return {
    frames: frames.sort((a, b) => a.atMs - b.atMs),
    tokensByCondition: new Map(recordings.flatMap(({ facts }) => [...facts.tokensByCondition])),
  };
}
