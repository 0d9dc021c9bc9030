// Markets that have paid out: at their price, to all holders, in their own pod (contract §5). executions.test.ts shows that they do.

import { expect, it } from 'vitest';
import { fraction } from '../../src/domain/fraction.ts';
import { bookSettlement, unattributedOf } from '../../src/orders/bookings.ts';
import { ACTOR, POD, RESTS, Rig, shares, TOKEN_SELL, ticks, YES_BUY } from './orders-rig.ts';

const { tokenId } = TOKEN_SELL;

function settled(rig: Rig, address: string, value: number): void {
  rig.hear({ type: 'settled', address, value: ticks(value), at: rig.timers.now() });
}

async function redeemed(rig: Rig): Promise<void> {
  for (let look = 0; look < 2; look += 1) rig.hear({ type: 'redeemable', addresses: [] });
  await rig.timers.settle(0);
}

it.each([10_000, 5_000])('a token that pays %i ticks is redeemed at that', async value => {
  const rig = new Rig('venue_a');
  await rig.submit(RESTS);
  rig.hear({ type: 'fill', fill: rig.fill('f', 5) });
  settled(rig, tokenId, value);
  await redeemed(rig);
  const realized = fraction(BigInt(value - 5_600) * BigInt(shares(5)));
  expect(rig.store.position(ACTOR, 'venue_a', tokenId)).toMatchObject({ size: 0, isRedeemable: false, realized });
});

it('an unattributed holding is redeemed, too', async () => {
  const rig = new Rig('venue_a');
  rig.hear({ type: 'fill', fill: rig.fill('f', 5, { venueOrderId: 'foreign' }) });
  const held = () => rig.store.position(unattributedOf(POD), 'venue_a', tokenId);
  settled(rig, tokenId, 10_000);
  expect(held()).toMatchObject({ size: shares(5), isRedeemable: true });
  await redeemed(rig);
  expect(held()).toMatchObject({ size: 0, isRedeemable: false });
});

it('4013: a worthless token that pays after all is held again, and redeemed at what it pays', async () => {
  const rig = new Rig('venue_a');
  await rig.submit(RESTS);
  rig.hear({ type: 'fill', fill: rig.fill('f', 5) });
  const held = () => rig.store.position(ACTOR, 'venue_a', tokenId);
  settled(rig, tokenId, 0);
  expect(held()).toMatchObject({ size: 0, realized: fraction(-5_600n * BigInt(shares(5))) });
  settled(rig, tokenId, 10_000);
  expect(held()).toMatchObject({
    size: shares(5),
    isRedeemable: true,
    average: fraction(5_600n),
    realized: fraction(0n),
  });
  await redeemed(rig);
  expect(held()).toMatchObject({ size: 0, isRedeemable: false, realized: fraction(4_400n * BigInt(shares(5))) });
  // What is redeemed is over.
  settled(rig, tokenId, 0);
  expect(held()).toMatchObject({ size: 0, realized: fraction(4_400n * BigInt(shares(5))) });
});

it.each([
  [0, 10_000],
  [10_000, 0],
  [2_500, 7_500],
])('4013: venue B pays %i, and %i after all', async (first, last) => {
  const rig = new Rig();
  await rig.submit(RESTS);
  rig.hear({ type: 'fill', fill: rig.fill('f', 5) });
  for (const value of [first, last]) settled(rig, YES_BUY.ticker, value);
  const realized = fraction(BigInt(last - 5_600) * BigInt(shares(5)));
  expect(rig.store.position(ACTOR, 'venue_b', YES_BUY.ticker)).toMatchObject({ size: 0, realized });
});

it('a result that is amended counts for later reports', async () => {
  const rig = new Rig();
  await rig.submit(RESTS);
  settled(rig, YES_BUY.ticker, 0);
  settled(rig, YES_BUY.ticker, 10_000);
  rig.hear({ type: 'fill', fill: rig.fill('f', 5) });
  const realized = fraction(4_400n * BigInt(shares(5)));
  expect(rig.store.position(ACTOR, 'venue_b', YES_BUY.ticker)).toMatchObject({ size: 0, realized });
});

it('a settlement that one pod knows is news in another', async () => {
  const rig = new Rig();
  await rig.submit(RESTS);
  rig.hear({ type: 'fill', fill: rig.fill('f', 5) });
  const elsewhere = { podId: 'other', venue: 'venue_b' } as const;
  const result = { address: YES_BUY.ticker, value: ticks(10_000) };
  rig.ledger.change(({ transaction, at }) => bookSettlement(transaction, elsewhere, [], { ...result, at }));
  expect(rig.position()).toBe(shares(5));
  settled(rig, YES_BUY.ticker, 10_000);
  expect(rig.position()).toBe(0);
});
