// Found by review: all fills that a look-up had found were applied in one transaction. Of an order with some 15 000 that nobody had been
// told of it took too much, and the thread died of it, at every look.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { limits } from '../../src/limits.ts';
import { found, RESTS, Rig, shares, YES_BUY } from '../orders/orders-rig.ts';
import { openOrders } from '../store/orders/order-rig.ts';

const FILLS = 20_000;

it('are applied all the same, and then where it stands', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'orders-'));
  const store = await openOrders(folder);
  try {
    const rig = new Rig('venue_b', store);
    const request = { ...YES_BUY, size: shares(FILLS + 1) };
    await rig.submit(RESTS, { request, bodySha256Hex: 'a'.repeat(64) });
    const fills = Array.from({ length: FILLS }, (_, index) => rig.fill(`${index}-${'f'.repeat(90)}`, 1));
    rig.venue.lookUps = [found('gone', fills)];
    rig.executions.cancelNow(rig.account, [rig.id()]);
    await rig.sweep(limits.lookPauseMs);
    expect(rig.order()).toMatchObject({ status: 'CANCELLED', filled: { size: shares(FILLS) } });
    expect(rig.position()).toBe(shares(FILLS));
  } finally {
    await store.close();
    rmSync(folder, { recursive: true });
  }
});
