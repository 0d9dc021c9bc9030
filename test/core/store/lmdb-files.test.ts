// The files that we make for LMDB equal those that LMDB itself makes, and LMDB gets no other files.

import { execFileSync } from 'node:child_process';
import {
  mkdirSync,
  openSync,
  readFileSync,
  readSync,
  renameSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { openEnvironment, openRowEnvironment } from '../../../src/core/store/lmdb.ts';
import { isWholeDataFile, usedBytes } from '../../../src/core/store/lmdb-files.ts';
import { StoreError } from '../../../src/core/store/store-error.ts';
import { HistoryTables } from '../../../src/orders/history/tables.ts';
import { START_FLAGS } from '../../support/child-process.ts';
import { testFolder } from '../../support/test-folder.ts';

const PAGE_BYTES = 4_096;
let folder: string;
let data: string;
beforeEach(() => {
  folder = testFolder();
  data = join(folder, 'data.mdb');
});

describe.each([
  ['an environment', openEnvironment],
  ['an environment of rows', openRowEnvironment],
])('%s', (_, open) => {
  it.each([1024 * 1024, 64 * 1024 ** 3])('of up to %i bytes begins byte by byte as LMDB begins it', async bytes => {
    await open(folder, bytes).close();
    const ours = readFileSync(data);
    // LMDB itself initializes an empty file.
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

describe('5901: a process that opens the folder while another commits, and so hides the commit', () => {
  const [BYTES, LAST_COMMIT_AT] = [1024 * 1024, 8];
  const keyOf = (name: string) => Buffer.from(name);

  /**
   * Sets the last commit in the lock file back to the number that an opening process has read before the commit. If the descriptor were
   * closed here, the file would lose its locks.
   */
  function hide(): void {
    const [lock, number] = [openSync(join(folder, 'lock.mdb'), 'r+'), new BigUint64Array(1)];
    readSync(lock, number, 0, number.byteLength, LAST_COMMIT_AT);
    number[0]! -= 1n;
    writeSync(lock, number, 0, number.byteLength, LAST_COMMIT_AT);
  }

  it('costs no entry when the next change is made', async () => {
    const environment = openEnvironment(folder, BYTES);
    for (const key of ['a', 'b', 'c']) {
      environment.transact(it => it.put(key, keyOf('x')));
      hide();
    }
    environment.transact(it => it.put('d', keyOf('x')));
    expect(environment.entries().map(({ key }) => key)).toEqual(['a', 'b', 'c', 'd']);
    await environment.close();
  });

  it('costs no row when the next rows are written', async () => {
    const rows = openRowEnvironment(folder, BYTES);
    const names = ['a', 'b', 'c', 'd'];
    for (const name of names) {
      rows.transact(() => rows.put(keyOf(name), keyOf('x')));
      if (name !== 'd') hide();
    }
    rows.refresh();
    expect(names.filter(name => rows.get(keyOf(name)) !== undefined)).toEqual(names);
    await rows.close();
  });

  it('is seen once that process has opened the folder', async () => {
    const environment = openEnvironment(folder, BYTES);
    environment.transact(it => it.put('a', keyOf('x')));
    hide();
    expect(environment.get('a')).toBeUndefined();
    await openEnvironment(folder, BYTES).close();
    expect(environment.get('a')).toBeDefined();
    await environment.close();
  });
});

it('keeps room on disk behind what LMDB has used, however much is written at once', async () => {
  const environment = openRowEnvironment(folder, 64 * 1024 ** 3);
  const [value, transactions] = [new Uint8Array(3_000), 200];
  for (let number = 0; number < transactions; number++) {
    environment.transact(() => {
      for (let row = 0; row < 20; row++) environment.put(Buffer.from(`${number} ${row}`), value);
    });
    const { size, blocks } = statSync(data);
    expect(size).toBeGreaterThanOrEqual(usedBytes(folder));
    expect(blocks * 512).toBeGreaterThanOrEqual(size);
  }
  // The free room is not small: 4 MiB, less the entries that are added at once.
  expect(statSync(data).size - usedBytes(folder)).toBeGreaterThan(3_500_000);
  await environment.close();
});

// LMDB made its lock file longer without writing to it. If the disk had no room for the first write through the map, the system ended the
// whole process (SIGBUS), in any thread.
describe('0013: a lock file of holes', () => {
  const ADDRESS_SPACE_BYTES = 1024 * 1024;
  /** The unit of st_blocks, on all file systems. */
  const BLOCK_BYTES = 512;

  it.each([
    ['an environment', openEnvironment],
    ['an environment of rows', openRowEnvironment],
  ])('%s has every byte of its lock file on disk before it maps it', async (_, open) => {
    await open(folder, ADDRESS_SPACE_BYTES).close();
    const { size, blocks } = statSync(join(folder, 'lock.mdb'));
    expect(size).toBeGreaterThan(0);
    expect(blocks * BLOCK_BYTES).toBeGreaterThanOrEqual(size);
  });
});

// The catalog's thread created its store while the disk was full. lmdb-js deletes an object twice when an opening fails, which sometimes
// ended the process (SIGSEGV).
describe('0021: a store made on a full disk', () => {
  const CHILD = join(import.meta.dirname, 'opens-stores.ts');
  const TIMEOUT_MS = 30_000;
  const STORES = 60;
  /** The bound in blocks of 512 bytes, which is less than the two pages of an empty data file. */
  const BLOCKS_MAX = 8;
  /** The length that LMDB wants for its lock file. */
  const LOCK_BYTES = 12_288;

  it('the store is refused each time, and the process goes on', () => {
    const stores = Array.from({ length: STORES }, (_, number) => join(folder, String(number)));
    for (const store of stores) {
      mkdirSync(store, { mode: 0o700 });
      writeFileSync(join(store, 'lock.mdb'), new Uint8Array(LOCK_BYTES));
    }
    const shell = `ulimit -f ${BLOCKS_MAX}; exec "$0" "$@"`;
    const said = execFileSync('sh', ['-c', shell, process.execPath, ...START_FLAGS, CHILD, ...stores], {
      timeout: TIMEOUT_MS,
      encoding: 'utf8',
    });
    expect(said.trimEnd().split('\n')).toEqual(stores.map(() => expect.stringMatching(/EFBIG/)));
  });
});

// A case that 0021 left over: with one or two free file descriptors LMDB opens its lock file and not its data file. lmdb-js then deletes an
// object twice, which nearly always ends the process (SIGSEGV).
describe('0022: a store opened on the last descriptors', () => {
  const CHILD = join(import.meta.dirname, 'opens-a-store.ts');
  const TIMEOUT_MS = 30_000;
  const DESCRIPTORS_MAX = 100;

  function saidWith(freeDescriptors: number): string {
    const shell = `ulimit -n ${DESCRIPTORS_MAX}; exec "$0" "$@"`;
    const command = [process.execPath, ...START_FLAGS, CHILD];
    const args = ['-c', shell, ...command, join(folder, String(freeDescriptors)), String(freeDescriptors)];
    return execFileSync('sh', args, { timeout: TIMEOUT_MS, encoding: 'utf8' });
  }

  it('the store is refused or open, and the process goes on', () => {
    // The number of free descriptors is not exact, because Node opens and closes files of its own.
    for (const few of [0, 1, 2, 3, 6]) expect(saidWith(few), `${few}`).toMatch(/^StoreError: store .*EMFILE.*\n$/);
    expect(saidWith(10)).toBe('open\n');
  });
});

// With many open sockets, and so without a free descriptor, the commit was refused and its record lost. Now only the part that makes the
// next start quicker is left out.
describe('0026: commits on the last descriptors', () => {
  const COMMITS = 100;

  it('commits are made without a free descriptor', async () => {
    const tables = HistoryTables.open(folder);
    // LMDB has the file open. To open it by name now fails, as without a descriptor.
    renameSync(data, `${data}.away`);
    for (let commit = 0; commit < COMMITS; commit++) {
      tables.change(to => to.put('marks', Buffer.from(String(commit).padStart(4, '0')), new Uint8Array(600)));
    }
    renameSync(`${data}.away`, data);
    await tables.close();
    const again = HistoryTables.open(folder);
    expect(again.range('marks', { limit: 2 * COMMITS })).toHaveLength(COMMITS);
    await again.close();
  });
});
