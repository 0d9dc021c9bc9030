// Found by damaging a page of the order store's LMDB file after a clean end: `crossbook store check`, `export` and `compact` were ended by
// SIGSEGV or SIGABRT, without a word, though checkpoint and journal held everything; and where LMDB did not notice, `compact` made the
// damage the truth.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { constants } from 'node:os';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { MicroShares, Ticks, UnixMillis } from '../../src/domain/numbers.ts';
import { createOrder, type OrderId } from '../../src/domain/order.ts';
import { systemBootId } from '../../src/runtime/boot-id.ts';
import { wallTimers } from '../../src/runtime/timers.ts';
import { latestCheckpoint } from '../../src/store/durable/checkpoint.ts';
import { nodeFiles } from '../../src/store/durable/files.ts';
import { checkpointName, LMDB_DATA_NAME } from '../../src/store/durable/layout.ts';
import { markOpen } from '../../src/store/durable/mark.ts';
import type { StoredOrder } from '../../src/store/order-records.ts';
import { openOrderStore } from '../../src/store/order-store.ts';
import { takeOwnership } from '../../src/store/owner-lock.ts';
import { removeFolder, temporaryFolder } from '../store/durable/store-rig.ts';
import { OwnProcess, START_FLAGS } from '../support/child-process.ts';

const ORDERS = 400;
const PAGE_BYTES = 4_096;
const PAGE_FLAGS_AT = 18;
const WHOLE = `whole: ${ORDERS} orders, 0 fills, 0 positions\n`;
/** Of an order in the middle of those that the checkpoint has. */
const TICKER = 'KX-0100';
let dataDir: string;
let orders: string;
let state: string;

beforeEach(async () => {
  dataDir = temporaryFolder();
  orders = join(dataDir, 'orders');
  state = join(orders, 'state/data.mdb');
  const store = await open();
  for (let number = 0; number < ORDERS; number++) {
    store.change(it => it.putOrder(orderOf(number)));
    if (number === ORDERS / 2) await store.durable.checkpoint();
  }
  await store.close();
});
afterEach(() => removeFolder(dataDir));

const checkpoint = (): string => join(orders, checkpointName(latestCheckpoint(nodeFiles, orders)!), LMDB_DATA_NAME);

const open = () => openOrderStore({ folder: orders, mode: 'process-safe', role: 'owner', timers: wallTimers });

function orderOf(number: number): StoredOrder {
  const digits = String(number).padStart(4, '0');
  const request = {
    venue: 'venue_b',
    ticker: `KX-${digits}`,
    side: 'YES',
    action: 'BUY',
    size: 1_000_000 as MicroShares,
    price: 100 as Ticks,
    timeInForce: 'GTC',
  } as const;
  const orderId = `5f0c8a52-3b1e-8c47-9d2a-6e1f0b7c${digits}` as OrderId;
  const at = (1_795_000_000_000 + number) as UnixMillis;
  const order = createOrder({ orderId, podId: 'desk', actorId: 'maker', keyId: 'key_1', request, at });
  return { order, intent: null, idempotencyKey: `k${number}`, refusedAs: null };
}

async function run(...args: string[]) {
  const command = new OwnProcess(['src/cli/crossbook.ts', 'store', ...args, '--data-dir', dataDir]);
  const code = await command.ended;
  return { code, out: command.stdout, err: command.stderr };
}

/** Changes a byte of every page with TICKER in it: the first one of its name, or another. */
function damage(path: string, offset: number | null = null): void {
  const file = readFileSync(path);
  for (let at = 0; at < file.length; at += PAGE_BYTES) {
    const page = file.subarray(at, at + PAGE_BYTES);
    const ticker = page.indexOf(TICKER);
    if (ticker >= 0) page[offset ?? ticker]! ^= 0x5a;
  }
  writeFileSync(path, file);
}

/** LMDB takes such a page for one that it is not. */
const breakPages = (): void => damage(state, PAGE_FLAGS_AT);

describe('a damaged page of the state', () => {
  it.each([['check'], ['export'], ['backup']])('is what `%s` says, and what to do, which works', async name => {
    breakPages();
    const { code, err } = await run(name, ...(name === 'backup' ? [join(dataDir, 'copy')] : []));
    expect(err).toMatch(
      /crossbook: the state cannot be read \(SIG(ABRT|SEGV)\); checkpoint and journal are whole up to/,
    );
    expect(err).toContain(`stop the gateway and move ${orders}/state away: the next start builds it anew\n`);
    expect(code).toBe(1);
    rmSync(join(orders, 'state'), { recursive: true });
    const rebuilt = 'the order store was rebuilt from checkpoint and journal\n';
    expect(await run('check')).toEqual({ code: 0, out: WHOLE, err: rebuilt });
  });

  it('is said beside a gateway, too, which has to end first', async () => {
    breakPages();
    const giveUp = takeOwnership(orders);
    markOpen(nodeFiles, orders, systemBootId());
    const { code, err } = await run('export');
    giveUp();
    expect([code, err]).toEqual([1, expect.stringContaining('): stop the gateway, and check again')]);
  });

  it('is mended by `compact`', async () => {
    const before = await run('export');
    breakPages();
    expect(await run('compact')).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^\d+ bytes before, \d+ after\n$/),
      err: expect.stringMatching(
        /the state cannot be read \(SIG(ABRT|SEGV)\): the state is built anew from checkpoint and/,
      ),
    });
    expect(await run('check')).toEqual({ code: 0, out: WHOLE, err: '' });
    expect(await run('export')).toEqual(before);
  });

  it('is not mended from a damaged checkpoint, which is named', async () => {
    breakPages();
    damage(checkpoint());
    const { code, err } = await run('compact');
    const said = `${checkpoint()}: is not what was sealed, it is damaged: put a backup in the place of ${orders}\n`;
    expect([code, err]).toEqual([1, expect.stringContaining(said)]);
  });

  it('is said where it was sealed in the checkpoint as well', async () => {
    breakPages();
    damage(checkpoint(), PAGE_FLAGS_AT);
    const sealed = readFileSync(checkpoint());
    writeFileSync(join(checkpoint(), '../seal'), `${sealed.length} ${crc32(sealed)} follows\n`);
    const { code, err } = await run('check');
    expect([code, err]).toEqual([1, expect.stringContaining('neither the state nor the checkpoint can be read')]);
  });
});

it('a command that is ended leaves nobody at work', async () => {
  const store = await open();
  store.change(it => {
    for (let number = ORDERS; number < 8 * ORDERS; number++) it.putOrder(orderOf(number));
  });
  await store.close();
  const args = [...START_FLAGS, 'src/cli/crossbook.ts', 'store', 'export', '--data-dir', dataDir];
  const command = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'ignore'] });
  // More than there is room for on the way: it cannot have ended.
  await once(command.stdout, 'readable');
  command.kill('SIGTERM');
  const closed = once(command, 'close');
  command.stdout.resume();
  expect(await closed).toEqual([128 + constants.signals.SIGTERM, null]);
});

it('a changed byte that LMDB does not notice is found, and mended by `compact`', async () => {
  const before = await run('export');
  damage(state);
  expect(await run('check')).toMatchObject({ code: 1, err: expect.stringContaining('is not what the journal says') });
  expect(await run('compact')).toMatchObject({
    code: 0,
    err: expect.stringContaining('journal says: the state is built anew'),
  });
  expect(await run('check')).toEqual({ code: 0, out: WHOLE, err: '' });
  expect(await run('export')).toEqual(before);
});
