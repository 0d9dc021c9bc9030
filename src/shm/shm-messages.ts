// Messages from the main thread to the shared file's thread.

import type { BookListing } from '../book/listed-books.ts';
import type { Log } from '../runtime/log.ts';

export interface ShmThreadData {
  readonly arena: SharedArrayBuffer;
  readonly path: string;
  /** i32 0 rises with each message, and wakes the thread. */
  readonly wake: SharedArrayBuffer;
  /** Whether the thread polls without a pause. */
  readonly spins: boolean;
  readonly logLevel: Log['level'];
}

export type ToShm =
  | BookListing
  /** Every lasting thread ends on this message. */
  | 'close';
