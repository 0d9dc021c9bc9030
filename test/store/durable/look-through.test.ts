// A round through journal and checkpoint, a piece at a time, beside those who write: it meets any byte that was changed, and nothing else.

import { appendFileSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { limits } from '../../../src/limits.ts';
import type { DurableStore } from '../../../src/store/durable/durable-store.ts';
import { type Files, nodeFiles, type OpenFile } from '../../../src/store/durable/files.ts';
import { checkpointName, checkpointSequences, journalFirsts, journalName } from '../../../src/store/durable/layout.ts';
import { bytesOf, openStore, removeFolder, type Table, temporaryFolder } from './store-rig.ts';

const SEGMENT_HEAD_BYTES = 20;
/** Of the head, nothing is kept there. */
const RESERVED_AT = 16;
const ROWS = 40;

let folder: string;
let store: DurableStore<Table>;
beforeEach(async () => {
  folder = temporaryFolder();
  store = await openStore(folder);
});
afterEach(async () => {
  await store.close();
  removeFolder(folder);
});

function write(rows: number, valueBytes = 300): void {
  for (let row = 0; row < rows; row += 1) {
    store.transact(to => to.put('left', bytesOf(`k${row}`), new Uint8Array(valueBytes)));
  }
}

/** How many pieces it has read. */
function round(between: () => void = () => {}): number {
  let pieces = 0;
  for (const _piece of store.lookThrough()) {
    pieces += 1;
    between();
  }
  return pieces;
}

const journals = (): string[] => journalFirsts(nodeFiles.list(folder)).map(journalName);
const checkpoint = (): string => checkpointName(checkpointSequences(nodeFiles.list(folder)).at(-1)!);

/** While `work` runs. */
function withChange(name: string, at: number, work: () => void): void {
  const path = join(folder, name);
  const sound = readFileSync(path);
  const changed = Buffer.from(sound);
  changed[at]! ^= 1 << (at % 8);
  writeFileSync(path, changed);
  work();
  writeFileSync(path, sound);
}

it('is sound while others write, make checkpoints and fail', async () => {
  expect(round()).toBe(1);
  write(ROWS);
  // What is beyond the last commit is nobody's yet.
  appendFileSync(join(folder, journals().at(-1)!), 'torn');
  expect(round(() => write(3))).toBeGreaterThan(3);
  await store.checkpoint();
  write(ROWS);
  expect(round()).toBeGreaterThan(3);
  // Nor is a segment that was begun since.
  write(1, 3_000);
  const late = store.lookThrough();
  write(2, 3_000);
  expect([...late].length).toBeGreaterThan(3);
  const begun = store.lookThrough();
  begun.next();
  write(1);
  await store.checkpoint();
  expect([...begun].length).toBeLessThan(3);
});

it('meets a change of any byte of a segment, and names the file', () => {
  write(ROWS);
  const segments = journals();
  const places = fc.nat().chain(pick => {
    const name = segments[pick % segments.length]!;
    return fc.record({ name: fc.constant(name), at: fc.nat(statSync(join(folder, name)).size - 1) });
  });
  const isKept = ({ at }: { readonly at: number }): boolean => at < RESERVED_AT || at >= SEGMENT_HEAD_BYTES;
  fc.assert(
    fc.property(places.filter(isKept), ({ name, at }) => {
      withChange(name, at, () => expect(() => round()).toThrow(name));
    }),
  );
  expect(round()).toBe(segments.length);
});

it('meets a record that is longer than a piece, and a change within it', () => {
  const value = new Uint8Array(limits.storeLookBytes);
  store.transact(to => {
    for (const key of ['a', 'b']) to.put('left', bytesOf(key), value);
  });
  write(3);
  // What is before it in its segment is a piece, too.
  expect(round()).toBe(journals().length + 1);
  withChange(journals()[0]!, 500_000, () => expect(() => round()).toThrow('offset'));
});

it('reads a long segment in pieces, and leaves no file open', async () => {
  await store.close();
  const opened = new Set<OpenFile>();
  const files: Files = {
    ...nodeFiles,
    open(path) {
      const file = nodeFiles.open(path);
      opened.add(file);
      return file;
    },
    close(file) {
      opened.delete(file);
      nodeFiles.close(file);
    },
  };
  store = await openStore(folder, { files, bounds: { storeSegmentBytes: 2 ** 30, storeSyncDelayMs: 4 } });
  write(5, limits.storeLookBytes / 2);
  const before = opened.size;
  expect(round()).toBeGreaterThan(2);
  expect(opened.size).toBe(before);
});

it('meets a segment that has grown, and one in the place of another', () => {
  write(ROWS);
  const [first, second] = journals().map(name => join(folder, name)) as [string, string];
  const sound = [readFileSync(first), readFileSync(second)] as const;
  writeFileSync(first, Buffer.concat([sound[0], Buffer.of(0)]));
  expect(() => round()).toThrow(first);
  writeFileSync(first, sound[1]);
  expect(() => round()).toThrow(/ offset 20: holds record \d+ in the place of 1$/);
  writeFileSync(first, sound[0]);
  expect(round()).toBe(journals().length);
});

it('meets a change of any byte of the checkpoint', async () => {
  write(ROWS);
  await store.checkpoint();
  const data = join(checkpoint(), 'data.mdb');
  const size = statSync(join(folder, data)).size;
  for (const at of [0, size >> 1, size - 1]) withChange(data, at, () => expect(() => round()).toThrow(data));
  expect(round()).toBeGreaterThan(0);
});

it('misses a segment that is gone', () => {
  write(ROWS);
  rmSync(join(folder, journals()[2]!));
  expect(() => round()).toThrow(/the part of the journal with transaction \d+ is missing/);
  rmSync(join(folder, journals()[0]!));
  expect(() => round()).toThrow('transaction 1 is missing');
});
