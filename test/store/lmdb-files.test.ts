// LMDB's files as we make them are those that LMDB makes, and it is given no others.

import { readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openEnvironment, openRowEnvironment } from '../../src/store/lmdb.ts';
import { isWholeDataFile, usedBytes } from '../../src/store/lmdb-files.ts';
import { StoreError } from '../../src/store/store-error.ts';
import { removeFolder, temporaryFolder } from '../support/temporary-folder.ts';

const PAGE_BYTES = 4_096;
let folder: string;
let data: string;
beforeEach(() => {
  folder = temporaryFolder();
  data = join(folder, 'data.mdb');
});
afterEach(() => removeFolder(folder));

describe.each([
  ['an environment', openEnvironment],
  ['an environment of rows', openRowEnvironment],
])('%s', (_, open) => {
  it.each([1024 * 1024, 64 * 1024 ** 3])('of up to %i bytes begins byte by byte as LMDB begins it', async bytes => {
    await open(folder, bytes).close();
    const ours = readFileSync(data);
    // LMDB begins an empty file itself.
    truncateSync(data);
    await open(folder, bytes).close();
    expect(ours).toEqual(readFileSync(data));
    expect(isWholeDataFile(data)).toBe(true);
  });

  it('gets no file that LMDB would refuse', async () => {
    await open(folder, 1024 * 1024).close();
    const whole = readFileSync(data);
    const changed = (at: number): Buffer => {
      const copy = Buffer.from(whole);
      copy[at]! += 1;
      return copy;
    };
    const foreign = {
      'of another version': changed(28),
      'whose second page is another': changed(PAGE_BYTES + 24),
      'of one page': whole.subarray(0, PAGE_BYTES),
      'of less than a page': whole.subarray(0, 30),
      'of nothing but zeros': Buffer.alloc(2 * PAGE_BYTES),
    };
    for (const [words, bytes] of Object.entries(foreign)) {
      writeFileSync(data, bytes);
      expect(() => open(folder, 1024 * 1024), words).toThrow(StoreError);
      expect(() => open(folder, 1024 * 1024), words).toThrow('is not an LMDB data file');
      expect(isWholeDataFile(data), words).toBe(false);
    }
  });
});

it('keeps room on disk behind what LMDB has used, however much is written at once', async () => {
  const environment = openRowEnvironment(folder, 64 * 1024 ** 3);
  const [value, transactions] = [new Uint8Array(3_000), 200];
  for (let number = 0; number < transactions; number++) {
    environment.transact(() => {
      for (let row = 0; row < 20; row++) environment.put(Buffer.from(`${number} ${row}`), value);
      environment.keepRoom();
    });
    const { size, blocks } = statSync(data);
    expect(size).toBeGreaterThanOrEqual(usedBytes(folder));
    expect(blocks * 512).toBeGreaterThanOrEqual(size);
  }
  // Of a store that is not small: 4 MiB, less what is added at once.
  expect(statSync(data).size - usedBytes(folder)).toBeGreaterThan(3_500_000);
  await environment.close();
});
