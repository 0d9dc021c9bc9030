// The port of an export: the methods of each form of file. The command line's process.

import type { RecordedEvent } from '../../market-data/recording/format.ts';

export interface EventWriter {
  /** Events of a market come in their order. Throws where the disk refuses. */
  write(event: RecordedEvent): void;
  /** The files are complete, and have their names; their paths. */
  close(): Promise<readonly string[]>;
  /** Removes the written files: the export has failed. */
  abandon(): void;
}
