// Exposure limits on the engine's ledger: a twin tries every set of fills in every outcome. And which orders a limit refuses.

import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type LinkedEvent, type Question, worstOf } from '../../../src/core/domain/event-links.ts';
import { type ActorLimits, NO_LIMITS } from '../../../src/core/domain/identity.ts';
import type { MicroDollars } from '../../../src/core/domain/numbers.ts';
import type { OrderRequest } from '../../../src/core/domain/order-request.ts';
import { changed, noPosition } from '../../../src/core/domain/position.ts';
import { Exposure } from '../../../src/orders/life/exposure.ts';
import { ACTOR, POD, Rig, shares, ticks, YES_BUY } from './orders-rig.ts';

const usd = (dollars: number): MicroDollars => Math.round(dollars * 1_000_000) as MicroDollars;
const LIMITED: ActorLimits = { ...NO_LIMITS, exposureMax: usd(10) };

/** Two teams at both venues. `KXB` is venue B's market of the second team. */
const GAME: LinkedEvent = {
  id: 'game',
  questions: [
    {
      outcomes: ['first wins', 'second wins'],
      legs: [
        { venue: 'venue_a', address: '11', outcome: 0, isNot: false },
        { venue: 'venue_a', address: '22', outcome: 1, isNot: false },
        { venue: 'venue_b', address: 'KXA', outcome: 0, isNot: false },
        { venue: 'venue_b', address: 'KXB', outcome: 0, isNot: true },
      ],
    },
  ],
};

const buy = (ticker: string, size: number, price: number): OrderRequest => ({
  ...YES_BUY,
  ticker,
  size: shares(size),
  price: ticks(price),
});
const rests = { type: 'accepted', venueOrderId: 'v', state: 'rests', stated: null } as const;
let number = 0;

function limited(): Rig {
  const rig = new Rig();
  rig.eventOf = (_venue, address) => (address.startsWith('KX') ? GAME : null);
  return rig;
}

async function place(rig: Rig, request: OrderRequest, limits = LIMITED) {
  number += 1;
  return rig.submit({ ...rests, venueOrderId: `v${number}` }, { request, limits, idempotencyKey: `k${number}` });
}

it('counts open orders of all markets of an event, and refuses the order that would go beyond, under its key', async () => {
  const rig = limited();
  expect(await place(rig, buy('KXA', 10, 6_000))).toMatchObject({ type: 'made' });
  // The other way round: it loses if the first team wins.
  expect(await place(rig, buy('KXB', 10, 9_000))).toMatchObject({ type: 'made' });
  const refused = await place(rig, buy('KXA', 10, 4_100));
  expect(refused).toMatchObject({ type: 'refused', kind: 'invalid', reason: 'NOT_FEASIBLE' });
  expect(refused).toMatchObject({ message: expect.stringMatching(/10\.1 dollars in the event.*exposureMax \(10\)/) });
  expect(await place(rig, buy('KXA', 10, 4_000))).toMatchObject({ type: 'made' });
});

it('refuses with 503 and records nothing until the catalog is known', async () => {
  const rig = limited();
  rig.eventOf = () => null;
  expect(await place(rig, buy('KXA', 1, 5_000))).toMatchObject({ type: 'refused', kind: 'unavailable' });
  expect(rig.reported).toEqual([]);
  expect(await place(rig, buy('KXA', 1, 5_000), NO_LIMITS)).toMatchObject({ type: 'made' });
});

it('lets an order pass that lowers the exposure, though it is beyond the limit', async () => {
  const rig = limited();
  hold(rig, 'venue_b', 'KXA', 50, 8_000);
  expect(await place(rig, buy('KXA', 1, 5_000))).toMatchObject({ type: 'refused', reason: 'NOT_FEASIBLE' });
  // A NO of the same market, and a YES of the other team: both gain where the holding loses.
  expect(
    await place(rig, { ...YES_BUY, ticker: 'KXA', action: 'SELL', size: shares(50), price: ticks(5_000) }),
  ).toMatchObject({ type: 'made' });
  expect(await place(rig, buy('KXB', 10, 2_000))).toMatchObject({ type: 'made' });
});

it('counts what all actors of the pod may lose for the limit of the pod', async () => {
  const rig = limited();
  hold(rig, 'venue_b', 'KXA', 10, 9_000, 'bob');
  const limits = { ...NO_LIMITS, exposureMax: usd(10), podExposureMax: usd(12) };
  expect(await place(rig, buy('KXA', 10, 3_000), limits)).toMatchObject({ type: 'made' });
  const refused = await place(rig, buy('KXA', 1, 100), limits);
  expect(refused).toMatchObject({ message: expect.stringMatching(/^the pod could lose 12\.01 dollars/) });
});

it('a replace counts the new order in place of the old one', async () => {
  const rig = limited();
  const request = buy('KXA', 10, 6_000);
  await rig.submit(rests, { request, limits: LIMITED });
  const amended = { type: 'amended', venueOrderId: 'v', remaining: null, taken: shares(0) } as const;
  rig.venue.amendments = [amended];
  const refused = await rig.replace({ price: ticks(9_900), total: shares(11) }, { limits: LIMITED });
  expect(refused).toMatchObject({ type: 'refused', reason: 'NOT_FEASIBLE' });
  const change = { limits: LIMITED, idempotencyKey: 'other' };
  expect(await rig.replace({ price: ticks(9_900) }, change)).toMatchObject({ type: 'made' });
});

it('shows events by their losses, with the outcome', async () => {
  const rig = limited();
  await place(rig, buy('KXA', 10, 6_000));
  hold(rig, 'venue_a', '22', 5, 2_000);
  rig.eventOf = (_venue, address) => (['KXA', '22'].includes(address) ? GAME : null);
  const exposure = new Exposure({ eventOf: rig.eventOf, actorsOf: () => [ACTOR] });
  const shown = [{ eventId: 'game', loss: usd(7), worst: ['second wins'] }];
  // Five of the second team gain 4 there.
  expect(await exposure.events(rig.store, POD, ACTOR)).toEqual([{ ...shown[0], loss: usd(2) }]);
  expect(await exposure.events(rig.store, POD, null)).toEqual([{ ...shown[0], loss: usd(2) }]);
  rig.eventOf = () => null;
});

function hold(
  rig: Rig,
  venue: 'venue_a' | 'venue_b',
  address: string,
  size: number,
  price: number,
  owner = ACTOR,
): void {
  const at = rig.timers.now();
  const change = { change: shares(size), addressPrice: ticks(price), fee: 0 as MicroDollars, at };
  rig.store.change(step => step.putPosition(owner, changed(noPosition(venue, address, at), change)));
}

it('finds the loss of the worst outcome and of the worst set of fills, beside a twin that tries all', async () => {
  const leg = fc.record({
    address: fc.constantFrom('1', '2', '3', '4', '5'),
    outcome: fc.nat(2),
    isNot: fc.boolean(),
    /** A holding at a cost, and open orders of either direction. */
    size: fc.integer({ min: -9, max: 9 }),
    price: fc.integer({ min: 0, max: 10 }),
    orders: fc.array(fc.record({ isUp: fc.boolean(), size: fc.nat(9), price: fc.integer({ min: 0, max: 10 }) }), {
      maxLength: 3,
    }),
  });
  fc.assert(
    fc.property(fc.uniqueArray(leg, { selector: it => it.address, maxLength: 4 }), legs => {
      const question: Question = {
        outcomes: ['a', 'b', 'c'],
        legs: legs.map(({ address, outcome, isNot }) => ({ venue: 'venue_b', address, outcome, isNot })),
      };
      const its = question.legs.map((leg, index) => {
        const { size, price, orders } = legs[index]!;
        const cost = Math.abs(size) * (size > 0 ? price : 10 - price);
        const gained = cost - 10 * Math.abs(size);
        const costs = (isUp: boolean) =>
          orders
            .filter(it => it.isUp === isUp)
            .reduce((sum, it) => sum + it.size * (isUp ? it.price : 10 - it.price), 0);
        return {
          leg,
          ifPaid: (size > 0 ? gained : cost) + costs(false),
          ifUnpaid: (size > 0 ? cost : gained) + costs(true),
        };
      });
      const { outcome, loss } = worstOf(question, its);
      const losses = question.outcomes.map((_, happened) => twinLoss(legs, happened));
      expect(loss).toBe(Math.max(...losses));
      expect(outcome).toBe(question.outcomes[losses.indexOf(Math.max(...losses))]);
    }),
  );
});

interface TwinLeg {
  readonly outcome: number;
  readonly isNot: boolean;
  readonly size: number;
  readonly price: number;
  readonly orders: readonly { readonly isUp: boolean; readonly size: number; readonly price: number }[];
}

/** Cash that is paid and got by each holding, and the worst set of fills. */
function twinLoss(legs: readonly TwinLeg[], happened: number): number {
  const loss = (payout: number, size: number, price: number): number => size * price - size * payout;
  return legs.reduce((sum, { outcome, isNot, size, price, orders }) => {
    const payout = (happened === outcome) === isNot ? 0 : 10;
    let worst = Number.NEGATIVE_INFINITY;
    for (let filled = 0; filled < 2 ** orders.length; filled += 1) {
      const its = orders.filter((_, index) => (filled >> index) % 2 === 1);
      const more = its.reduce((all, it) => all + loss(payout, it.isUp ? it.size : -it.size, it.price), 0);
      worst = Math.max(worst, loss(payout, size, price) + more);
    }
    return sum + worst;
  }, 0);
}
