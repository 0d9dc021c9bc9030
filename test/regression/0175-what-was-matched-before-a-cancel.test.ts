// Found by simulation. Venue A confirms a DELETE without a word of a match just before. It reports the match on its stream a moment later
// (`size_matched` of the CANCELLATION). By then the order was CANCELLED here, and the report was dropped. Until the trade was reported
// nothing counted as filled, and what had been sold could be sold again.

import { expect, it } from 'vitest';
import type { MicroDollars } from '../../src/domain/numbers.ts';
import { traded } from '../../src/domain/order-sums.ts';
import { RESTS, Rig, shares, TOKEN_SELL } from '../orders/orders-rig.ts';

const SALE = { ...TOKEN_SELL, size: shares(10) };
const FOUR = { size: shares(4), cost: BigInt(shares(4)) * 5_600n, fees: 0 as MicroDollars };

/** Holds ten, and has cancelled the sale of them. */
async function cancelled(): Promise<Rig> {
  const rig = new Rig('venue_a');
  await rig.submit(RESTS);
  rig.hear({ type: 'fill', fill: rig.fill('bought', 10) });
  await rig.submit(RESTS, { request: SALE, idempotencyKey: 'sold' });
  expect(await rig.cancel(rig.id('sold'))).toMatchObject({ type: 'cancelled' });
  return rig;
}

function gone(rig: Rig, stated: typeof FOUR): void {
  const names = { venueOrderId: `digest-${rig.id('sold')}`, clientOrderId: null, address: TOKEN_SELL.tokenId };
  rig.hear({ type: 'order', order: { ...names, state: 'gone', stated } });
}

it('the match is traded as soon as the venue says so', async () => {
  const rig = await cancelled();
  gone(rig, FOUR);
  const { order } = rig.stored(rig.id('sold'));
  expect(order.status).toBe('CANCELLED');
  expect(traded(order).size).toBe(shares(4));
  expect(rig.reported.at(-1)).toMatchObject({ event: 'STATUS', order: { status: 'CANCELLED', stated: FOUR } });
  expect(await rig.submit(RESTS, { request: SALE, idempotencyKey: 'again' })).toMatchObject({
    kind: 'insufficientBalance',
    message: 'size: the actor can sell 6 shares of this token',
  });
});

it('the match is counted once, when its trade is reported', async () => {
  const rig = await cancelled();
  gone(rig, FOUR);
  const venueOrderId = `digest-${rig.id('sold')}`;
  rig.hear({ type: 'fill', fill: rig.fill('s', 4, { venueOrderId, positionChange: shares(-4) }) });
  gone(rig, FOUR);
  expect(rig.order(rig.id('sold'))).toMatchObject({ status: 'CANCELLED', filled: { size: shares(4) } });
  expect(rig.position()).toBe(shares(6));
  const six = { request: { ...SALE, size: shares(6) }, idempotencyKey: 'six' };
  expect(await rig.submit(RESTS, six)).toMatchObject({ type: 'made' });
});

it('a cancel without a match is no news', async () => {
  const rig = await cancelled();
  const events = rig.reported.length;
  gone(rig, { ...FOUR, size: shares(0), cost: 0n });
  expect(rig.reported).toHaveLength(events);
});
