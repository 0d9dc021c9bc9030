// The venue's list of an account's holdings against our books: an unexplained difference is unattributed and logged (contract §5).

import { describe, expect, it } from 'vitest';
import { ZERO } from '../../../src/core/domain/fraction.ts';
import type { MicroShares, UnixMillis } from '../../../src/core/domain/numbers.ts';
import { fail, ok } from '../../../src/core/domain/result.ts';
import { limits } from '../../../src/limits.ts';
import { bookSettlement, unattributedOf } from '../../../src/orders/life/bookings.ts';
import { ACTOR, found, listed, POD, RESTS, Rig, shares, TIMEOUT, ticks, YES_BUY } from './orders-rig.ts';

const NOBODY = unattributedOf(POD);
const LOOK_MS = limits.holdingsAuditMs;
const LATER_MS = limits.holdingsSettleMs;

/** The cost of unattributed shares. */
const cost = (rig: Rig) => rig.store.position(NOBODY, 'venue_b', YES_BUY.ticker)?.average;

/** Sets the list of the venue from now on. */
function holds(rig: Rig, size: MicroShares | null, isRedeemable = false): void {
  rig.venue.held = ok(size === null ? [] : [{ address: YES_BUY.ticker, size, isRedeemable }]);
}

async function read(rig: Rig): Promise<void> {
  rig.executions.start();
  await rig.pass(100, 10);
}

async function looks(rig: Rig, times: number): Promise<void> {
  for (let look = 0; look < times; look += 1) await rig.sweep(LOOK_MS);
}

describe('what an account holds', () => {
  it('is what the venue states of the address, where its list says something else', async () => {
    const rig = new Rig();
    holds(rig, shares(7));
    rig.venue.statedHolding = fail('HTTP 503');
    await read(rig);
    await looks(rig, 3);
    expect(rig.position(NOBODY)).toBe(0);
    rig.venue.statedHolding = ok(shares(6.5));
    await looks(rig, 1);
    expect(rig.position(NOBODY)).toBe(shares(6.5));
    await looks(rig, 3);
    expect(rig.position(NOBODY)).toBe(shares(6.5));
  });

  it('is unattributed, and logged once, if it is from before its first reading', async () => {
    const rig = new Rig();
    holds(rig, shares(7));
    await read(rig);
    await looks(rig, 5);
    expect([rig.position(NOBODY), rig.position(ACTOR)]).toEqual([shares(7), 0]);
    expect(rig.divergences).toEqual(['position-differs']);
    expect(cost(rig)).toEqual(ZERO);
  });

  it('is believed at the second look, not at the first', async () => {
    const rig = new Rig();
    holds(rig, shares(7));
    await read(rig);
    await looks(rig, 1);
    expect(rig.position(NOBODY)).toBe(0);
    await looks(rig, 1);
    expect(rig.position(NOBODY)).toBe(shares(7));
  });

  it('is looked at again only when the venue has answered, and a while has passed', async () => {
    const rig = new Rig();
    const { promise, resolve } = Promise.withResolvers<Awaited<ReturnType<typeof rig.venue.positions>>>();
    await read(rig);
    rig.venue.positions = () => {
      rig.venue.calls.push('positions');
      return promise;
    };
    await looks(rig, 3);
    expect(rig.venue.calls).toEqual(['positions']);
    resolve(listed([]));
    await rig.sweep();
    expect(rig.venue.calls).toEqual(['positions']);
    await looks(rig, 1);
    expect(rig.venue.calls).toEqual(['positions', 'positions']);
  });

  it('is left to the fills while it moves, however long the venue’s list lags', async () => {
    const rig = new Rig();
    holds(rig, null);
    await read(rig);
    await rig.submit(RESTS);
    rig.hear({ type: 'fill', fill: rig.fill('f', 10) });
    await looks(rig, Math.floor(LATER_MS / LOOK_MS) - 1);
    expect([rig.position(NOBODY), rig.divergences]).toEqual([0, []]);
    holds(rig, shares(10));
    await looks(rig, 10);
    expect([rig.position(ACTOR), rig.position(NOBODY), rig.divergences]).toEqual([shares(10), 0, []]);
  });

  it('is taken from the unattributed if it has been moved elsewhere, so that the sum is the venue’s', async () => {
    const rig = await Rig.submitted(RESTS);
    rig.hear({ type: 'fill', fill: rig.fill('f', 10) });
    holds(rig, shares(4));
    await read(rig);
    await rig.sweep(LATER_MS);
    await looks(rig, 3);
    expect([rig.position(ACTOR), rig.position(NOBODY)]).toEqual([shares(10), shares(-6)]);
    expect(cost(rig)).toEqual(ZERO);
    holds(rig, shares(10));
    await rig.sweep(LATER_MS);
    await looks(rig, 3);
    expect([rig.position(ACTOR), rig.position(NOBODY)]).toEqual([shares(10), 0]);
  });

  it('is left to its settlement in a market that has paid out', async () => {
    const rig = new Rig();
    rig.ledger.change(({ transaction }) =>
      bookSettlement(transaction, rig.account, [], { address: YES_BUY.ticker, value: ticks(0), at: 0 as UnixMillis }),
    );
    holds(rig, shares(7));
    await read(rig);
    await looks(rig, 5);
    expect([rig.position(NOBODY), rig.divergences]).toEqual([0, []]);
  });

  it('is unknown when the venue does not answer: nothing changes', async () => {
    const rig = await Rig.submitted(RESTS);
    rig.hear({ type: 'fill', fill: rig.fill('f', 10) });
    await read(rig);
    await rig.sweep(LATER_MS);
    await looks(rig, 3);
    expect([rig.position(ACTOR), rig.position(NOBODY), rig.divergences]).toEqual([shares(10), 0, []]);
  });

  it('is not compared as long as the account’s fills cannot be read', async () => {
    const rig = new Rig();
    holds(rig, null);
    await read(rig);
    await rig.submit(RESTS);
    rig.venue.fillsSince = () => Promise.resolve(fail('HTTP 503'));
    holds(rig, shares(10));
    await looks(rig, 10);
    expect([rig.position(NOBODY), rig.divergences]).toEqual([0, []]);
    rig.venue.fillsSince = () => Promise.resolve(listed([rig.fill('f', 10)]));
    await looks(rig, 10);
    expect([rig.position(ACTOR), rig.position(NOBODY), rig.divergences]).toEqual([shares(10), 0, []]);
  });

  it('is not compared as long as a fill waits for its order', async () => {
    const rig = new Rig();
    holds(rig, null);
    await read(rig);
    await rig.submit(TIMEOUT);
    rig.venue.lookUps = [{ type: 'unavailable', message: 'down' }];
    rig.hear({ type: 'fill', fill: rig.fill('f', 10, { clientOrderId: null }) });
    holds(rig, shares(10));
    await looks(rig, 10);
    expect([rig.position(NOBODY), rig.divergences]).toEqual([0, []]);
    rig.venue.lookUps = [found('rests')];
    await looks(rig, 10);
    expect([rig.position(ACTOR), rig.position(NOBODY), rig.divergences]).toEqual([shares(10), 0, []]);
  });

  it('is compared a slice at a time if it has very many markets; what moves meanwhile is left to its fills', async () => {
    const rig = new Rig();
    const addresses = Array.from({ length: 3 * limits.holdingsPerTurnMax }, (_, number) => `KXGAME-${number}`);
    rig.venue.held = ok(addresses.map(address => ({ address, size: shares(7), isRedeemable: false })));
    const heldAt = (address: string): number => rig.store.position(NOBODY, 'venue_b', address)?.size ?? 0;
    const booked: number[] = [];
    const turns = async (count: number): Promise<void> => {
      for (let turn = 0; turn < count; turn += 1) {
        await new Promise(setImmediate);
        booked.push(addresses.filter(address => heldAt(address) !== 0).length);
      }
    };
    await read(rig);
    await looks(rig, 1);
    await turns(10);
    expect(booked.at(-1)).toBe(0);
    await looks(rig, 1);
    while (booked.at(-1) === 0) await turns(1);
    const last = addresses.at(-1)!;
    rig.hear({ type: 'fill', fill: rig.fill('f', 3, { address: last, clientOrderId: null, venueOrderId: 'foreign' }) });
    await turns(10);
    const steps = booked.map((count, turn) => count - (booked[turn - 1] ?? 0));
    expect(Math.max(...steps)).toBeLessThanOrEqual(limits.holdingsPerTurnMax + 1);
    expect(booked.at(-1)).toBe(addresses.length);
    expect([heldAt(addresses[0]!), heldAt(last)]).toEqual([shares(7), shares(3)]);
  });
});
