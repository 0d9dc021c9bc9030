// Simulates a disk that is full, or that has failed, for the journal of a gateway in this process. The journal's open segment becomes a
// device. The data that is on disk by then stays as it is.

import { closeSync, constants, openSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { assert } from '../../src/core/domain/result.ts';

/** Makes each write fail with ENOSPC until the returned function is called. `folder` is the folder of orders in a data directory. */
export function failJournalOf(folder: string): () => void {
  return replaceSegment(folder, '/dev/full');
}

/** Makes writes go nowhere and each sync fail. */
export function failSyncsOf(folder: string): void {
  replaceSegment(folder, '/dev/null');
}

/** Puts another file in the place of the open segment. The returned function undoes this. */
export function replaceSegment(folder: string, device: string): () => void {
  const [segment, ...others] = writable(join(folder, 'journal', 'journal2-'));
  assert(segment !== undefined && others.length === 0, 'this process has one segment open to be written');
  const { descriptor, path } = segment;
  reopen(descriptor, device);
  return () => reopen(descriptor, path);
}

/**
 * Makes a descriptor point to another file. Another thread may take the descriptor's number first, and gives the number back when it closes
 * its own file.
 */
function reopen(descriptor: number, path: string): void {
  // The system gives the lowest free number first: all free numbers below the descriptor are taken before the descriptor is closed.
  const others = [openSync(path, 'a+')];
  while (others.at(-1)! < descriptor) others.push(openSync(path, 'a+'));
  closeSync(descriptor);
  let found = openSync(path, 'a+');
  for (let tries = 0; found !== descriptor; tries++) {
    assert(tries < 10_000, 'the number of the segment becomes free');
    closeSync(found);
    found = openSync(path, 'a+');
  }
  for (const other of others) closeSync(other);
}

/** Returns the open files that can be written. The history is not among them: it has its segment open for reading only. */
function writable(prefix: string): readonly { readonly descriptor: number; readonly path: string }[] {
  return readdirSync('/proc/self/fd').flatMap(name => {
    try {
      const path = readlinkSync(`/proc/self/fd/${name}`);
      const isTaken = path.startsWith(prefix) && isWritable(name);
      return isTaken ? [{ descriptor: Number(name), path }] : [];
    } catch {
      // The descriptor of the folder's own listing is closed by now.
      return [];
    }
  });
}

/** Returns whether the descriptor can be written, by the access mode among the flags with which it was opened. */
function isWritable(descriptor: string): boolean {
  const [, flags] = /^flags:\s*([0-7]+)$/m.exec(readFileSync(`/proc/self/fdinfo/${descriptor}`, 'utf8'))!;
  return (Number.parseInt(flags!, 8) & (constants.O_WRONLY | constants.O_RDWR)) !== 0;
}
