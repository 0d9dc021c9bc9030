// Messages between the main thread and the recorder's thread.

import type { MetricsParts } from '../../core/metrics/metrics.ts';
import type { Log } from '../../core/runtime/log.ts';
import type { BookListing } from '../book/live-books.ts';
import type { RecorderBounds } from './recorder.ts';

export interface RecorderThreadData {
  readonly arena: SharedArrayBuffer;
  readonly folder: string;
  readonly bounds: RecorderBounds;
  readonly metrics: MetricsParts;
  /** i32 0 rises with each message, and wakes the thread; i32 1 is its standing. */
  readonly shared: SharedArrayBuffer;
  readonly logLevel: Log['level'];
}

export type ToRecorder =
  | BookListing
  /** Commands of an operator; each is answered. */
  | { readonly op: 'start' | 'stop' }
  /** Every lasting thread ends on this message. */
  | 'close';

/** The answer to a start or a stop. */
export interface FromRecorder {
  readonly isRecording: boolean;
  /** The recorder has just begun, and needs the markets again. */
  readonly isNew: boolean;
  /** Why it does not record; null: it does, or was stopped. */
  readonly fault: string | null;
}

/** Places in `shared`. */
export const MESSAGES = 0;
export const STANDING = 1;
export const SHARED_BYTES = 8;

/** Values of `STANDING`. */
export const Standing = { Ended: 0, Recording: 1, Failed: 2 } as const;
