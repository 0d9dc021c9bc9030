// Turns captures of raw frames into a recording, as if a gateway had recorded them at their time. Each file is read twice: first to check
// that all of it can be played, then to play it. The command line's process.

import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { perVenue, VENUES, type Venue } from '../../../core/domain/market.ts';
import { assert } from '../../../core/domain/result.ts';
import { nodeFiles } from '../../../core/store/files.ts';
import { createArena } from '../../../market-data/book/memory.ts';
import { FILE_NAME } from '../../../market-data/recording/format.ts';
import { Recorder } from '../../../market-data/recording/recorder.ts';
import { RecordingError } from '../../../paper/replay/recorder-forms.ts';
import { noteText, Reading } from '../../../paper/replay/recording.ts';
import { makeFolder } from '../partial-file.ts';
import { sizeOfFile } from './capture-entries.ts';
import {
  CaptureClock,
  type CapturedFrame,
  capturedFrames,
  type Survey,
  surveyCapture,
  venueOfCapture,
} from './capture-frames.ts';
import { CapturedFeed } from './captured-feed.ts';

interface ImportOptions {
  readonly files: readonly string[];
  /** A folder that holds no recording. It is made if it is missing. */
  readonly folder: string;
  /** Is called with the number of bytes read of a file. It runs from 0 to the file's size twice. */
  readonly onBytes: (file: string, bytes: number, isSecond: boolean) => void;
}

/** The sizes of the files. Rejects with a `RecordingError` if a file is missing. */
export async function captureBytes(files: readonly string[]): Promise<Map<string, number>> {
  const sizes = new Map<string, number>();
  for (const file of files) sizes.set(file, await sizeOfFile(file));
  return sizes;
}

/**
 * Imports the captures. Resolves with lines for the operator about the read, skipped and recorded frames. Rejects with a `RecordingError`
 * for a capture that cannot be played.
 */
export async function importCaptures({ files, folder, onBytes }: ImportOptions): Promise<string[]> {
  if (existsSync(folder) && recordedIn(folder).length > 0)
    throw new RecordingError(`${folder}: has a recording already`);
  const byVenue = perVenue<string[]>(() => []);
  for (const file of files) byVenue[await venueOfCapture(file)].push(file);
  const surveys: Survey[] = [];
  for (const venue of VENUES) {
    const own = byVenue[venue];
    if (own.length > 0) surveys.push(await surveyCapture(own, (file, bytes) => onBytes(file, bytes, false)));
  }
  makeFolder(folder);
  try {
    return await record(surveys, folder, (file, bytes) => onBytes(file, bytes, true));
  } catch (error) {
    // An incomplete import is removed, because it would be taken for a complete recording.
    for (const name of recordedIn(folder)) rmSync(join(folder, name));
    throw error;
  }
}

type OnBytes = (file: string, bytes: number) => void;

async function record(surveys: readonly Survey[], folder: string, onBytes: OnBytes): Promise<string[]> {
  const clock = new CaptureClock(Math.min(...surveys.map(({ startMs }) => startMs)));
  const arena = createArena();
  const recorder = new Recorder({ arena, folder, now: () => clock.now(), ...UNBOUNDED });
  const feeds = new Map<Venue, CapturedFeed>();
  for (const survey of surveys) {
    feeds.set(survey.venue, new CapturedFeed({ survey, clock, arena, onBook: (...book) => list(recorder, ...book) }));
  }
  try {
    await play(surveys, feeds, recorder, onBytes);
    await recorder.close();
  } catch (error) {
    recorder.abandon();
    throw error;
  } finally {
    for (const feed of feeds.values()) feed.close();
  }
  return surveys.flatMap(survey => wordsOf(survey, feeds.get(survey.venue)!));
}

function list(recorder: Recorder, ...book: Parameters<Recorder['list']>): void {
  const listed = recorder.list(...book);
  assert(listed === 'listed', 'a recorder has a place for each book');
}

/** The options of the recorder for an import. No file is removed, and free space is not watched: a full disk fails the import. */
const UNBOUNDED = {
  bounds: {
    recordingBytesMax: Number.POSITIVE_INFINITY,
    recordingFileBytesMax: Number.POSITIVE_INFINITY,
    diskFreeBytesMin: 0,
  },
  files: { ...nodeFiles, list: () => [] },
  // No lock is needed, because nobody else writes into this folder, which had no recording.
  lock: () => () => {},
  freeBytes: () => Number.POSITIVE_INFINITY,
};

async function play(
  surveys: readonly Survey[],
  feeds: ReadonlyMap<Venue, CapturedFeed>,
  recorder: Recorder,
  onBytes: OnBytes,
): Promise<void> {
  for await (const [venue, frames] of byTime(surveys, onBytes)) {
    for (const frame of frames) {
      const playing = feeds.get(venue)!.play(frame);
      if (playing !== null) await playing;
      while (recorder.turn());
    }
    await recorder.previousFilesClosed();
  }
}

interface Track {
  readonly venue: Venue;
  readonly parts: AsyncGenerator<CapturedFrame[]>;
  frames: readonly CapturedFrame[];
  /** The time of the track's next frame. */
  at: number;
}

/** The frames of all venues, by their time of arrival. */
async function* byTime(
  surveys: readonly Survey[],
  onBytes: OnBytes,
): AsyncGenerator<[Venue, readonly CapturedFrame[]]> {
  const tracks: Track[] = [];
  for (const { venue, files, meta, startMs } of surveys) {
    const track = { venue, parts: capturedFrames(files, new Reading(meta), startMs, onBytes), frames: [], at: 0 };
    if (await advance(track)) tracks.push(track);
  }
  while (tracks.length > 0) {
    tracks.sort((a, b) => nextMs(a) - nextMs(b));
    const [first, second] = tracks as [Track, Track?];
    const untilMs = second === undefined ? Number.POSITIVE_INFINITY : nextMs(second);
    const from = first.at;
    while (first.at < first.frames.length && nextMs(first) <= untilMs) first.at += 1;
    yield [first.venue, first.frames.slice(from, first.at)];
    if (!(await advance(first))) tracks.shift();
  }
}

function nextMs({ frames, at }: Track): number {
  return frames[at]!.arrivalMs!;
}

/** Reads on until there is a frame. Returns false at the end. */
async function advance(track: Track): Promise<boolean> {
  while (track.at === track.frames.length) {
    const next = await track.parts.next();
    if (next.done === true) return false;
    track.frames = next.value;
    track.at = 0;
  }
  return true;
}

function wordsOf({ note, facts, venue }: Survey, { markets, booksLost: lost }: CapturedFeed): string[] {
  const unproven = facts.filter(({ isConfirmed }) => !isConfirmed).map(({ conditionId }) => conditionId);
  return [
    noteText(note, 'books wait for their next snapshot'),
    `${venue}: ${markets} markets recorded${lost === 0 ? '' : `; a book was lost ${lost === 1 ? 'once' : `${lost} times`}, until the capture states it again`}`,
    ...unproven.map(
      it => `${it}: no recorded book confirms min_order_size and neg_risk: its books do not verify, and none is LIVE`,
    ),
  ];
}

function recordedIn(folder: string): string[] {
  return readdirSync(folder).filter(name => FILE_NAME.test(name));
}
