// `crossbook store` on a store with an order in it, with its owner at work and without.

import { existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { storeCommand } from '../../src/cli/store.ts';
import type { MicroShares, Ticks, UnixMillis } from '../../src/domain/numbers.ts';
import { createOrder, type OrderId } from '../../src/domain/order.ts';
import { wallTimers } from '../../src/runtime/timers.ts';
import { usedBytes } from '../../src/store/lmdb-files.ts';
import { type OpenedOrderStore, openOrderStore } from '../../src/store/order-store.ts';
import { CommandRig } from './command-rig.ts';

const orderId = '5f0c8a52-3b1e-8c47-9d2a-6e1f0b7c4d38' as OrderId;
const EVENTS = 2_000;
let rig: CommandRig;
const store = (...args: string[]) => rig.run(storeCommand, ...args);
const open = (): Promise<OpenedOrderStore> =>
  openOrderStore({ folder: join(rig.dataDir, 'orders'), mode: 'process-safe', role: 'owner', timers: wallTimers });

beforeEach(async () => {
  rig = new CommandRig();
  mkdirSync(rig.dataDir);
  const opened = await open();
  const request = {
    venue: 'venue_b',
    ticker: 'KX-A',
    side: 'YES',
    action: 'BUY',
    size: 1_000_000 as MicroShares,
    price: 100 as Ticks,
    timeInForce: 'GTC',
  } as const;
  const at = Date.now() as UnixMillis;
  const order = createOrder({ orderId, podId: 'desk', actorId: 'maker', keyId: 'key_1', request, at });
  opened.change(it => it.putOrder({ order, intent: null, idempotencyKey: 'k', refusedAs: null }));
  await opened.close();
});
afterEach(() => rig.remove());

describe('crossbook store', () => {
  it('exports, copies and compacts what is there', async () => {
    const exported = await store('export');
    expect([exported.code, exported.out.includes(orderId)]).toEqual([0, true]);
    expect((await store('compact')).code).toBe(0);
    expect((await store('export')).out).toBe(exported.out);
    const copy = join(rig.folder, 'copy');
    expect(await store('backup', copy)).toEqual({ code: 0, out: `a copy is in ${copy}\n`, err: '' });
    expect(existsSync(copy)).toBe(true);
    mkdirSync(rig.file('restored'));
    renameSync(copy, join(rig.file('restored'), 'orders'));
    expect((await store('export', '--data-dir', rig.file('restored'))).out).toBe(exported.out);
  });

  it('compacts: what is too old to be kept is gone, and so is its room', async () => {
    const opened = await open();
    const { order } = opened.order(orderId)!;
    opened.change(it => {
      for (let count = 0; count < EVENTS; count++) {
        it.appendEvent({ actorId: 'maker', event: 'STATUS', order, fill: null, at: 1 as UnixMillis });
      }
    });
    await opened.close();
    const exported = await store('export');
    const { out } = await store('compact');
    const [, before, after] = /^(\d+) bytes before, (\d+) after\n$/.exec(out) ?? [];
    expect(Number(after)).toBeLessThan(Number(before) / 2);
    expect(usedBytes(rig.file('data/orders/state'))).toBe(Number(after));
    expect((await store('export')).out).toBe(exported.out);
    expect((await store('check')).code).toBe(0);
  });

  it('works beside the owner, but for what is the owner’s', async () => {
    const owner = await open();
    expect((await store('export')).out).toContain(orderId);
    expect((await store('backup', rig.file('copy'))).code).toBe(0);
    const refused = await store('compact');
    expect([refused.code, refused.err]).toEqual([1, expect.stringContaining('is open in process')]);
    await owner.close();
    expect((await store('compact')).code).toBe(0);
  });

  it.each(['', '/x/y'])('makes no copy within what it copies (orders%s)', async within => {
    const { code, err } = await store('backup', `${rig.file('data/orders')}${within}`);
    expect([code, err]).toEqual([2, expect.stringContaining('FOLDER: must not be in ')]);
    expect(existsSync(rig.file('data/orders/x'))).toBe(false);
  });

  it('makes a copy in folders that it makes, too, and says where it cannot', async () => {
    expect((await store('backup', rig.file('a/b/copy'))).code).toBe(0);
    // Folders are made one by one: told to make all of them Node tries for ever there.
    const { code, err } = await store('backup', '/proc/crossbook/copy');
    expect([code, err]).toEqual([1, expect.stringMatching(/store file \/proc\/crossbook\/copy: ENOENT/)]);
  });

  it('says what is wrong with what was asked, and with what is there', async () => {
    expect((await store('mend')).code).toBe(2);
    expect((await store('export', '--data-dir', rig.file('nothing'))).code).toBe(2);
    expect((await store('check')).out).toBe('whole: 1 orders, 0 fills, 0 positions\n');
    mkdirSync(rig.file('other'));
    writeFileSync(join(rig.file('other'), 'orders'), 'no folder');
    const broken = await store('check', '--data-dir', rig.file('other'));
    expect([broken.code, broken.err]).toEqual([1, expect.stringMatching(/^crossbook: .*orders/)]);
  });
});
