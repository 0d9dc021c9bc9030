// The totals of owners, beside a naive twin that sums over all positions. Positions that have closed leave memory and come back.

import fc from 'fast-check';
import { expect, it } from 'vitest';
import { plus, ZERO } from '../../../../src/core/domain/fraction.ts';
import type { MicroDollars, MicroShares, Ticks, UnixMillis } from '../../../../src/core/domain/numbers.ts';
import type { LedgerTransaction, LiveReads } from '../../../../src/core/store/order-records.ts';
import { limits } from '../../../../src/limits.ts';
import {
  bookFill,
  bookRedemption,
  bookSettlement,
  unattributedOf,
  unbookFill,
} from '../../../../src/orders/life/bookings.ts';
import { MemoryLedger } from '../../../support/memory-ledger.ts';
import { EngineRig } from '../engine-rig.ts';

const ACCOUNT = { podId: 'pod', venue: 'venue_a' } as const;
const ACTORS = ['pod/one', 'pod/two'];
const OWNERS = [...ACTORS, unattributedOf('pod')];
const ADDRESSES = ['X', 'Y'];
const AT = 1_790_000_000_000 as UnixMillis;

const trade = fc.record({
  actorId: fc.constantFrom(...ACTORS, null),
  address: fc.constantFrom(...ADDRESSES),
  /** The changes have only a few sizes, so that positions close. */
  change: fc.constantFrom(-2_000_001, -1_000_000, 1_000_000, 2_000_001).map(it => it as MicroShares),
  price: fc.integer({ min: 1, max: 9_999 }).map(it => it as Ticks),
  fee: fc.nat(1_000).map(it => it as MicroDollars),
});
type Trade = typeof trade extends fc.Arbitrary<infer T> ? T : never;

const happening = fc.oneof(
  { weight: 8, arbitrary: fc.record({ type: fc.constant('trade' as const), trade }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('undone' as const), trade }) },
  { weight: 3, arbitrary: fc.record({ type: fc.constant('failed' as const), place: fc.nat(20) }) },
  {
    weight: 1,
    arbitrary: fc.record({
      type: fc.constant('payout' as const),
      address: fc.constantFrom(...ADDRESSES),
      value: fc.constantFrom(0, 5_000, 10_000).map(it => it as Ticks),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ type: fc.constant('redemption' as const), address: fc.constantFrom(...ADDRESSES) }),
  },
  { weight: 4, arbitrary: fc.record({ type: fc.constant('eviction' as const) }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('restart' as const) }) },
);
type Happening = typeof happening extends fc.Arbitrary<infer T> ? T : never;

it('an owner keeps the totals of positions that have closed', async () => {
  await fc.assert(fc.asyncProperty(fc.array(happening, { maxLength: 25 }), life), { numRuns: 60 });
});

async function life(happenings: readonly Happening[]): Promise<void> {
  const rig = new EngineRig(AT);
  const twin = new MemoryLedger();
  const traded: Trade[] = [];
  try {
    for (const [index, it] of happenings.entries()) {
      if (it.type === 'restart') await rig.restart();
      else if (it.type === 'eviction') evicted(rig);
      else {
        const work = workOf(it, traded, index);
        for (const store of [rig.store, twin]) expect(() => store.change(work)).toThrow('step is over');
        if (it.type !== 'undone') for (const store of [rig.store, twin]) store.change(to => ended(() => work(to)));
      }
      for (const owner of OWNERS) expect(rig.store.totals(owner, 'venue_a')).toEqual(naiveTotals(twin, owner));
      // A standby reads the same history, and follows the same journal.
      for (const owner of OWNERS) expect(rig.found().totals(owner, 'venue_a')).toEqual(naiveTotals(twin, owner));
    }
  } finally {
    await rig.close();
  }
}

/** Returns work that throws at its end, so that it is undone unless `ended` catches the error. */
function workOf(it: Exclude<Happening, { type: 'restart' | 'eviction' }>, traded: Trade[], index: number) {
  if (it.type === 'trade') traded[index] = it.trade;
  const failed = it.type === 'failed' ? traded[it.place] : undefined;
  if (it.type === 'failed') delete traded[it.place];
  return (to: LedgerTransaction): never => {
    if (it.type === 'trade' || it.type === 'undone')
      bookFill(to, bookingOf(it.trade), movementOf(it.trade), `f${index}`);
    if (it.type === 'failed' && failed !== undefined)
      unbookFill(to, bookingOf(failed), movementOf(failed), `f${it.place}`);
    if (it.type === 'payout') bookSettlement(to, ACCOUNT, ACTORS, { ...it, at: AT });
    if (it.type === 'redemption') bookRedemption(to, ACCOUNT, ACTORS, { ...it, at: AT });
    throw OVER;
  };
}

const OVER = new Error('step is over');

function ended(work: () => never): void {
  try {
    work();
  } catch (error) {
    if (error !== OVER) throw error;
  }
}

function bookingOf({ actorId }: Trade) {
  return { account: ACCOUNT, actorId, at: AT };
}

function movementOf({ address, change, price, fee }: Trade) {
  return { address, positionChange: change, addressPrice: price, fee };
}

/** Removes all closed positions from memory. */
function evicted(rig: EngineRig): void {
  rig.follow();
  rig.now = (rig.now + limits.evictionPauseMs) as UnixMillis;
  rig.evict();
  for (const owner of OWNERS)
    for (const { size, isRedeemable } of rig.store.positions(owner, 'venue_a'))
      expect(size !== 0 || isRedeemable).toBe(true);
}

function naiveTotals(reads: Pick<LiveReads, 'position'>, owner: string) {
  const positions = ADDRESSES.flatMap(address => reads.position(owner, 'venue_a', address) ?? []);
  const fees = positions.reduce((sum, it) => sum + BigInt(it.fees), 0n);
  const { numerator, denominator } = positions.map(it => it.realized).reduce(plus, ZERO);
  expect(10n ** 6n % denominator).toBe(0n);
  return { realized: (numerator * 10n ** 6n) / denominator, fees };
}
