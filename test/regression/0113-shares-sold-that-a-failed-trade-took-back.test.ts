// Found by CI's soak: a purchase failed to settle after its shares were sold, and another actor of the pod had such shares. The seller owed
// them, and its list of positions had no row for that: it was short and did not know.

import { expect, it } from 'vitest';
import { NO_PRICES } from '../../src/domain/valuation.ts';
import { listPositions, Valuation } from '../../src/orders/owner-values.ts';
import { ACTOR, POD, RESTS, Rig, shares, TOKEN_SELL, ticks } from '../orders/orders-rig.ts';

const { tokenId } = TOKEN_SELL;
const caller = { podId: POD, actorId: ACTOR, keyId: 'key' };

async function traded(rig: Rig, side: 'BUY' | 'SELL', price: number): Promise<void> {
  await rig.submit(RESTS, { request: { ...TOKEN_SELL, side, size: shares(10) }, idempotencyKey: side });
  const [change, at] = [shares(side === 'BUY' ? 10 : -10), ticks(price)];
  const names = { venueOrderId: `digest-${rig.id(side)}`, positionChange: change, price: at, addressPrice: at };
  rig.hear({ type: 'fill', fill: rig.fill(side, 10, names) });
}

it('the shares are owed, and shown as owed until they are bought back', async () => {
  const rig = new Rig('venue_a');
  const valuation = new Valuation(rig.store, () => NO_PRICES);
  const positions = async () => {
    const { body } = await listPositions(valuation, { name: 'positions', venue: 'venue_a', caller, address: null });
    return JSON.parse(body).positions;
  };
  await traded(rig, 'BUY', 4_000);
  await traded(rig, 'SELL', 4_500);
  expect(await positions()).toEqual([]);
  rig.hear({ type: 'settlement', fillId: 'BUY', settlement: 'FAILED' });
  const owed = { size: '-10', averagePrice: '0.45', mark: '0.45', valueUsd: '-4.5', unrealizedPnlUsd: '0' };
  expect(await positions()).toEqual([{ tokenId, ...owed, redeemable: false }]);
  expect(rig.divergences).toEqual(['shares-owed']);
});
