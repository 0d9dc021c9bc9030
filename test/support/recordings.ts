// The place of the recorded venue traffic, which is never part of this repository (data/README.md of the recordings). Suites that need it
// use `describe.skipIf(!recordingsPresent)`, and their titles say so.

import { existsSync } from 'node:fs';
import { resolve } from 'node:path';

const repositoryRoot = resolve(import.meta.dirname, '../..');
const recordingsRoot = resolve(repositoryRoot, process.env.CROSSBOOK_DATA ?? '../shared/data');

/** Returns the absolute path of a recording, named as in the recordings' README (`venue-b/kalshi-cockpit/…`). */
export function recordingPath(relative: string): string {
  return resolve(recordingsRoot, relative);
}

export const recordingsPresent: boolean = existsSync(recordingsRoot);

/** Prints once, for the test run, that the recordings are absent. */
export function nameMissingRecordings(): void {
  if (recordingsPresent) return;
  console.warn(
    `Tests that need recordings are skipped: ${recordingsRoot} is absent, and CROSSBOOK_DATA names no other folder.\n`,
  );
}
