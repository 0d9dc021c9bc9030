// The frames of a venue's captures, in their order, each with the time of its arrival. Files of one venue are one capture: each begins where the
// one before has ended. The command line's process.

import { isObject, type JsonObject, objectsOf } from '../../../core/domain/json.ts';
import type { Venue } from '../../../core/domain/market.ts';
import { type UnixMillis, unixMillisOf } from '../../../core/domain/numbers.ts';
import type { Timers } from '../../../core/runtime/timers.ts';
import { EXPECTED, RecordingError, venueOf } from '../../../paper/replay/recorder-forms.ts';
import type { Reading, TakenFrame } from '../../../paper/replay/recording.ts';
import { isoTimeOf, unixTimeOf } from '../../../venues/wire-values.ts';
import { captureEntries } from './capture-entries.ts';

/** A frame with its time. */
export interface CapturedFrame extends TakenFrame {
  /** Unix milliseconds; null: neither the recorder nor the venue has stated any time yet. Never decreases. */
  readonly arrivalMs: number | null;
  readonly file: string;
}

/** The venue of a file, by its first frame. Rejects with a `RecordingError` if it has none. */
export async function venueOfCapture(file: string): Promise<Venue> {
  for await (const entries of captureEntries(file, () => {})) {
    for (const { type, value } of entries) {
      const venue = type === 'received' ? venueOf(value) : null;
      if (venue !== null) return venue;
    }
  }
  throw new RecordingError(`${file}: no frame of a venue in it; ${EXPECTED}`);
}

/**
 * The frames that play, a part of a file at a time; `reading` judges them. `startMs` is the time of frames before the first stated time, in
 * Unix milliseconds. `onBytes` gets the number of bytes read.
 */
export async function* capturedFrames(
  files: readonly string[],
  reading: Reading,
  startMs: number | null,
  onBytes: (file: string, bytes: number) => void,
): AsyncGenerator<CapturedFrame[]> {
  const times = new ArrivalTimes(startMs);
  for (const file of files) {
    for await (const entries of captureEntries(file, bytes => onBytes(file, bytes))) {
      const frames: CapturedFrame[] = [];
      for (const entry of entries) {
        const frame = taken(file, () => reading.take(entry));
        if (frame !== null) frames.push({ ...frame, arrivalMs: times.of(frame), file });
      }
      yield frames;
    }
  }
}

function taken<T>(file: string, take: () => T): T {
  try {
    return take();
  } catch (error) {
    throw error instanceof RecordingError ? new RecordingError(`${file}: ${error.message}`) : error;
  }
}

/** The recorder's time; the venue's own where the recorder kept none. */
class ArrivalTimes {
  #lastMs: number | null;
  #isRecorders = false;

  constructor(startMs: number | null) {
    this.#lastMs = startMs;
  }

  of({ atMs, value }: TakenFrame): number | null {
    if (atMs !== null) this.#isRecorders = true;
    const statedMs = atMs ?? (this.#isRecorders ? null : venueTimeOf(value));
    if (statedMs !== null) this.#lastMs = Math.max(this.#lastMs ?? 0, statedMs);
    return this.#lastMs;
  }
}

/** The newest time that the frame states: it was not sent before that. Venue A states the last change of each book. */
function venueTimeOf(frame: unknown): number | null {
  const times = objectsOf(Array.isArray(frame) ? frame : [frame]).flatMap(message => messageTimeOf(message) ?? []);
  return times.length === 0 ? null : Math.max(...times);
}

function messageTimeOf({ msg, timestamp, sending_ts_ms: sentAt }: JsonObject): number | null {
  if (!isObject(msg)) return unixTimeOf(timestamp);
  const { ts_ms: millis, ts } = msg;
  const stated = unixTimeOf(sentAt) ?? unixTimeOf(millis);
  return stated ?? (typeof ts === 'string' ? isoTimeOf(ts) : unixMillisOf(Number(ts ?? 0) * 1_000));
}

interface Alarm {
  readonly at: number;
  readonly task: () => void;
}

const WAIT_MS_MAX = 60_000;

export class CaptureClock implements Timers {
  #wallMs: number;
  #elapsedMs = 0;
  readonly #alarms = new Set<Alarm>();
  /** The time of the earliest alarm. */
  #nextAt = Number.POSITIVE_INFINITY;

  /** `startMs`: Unix milliseconds of the first frame. */
  constructor(startMs: number) {
    this.#wallMs = startMs;
  }

  now(): UnixMillis {
    return Math.floor(this.#wallMs) as UnixMillis;
  }

  elapsed(): number {
    return this.#elapsedMs;
  }

  after(delayMs: number, task: () => void): () => void {
    const alarm = { at: this.#elapsedMs + delayMs, task };
    this.#alarms.add(alarm);
    this.#nextAt = Math.min(this.#nextAt, alarm.at);
    return () => void this.#alarms.delete(alarm);
  }

  /**
   * Moves the wall time to the arrival of a frame; it never steps back. Due timers fire before. During a long silence the feed gets only
   * the first minute, spread over all of it.
   */
  moveTo(wallMs: number): void {
    const stepMs = Math.max(0, wallMs - this.#wallMs);
    const waitMs = Math.min(stepMs, WAIT_MS_MAX);
    const [target, arrivalMs] = [this.#elapsedMs + waitMs, this.#wallMs + stepMs];
    while (this.#nextAt <= target) {
      const dueMs = Math.max(0, this.#nextAt - this.#elapsedMs);
      if (dueMs > 0) this.#wallMs += dueMs * (stepMs / waitMs);
      this.#ring();
    }
    this.#elapsedMs = target;
    this.#wallMs = arrivalMs;
  }

  /** Whether something is due now. */
  get hasDue(): boolean {
    return this.#nextAt <= this.#elapsedMs;
  }

  /** Fires the next timer now, however far away it is; wall time stands still. False if there is none. */
  skip(): boolean {
    if (this.#nextAt === Number.POSITIVE_INFINITY) return false;
    this.#ring();
    return true;
  }

  #ring(): void {
    this.#elapsedMs = Math.max(this.#elapsedMs, this.#nextAt);
    const due = [...this.#alarms].filter(({ at }) => at <= this.#elapsedMs).sort((a, b) => a.at - b.at);
    for (const alarm of due) if (this.#alarms.delete(alarm)) alarm.task();
    this.#nextAt = Number.POSITIVE_INFINITY;
    for (const { at } of this.#alarms) this.#nextAt = Math.min(this.#nextAt, at);
  }
}
