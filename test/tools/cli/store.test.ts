// `crossbook store` on orders of which the journal has all and the history only a part, with and without a running gateway.

import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { UnixMillis } from '../../../src/core/domain/numbers.ts';
import { nodeFiles } from '../../../src/core/store/files.ts';
import { usedBytes } from '../../../src/core/store/lmdb-files.ts';
import { openLedgerFolder } from '../../../src/orders/history/ledger-folder.ts';
import { listSegments } from '../../../src/orders/journal/segments.ts';
import { storeCommand } from '../../../src/tools/cli/store.ts';
import { CommandRig } from './command-rig.ts';
import { numberedOrder, putLedger } from './ledger-data.ts';

const EVENTS = 2_000;
let rig: CommandRig;
let orders: string;
const store = (...args: string[]) => rig.run(storeCommand, ...args);
const [first, second] = [numberedOrder(1), numberedOrder(2)];

beforeEach(async () => {
  rig = new CommandRig();
  mkdirSync(rig.dataDir);
  orders = join(rig.dataDir, 'orders');
  await putLedger(rig.dataDir, [it => it.putOrder(first)]);
});
afterEach(() => rig.remove());

describe('crossbook store', () => {
  it('exports and compacts the orders of a store', async () => {
    const exported = await store('export');
    expect([exported.code, exported.out.includes(first.order.orderId)]).toEqual([0, true]);
    expect((await store('compact')).code).toBe(0);
    expect((await store('export')).out).toBe(exported.out);
  });

  it('compacts: what is too old to be kept is gone, and so is its room', async () => {
    await putLedger(rig.dataDir, [
      it => {
        for (let count = 0; count < EVENTS; count++) {
          it.appendEvent({ actorId: 'maker', event: 'STATUS', order: first.order, fill: null, at: 1 as UnixMillis });
        }
      },
    ]);
    const exported = await store('export');
    const { out } = await store('compact');
    const [, before, after] = /^(\d+) bytes before, (\d+) after\n$/.exec(out) ?? [];
    expect(Number(after)).toBeLessThan(Number(before) / 2);
    expect(usedBytes(join(orders, 'history'))).toBe(Number(after));
    expect((await store('export')).out).toBe(exported.out);
    expect((await store('check')).code).toBe(0);
  });

  it.each(['check', 'export'])('%s takes in the journal first where nobody has it open', async name => {
    await putLedger(rig.dataDir, [it => it.putOrder(second)], false);
    const { code, out } = await store(name);
    const said = { check: 'whole: 2 orders', export: second.order.orderId }[name]!;
    expect([code, out]).toEqual([0, expect.stringContaining(said)]);
  });

  it('works beside the owner, on what the history has, but for what is the owner’s', async () => {
    await putLedger(rig.dataDir, [it => it.putOrder(second)], false);
    const owner = await openLedgerFolder(orders);
    expect((await store('export')).out).toContain(first.order.orderId);
    expect((await store('export')).out).not.toContain(second.order.orderId);
    expect((await store('check')).out).toContain('whole: 1 orders');
    const refused = await store('compact');
    expect([refused.code, refused.err]).toEqual([1, expect.stringContaining('is open in process')]);
    owner.followToEnd();
    expect((await store('check')).out).toContain('whole: 2 orders');
    await owner.close();
    expect((await store('compact')).code).toBe(0);
  });

  it('names a record of the journal that is damaged, and that the history lacks', async () => {
    await putLedger(rig.dataDir, [it => it.putOrder(second), it => it.putOrder(numberedOrder(3))], false);
    const { path } = listSegments(nodeFiles, join(orders, 'journal'))[0]!;
    const bytes = readFileSync(path);
    // The records that the next start of an engine writes show that this record was on disk before them.
    await putLedger(rig.dataDir, [it => it.putOrder(numberedOrder(4))], false);
    const whole = readFileSync(path);
    whole[bytes.length - 1]! ^= 1;
    writeFileSync(path, whole);
    const { code, err } = await store('check');
    expect([code, err]).toEqual([1, expect.stringMatching(/^crossbook: journal file .*: record 3 is damaged/)]);
  });

  it('4024: goes on without the orders that are lost, once that is accepted', async () => {
    rmSync(orders, { recursive: true });
    const refused = await store('accept-loss');
    expect([refused.code, refused.err]).toEqual([2, expect.stringContaining('holds no keys')]);
    mkdirSync(join(rig.dataDir, 'keys'));
    mkdirSync(join(orders, 'history'), { recursive: true });
    const checked = await store('check');
    expect([checked.code, checked.err]).toEqual([1, expect.stringContaining('is missing, or empty')]);
    const accepted = await store('accept-loss');
    expect([accepted.code, accepted.out]).toEqual([0, expect.stringContaining('end with record 0 from now on')]);
    expect((await store('check')).out).toBe('whole: 0 orders, 0 fills, 0 positions\n');
  });

  it('says what is wrong with the command, and with the store', async () => {
    expect((await store('mend')).code).toBe(2);
    expect((await store('export', '--data-dir', rig.file('nothing'))).code).toBe(2);
    expect((await store('check')).out).toBe('whole: 1 orders, 0 fills, 0 positions\n');
    mkdirSync(rig.file('other'));
    writeFileSync(join(rig.file('other'), 'orders'), 'no folder');
    const broken = await store('check', '--data-dir', rig.file('other'));
    expect([broken.code, broken.err]).toEqual([1, expect.stringMatching(/^crossbook: .*orders/)]);
  });
});
