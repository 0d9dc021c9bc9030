// A disk that is full, for the journal of a gateway in this process: its open segment becomes /dev/full, where each write fails with
// ENOSPC. What is on disk by then stays as it is.

import { closeSync, openSync, readdirSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { assert } from '../../src/domain/result.ts';

/** `folder`: of orders, in a data directory. */
export function failJournalOf(folder: string): void {
  const descriptor = descriptorsOf(join(folder, 'journal', 'journal2-'))[0];
  assert(descriptor !== undefined, 'the journal is open in this process');
  closeSync(descriptor);
  // The lowest number that is free comes first.
  const others: number[] = [];
  for (let opened = openSync('/dev/full', 'a'); opened !== descriptor; opened = openSync('/dev/full', 'a')) {
    assert(opened < descriptor, 'the number of the segment is free');
    others.push(opened);
  }
  for (const other of others) closeSync(other);
}

function descriptorsOf(prefix: string): readonly number[] {
  return readdirSync('/proc/self/fd').flatMap(name => {
    try {
      return readlinkSync(`/proc/self/fd/${name}`).startsWith(prefix) ? [Number(name)] : [];
    } catch {
      // That of the folder's own listing is closed by now.
      return [];
    }
  });
}
