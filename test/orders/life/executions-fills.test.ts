// The effect of fills on orders and positions, in any order and any number of times (contract §4.5, §5).

import { describe, expect, it } from 'vitest';
import { clientOrderIdOf } from '../../../src/core/domain/actor-tag.ts';
import type { MicroDollars } from '../../../src/core/domain/numbers.ts';
import { limits } from '../../../src/limits.ts';
import { unattributedOf } from '../../../src/orders/life/bookings.ts';
import type { VenueFill } from '../../../src/venues/venue.ts';
import { ACTOR, found, POD, RESTS, Rig, shares, TIMEOUT, TOKEN_SELL, ticks, total, YES_BUY } from './orders-rig.ts';

const NOBODY = unattributedOf(POD);
const foreign = { clientOrderId: null, venueOrderId: 'foreign' } as const;

describe('fills', () => {
  it('count once, however often they are reported, and reach the actor once and in order', async () => {
    const rig = await Rig.submitted(RESTS);
    for (const id of ['f', 'g', 'f', 'g', 'f']) rig.hear({ type: 'fill', fill: rig.fill(id, 5) });
    rig.hear({ type: 'order', order: rig.venueOrder() });
    expect(rig.order()).toMatchObject({ status: 'FILLED', filled: { size: shares(10), fees: 2_000 } });
    expect(rig.position()).toBe(shares(10));
    expect(rig.reported.map(({ cursor, event, order }) => [cursor, event, order.status])).toEqual([
      [1, 'STATUS', 'OPEN'],
      [2, 'FILL', 'OPEN'],
      [3, 'FILL', 'FILLED'],
    ]);
    expect(rig.store.lastCursor(ACTOR)).toBe(3);
  });

  it('of NO have the price of NO, from either source, and take YES away', async () => {
    const rig = await Rig.submitted(RESTS, 'venue_b', { request: { ...YES_BUY, side: 'NO', price: ticks(4_400) } });
    rig.hear({ type: 'fill', fill: rig.fill('f', 4, { positionChange: shares(-4) }) });
    expect(rig.store.fills(rig.id(), 0, 10)).toMatchObject([{ price: 4_400 }]);
    expect(rig.order().filled.cost).toBe(BigInt(shares(4)) * 4_400n);
    expect(rig.position()).toBe(shares(-4));
  });

  it('without an order are the pod’s, until their order is found', async () => {
    const rig = new Rig();
    rig.hear({ type: 'fill', fill: rig.fill('f', 4, { clientOrderId: null }) });
    expect([rig.position(NOBODY), rig.position()]).toEqual([shares(4), 0]);
    expect(rig.divergences).toEqual(['unattributed-fill']);
    rig.venue.lookUps = [found('rests', [rig.fill('f', 4)])];
    await rig.submit({ type: 'exists', message: 'exists' });
    expect([rig.position(NOBODY), rig.position()]).toEqual([0, shares(4)]);
    expect(rig.order().filled.size).toBe(shares(4));
    expect(rig.store.fill(rig.account, 'f')?.orderId).toBe(rig.id());
  });

  it.each([
    ['of another market', { address: 'KXOTHER' }],
    ['the other way', { positionChange: shares(-4) }],
  ])('that name an order and are %s are nobody’s, and are taken out where they were booked', async (_, change) => {
    const rig = await Rig.submitted(RESTS);
    const fill = rig.fill('f', 4, { ...change, settlement: 'MATCHED' });
    for (let times = 0; times < 2; times += 1) rig.hear({ type: 'fill', fill });
    const held = () => rig.store.position(NOBODY, rig.account.venue, fill.address)?.size ?? 0;
    expect([held(), rig.position()]).toEqual([fill.positionChange, 0]);
    expect(rig.order()).toMatchObject({ status: 'OPEN', filled: { size: 0 } });
    expect(rig.divergences).toEqual(['fill-of-another', 'unattributed-fill']);
    rig.hear({ type: 'fill', fill: { ...fill, settlement: 'FAILED' } });
    expect(held()).toBe(0);
  });

  it('without an order, whose fees are beyond the exact range, are logged, and not booked', () => {
    const rig = new Rig();
    const fee = (Number.MAX_SAFE_INTEGER - 1) as MicroDollars;
    for (const id of ['f', 'g']) rig.hear({ type: 'fill', fill: rig.fill(id, 1, { ...foreign, fee }) });
    expect(rig.divergences).toEqual(['unattributed-fill', 'uncountable-fill']);
    expect(rig.store.position(NOBODY, 'venue_b', YES_BUY.ticker)).toMatchObject({ size: shares(1), fees: fee });
  });

  it('whose order is found late have settled as far as was reported before', async () => {
    const rig = new Rig('venue_a');
    const fill = rig.fill('f', 5);
    for (const settlement of ['MATCHED', 'CONFIRMED'] as const)
      rig.hear({ type: 'fill', fill: { ...fill, settlement } });
    rig.venue.lookUps = [found('gone', [fill])];
    await rig.submit({ type: 'exists', message: 'exists' });
    expect(rig.store.fills(rig.id(), 0, 10)).toMatchObject([{ fillId: 'f', settlement: 'CONFIRMED' }]);
    expect([rig.position(NOBODY), rig.position()]).toEqual([0, shares(5)]);
  });

  it('wait for the order whose name at the venue is not known', async () => {
    const rig = await Rig.submitted(TIMEOUT);
    rig.hear({ type: 'fill', fill: rig.fill('f', 4, { clientOrderId: null }) });
    expect(rig.position(NOBODY)).toBe(0);
    rig.venue.lookUps = [found('rests', [])];
    await rig.sweep();
    expect(rig.order()).toMatchObject({ status: 'OPEN', filled: { size: shares(4) } });
    expect(rig.position(NOBODY)).toBe(0);
  });

  it('that have waited hold up nothing once they are booked: a restart reads on from there', async () => {
    const rig = new Rig();
    rig.executions.start();
    await rig.pass(10, 5);
    await rig.submit(TIMEOUT);
    const readUpTo = () => Number(rig.store.mark(`read/${POD}/venue_b`));
    const reportedAt = rig.timers.now();
    rig.hear({ type: 'fill', fill: rig.fill('f', 4, { clientOrderId: null }) });
    rig.venue.lookUps = [{ type: 'unavailable', message: 'down' }];
    await rig.sweep(limits.accountReadMs);
    // A waiting fill that is only in memory would be lost with this process. So the mark stays, and the part that has the fill is read
    // again.
    expect(readUpTo()).toBeLessThanOrEqual(reportedAt);
    rig.venue.lookUps = [found('rests', [])];
    await rig.sweep(limits.accountReadMs);
    const bookedAt = rig.timers.now();
    expect(rig.position()).toBe(shares(4));
    await rig.sweep(limits.accountReadMs);
    await rig.sweep();
    expect(readUpTo()).toBeGreaterThan(bookedAt);
    await rig.executions.stop();
  });

  it('that wait are the pod’s once no order of ours can be theirs', async () => {
    const rig = await Rig.submitted(TIMEOUT);
    rig.hear({ type: 'fill', fill: rig.fill('f', 4, foreign) });
    rig.venue.lookUps = [found('rests')];
    await rig.sweep();
    expect(rig.position(NOBODY)).toBe(shares(4));
  });

  it('of an order whose record is lost, and that rests no more, make it up', async () => {
    const rig = new Rig();
    rig.executions.start();
    await rig.pass(10, 5);
    rig.hear({ type: 'fill', fill: rig.fill('f', 4) });
    rig.hear({ type: 'fill', fill: rig.fill('g', 1) });
    const another = { venueOrderId: 'v-2', clientOrderId: clientOrderIdOf(rig.id('two'), ACTOR) };
    rig.hear({ type: 'fill', fill: rig.fill('h', 3, another) });
    await rig.sweep();
    await rig.sweep();
    const made = { status: 'FILLED', actorId: ACTOR, sentAt: null };
    expect(rig.order()).toMatchObject({ ...made, request: { size: shares(5) }, filled: { size: shares(5) } });
    expect(rig.order(rig.id('two'))).toMatchObject({ ...made, request: { size: shares(3) } });
    expect(rig.divergences).toEqual(['adopted-order', 'adopted-order']);
    await rig.executions.stop();
  });
});

// If a fill was unattributed, or its booking was forgotten, the fill was taken out with its latest reported terms. The difference stayed in
// a position, though not in the order.
describe('0083: a booked fill reported otherwise', () => {
  const [size, price] = [shares(7), ticks(5_500)];
  const OTHERWISE: Partial<VenueFill> = {
    size,
    positionChange: size,
    price,
    addressPrice: price,
    fee: 70 as MicroDollars,
  };
  const AMOUNTS = total(10, 5_600, 1_000);

  it('an order claims its fill as it was reported first', () => {
    const rig = new Rig();
    const fill = rig.fill('f', 10, { clientOrderId: null });
    rig.hear({ type: 'fill', fill });
    expect([rig.position(), rig.position(NOBODY)]).toEqual([0, shares(10)]);
    rig.hear({ type: 'order', order: rig.venueOrder({ request: YES_BUY }) });
    rig.hear({ type: 'fill', fill: { ...fill, ...OTHERWISE } });
    expect(rig.order()).toMatchObject({ status: 'FILLED', filled: AMOUNTS });
    expect(rig.store.fills(rig.id(), 0, 2)).toMatchObject([{ size: shares(10), price: ticks(5_600), fee: 1_000 }]);
    expect(rig.store.position(ACTOR, 'venue_b', YES_BUY.ticker)).toMatchObject({ size: shares(10), fees: 1_000 });
    expect(rig.store.position(NOBODY, 'venue_b', YES_BUY.ticker)).toMatchObject({ size: 0, fees: 0 });
  });

  it('fails as it was reported first', async () => {
    const rig = new Rig('venue_a');
    const { tokenId } = TOKEN_SELL;
    await rig.submit(RESTS, { request: { ...TOKEN_SELL, side: 'BUY', size: shares(10) } });
    const fill = rig.fill('f', 10);
    rig.hear({ type: 'fill', fill });
    rig.store.change(to => to.deleteBooked(ACTOR, to.movements(ACTOR, 'venue_a', tokenId, 1)[0]!));
    rig.hear({ type: 'fill', fill: { ...fill, ...OTHERWISE, settlement: 'FAILED' } });
    expect(rig.order()).toMatchObject({ status: 'OPEN', filled: { size: 0, cost: 0n, fees: 0 } });
    expect(rig.store.position(ACTOR, 'venue_a', tokenId)).toMatchObject({ size: 0, fees: 0 });
  });
});

// An order with some 15 000 unreported fills was too much for one transaction, and the thread died at every look-up.
describe('0086: more fills of an order than a transaction takes', () => {
  const FILLS = 20_000;

  it('all fills of an order are applied, and then its state', async () => {
    const rig = await Rig.submitted(RESTS, 'venue_b', { request: { ...YES_BUY, size: shares(FILLS + 1) } });
    const fills = Array.from({ length: FILLS }, (_, index) => rig.fill(`${index}-${'f'.repeat(90)}`, 1));
    rig.venue.lookUps = [found('gone', fills)];
    rig.executions.cancelNow(rig.account, [rig.id()]);
    await rig.sweep(limits.lookPauseMs);
    expect(rig.order()).toMatchObject({ status: 'CANCELLED', filled: { size: shares(FILLS) } });
    expect(rig.position()).toBe(shares(FILLS));
  });
});
