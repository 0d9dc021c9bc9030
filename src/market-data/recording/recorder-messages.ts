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
  /** `i32` 0 counts messages to the thread, and wakes the thread. `i32` 1 is the thread's `Standing`. */
  readonly shared: SharedArrayBuffer;
  readonly logLevel: Log['level'];
}

export type ToRecorder =
  | BookListing
  /** An operator's command. The thread answers each command. */
  | { readonly op: 'start' | 'stop' }
  /** Every lasting thread ends on this message. */
  | 'close';

/** The answer to a start or a stop. */
export interface FromRecorder {
  readonly isRecording: boolean;
  /** Whether the recorder has just begun, so that it needs the books of all markets again. */
  readonly isNew: boolean;
  /** Why the recorder does not record. Null means that it records, or that an operator stopped it. */
  readonly fault: string | null;
}

/** Indexes of `shared` as `i32`. */
export const MESSAGES = 0;
export const STANDING = 1;
export const SHARED_BYTES = 8;

/** Values of `STANDING`. */
export const Standing = { Ended: 0, Recording: 1, Failed: 2 } as const;
