// Folders that exist for the length of a test.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export function temporaryFolder(): string {
  return mkdtempSync(join(tmpdir(), 'crossbook-store-'));
}

export const removeFolder = (folder: string): void => rmSync(folder, { recursive: true, force: true });
