// A disk that is full, or that has failed, for the journal of a gateway in this process: its open segment becomes a device. What is on
// disk by then stays as it is.

import { closeSync, constants, openSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { assert } from '../../src/core/domain/result.ts';

/** Each write fails with ENOSPC, until the returned function is called. `folder`: of orders, in a data directory. */
export function failJournalOf(folder: string): () => void {
  return replaceSegment(folder, '/dev/full');
}

/** Writes go nowhere, and each sync fails. */
export function failSyncsOf(folder: string): void {
  replaceSegment(folder, '/dev/null');
}

/** The open segment becomes another file; the returned function undoes it. */
export function replaceSegment(folder: string, device: string): () => void {
  const [segment, ...others] = writable(join(folder, 'journal', 'journal2-'));
  assert(segment !== undefined && others.length === 0, 'this process has one segment open to be written');
  const { descriptor, path } = segment;
  reopen(descriptor, device);
  return () => reopen(descriptor, path);
}

/** The descriptor becomes another file's. Another thread may take its number first, and gives it back when its own file closes. */
function reopen(descriptor: number, path: string): void {
  // The lowest number that is free comes first: those below are taken before the descriptor is closed.
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

/** The history has its segment open to be read alone. */
function writable(prefix: string): readonly { readonly descriptor: number; readonly path: string }[] {
  return readdirSync('/proc/self/fd').flatMap(name => {
    try {
      const path = readlinkSync(`/proc/self/fd/${name}`);
      const isTaken = path.startsWith(prefix) && isWritable(name);
      return isTaken ? [{ descriptor: Number(name), path }] : [];
    } catch {
      // That of the folder's own listing is closed by now.
      return [];
    }
  });
}

/** By the access mode among the flags that it was opened with. */
function isWritable(descriptor: string): boolean {
  const [, flags] = /^flags:\s*([0-7]+)$/m.exec(readFileSync(`/proc/self/fdinfo/${descriptor}`, 'utf8'))!;
  return (Number.parseInt(flags!, 8) & (constants.O_WRONLY | constants.O_RDWR)) !== 0;
}
