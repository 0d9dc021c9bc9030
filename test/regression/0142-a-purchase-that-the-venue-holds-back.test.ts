// Found by review: a purchase for one dollar that venue A held back counted as one of unknown outcome. Its size counted as all the shares
// that a dollar buys at a hundredth of a cent. So its actor could sell ten thousand shares of others of the pod.

import { expect, it } from 'vitest';
import type { MicroDollars } from '../../src/domain/numbers.ts';
import type { LookUp } from '../../src/venues/venue.ts';
import { found, RESTS, Rig, shares, TIMEOUT, TOKEN_SELL } from '../orders/orders-rig.ts';

const DOLLAR = {
  venue: 'venue_a',
  tokenId: TOKEN_SELL.tokenId,
  type: 'MARKET',
  side: 'BUY',
  dollars: 1_000_000 as MicroDollars,
  worstPrice: null,
  timeInForce: 'FAK',
} as const;
const REFUSED = { type: 'refused', kind: 'insufficientBalance' };

const sell = (rig: Rig, count: number) =>
  rig.submit(RESTS, { request: { ...TOKEN_SELL, size: shares(count) }, idempotencyKey: `sell ${count}` });

it('a held purchase has brought nothing yet', async () => {
  const rig = new Rig('venue_a');
  const delayed = { type: 'accepted', venueOrderId: 'v', state: 'delayed', stated: null } as const;
  await rig.submit(delayed, { request: DOLLAR });
  expect(await sell(rig, 5)).toMatchObject(REFUSED);
  const venueOrderId = `digest-${rig.id()}`;
  rig.venue.lookUps = [{ ...found('rests'), venueOrderId } as LookUp];
  rig.hear({ type: 'fill', fill: rig.fill('f', 6, { venueOrderId }) });
  expect(await sell(rig, 7)).toMatchObject(REFUSED);
  expect(await sell(rig, 6)).toMatchObject({ type: 'made' });
});

it('a purchase of unknown outcome may have brought what a dollar buys on the grid, and no more', async () => {
  const rig = new Rig('venue_a');
  await rig.submit(TIMEOUT, { request: DOLLAR });
  expect(await sell(rig, 101)).toMatchObject(REFUSED);
  expect(await sell(rig, 100)).toMatchObject({ type: 'made' });
});
