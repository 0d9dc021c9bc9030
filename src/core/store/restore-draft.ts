// The draft of a restore, within the data directory that it becomes. Main thread at the start, and the command line.

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { StoreError } from './store-error.ts';

export const RESTORE_DRAFT = 'restoring';

/** Throws a StoreError if a restore was cut off, so that the directory is incomplete. */
export function refusePartOfRestore(dataDir: string): void {
  const draft = join(dataDir, RESTORE_DRAFT);
  if (existsSync(draft))
    throw new StoreError(`${draft}: belongs to a restore that was not finished: empty ${dataDir}, and restore again`);
}
