// Found by review. A market order that sells to several makers is reported fill by fill, and the venue's answer may come after the first
// fill. From then on nothing more of it counted as on sale, so another thread could sell the rest again. These are shares of another actor
// of the pod, if the wallet has them.

import { expect, it } from 'vitest';
import { limits } from '../../src/limits.ts';
import { REFUSED, RESTS, Rig, shares, TIMEOUT, TOKEN_SELL } from '../orders/orders-rig.ts';

const ALL = { ...TOKEN_SELL, type: 'MARKET', size: shares(10), worstPrice: null, timeInForce: 'FOK' } as const;
const SIX = { request: { ...ALL, size: shares(6) }, idempotencyKey: 'six' };

async function holding(): Promise<Rig> {
  const rig = new Rig('venue_a');
  await rig.submit(RESTS);
  rig.hear({ type: 'fill', fill: rig.fill('bought', 10) });
  return rig;
}

function fourAreSold(rig: Rig): void {
  const venueOrderId = `digest-${rig.id('sold')}`;
  rig.hear({ type: 'fill', fill: rig.fill('first', 4, { venueOrderId, positionChange: shares(-4) }) });
}

it.each(['FOK', 'FAK'] as const)('(%s) is on sale as a whole until it is answered', async timeInForce => {
  const rig = await holding();
  const { answer, say } = rig.start({ request: { ...ALL, timeInForce }, idempotencyKey: 'sold' });
  await rig.timers.settle(10);
  fourAreSold(rig);
  expect(await rig.submit(RESTS, SIX)).toMatchObject({
    kind: 'insufficientBalance',
    message: 'amount: the actor can sell 0 shares of this token',
  });
  say(REFUSED);
  await answer;
});

it('all or nothing is all, also if the answer is lost', async () => {
  const rig = await holding();
  await rig.submit(TIMEOUT, { request: ALL, idempotencyKey: 'sold' });
  rig.timers.advance(limits.venueAnswerTimeoutMs);
  fourAreSold(rig);
  expect(await rig.submit(RESTS, SIX)).toMatchObject({ kind: 'insufficientBalance' });
});
