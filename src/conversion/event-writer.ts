// The port of an export: what each form of file offers to the one who reads the recording. The command line's process.

import type { RecordedEvent } from '../recording/format.ts';

export interface EventWriter {
  /** Events of a market come in their order. Throws where the disk refuses. */
  write(event: RecordedEvent): void;
  /** The files are complete, and have their names; their paths. */
  close(): Promise<readonly string[]>;
  /** Removes the written files: the export has failed. */
  abandon(): void;
}
