// The effect of a confirmed action on positions, also when an earlier trade fails later.

import { expect, it } from 'vitest';
import { MICROS_PER_DOLLAR, type MicroDollars, type Ticks } from '../../../src/core/domain/numbers.ts';
import { bookFill, unbookFill } from '../../../src/orders/life/bookings.ts';
import { ACCOUNT, NO, shares, WalletRig, YES } from './wallet-rig.ts';

const ALICE = 'alice';

function boughtOf(rig: WalletRig, count: number) {
  const movement = {
    address: YES,
    positionChange: shares(count),
    addressPrice: 5_000 as Ticks,
    fee: 0 as MicroDollars,
  };
  const booking = { account: ACCOUNT, actorId: ALICE };
  return {
    book: () => rig.ledger.change(({ transaction, at }) => bookFill(transaction, { ...booking, at }, movement, 'f')),
    fail: () => rig.ledger.change(({ transaction, at }) => unbookFill(transaction, { ...booking, at }, movement, 'f')),
  };
}

it('a trade that fails after a redeem of a part at protocol V2 leaves the rest of the winners', async () => {
  const rig = new WalletRig();
  rig.hold(ALICE, YES, 10);
  const trade = boughtOf(rig, 5);
  trade.book();
  Object.assign(rig.chain, { isV2: true, payout: MICROS_PER_DOLLAR });
  rig.chain.move(YES, 15);
  await rig.act('REDEEM', { shares: '3' });
  rig.chain.move(YES, -3);
  rig.chain.nonce = 1n;
  await rig.pass(60_000);
  expect([rig.actions[0]?.status, rig.size(ALICE, YES)]).toEqual(['CONFIRMED', 12]);
  trade.fail();
  expect(rig.store.position(ALICE, 'venue_a', YES)).toMatchObject({ size: shares(7), isRedeemable: true });
});

it('a trade that fails before the redeem is confirmed leaves a debt: the chain has burned shares of another owner', async () => {
  const rig = new WalletRig();
  rig.hold(ALICE, YES, 10);
  rig.hold('bob', YES, 10);
  const trade = boughtOf(rig, 5);
  trade.book();
  Object.assign(rig.chain, { isV2: true, payout: MICROS_PER_DOLLAR });
  rig.chain.move(YES, 25);
  await rig.act('REDEEM', {});
  await rig.pass(20_000);
  trade.fail();
  rig.chain.move(YES, -20);
  rig.chain.nonce = 1n;
  await rig.pass(60_000);
  expect(rig.actions).toMatchObject([{ status: 'CONFIRMED', amount: 15 * MICROS_PER_DOLLAR }]);
  expect([rig.size(ALICE, YES), rig.size('bob', YES)]).toEqual([-5, 10]);
});

it('a debt in the other token takes nothing from what a redeem of the wallet has paid', async () => {
  const rig = new WalletRig();
  rig.chain.payout = (MICROS_PER_DOLLAR / 2) as MicroDollars;
  rig.hold(ALICE, YES, 2);
  rig.hold('bob', NO, -10);
  rig.chain.move(YES, 2);
  const { status } = await rig.act('REDEEM', {});
  expect(status).toBe(201);
  await rig.pass(10_000);
  rig.chain.balances.set(YES, shares(0));
  rig.chain.nonce = 1n;
  await rig.pass(60_000);
  expect(rig.actions).toMatchObject([{ status: 'CONFIRMED', amount: MICROS_PER_DOLLAR }]);
});

it('a redeem of a wallet that holds less than the ledger says pays for what it holds', async () => {
  const rig = new WalletRig();
  rig.chain.payout = (MICROS_PER_DOLLAR / 2) as MicroDollars;
  rig.hold(ALICE, YES, 7);
  rig.chain.move(YES, 2);
  await rig.act('REDEEM', {});
  await rig.pass(20_000);
  rig.chain.balances.set(YES, shares(0));
  rig.chain.nonce = 1n;
  await rig.pass(60_000);
  expect(rig.actions).toMatchObject([{ status: 'CONFIRMED', amount: MICROS_PER_DOLLAR }]);
});
