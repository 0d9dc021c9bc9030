// Found by review: an order that cannot rest (FAK, IOC) and was matched in part stayed OPEN until its end was reported. If that one message
// was lost, nothing looked it up for half a minute. Meanwhile its rest counted as on sale, so holdings could not be sold, and a retry was
// answered 201 OPEN for good.

import { expect, it } from 'vitest';
import { found, REFUSED, Rig, shares, TIMEOUT, TOKEN_SELL, YES_BUY } from '../orders/orders-rig.ts';

const IOC = { ...YES_BUY, timeInForce: 'IOC' } as const;

it('an order that cannot rest is not in the book, and is looked up', async () => {
  const rig = new Rig();
  const { answer, say } = rig.start({ request: IOC });
  await rig.timers.settle(10);
  rig.hear({ type: 'fill', fill: rig.fill('f', 4) });
  expect(rig.order()).toMatchObject({ status: 'SUBMITTED', filled: { size: shares(4) } });
  say(TIMEOUT);
  expect(await answer).toMatchObject({ type: 'refused', kind: 'unknownOutcome' });
  rig.venue.lookUps = [found('gone', [rig.fill('f', 4)])];
  await rig.sweep(2_000);
  expect(rig.order()).toMatchObject({ status: 'CANCELLED', filled: { size: shares(4) } });
  expect(await rig.submit(TIMEOUT, { request: IOC })).toMatchObject({ type: 'made', status: 'CANCELLED' });
});

it('an order that cannot rest has been taken, in spite of later messages', async () => {
  const rig = new Rig();
  const { answer, say } = rig.start({ request: IOC });
  await rig.timers.settle(10);
  rig.hear({ type: 'fill', fill: rig.fill('f', 4) });
  say(REFUSED);
  expect(await answer).toMatchObject({ type: 'refused', kind: 'unreadableOutcome' });
  expect(rig.order()).toMatchObject({ status: 'SUBMITTED', filled: { size: shares(4) } });
  expect(rig.divergences).toEqual(['refused-but-there']);
});

const SELL = { ...TOKEN_SELL, type: 'MARKET', size: shares(10), worstPrice: null, timeInForce: 'FAK' } as const;

async function holding(): Promise<Rig> {
  const rig = new Rig('venue_a');
  const venueOrderId = `digest-${rig.id('bought')}`;
  const bought = { type: 'accepted', venueOrderId, state: 'rests', stated: null } as const;
  await rig.submit(bought, { idempotencyKey: 'bought' });
  rig.hear({ type: 'fill', fill: rig.fill('b', 10, { venueOrderId }) });
  return rig;
}

it('an order that cannot rest has nothing more to sell', async () => {
  const rig = await holding();
  const delayed = { type: 'accepted', venueOrderId: 'v', state: 'delayed', stated: null } as const;
  await rig.submit(delayed, { request: SELL, idempotencyKey: 'sold' });
  const six = { request: { ...SELL, size: shares(6) }, idempotencyKey: 'six' };
  expect(await rig.submit(delayed, six)).toMatchObject({ type: 'refused', kind: 'insufficientBalance' });
  const venueOrderId = `digest-${rig.id('sold')}`;
  rig.hear({ type: 'fill', fill: rig.fill('s', 4, { venueOrderId, positionChange: shares(-4) }) });
  expect(await rig.submit(delayed, { ...six, idempotencyKey: 'again' })).toMatchObject({ type: 'made' });
});

it('a sale of more than is held is refused for that, however thin the book is', async () => {
  const rig = await holding();
  rig.venue.prepared = { kind: 'invalid', error: { code: 'NOT_FEASIBLE', message: 'thin' }, message: 'thin' };
  const sale = { request: { ...SELL, size: shares(11) }, idempotencyKey: 'sold' };
  expect(await rig.submit(TIMEOUT, sale)).toMatchObject({ type: 'refused', kind: 'insufficientBalance' });
  const less = { request: SELL, idempotencyKey: 'less' };
  expect(await rig.submit(TIMEOUT, less)).toMatchObject({ type: 'refused', kind: 'invalid', message: 'thin' });
});
