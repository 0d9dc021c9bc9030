// Found by review: an order whose record was lost is adopted in terms of YES. When its request came again, it was shown in those terms for
// good. Another request under its key, of any size and price, was answered 201.

import { expect, it } from 'vitest';
import { clientOrderIdOf } from '../../src/domain/actor-tag.ts';
import type { MicroDollars } from '../../src/domain/numbers.ts';
import type { VenueBOrderRequest } from '../../src/domain/order-request.ts';
import { NOTHING_FILLED } from '../../src/domain/order-sums.ts';
import type { LookUp } from '../../src/venues/venue.ts';
import { ACTOR, RESTS, Rig, shares, ticks, YES_BUY } from '../orders/orders-rig.ts';

/** What buying ten NO at 0.40 is to the venue. */
const ASK = { ...YES_BUY, action: 'SELL', price: ticks(6_000) } as const satisfies VenueBOrderRequest;
const BUY_NO = { ...YES_BUY, side: 'NO', price: ticks(4_000) } as const satisfies VenueBOrderRequest;
const CONFLICT = { type: 'refused', kind: 'idempotencyConflict' };

const sale = (rig: Rig, fillId: string, count: number) =>
  rig.fill(fillId, count, { price: ticks(6_100), addressPrice: ticks(6_100), positionChange: shares(-count) });

/** It was listed, as it rests. */
function listed(rig: Rig): void {
  const stated = { size: shares(4), cost: 6_100n * BigInt(shares(4)), fees: 1_000 as MicroDollars };
  rig.hear({ type: 'order', order: rig.venueOrder({ request: ASK, stated }) });
}

it('an adopted order takes over its request, with all that was traded in its frame', async () => {
  const rig = new Rig();
  listed(rig);
  rig.hear({ type: 'fill', fill: sale(rig, 'f', 4) });
  expect(rig.order()).toMatchObject({ request: ASK, filled: { cost: 6_100n * 4_000_000n } });
  expect(await rig.submit(RESTS, { request: BUY_NO })).toMatchObject({ type: 'made', status: 'OPEN' });
  const amounts = { size: shares(4), cost: 3_900n * 4_000_000n, fees: 1_000 };
  expect(rig.order()).toMatchObject({ request: BUY_NO, keyId: 'key', filled: amounts, stated: amounts });
  expect(rig.store.fills(rig.id(), 0, 10)).toMatchObject([{ fillId: 'f', price: ticks(3_900) }]);
  expect(rig.reported.at(-1)).toMatchObject({ event: 'STATUS', order: { request: BUY_NO } });
  rig.hear({ type: 'fill', fill: sale(rig, 'g', 6) });
  expect(rig.order()).toMatchObject({ status: 'FILLED', filled: { cost: 3_900n * 10_000_000n } });
  expect(rig.position()).toBe(shares(-10));
});

it.each([
  ['size', { ...BUY_NO, size: shares(25) }],
  ['price', { ...BUY_NO, price: ticks(4_100) }],
  ['price of the other side', { ...BUY_NO, price: ticks(6_000) }],
  ['time in force, since it rests', { ...BUY_NO, timeInForce: 'IOC' }],
] as const)('a request for another order than the adopted one is refused: %s', async (_what, request) => {
  const rig = new Rig();
  listed(rig);
  expect(await rig.submit(RESTS, { request })).toMatchObject(CONFLICT);
  expect(rig.order()).toMatchObject({ request: ASK, keyId: '' });
});

it.each([
  ['all that it wanted was traded', BUY_NO, 'FILLED'],
  ['what it wanted beyond that is gone', { ...BUY_NO, size: shares(25) }, 'CANCELLED'],
  ['at a better price', { ...BUY_NO, price: ticks(4_500) }, 'FILLED'],
  ['it had wanted less', { ...BUY_NO, size: shares(9) }, null],
  ['it had wanted a better price', { ...BUY_NO, price: ticks(3_800) }, null],
] as const)(
  'a request for another order is refused if only a trade of the adopted one is known: %s',
  async (_what, request, status) => {
    const rig = new Rig();
    rig.executions.start();
    await rig.pass(100, 10);
    const clientOrderId = clientOrderIdOf(rig.id(), ACTOR);
    rig.hear({ type: 'fill', fill: { ...sale(rig, 'f', 10), clientOrderId } });
    await rig.sweep();
    expect(rig.order()).toMatchObject({ status: 'FILLED', request: { side: 'YES', action: 'SELL' } });
    const answer = await rig.submit(RESTS, { request });
    expect(answer).toMatchObject(status === null ? CONFLICT : { type: 'made', status });
    if (status !== null) expect(rig.order()).toMatchObject({ status, request, filled: { cost: 3_900n * 10_000_000n } });
  },
);

/** Found by review, later: what a look says of the whole is in the frame in which it was asked for. */
it('an adopted order takes over its request while it is looked up', async () => {
  const rig = new Rig();
  rig.hear({ type: 'order', order: rig.venueOrder({ request: ASK, stated: NOTHING_FILLED }) });
  const { promise, resolve } = Promise.withResolvers<LookUp>();
  rig.venue.lookUps = [promise];
  rig.hear({ type: 'up' });
  await rig.pass(20, 5);
  expect(await rig.submit(RESTS, { request: BUY_NO })).toMatchObject({ type: 'made', status: 'OPEN' });
  const stated = { size: shares(4), cost: 6_100n * BigInt(shares(4)), fees: 1_000 as MicroDollars };
  resolve({ type: 'found', venueOrderId: 'v-1', state: 'rests', stated, fills: [] });
  await rig.pass(20, 5);
  expect(rig.order()).toMatchObject({ request: BUY_NO, stated: { size: shares(4), cost: 3_900n * 4_000_000n } });
});
