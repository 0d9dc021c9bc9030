// A folder that exists for the length of the running test.

import { onTestFinished } from 'vitest';
import { removeFolder, temporaryFolder } from './temporary-folder.ts';

/** Makes a folder, in a test or before each test. The folder is removed after all hooks of the test. */
export function testFolder(): string {
  const folder = temporaryFolder();
  onTestFinished(() => removeFolder(folder));
  return folder;
}
