// Shares that were not traded here, in the loss limit of a pod: their worth makes up for no loss.

import { expect, it } from 'vitest';
import { lossLimitBounds } from '../../../src/core/domain/loss-limit.ts';
import type { MicroDollars } from '../../../src/core/domain/numbers.ts';
import type { OrderId } from '../../../src/core/domain/order.ts';
import { ok } from '../../../src/core/domain/result.ts';
import { limits } from '../../../src/limits.ts';
import { unattributedOf } from '../../../src/orders/life/bookings.ts';
import { dollars, LossRig } from './loss-rig.ts';
import { POD, RESTS, Rig, shares, YES_BUY } from './orders-rig.ts';

const { ticker } = YES_BUY;

/** The account holds so many shares from now on, and the audit finds that. */
async function holds(rig: Rig, count: number): Promise<void> {
  rig.venue.held = ok([{ address: ticker, size: shares(count), isRedeemable: false }]);
  rig.venue.statedHolding = ok(shares(count));
  for (let look = 0; look < 2 + limits.holdingsSettleMs / limits.holdingsAuditMs; look += 1)
    await rig.sweep(limits.holdingsAuditMs);
  expect(rig.position(unattributedOf(POD))).toBe(shares(count));
}

it.each([
  ['with a price', true],
  ['that has its first price later', false],
])('5710: they are no gain of the pod, in a market %s', async (_, isPriced) => {
  const rig = new Rig();
  const operator = new LossRig(rig);
  const { losses } = operator;
  const look = () => rig.pass(lossLimitBounds.lossLookMs + 50);
  const lost = () => losses.views()[0]!.lossUsd;
  if (isPriced) operator.price(ticker, 6_000);
  losses.set(POD, { lossMax: dollars(1_000), cancels: false });
  rig.executions.start();
  await rig.pass(100, 10);
  await holds(rig, 10_000);
  operator.price(ticker, 6_000);
  await look();
  expect(lost()).toBe('0');
  // The loss of worth from now on counts as a loss.
  operator.price(ticker, 5_900);
  await look();
  expect(lost()).toBe('100');
  // Shares that disappear are no gain, and shares that come back are no gain either.
  await holds(rig, 0);
  expect(lost()).toBe('100');
  await holds(rig, 10_000);
  expect(lost()).toBe('100');
  operator.price(ticker, 5_000);
  await look();
  expect(losses.views()).toMatchObject([{ lossUsd: '1000', reachedAt: expect.any(String) }]);
  // A restart goes on with the same base.
  const next = new Rig('venue_b', rig.restarted());
  expect(new LossRig(next, operator.prices).losses.views()).toMatchObject([{ lossUsd: '1000' }]);
});

it('6003: a trade whose order is found later counts once', async () => {
  const rig = new Rig();
  const operator = new LossRig(rig);
  const { losses } = operator;
  await rig.submit(RESTS);
  operator.price(ticker, 5_600);
  losses.set(POD, { lossMax: dollars(0.9), cancels: false });
  const fill = rig.fill('fill', 10, { fee: 100_000 as MicroDollars });
  const book = (orderId: OrderId | null) => rig.ledger.change(entry => entry.applyFill(rig.account, fill, orderId));
  book(null);
  operator.price(ticker, 5_000);
  await rig.pass(lossLimitBounds.lossLookMs + 50);
  expect(losses.views()).toMatchObject([{ lossUsd: '0.7' }]);
  book(rig.id());
  await rig.pass(0);
  expect(rig.position(unattributedOf(POD))).toBe(0);
  expect(losses.views()).toMatchObject([{ lossUsd: '0.7', reachedAt: null }]);
});
