// Found by review: venue A's adapter reports a payout once. One that came while nothing could be recorded was lost until the next
// start. A worthless holding stayed in the positions at its cost, and a winner was never redeemable.

import { expect, it } from 'vitest';
import { Executions } from '../../src/orders/executions.ts';
import { ACTOR, RESTS, Rig, shares, TOKEN_SELL, ticks } from '../orders/orders-rig.ts';

it.each([
  [0, { size: 0, isRedeemable: false }],
  [10_000, { size: shares(5), isRedeemable: true }],
])('a payout of %i ticks that cannot be recorded is booked later', async (value, booked) => {
  const rig = new Rig('venue_a');
  const { ledger, timers, account, venue, store } = rig;
  let faults = 0;
  const executions = new Executions({
    ...{ ledger, timers, actorOfTag: () => null, actorsOf: () => [ACTOR], announce: () => {} },
    accounts: [{ account, trading: venue }],
    storeFailed: () => {
      faults += 1;
    },
  });
  const held = () => store.position(ACTOR, 'venue_a', TOKEN_SELL.tokenId);
  const look = async (): Promise<void> => {
    await timers.settle(1_000);
    await executions.sweep();
  };
  await rig.submit(RESTS);
  executions.hear(account, { type: 'fill', fill: rig.fill('f', 5) });
  store.isFull = true;
  executions.hear(account, { type: 'settled', address: TOKEN_SELL.tokenId, value: ticks(value), at: timers.now() });
  await look();
  expect([held()?.size, held()?.isRedeemable, faults > 0]).toEqual([shares(5), false, true]);
  store.isFull = false;
  await look();
  expect(held()).toMatchObject(booked);
  const records = store.log.records.length;
  await look();
  expect(store.log.records.length).toBe(records);
});
