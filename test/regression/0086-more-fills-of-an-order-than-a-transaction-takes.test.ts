// Found by review: a look-up applied all fills that it had found in one transaction. An order with some 15 000 unreported fills was too
// much for one, and the thread died at every look.

import { expect, it } from 'vitest';
import { limits } from '../../src/limits.ts';
import { found, RESTS, Rig, shares, YES_BUY } from '../orders/orders-rig.ts';

const FILLS = 20_000;

it('all fills of an order are applied, and then its state', async () => {
  const rig = new Rig();
  const request = { ...YES_BUY, size: shares(FILLS + 1) };
  await rig.submit(RESTS, { request });
  const fills = Array.from({ length: FILLS }, (_, index) => rig.fill(`${index}-${'f'.repeat(90)}`, 1));
  rig.venue.lookUps = [found('gone', fills)];
  rig.executions.cancelNow(rig.account, [rig.id()]);
  await rig.sweep(limits.lookPauseMs);
  expect(rig.order()).toMatchObject({ status: 'CANCELLED', filled: { size: shares(FILLS) } });
  expect(rig.position()).toBe(shares(FILLS));
});
