// `positionMax` counted what was booked and what rests. An order that its venue fills at once has ended with the venue's answer. It is
// booked when its fills are reported: a moment later, or much later while the private stream is away. Until then nothing counted it, and a
// bot in a loop could buy any multiple of its limit.

import { expect, it } from 'vitest';
import type { Answer } from '../../src/domain/answer.ts';
import { NO_LIMITS } from '../../src/domain/identity.ts';
import type { MicroDollars } from '../../src/domain/numbers.ts';
import { NOTHING_FILLED } from '../../src/domain/order-sums.ts';
import { Rig, shares, YES_BUY } from '../orders/orders-rig.ts';

const ORDER = { ...YES_BUY, timeInForce: 'IOC' } as const;

/** The venue fills so many of ten at once. */
function buy(rig: Rig, key: string, positionMax: number, filled = 10): Promise<Answer> {
  const size = shares(filled);
  const stated = { size, cost: BigInt(size) * 5_600n, fees: 0 as MicroDollars };
  const outcome = { type: 'accepted', venueOrderId: `v-${key}`, state: 'gone', stated } as const;
  return rig.submit(outcome, {
    request: ORDER,
    idempotencyKey: key,
    limits: { ...NO_LIMITS, positionMax: shares(positionMax) },
  });
}

it.each([
  [10, 20],
  [4, 8],
])('orders that are filled at once (%i of 10) buy no more than may be held', async (filled, most) => {
  const rig = new Rig();
  for (const key of ['a', 'b']) expect(await buy(rig, key, most + 9, filled)).toMatchObject({ type: 'made' });
  expect(await buy(rig, 'c', most + 9, filled)).toMatchObject({ type: 'refused', kind: 'invalid' });
  rig.hear({ type: 'fill', fill: rig.fill('f', filled, { venueOrderId: 'v-a', clientOrderId: null }) });
  expect(await buy(rig, 'd', most + 9, filled)).toMatchObject({ type: 'refused', kind: 'invalid' });
  // What would shrink the position may be sold.
  const sale = { request: { ...ORDER, action: 'SELL' } as const, idempotencyKey: 'e' };
  const answer = await rig.submit(
    { type: 'accepted', venueOrderId: 'v-e', state: 'gone', stated: NOTHING_FILLED },
    { ...sale, limits: { ...NO_LIMITS, positionMax: shares(most + 9) } },
  );
  expect(answer).toMatchObject({ type: 'made' });
});

it('a booked fill counts once', async () => {
  const rig = new Rig();
  await buy(rig, 'a', 20);
  rig.hear({ type: 'fill', fill: rig.fill('f', 10, { venueOrderId: 'v-a', clientOrderId: null }) });
  expect(await buy(rig, 'b', 20)).toMatchObject({ type: 'made' });
});

it('a rest that rounding has left is not waited for', async () => {
  const rig = new Rig();
  await buy(rig, 'a', 20);
  rig.hear({ type: 'fill', fill: rig.fill('f', 9.99, { venueOrderId: 'v-a', clientOrderId: null }) });
  expect(await buy(rig, 'b', 19.99)).toMatchObject({ type: 'made' });
});

const MANY = 40;

it('many that are not booked are all counted, and too many are refused', async () => {
  const rig = new Rig();
  for (let order = 0; order < MANY; order++) await buy(rig, `k${order}`, 1_000_000);
  const held = 10 * MANY;
  expect(await buy(rig, 'over', held + 9)).toMatchObject({ type: 'refused', kind: 'invalid' });
  expect(await buy(rig, 'within', held + 10)).toMatchObject({ type: 'made' });
});
