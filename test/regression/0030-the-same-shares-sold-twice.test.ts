// Found by reading: a SELL that venue A fills at once has ended with the venue's answer, and is booked when its fills are reported. Until
// then its shares counted as held and could be sold again: another actor's shares, if the wallet has them.

import { expect, it } from 'vitest';
import type { Answer } from '../../src/domain/answer.ts';
import type { MicroDollars } from '../../src/domain/numbers.ts';
import { RESTS, Rig, shares, TOKEN_SELL } from '../orders/orders-rig.ts';

const sell = (count: number) => ({ ...TOKEN_SELL, size: shares(count) });

/** The venue fills so many at once. */
function sold(rig: Rig, key: string, count: number): Promise<Answer> {
  const stated = { size: shares(count), cost: BigInt(shares(count)) * 5_600n, fees: 0 as MicroDollars };
  const outcome = { type: 'accepted', venueOrderId: 'v', state: 'gone', stated } as const;
  return rig.submit(outcome, { request: sell(count), idempotencyKey: key });
}

async function holderOf(count: number): Promise<Rig> {
  const rig = new Rig('venue_a');
  await rig.submit(RESTS);
  rig.hear({ type: 'fill', fill: rig.fill('bought', count) });
  expect(rig.position()).toBe(shares(count));
  return rig;
}

it('a second sale is refused while the fills of the first are unreported', async () => {
  const rig = await holderOf(20);
  expect(await sold(rig, 'first', 12)).toMatchObject({ type: 'made', status: 'FILLED' });
  expect(await sold(rig, 'second', 10)).toMatchObject({
    kind: 'insufficientBalance',
    message: 'size: the actor can sell 8 shares of this token',
  });
  expect(await sold(rig, 'third', 8)).toMatchObject({ type: 'made' });
});

it('a booked sale counts once', async () => {
  const rig = await holderOf(20);
  await sold(rig, 'first', 12);
  const venueOrderId = `digest-${rig.id('first')}`;
  rig.hear({ type: 'fill', fill: rig.fill('sold', 12, { venueOrderId, positionChange: shares(-12) }) });
  expect(rig.position()).toBe(shares(8));
  expect(await sold(rig, 'second', 8)).toMatchObject({ type: 'made' });
});
