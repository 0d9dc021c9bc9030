// Found by review: a SELL at venue A was refused for lack of shares while it was unknown whether they had been bought. The venue decides
// what is not proven (contract §4.3). But a purchase that is only on its way is no reason to sell another actor's shares.

import { expect, it } from 'vitest';
import type { MicroDollars } from '../../src/domain/numbers.ts';
import type { OrderRequest } from '../../src/domain/order-request.ts';
import { limits } from '../../src/limits.ts';
import { NOT_SENT, RESTS, Rig, shares, TIMEOUT, TOKEN_SELL } from '../orders/orders-rig.ts';

const BUY = { ...TOKEN_SELL, side: 'BUY', size: shares(10) } as const satisfies OrderRequest;
const SPEND = {
  venue: 'venue_a',
  tokenId: TOKEN_SELL.tokenId,
  type: 'MARKET',
  side: 'BUY',
  dollars: 2_000_000 as MicroDollars,
  worstPrice: null,
  timeInForce: 'FAK',
} as const satisfies OrderRequest;

const REFUSED = { type: 'refused', kind: 'insufficientBalance' };

async function sell(rig: Rig, count: number) {
  const idempotencyKey = `sell ${count} at ${rig.timers.now()}`;
  return rig.submit(RESTS, { request: { ...TOKEN_SELL, size: shares(count) }, idempotencyKey });
}

it.each([
  ['LIMIT', BUY, 10],
  ['MARKET', SPEND, 200],
] as const)('a sale is for the venue to decide after a %s BUY of unknown outcome', async (_type, request, count) => {
  const rig = new Rig('venue_a');
  await rig.submit(TIMEOUT, { request });
  expect(await sell(rig, count)).toMatchObject({ type: 'made', status: 'OPEN' });
});

it('a sale of more than the BUY can have brought is refused', async () => {
  const rig = new Rig('venue_a');
  await rig.submit(TIMEOUT, { request: BUY });
  expect(await sell(rig, 11)).toMatchObject(REFUSED);
  expect(await sell(rig, 6)).toMatchObject({ type: 'made' });
  expect(await sell(rig, 5)).toMatchObject(REFUSED);
});

it('a sale is refused as soon as it is known that nothing was bought', async () => {
  const rig = new Rig('venue_a');
  await rig.submit(TIMEOUT, { request: BUY });
  await rig.sweep(limits.absenceProvenMs);
  expect(rig.order().status).toBe('REJECTED');
  expect(await sell(rig, 5)).toMatchObject(REFUSED);
});

it('a sale is refused as long as the answer to the BUY is about to come', async () => {
  const rig = new Rig('venue_a');
  const { answer, say } = rig.start({ request: BUY });
  await rig.pass(10, 5);
  expect(await sell(rig, 5)).toMatchObject(REFUSED);
  // Its waiters may be gone.
  await rig.timers.settle(limits.venueAnswerTimeoutMs);
  expect(await sell(rig, 5)).toMatchObject({ type: 'made' });
  say(NOT_SENT);
  await answer;
});
