// Owners of a data directory that are dead, or in another container; and whole programs that cannot own one.

import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { nodeFiles } from '../../../src/core/store/files.ts';
import { isOwned, takeOwnership } from '../../../src/core/store/owner-lock.ts';
import { openLedgerFolder } from '../../../src/orders/history/ledger-folder.ts';
import { OwnProcess, START_FLAGS } from '../../support/child-process.ts';
import { testFolder } from '../../support/test-folder.ts';

const CHILD = join(import.meta.dirname, 'owns-a-folder.ts');
let folder: string;
beforeEach(() => {
  folder = testFolder();
});

// A killed owner becomes a zombie, which answers to its id and has its start time. The next start was refused as long as the zombie's
// parent lived.
describe('0150: an owner that nobody has reaped', () => {
  /** A process name that a careless reader, who ignores where the name ends, takes for the state of a live process. */
  const TITLE = 'gate) R (way';

  it('owns nothing any more', async () => {
    const owner = spawn(process.execPath, [`--title=${TITLE}`, CHILD, folder], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const ended = once(owner, 'exit');
    await once(owner.stdout, 'data');
    expect(isOwned(nodeFiles, folder)).toBe(true);
    expect(() => takeOwnership(folder)).toThrow(`is open in process ${owner.pid}`);
    owner.kill('SIGKILL');
    // This process is the parent of the zombie, and reaps it only when the event loop turns.
    while (!isZombie(owner.pid!));
    expect(isOwned(nodeFiles, folder)).toBe(false);
    takeOwnership(folder)();
    expect(isZombie(owner.pid!)).toBe(true);
    await ended;
  });

  /** Returns whether the process and all its threads have ended. */
  function isZombie(pid: number): boolean {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    return stat.startsWith(`${pid} (${TITLE}) Z `) && readdirSync(`/proc/${pid}/task`).length === 1;
  }
});

// In the second container the id of the first owner belongs to no process, so the first owner was taken for dead. Both gateways appended to
// one journal, and traded for the same accounts.
describe('3201: an owner in another container', () => {
  it('keeps the store as long as it lives, though its id is another’s here', async () => {
    const owner = spawn(process.execPath, [CHILD, folder], { stdio: ['ignore', 'pipe', 'ignore'] });
    const ended = once(owner, 'exit');
    await once(owner.stdout, 'data');
    const file = join(folder, 'owner');
    const [, boot] = readFileSync(file, 'utf8').split(' ');
    // The lock has our own id, and the start time of a process that is not here.
    const foreign = `${process.pid} ${boot} 1\n`;
    writeFileSync(file, foreign);
    expect(() => takeOwnership(folder)).toThrow(`is open in another process or container (lock file ${file})`);
    expect(readFileSync(file, 'utf8')).toBe(foreign);
    owner.kill('SIGKILL');
    await ended;
    takeOwnership(folder)();
  });
});

// On a full disk, beside the gateway, `crossbook store` was refused, though it only reads, and backs up to another disk. And the start that
// would own the store did not name the file that could not be written.
describe('0167: a lock on a full disk', () => {
  const ROOT = resolve(import.meta.dirname, '../../..');
  const TIMEOUT_MS = 30_000;
  let dataDir: string;
  beforeEach(() => {
    dataDir = testFolder();
  });

  /** Runs `crossbook store check` in a shell in which no file takes another byte. */
  function check(): { readonly status: number | null; readonly stdout: string; readonly stderr: string } {
    const args = [...START_FLAGS, 'src/tools/cli/crossbook.ts', 'store', 'check', '--data-dir', dataDir];
    const shell = 'ulimit -f 0; exec "$0" "$@"';
    const env = { PATH: process.env.PATH };
    return spawnSync('sh', ['-c', shell, process.execPath, ...args], {
      cwd: ROOT,
      env,
      timeout: TIMEOUT_MS,
      encoding: 'utf8',
    });
  }

  it('a command that only reads ignores the lock, and others are refused with its name', async () => {
    const folder = join(dataDir, 'orders');
    const owner = await openLedgerFolder(folder);
    expect(check()).toMatchObject({ status: 0, stdout: 'whole: 0 orders, 0 fills, 0 positions\n', stderr: '' });
    await owner.close();
    const fault = `crossbook: store file ${join(folder, 'owner')}: EFBIG`;
    expect(check()).toMatchObject({ status: 1, stdout: '', stderr: expect.stringContaining(fault) });
  });
});

// The start looped forever on a data directory whose parent exists but takes no folders. If node:fs has to make all folders of a path, it
// makes the parent again and again.
describe('0023: a data directory in proc', () => {
  it.each(['/proc/crossbook', '/proc/crossbook/data'])('%s is refused', async folder => {
    const gateway = new OwnProcess(['src/main.ts'], { CROSSBOOK_DATA_DIR: folder, CROSSBOOK_PORT: '0' });
    expect(await gateway.ended).toBe(1);
    expect(gateway.stderr).toMatch(
      /^crossbook: CROSSBOOK_DATA_DIR: must be a folder, or one that can be made: ENOENT: .*'\/proc\/crossbook'\n$/,
    );
  });
});
