// Trades at venue A that fail to settle: positions are as if they had never been made, after any events between (contract §4.5, §5).

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fraction } from '../../../src/core/domain/fraction.ts';
import type { MicroDollars, MicroShares, UnixMillis } from '../../../src/core/domain/numbers.ts';
import { NOTHING_FILLED } from '../../../src/core/domain/order-sums.ts';
import { changed, noPosition, type Position, settledAt } from '../../../src/core/domain/position.ts';
import { limits } from '../../../src/limits.ts';
import { unattributedOf } from '../../../src/orders/life/bookings.ts';
import type { VenueFill } from '../../../src/venues/venue.ts';
import { ACTOR, listed, POD, RESTS, Rig, shares, TOKEN_SELL, ticks } from './orders-rig.ts';

const NOBODY = unattributedOf(POD);
const { tokenId } = TOKEN_SELL;

const moved = (fill: VenueFill) => ({
  change: fill.positionChange,
  addressPrice: fill.addressPrice,
  fee: fill.fee,
  at: fill.executedAt,
});
const kept = ({ size, average, realized, fees }: Position) => ({ size, average, realized, fees });

/** Unattributed trades, reported one after another. */
class Trades {
  readonly rig = new Rig('venue_a');
  readonly #reported: (VenueFill | 'paid out')[] = [];

  take(step: Step): void {
    if (step.type === 'trade') this.trade(step.change as MicroShares, step.price);
    else if (step.type === 'settle') this.settle(step.place, step.settlement);
    else this.payOut();
  }

  trade(change: MicroShares, price: number): void {
    const amounts = { price: ticks(price), addressPrice: ticks(price), size: Math.abs(change) as MicroShares };
    const names = { venueOrderId: 'foreign', clientOrderId: null } as const;
    const fill = this.rig.fill(`f${this.#reported.length}`, 1, { ...names, ...amounts, positionChange: change });
    this.#reported.push(fill);
    this.rig.hear({ type: 'fill', fill });
  }

  /** Makes the market pay out at nothing. */
  payOut(): void {
    this.#reported.push('paid out');
    this.rig.hear({ type: 'settled', address: tokenId, value: ticks(0), at: this.rig.timers.now() });
  }

  /** Makes the venue pay a dollar after all. Returns the profit that all trades have brought then. */
  correct(): Position['realized'] {
    const at = this.rig.timers.now();
    this.rig.hear({ type: 'settled', address: tokenId, value: ticks(10_000), at });
    return settledAt(this.position(), ticks(10_000), at).realized;
  }

  /** Returns the profit of all trades that have not failed, if each had been held to the end. */
  profit(): Position['realized'] {
    const left = this.#reported.filter(
      (it): it is VenueFill =>
        it !== 'paid out' && this.rig.store.fill(this.rig.account, it.fillId)?.fill.settlement !== 'FAILED',
    );
    return fraction(left.reduce((sum, it) => sum + BigInt(it.positionChange) * BigInt(10_000 - it.addressPrice), 0n));
  }

  settle(place: number, settlement: VenueFill['settlement']): void {
    const fill = this.#reported[place % Math.max(1, this.#reported.length)];
    if (fill !== undefined && fill !== 'paid out') this.rig.hear({ type: 'fill', fill: { ...fill, settlement } });
  }

  position(): Position {
    return this.rig.store.position(NOBODY, 'venue_a', tokenId) ?? this.#none();
  }

  /** Books all trades that have not failed, in order. Returns the position. */
  twin(): Position {
    let position = this.#none();
    let isPaidOut = false;
    for (const it of this.#reported) {
      if (it === 'paid out') isPaidOut = true;
      else if (this.rig.store.fill(this.rig.account, it.fillId)?.fill.settlement !== 'FAILED') {
        position = changed(position, moved(it));
      }
      if (isPaidOut) position = settledAt(position, ticks(0), this.rig.timers.now());
    }
    return position;
  }

  #none(): Position {
    return noPosition('venue_a', tokenId, 0 as UnixMillis);
  }
}

const trade = fc.record({
  type: fc.constant('trade' as const),
  change: fc.integer({ min: -20_000_000, max: 20_000_000 }).filter(it => it !== 0),
  price: fc.integer({ min: 1, max: 9_999 }),
});
const settle = fc.record({
  type: fc.constant('settle' as const),
  place: fc.nat(40),
  settlement: fc.constantFrom('CONFIRMED' as const, 'FAILED' as const, 'FAILED' as const),
});
const step = fc.oneof(
  { weight: 12, arbitrary: trade },
  { weight: 8, arbitrary: settle },
  { weight: 1, arbitrary: fc.constant({ type: 'payOut' as const }) },
);
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

it('a position has all trades but those that have failed', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), steps => {
      const trades = new Trades();
      for (const it of steps) {
        trades.take(it);
        expect(kept(trades.position())).toEqual(kept(trades.twin()));
      }
    }),
    { numRuns: 300 },
  );
});

it('4013: a payout of nothing that the venue raises is made up for, over all that was traded and has failed meanwhile', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 30 }), steps => {
      const trades = new Trades();
      for (const it of steps) trades.take(it);
      expect(trades.correct()).toEqual(trades.profit());
    }),
    { numRuns: 300 },
  );
});

it('only what may yet fail is remembered', () => {
  const trades = new Trades();
  for (let count = 0; count < 20; count += 1) {
    trades.trade(shares(1), 5_000);
    trades.settle(count, 'CONFIRMED');
  }
  expect(trades.rig.store.movements(NOBODY, 'venue_a', tokenId, 100)).toHaveLength(1);
});

it.each(['MATCHED', 'RETRYING', 'MINED'] as const)('a trade that is %s may yet fail', settlement => {
  const trades = new Trades();
  for (let count = 0; count < 5; count += 1) {
    trades.trade(shares(1), 5_000);
    trades.settle(count, settlement);
  }
  expect(trades.rig.store.movements(NOBODY, 'venue_a', tokenId, 100)).toHaveLength(5);
});

it('a loser of which more was sold than its trades have brought is owed no more', () => {
  const trades = new Trades();
  trades.trade(shares(10), 4_000);
  trades.trade(shares(-10), 6_000);
  trades.payOut();
  trades.settle(0, 'FAILED');
  expect(kept(trades.position())).toEqual(kept(trades.twin()));
  expect(trades.position()).toMatchObject({ size: 0, realized: fraction(6_000n * BigInt(shares(10))) });
});

it('a failed trade that is not remembered any more is traded back', () => {
  const trades = new Trades();
  for (let count = 0; count <= limits.bookedChangesKeptMax; count += 1) trades.trade(shares(1), 5_000);
  trades.settle(0, 'FAILED');
  expect(trades.position()).toMatchObject({
    size: shares(limits.bookedChangesKeptMax),
    average: fraction(5_000n),
    fees: 1_000 * limits.bookedChangesKeptMax,
  });
  // A payout is not a trade, and cannot fail.
  for (let count = 1; count <= 2 * limits.bookedChangesKeptMax; count += 1) {
    if (count > limits.bookedChangesKeptMax) trades.trade(shares(1), 5_000);
    trades.settle(count, 'CONFIRMED');
  }
  expect(trades.rig.store.movements(NOBODY, 'venue_a', tokenId, 100)).toHaveLength(1);
});

it('a failed trade is traded back if the later ones are remembered in part, as after a while with an earlier version', () => {
  const trades = new Trades();
  for (let count = 0; count < 3; count += 1) trades.trade(shares(1), 5_000);
  const { store } = trades.rig;
  store.change(to => to.deleteBooked(NOBODY, to.movements(NOBODY, 'venue_a', tokenId, 3)[1]!));
  trades.settle(0, 'FAILED');
  expect(trades.position()).toMatchObject({ size: shares(2), average: fraction(5_000n), fees: 2_000 });
});

describe('of an actor', () => {
  const buy = { ...TOKEN_SELL, side: 'BUY', size: shares(10) } as const;

  async function bought(rig: Rig, key: string, price: number): Promise<void> {
    await rig.submit(RESTS, { request: { ...buy, price: ticks(price) }, idempotencyKey: key });
    rig.hear({ type: 'fill', fill: fillOf(rig, key, 10, price) });
  }

  const fillOf = (rig: Rig, key: string, count: number, price: number): VenueFill =>
    rig.fill(key, Math.abs(count), {
      price: ticks(price),
      addressPrice: ticks(price),
      positionChange: shares(count),
      venueOrderId: `digest-${rig.id(key)}`,
    });
  const held = (rig: Rig) => rig.store.position(ACTOR, 'venue_a', tokenId);

  it('a purchase leaves the cost of the others, and no profit', async () => {
    const rig = new Rig('venue_a');
    await bought(rig, 'one', 4_000);
    await bought(rig, 'two', 6_000);
    rig.hear({ type: 'settlement', fillId: 'two', settlement: 'FAILED' });
    const fees = 1_000 as MicroDollars;
    expect(held(rig)).toMatchObject({ size: shares(10), average: fraction(4_000n), realized: fraction(0n), fees });
  });

  it('a purchase that had failed before its order was found counts for nothing', async () => {
    const rig = new Rig('venue_a');
    const fill = fillOf(rig, 'lost', 10, 4_000);
    rig.hear({ type: 'fill', fill });
    const failed = { ...fill, settlement: 'FAILED' } as const;
    rig.hear({ type: 'fill', fill: failed });
    // The record of the order was lost. The request comes again, and the venue knows the order.
    const venueOrderId = `digest-${rig.id('lost')}`;
    rig.venue.lookUps = [{ type: 'found', venueOrderId, state: 'gone', stated: NOTHING_FILLED, fills: [failed] }];
    await rig.submit({ type: 'exists', message: 'exists' }, { request: buy, idempotencyKey: 'lost' });
    expect(rig.order(rig.id('lost'))).toMatchObject({ status: 'CANCELLED', filled: { size: 0 } });
    expect(rig.store.fills(rig.id('lost'), 0, 9)).toMatchObject([{ fillId: 'lost', settlement: 'FAILED' }]);
    expect(held(rig)?.size ?? 0).toBe(0);
    expect(rig.store.position(NOBODY, 'venue_a', tokenId)).toMatchObject({ size: 0 });
  });

  it('a sale leaves what it would have sold at its cost, and no profit', async () => {
    const rig = new Rig('venue_a');
    await bought(rig, 'one', 4_000);
    await rig.submit(RESTS, { request: { ...TOKEN_SELL, size: shares(10) }, idempotencyKey: 'sale' });
    rig.hear({ type: 'fill', fill: fillOf(rig, 'sale', -10, 7_000) });
    rig.hear({ type: 'settlement', fillId: 'sale', settlement: 'FAILED' });
    expect(held(rig)).toMatchObject({ size: shares(10), average: fraction(4_000n), realized: fraction(0n) });
  });

  it('a purchase that fails before its sale is reported leaves a debt, which is logged', async () => {
    const rig = new Rig('venue_a');
    await bought(rig, 'one', 4_000);
    await rig.submit(RESTS, { request: { ...TOKEN_SELL, size: shares(10) }, idempotencyKey: 'sale' });
    rig.hear({ type: 'settlement', fillId: 'one', settlement: 'FAILED' });
    expect(rig.divergences).toEqual([]);
    rig.hear({ type: 'fill', fill: fillOf(rig, 'sale', -10, 7_000) });
    expect([held(rig)?.size, rig.divergences]).toEqual([shares(-10), ['shares-owed']]);
  });

  it('of a winner leaves what is to be redeemed, and what has been', async () => {
    const rig = new Rig('venue_a');
    await bought(rig, 'one', 4_000);
    await bought(rig, 'two', 6_000);
    await bought(rig, 'three', 6_000);
    rig.hear({ type: 'settled', address: tokenId, value: ticks(10_000), at: rig.timers.now() });
    rig.hear({ type: 'settlement', fillId: 'three', settlement: 'FAILED' });
    expect(held(rig)).toMatchObject({ size: shares(20), average: fraction(5_000n), isRedeemable: true });
    await bought(rig, 'reported late', 6_000);
    for (let look = 0; look < 2; look += 1) rig.hear({ type: 'redeemable', addresses: [] });
    await rig.timers.settle(0);
    rig.hear({ type: 'settlement', fillId: 'reported late', settlement: 'FAILED' });
    expect(held(rig)).toMatchObject({ size: 0, isRedeemable: false });
    rig.hear({ type: 'settlement', fillId: 'two', settlement: 'FAILED' });
    const realized = fraction(6_000n * BigInt(shares(10)));
    expect(held(rig)).toMatchObject({ size: 0, realized, isRedeemable: false });
  });
});

it('unattributed trades that have failed are read from the oldest on', async () => {
  const rig = new Rig('venue_a');
  const minute = 60_000;
  const executedAt = (ago: number) => (rig.timers.now() - ago * minute) as UnixMillis;
  await rig.sweep();
  const fills = [90, 30].map(ago => ({
    ...rig.fill(`f${ago}`, 4, { clientOrderId: null, venueOrderId: 'foreign' }),
    executedAt: executedAt(ago),
  }));
  for (const fill of fills) rig.hear({ type: 'fill', fill });
  const since: number[] = [];
  rig.venue.fillsSince = from => {
    since.push(from);
    return Promise.resolve(listed<VenueFill>([]));
  };
  for (const { fillId } of fills) rig.hear({ type: 'settlement', fillId, settlement: 'FAILED' });
  await rig.sweep(0);
  expect(since).toEqual([fills[0]!.executedAt]);
});
