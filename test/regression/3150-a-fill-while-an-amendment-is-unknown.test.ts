// The venue's list of fills has no names (venue-b.md §6). While an amendment was unknown, its fills were booked to the order before it, beyond
// that order's size. The new order ended FILLED, and had filled nothing. A look-up booked them there, too (simulation, seed 2 022 535).

import { describe, expect, it } from 'vitest';
import { limits } from '../../src/limits.ts';
import type { AmendOutcome, VenueFill } from '../../src/venues/venue.ts';
import { ABSENT, found, RESTS, Rig, shares, TIMEOUT } from '../orders/orders-rig.ts';

const nameless = (rig: Rig, fillId: string, count: number): VenueFill =>
  rig.fill(fillId, count, { clientOrderId: null });
const both = (rig: Rig) => [rig.order(), rig.order(rig.id('new'))];

/** An order of 10 has another in its place, of 15 in all, as far as is known. */
async function amending(outcome: AmendOutcome | Promise<AmendOutcome>): Promise<Rig> {
  const rig = new Rig();
  await rig.submit(RESTS);
  rig.venue.amendments = [outcome];
  void rig.replace({ total: shares(15) });
  await rig.pass(10, 5);
  return rig;
}

const OF_THE_NEW = [
  { status: 'CANCELLED', cancelReason: 'REPLACED', filled: { size: 0 } },
  { status: 'FILLED', request: { size: shares(15) }, filled: { size: shares(15) } },
];

describe('while an amendment is unknown, a fill without a name', () => {
  it('waits for the look-up that finds it made', async () => {
    const rig = await amending(TIMEOUT as AmendOutcome);
    rig.venue.lookUps = [{ type: 'unavailable', message: 'down' }];
    rig.venue.fills = [nameless(rig, 't-1', 15)];
    await rig.sweep();
    expect(both(rig)).toMatchObject([{ status: 'OPEN', filled: { size: 0 } }, { status: 'SUBMITTED' }]);
    // The venue has it by the new name only.
    rig.venue.lookUp = async ({ orderId }) => (orderId === rig.id() ? ABSENT : found('gone', rig.venue.fills));
    for (let second = 0; second < 5; second += 1) await rig.sweep();
    expect(both(rig)).toMatchObject(OF_THE_NEW);
    expect([rig.position(), rig.divergences]).toEqual([shares(15), []]);
  });

  it('waits for the answer, which says whose it is', async () => {
    const { promise, resolve } = Promise.withResolvers<AmendOutcome>();
    const rig = await amending(promise);
    for (const id of ['t-1', 't-2', 't-3']) rig.hear({ type: 'fill', fill: nameless(rig, id, 2) });
    resolve({ type: 'amended', venueOrderId: 'v-1', remaining: shares(13), taken: shares(0) });
    await rig.sweep();
    expect(both(rig)).toMatchObject([
      { status: 'CANCELLED', filled: { size: shares(2) } },
      { status: 'OPEN', request: { size: shares(13) }, filled: { size: shares(4) } },
    ]);
  });

  it('is of the old order if the amendment was refused', async () => {
    const { promise, resolve } = Promise.withResolvers<AmendOutcome>();
    const rig = await amending(promise);
    rig.venue.open = [rig.venueOrder()];
    rig.hear({ type: 'fill', fill: nameless(rig, 't-1', 4) });
    resolve({ type: 'refused', kind: 'invalid', error: { code: 'VENUE_REJECTED', message: 'no' } });
    await rig.sweep();
    expect(both(rig)).toMatchObject([{ status: 'OPEN', filled: { size: shares(4) } }, { status: 'REJECTED' }]);
  });

  it('is of the old order once the amendment is proven absent', async () => {
    const rig = await amending(TIMEOUT as AmendOutcome);
    rig.venue.open = [rig.venueOrder()];
    rig.venue.lookUps = [ABSENT];
    rig.hear({ type: 'fill', fill: nameless(rig, 't-1', 4) });
    await rig.sweep();
    expect(rig.order().filled.size).toBe(0);
    await rig.sweep(limits.absenceProvenMs);
    for (let second = 0; second < 5; second += 1) await rig.sweep();
    expect(both(rig)).toMatchObject([{ status: 'OPEN', filled: { size: shares(4) } }, { status: 'REJECTED' }]);
  });

  it('is of the new order if the amendment is made after it was given up', async () => {
    const rig = await amending(TIMEOUT as AmendOutcome);
    rig.venue.open = [rig.venueOrder()];
    rig.venue.lookUps = [ABSENT];
    await rig.sweep(limits.absenceProvenMs);
    expect(both(rig)).toMatchObject([{ status: 'OPEN' }, { status: 'REJECTED' }]);
    const fill = nameless(rig, 't-1', 15);
    // The list of orders around that time lacks it: the venue's order was made before.
    rig.venue.lookUp = async ({ venueOrderId }) => (venueOrderId === 'v-1' ? found('gone', [fill]) : ABSENT);
    rig.hear({ type: 'fill', fill });
    for (let second = 0; second < 5; second += 1) await rig.sweep();
    expect(both(rig)).toMatchObject(OF_THE_NEW);
    expect(rig.position()).toBe(shares(15));
  });
});

it('a look-up divides fills without a name by what the amendment was made from', async () => {
  const rig = new Rig();
  await rig.submit(RESTS);
  rig.hear({ type: 'fill', fill: rig.fill('t-1', 3) });
  rig.venue.amendments = [TIMEOUT as AmendOutcome];
  await rig.replace({ total: shares(15) });
  rig.venue.lookUps = [found('gone', [nameless(rig, 't-1', 3), nameless(rig, 't-2', 5), nameless(rig, 't-3', 7)])];
  await rig.sweep(5_000);
  expect(both(rig)).toMatchObject([
    { status: 'CANCELLED', cancelReason: 'REPLACED', filled: { size: shares(3) } },
    { status: 'FILLED', request: { size: shares(12) }, filled: { size: shares(12) } },
  ]);
});
