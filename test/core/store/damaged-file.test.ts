// Files of stores that were cut.

import { spawnSync } from 'node:child_process';
import { truncateSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { openKeyStore } from '../../../src/core/store/key-store.ts';
import { PAGE_BYTES } from '../../../src/core/store/lmdb-files.ts';
import { START_FLAGS } from '../../support/child-process.ts';
import { testFolder } from '../../support/test-folder.ts';
import { numberedOrder, putLedger } from '../../tools/cli/ledger-data.ts';
import { at, signingKey } from './identities.ts';

// LMDB maps its file. If a process reads a missing page, the system ends the process with all threads and without a message. So the gateway
// ended at every start because of data that it can do without.
describe('0235: a store file that was cut', () => {
  const ROOT = resolve(import.meta.dirname, '../../..');
  const TIMEOUT_MS = 30_000;
  const KEYS = 100;

  let dataDir: string;
  beforeEach(() => {
    dataDir = testFolder();
  });

  /** Runs the command in a process of its own, because the process may be ended. */
  function run(...command: readonly string[]) {
    const args = [...START_FLAGS, ...command];
    const env = { PATH: process.env.PATH };
    return spawnSync(process.execPath, args, { cwd: ROOT, env, timeout: TIMEOUT_MS, encoding: 'utf8' });
  }

  async function makeKeys(): Promise<string> {
    const folder = join(dataDir, 'keys');
    const keys = openKeyStore(folder);
    keys.createPod({ podId: 'desk', createdAt: at(1) });
    keys.createActor({ actorId: 'maker', podId: 'desk', createdAt: at(1) });
    for (let number = 1; number <= KEYS; number += 1) keys.addSigningKey(signingKey(number));
    await keys.close();
    return folder;
  }

  const listKeys = () => run('src/tools/cli/crossbook.ts', 'keys', 'list', '--data-dir', dataDir);

  it('a cut file is reported, however many of its pages are left', async () => {
    const folder = await makeKeys();
    expect(listKeys()).toMatchObject({ status: 0, signal: null });
    for (const pages of [5, 3, 2]) {
      truncateSync(join(folder, 'data.mdb'), pages * PAGE_BYTES);
      const fault = `crossbook: store ${folder}: MDB_CORRUPTED`;
      expect(listKeys()).toMatchObject({ status: 1, signal: null, stderr: expect.stringContaining(fault) });
    }
  });

  it('a cut file of the history is reported, too, and the process goes on', async () => {
    await putLedger(
      dataDir,
      Array.from({ length: KEYS }, (_, number) => step => step.putOrder(numberedOrder(number))),
    );
    const folder = join(dataDir, 'orders');
    const found = () => JSON.parse(run('test/tools/cli/opens-a-store.ts', folder).stdout);
    expect(found()).toEqual({ all: KEYS });
    for (const pages of [8, 5, 3, 2]) {
      truncateSync(join(folder, 'history/data.mdb'), pages * PAGE_BYTES);
      expect(found().all).toMatch(/^store .*: (MDB_|has a wrong checksum)/);
    }
  });
});
