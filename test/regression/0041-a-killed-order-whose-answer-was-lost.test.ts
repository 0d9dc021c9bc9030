// Found by review: a killed FOK is answered 400. One whose answer was lost became CANCELLED when it was looked up, and its retry was
// answered 201. Now the answer is the one that was lost (contract §4.6).

import { expect, it } from 'vitest';
import type { MicroDollars } from '../../src/domain/numbers.ts';
import type { OrderRequest } from '../../src/domain/order-request.ts';
import { NOTHING_FILLED } from '../../src/domain/order-sums.ts';
import type { LookUp } from '../../src/venues/venue.ts';
import { RESTS, Rig, shares, TIMEOUT, TOKEN_SELL, ticks, YES_BUY } from '../orders/orders-rig.ts';

const GONE = { type: 'found', venueOrderId: 'v-1', state: 'gone', stated: NOTHING_FILLED, fills: [] } as const;

const FOK = {
  venue_a: {
    venue: 'venue_a',
    tokenId: TOKEN_SELL.tokenId,
    type: 'MARKET',
    side: 'BUY',
    dollars: 5_000_000 as MicroDollars,
    worstPrice: ticks(5_600),
    timeInForce: 'FOK',
  },
  venue_b: { ...YES_BUY, timeInForce: 'FOK' },
} as const satisfies Record<string, OrderRequest>;

/** Its answer does not come, and a look finds this. */
async function unanswered(rig: Rig, request: OrderRequest, lookUp: LookUp) {
  expect(await rig.submit(TIMEOUT, { request })).toMatchObject({ kind: 'unknownOutcome' });
  rig.venue.lookUps = [lookUp];
  await rig.sweep();
  return rig.submit(TIMEOUT, { request });
}

it.each(['venue_a', 'venue_b'] as const)('%s: what was killed is refused', async venue => {
  const rig = new Rig(venue);
  const message = 'the venue could not fill the order as a whole';
  const again = await unanswered(rig, FOK[venue], GONE);
  expect(again).toMatchObject({ type: 'refused', kind: 'invalid', message, isReplayed: true });
  expect(rig.order()).toMatchObject({
    status: 'REJECTED',
    error: { code: 'NOT_FEASIBLE', message },
    isReleased: false,
  });
});

it('a cancel request that was never sent changes nothing of that', async () => {
  const rig = new Rig();
  await rig.submit(TIMEOUT, { request: FOK.venue_b });
  rig.venue.lookUps = [GONE];
  expect(await rig.cancel(rig.id())).toMatchObject({ kind: 'notCancellable' });
  expect(rig.venue.calls).not.toContain('cancel');
  expect(rig.order()).toMatchObject({ status: 'REJECTED', error: { code: 'NOT_FEASIBLE' } });
});

it('an amount that was traded stands', async () => {
  const rig = new Rig();
  const traded = { ...GONE, stated: { size: shares(10), cost: 0n, fees: 0 as MicroDollars } };
  expect(await unanswered(rig, FOK.venue_b, traded)).toMatchObject({ type: 'made', status: 'FILLED' });
});

it('the answer to an order that was taken, or may be filled in part, stands as well', async () => {
  const taken = new Rig();
  await taken.submit({ ...RESTS, state: 'delayed' }, { request: FOK.venue_b });
  taken.venue.lookUps = [GONE];
  await taken.sweep();
  expect(taken.order().status).toBe('CANCELLED');
  const request = { ...YES_BUY, timeInForce: 'IOC' } as const;
  expect(await unanswered(new Rig(), request, GONE)).toMatchObject({ type: 'made', status: 'CANCELLED' });
});
