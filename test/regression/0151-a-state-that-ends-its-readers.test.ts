// Found by damaging a page of the order store's LMDB file after a clean end. SIGSEGV or SIGABRT ended `crossbook store check`, `export` and
// `compact` without a message, though checkpoint and journal held everything. Where LMDB did not notice, `compact` made the damage
// permanent.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { constants } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { numberedOrder, putLedger } from '../cli/ledger-data.ts';
import { OwnProcess, START_FLAGS } from '../support/child-process.ts';
import { removeFolder, temporaryFolder } from '../support/temporary-folder.ts';

const ORDERS = 400;
const PAGE_BYTES = 4_096;
const PAGE_FLAGS_AT = 18;
const WHOLE = `whole: ${ORDERS} orders, 0 fills, 0 positions\n`;
const TICKER = 'KX-0100';
let dataDir: string;
let history: string;

beforeEach(async () => {
  dataDir = temporaryFolder();
  history = join(dataDir, 'orders/history');
  await putOrders(0, ORDERS);
});
afterEach(() => removeFolder(dataDir));

function putOrders(from: number, to: number): Promise<void> {
  const numbers = Array.from({ length: to - from }, (_, index) => from + index);
  return putLedger(
    dataDir,
    numbers.map(number => step => step.putOrder(numberedOrder(number))),
  );
}

const run = (name: string) => crossbook('store', name);

async function crossbook(...args: string[]) {
  const command = new OwnProcess(['src/cli/crossbook.ts', ...args, '--data-dir', dataDir]);
  const code = await command.ended;
  return { code, out: command.stdout, err: command.stderr };
}

/** Changes a byte of every page with TICKER in it: the first one of its name, or another. */
function damage(offset: number | null = null): void {
  const path = join(history, 'data.mdb');
  const file = readFileSync(path);
  for (let at = 0; at < file.length; at += PAGE_BYTES) {
    const page = file.subarray(at, at + PAGE_BYTES);
    const ticker = page.indexOf(TICKER);
    if (ticker >= 0) page[offset ?? ticker]! ^= 0x5a;
  }
  writeFileSync(path, file);
}

describe('a damaged page of the history', () => {
  // LMDB takes such a page for one that it is not.
  it.each([['check'], ['export'], ['compact']])('is what `%s` says, and what to do, which works', async name => {
    const folder = temporaryFolder();
    const copy = join(folder, 'copy');
    expect(await crossbook('backup', copy)).toMatchObject({ code: 0 });
    damage(PAGE_FLAGS_AT);
    const { code, err } = await run(name);
    expect([code, err]).toEqual([
      1,
      expect.stringMatching(
        /^(.*\n)*crossbook: the history cannot be read \(SIG(ABRT|SEGV)\): stop the gateway, and restore/,
      ),
    ]);
    rmSync(history, { recursive: true });
    cpSync(join(copy, 'data/orders/history'), history, { recursive: true });
    expect(await run('check')).toEqual({ code: 0, out: WHOLE, err: '' });
    removeFolder(folder);
  });
});

it('a command that is ended leaves nobody at work', async () => {
  await putOrders(ORDERS, 8 * ORDERS);
  const args = [...START_FLAGS, 'src/cli/crossbook.ts', 'store', 'export', '--data-dir', dataDir];
  const command = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'ignore'] });
  // More than there is room for on the way: it cannot have ended.
  await once(command.stdout, 'readable');
  command.kill('SIGTERM');
  const closed = once(command, 'close');
  command.stdout.resume();
  expect(await closed).toEqual([128 + constants.signals.SIGTERM, null]);
});

it.each(['check', 'export'])('a changed byte that LMDB does not notice is found by `%s`', async name => {
  damage();
  const words = /^(.*\n)*crossbook: store: \w+ record ".*": is not what was written: restore a backup/;
  expect(await run(name)).toMatchObject({ code: 1, err: expect.stringMatching(words) });
});
