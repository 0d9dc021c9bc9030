// Found by the simulation: a token of venue A had won by the venue's first word, and lost by its last. Or the trade that brought it had
// failed. Its holding was closed and still waited for a redemption, about which the venue could be asked again and again.

import { expect, it } from 'vitest';
import { ACTOR, RESTS, Rig, TOKEN_SELL, ticks } from '../orders/orders-rig.ts';

const { tokenId } = TOKEN_SELL;

async function won(): Promise<Rig> {
  const rig = new Rig('venue_a');
  await rig.submit(RESTS);
  rig.hear({ type: 'fill', fill: rig.fill('f', 5) });
  rig.hear({ type: 'settled', address: tokenId, value: ticks(10_000), at: rig.timers.now() });
  expect(rig.store.position(ACTOR, 'venue_a', tokenId)).toMatchObject({ isRedeemable: true });
  return rig;
}

it('a result that is amended to nothing leaves nothing to redeem', async () => {
  const rig = await won();
  rig.hear({ type: 'settled', address: tokenId, value: ticks(0), at: rig.timers.now() });
  expect(rig.store.position(ACTOR, 'venue_a', tokenId)).toMatchObject({ size: 0, isRedeemable: false });
});

it('a trade that fails after its market has paid leaves nothing to redeem', async () => {
  const rig = await won();
  rig.hear({ type: 'settlement', fillId: 'f', settlement: 'FAILED' });
  expect(rig.store.position(ACTOR, 'venue_a', tokenId)).toMatchObject({ size: 0, isRedeemable: false });
});
