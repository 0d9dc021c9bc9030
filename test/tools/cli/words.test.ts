// The messages of programs that cannot start or answer.

import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { prepareLmdbFolder } from '../../../src/core/store/lmdb-files.ts';
import type { LedgerTransaction } from '../../../src/core/store/order-records.ts';
import { OPERATIONS } from '../../../src/gateway/api/operations.ts';
import { openLedgerFolder } from '../../../src/orders/history/ledger-folder.ts';
import { START_FLAGS } from '../../support/child-process.ts';
import { type RunningGateway, startRunningGateway } from '../../support/running-gateway.ts';
import { send, sendSigned } from '../../support/signed-requests.ts';
import { removeFolder, temporaryFolder } from '../../support/temporary-folder.ts';
import { numberedOrder, putLedger } from './ledger-data.ts';

// Found on the running product. LMDB's own "Write error: …" stood before a line of JSON in the log, which made the line unreadable. `ulimit -v` ended
// the start with a stack trace. The start did not notice a damaged page of the state, though `store check` did. A cache could keep an answer with a
// ticket in it.
describe('3024: nothing is without words', () => {
  const ROOT = resolve(import.meta.dirname, '../../..');
  const TIMEOUT_MS = 60_000;
  const PAGE_BYTES = 4_096;
  const KIB_PER_MIB = 1_024;

  let folder: string;
  beforeEach(() => {
    folder = temporaryFolder();
  });
  afterEach(() => removeFolder(folder));

  /** Runs one of our programs under a limit of the system, in the form that `ulimit` takes. */
  function run(limit: string, args: readonly string[], environment: Readonly<Record<string, string>> = {}) {
    const shell = `ulimit -c 0; ${limit}; exec "$0" "$@"`;
    const ended = spawnSync('sh', ['-c', shell, process.execPath, ...START_FLAGS, ...args], {
      cwd: ROOT,
      env: { PATH: process.env.PATH, ...environment },
      timeout: TIMEOUT_MS,
      encoding: 'utf8',
    });
    if (ended.error !== undefined) throw ended.error;
    return ended;
  }

  describe('what LMDB says of a file that takes no more', () => {
    it.each(['synced', 'unsynced'])('is a line of its own, of a store that is %s', kind => {
      // The two pages are as large as 16 blocks of 512 bytes.
      prepareLmdbFolder(folder, 64 * 1024 * 1024);
      const { status, stderr } = run('ulimit -f 16', ['test/tools/cli/fills-a-store.ts', folder, kind]);
      expect(status).toBe(0);
      expect(stderr).toContain('Write error: File too large');
      const lines = stderr.split('\n').filter(line => line.includes('{'));
      expect(lines.map(line => JSON.parse(line).event)).toEqual(['before', 'after']);
    });
  });

  describe('a limit of address space', () => {
    const words = (mib: number) =>
      `crossbook: the limit of address space (ulimit -v) is ${mib * KIB_PER_MIB} KiB, and must be at least `;

    it.each([1_200, 3_000, 12_000, 45_000, 100_000, 190_000])('of %i MiB ends the start in words', mib => {
      const environment = { CROSSBOOK_PORT: '0', CROSSBOOK_DATA_DIR: join(folder, 'data') };
      const { status, stdout, stderr } = run(`ulimit -v ${mib * KIB_PER_MIB}`, ['src/main.ts'], environment);
      expect([status, stdout]).toEqual([1, '']);
      expect(stderr).toContain(words(mib));
      expect(stderr).toMatch(/^.*, or unlimited: the gateway reserves address space, not memory\n$/);
    });

    it.each([1_200, 20_000])('of %i MiB ends a command in words', mib => {
      const command = ['src/tools/cli/crossbook.ts', 'keys', 'list', '--data-dir', folder];
      const { status, stderr } = run(`ulimit -v ${mib * KIB_PER_MIB}`, command);
      expect([status, stderr.startsWith(words(mib))]).toEqual([1, true]);
    });

    it('that the map of a store does not fit into is named with the store', async () => {
      await (await openLedgerFolder(join(folder, 'orders'))).close();
      const command = ['src/tools/cli/crossbook.ts', 'store', 'check', '--data-dir', folder];
      const { status, stderr } = run(`ulimit -v ${60_000 * KIB_PER_MIB}`, command);
      expect(status).toBe(1);
      expect(stderr).toMatch(
        /^crossbook: store .*: the limit of address space \(ulimit -v\) leaves \d+ KiB, and its map/,
      );
    });
  });

  it('a limit of data ends the start in words', () => {
    const environment = { CROSSBOOK_PORT: '0', CROSSBOOK_DATA_DIR: join(folder, 'data') };
    const { status, stderr } = run('ulimit -d 450000', ['src/main.ts'], environment);
    expect(status).toBe(1);
    expect(stderr).toMatch(
      /^crossbook: .*: raise the limits of the process \(ulimit -d, ulimit -v\) or of its container\n/,
    );
  });

  describe('a damaged page of the history', () => {
    const ORDERS = 400;
    const OPEN = 'KX-0399';
    const ENDED = 'KX-0100';
    const SAID = expect.stringMatching(/^store: \w+ record ".*": has a wrong checksum: restore a backup/);
    let history: string;

    beforeEach(async () => {
      history = join(folder, 'orders/history/data.mdb');
      const steps = Array.from({ length: ORDERS }, (_, number) => {
        const stored = numberedOrder(number, number === ORDERS - 1 ? 'PENDING' : 'CANCELLED');
        return (step: LedgerTransaction) => step.putOrder(stored);
      });
      await putLedger(folder, steps);
    });

    /** Applies `harm` to every page that names the ticker, at each place of the words. */
    function damage(ticker: string, words: string, harm: (page: Buffer, at: number, place: number) => void): void {
      const file = readFileSync(history);
      let places = 0;
      for (let start = 0; start < file.length; start += PAGE_BYTES) {
        const page = file.subarray(start, start + PAGE_BYTES);
        if (!page.includes(ticker)) continue;
        for (let at = page.indexOf(words); at >= 0; at = page.indexOf(words, at + 1)) {
          places += 1;
          harm(page, at, places);
        }
      }
      expect(places).toBeGreaterThan(0);
      writeFileSync(history, file);
    }

    function found() {
      const { status, stdout } = run(':', ['test/tools/cli/opens-a-store.ts', join(folder, 'orders')]);
      expect(status).toBe(0);
      return JSON.parse(stdout) as { live?: string; all: number | string };
    }

    it('is read as it is where nothing is wrong', () => {
      expect(found()).toEqual({ all: ORDERS });
    });

    it.each<[what: string, harm: (page: Buffer, at: number, place: number) => void]>([
      ['holds other tickers of an open order', (page, at, place) => page.writeUInt8(0x41 + (place % 26), at)],
      ['holds a length that leads nowhere', (page, at) => page.writeUInt8(0xff, at - 1)],
    ])('that %s is named at the start', (_what, harm) => {
      damage(OPEN, OPEN, harm);
      expect(found()).toEqual({ live: SAID, all: SAID });
    });

    it('that is empty is reported by LMDB, with the history', () => {
      damage(OPEN, OPEN, page => void page.fill(0));
      const words = expect.stringMatching(/^store .*orders\/history: MDB_/);
      expect(found()).toEqual({ live: words, all: words });
    });

    it('of an order that has ended is named by its reader', () => {
      damage(ENDED, ENDED, (page, at, place) => page.writeUInt8(0x41 + (place % 26), at));
      expect(found().all).toEqual(SAID);
    });

    it('that still reads as an open order, of another signing key, is named', () => {
      damage(OPEN, 'key_1', (page, at) => page.write('2', at + 'key_'.length));
      expect(found()).toEqual({ live: SAID, all: SAID });
    });
  });

  describe('no cache may keep', () => {
    let gateway: RunningGateway;
    beforeAll(async () => {
      gateway = await startRunningGateway({ source: { kind: 'synthetic', seed: 1 } });
    });
    afterAll(() => gateway.close());

    const urlOf = (path: string) => gateway.httpUrl + path.replace(/:\w+/g, 'x');
    const cacheControl = { 'cache-control': 'no-store' };

    it.each(OPERATIONS.filter(({ family }) => family === 'signed'))('an answer to $operationId', async operation => {
      const { method, path } = operation;
      expect((await sendSigned(urlOf(path), gateway.key, { method })).headers).toMatchObject(cacheControl);
      expect((await send(urlOf(path), { method })).headers).toMatchObject(cacheControl);
    });

    it.each(OPERATIONS.filter(({ family }) => family === 'older'))('an answer to $operationId', async ({ path }) => {
      const headers = { 'x-api-key': gateway.apiKey };
      expect((await send(urlOf(path), { headers })).headers).toMatchObject(cacheControl);
      expect((await send(urlOf(path))).headers).toMatchObject(cacheControl);
    });

    it('a ticket', async () => {
      const answer = await sendSigned(urlOf('/v1/orderbook/ticket'), gateway.key, { method: 'POST' });
      expect([answer.status, answer.headers['cache-control']]).toEqual([201, 'no-store']);
    });

    it.each(['/healthz', '/readyz', '/metrics', '/v1/orderbook', '/v1/orderbook?ticket=x', '/v1/nothing', '/nothing'])(
      'what %s answers',
      async path => {
        expect((await send(urlOf(path))).headers).toMatchObject(cacheControl);
      },
    );

    it('a refusal of a contract document, but the document itself', async () => {
      expect((await send(urlOf('/v1/openapi.json?x=1'))).headers).toMatchObject(cacheControl);
      for (const path of ['/v1/openapi.json', '/v1/asyncapi.json']) {
        const answer = await send(urlOf(path));
        expect([answer.status, answer.headers['cache-control']]).toEqual([200, undefined]);
      }
    });
  });
});
