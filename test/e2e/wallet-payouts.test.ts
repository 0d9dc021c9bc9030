// Actions of a wallet that wait for a payout, or whose transaction fails, through the whole gateway (beyond §9). They take minutes: the gateway
// looks at a wallet and at payouts now and then. test/venues/venue-a/wallet and test/orders/life prove each part in virtual time.

import { afterAll, beforeAll, expect, it } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { errorOf } from './orders-rig.ts';
import { WalletCaller } from './wallet-caller.ts';

let wallet: WalletCaller;

beforeAll(async () => {
  wallet = await WalletCaller.start();
});
afterAll(() => wallet.close());

it('a half payout pays both sides; at protocol V2 an actor redeems as many shares as it says', async () => {
  const [token, complement] = wallet.markets.v2[1]!;
  const before = await wallet.cash();
  await wallet.done(await wallet.act('split', token, { amountUsd: '8' }));
  await wallet.settle(token, '0.5');
  await eventually(async () => expect(await wallet.held(token)).toMatchObject({ redeemable: true }));
  const part = await wallet.done(await wallet.act('redeem', token, { shares: '3' }));
  expect(part).toMatchObject({ shares: '3', amountUsd: '1.5' });
  expect(await wallet.held(token)).toMatchObject({ size: '5', redeemable: true });
  const tooMany = await wallet.act('redeem', token, { shares: '5.000001' });
  expect([tooMany.status, errorOf(tooMany).code]).toEqual([400, 'INSUFFICIENT_BALANCE']);
  await Promise.all(
    [wallet.act('redeem', token), wallet.act('redeem', complement)].map(async it => wallet.done(await it)),
  );
  expect([await wallet.held(token), await wallet.held(complement)]).toEqual([null, null]);
  await eventually(async () => expect(await wallet.cash()).toBeCloseTo(before, 6));
});

it('at protocol V1 a redeem covers the wallet, and names no shares', async () => {
  const [token, complement] = wallet.markets.v1[1]!;
  await wallet.done(await wallet.act('split', token, { amountUsd: '2' }));
  await wallet.settle(token, '0.5');
  await eventually(async () => {
    const refused = await wallet.act('redeem', token, { shares: '1' });
    expect([refused.status, errorOf(refused).message]).toEqual([
      400,
      expect.stringMatching(/^shares: must be left out/),
    ]);
  });
  const all = await wallet.done(await wallet.act('redeem', token));
  expect(all).toMatchObject({ shares: '2', amountUsd: '2' });
  expect([await wallet.held(token), await wallet.held(complement)]).toEqual([null, null]);
});

it('a transaction that fails after it was mined is sent again, with the same nonce', async () => {
  const [token] = wallet.markets.v1[2]!;
  const before = await wallet.cash();
  await wallet.rig.fault({ venue: 'venue_a', fault: { kind: 'transaction-fails' } });
  await wallet.done(await wallet.act('split', token, { amountUsd: '3' }));
  expect(await wallet.held(token)).toMatchObject({ size: '3' });
  await eventually(async () => expect(await wallet.cash()).toBeCloseTo(before - 3, 6));
});
