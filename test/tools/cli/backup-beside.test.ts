// `crossbook backup` beside a gateway that trades.

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { backupCommand, restoreCommand } from '../../../src/tools/cli/backup.ts';
import { storeCommand } from '../../../src/tools/cli/store.ts';
import { OrdersRig, orderIdOf } from '../../e2e/orders-rig.ts';
import { someTicker } from '../../support/paper-traders.ts';
import { CommandRig } from './command-rig.ts';

let rig: CommandRig;
beforeEach(() => {
  rig = new CommandRig();
});
afterEach(() => rig.remove());

const backup = (...args: string[]) => rig.run(backupCommand, ...args);
const restore = (...args: string[]) => rig.run(restoreCommand, ...args);
const store = (...args: string[]) => rig.run(storeCommand, ...args);

it('a backup beside a gateway that trades has all orders that were answered before', async () => {
  const orders = await OrdersRig.start('venue-b');
  try {
    const { dataDir } = orders.gateway;
    const ticker = await someTicker(orders.gateway.paper!.urls.venueB.rest);
    const order = { ticker, side: 'YES', action: 'BUY', count: 1, priceCents: 1 };
    const orderId = orderIdOf(await orders.submit(order));
    let isCopied = false;
    const trades = async (): Promise<void> => {
      while (!isCopied) await orders.submit(order);
    };
    const [made] = await Promise.all([
      backup(rig.file('copy'), '--data-dir', dataDir).finally(() => {
        isCopied = true;
      }),
      trades(),
    ]);
    expect(made).toMatchObject({ code: 0, err: '' });
    expect((await restore(rig.file('copy'))).code).toBe(0);
    expect((await store('check')).code).toBe(0);
    expect((await store('export')).out).toContain(orderId);
    expect(existsSync(join(rig.dataDir, 'control.sock'))).toBe(false);
    for (const name of ['keys/data.mdb', 'pods/demo.secret', 'demo/key.json', 'pages.secret'])
      expect([name, existsSync(join(rig.dataDir, name))]).toEqual([name, true]);
  } finally {
    await orders.close();
  }
});
