// Exposure limits on the engine's ledger: which orders a limit refuses. After each move of the ledger, a twin recomputes the possible loss.

import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { LinkedEvent, Question } from '../../../src/core/domain/event-links.ts';
import { type ActorLimits, NO_LIMITS } from '../../../src/core/domain/identity.ts';
import type { MicroDollars, UnixMillis } from '../../../src/core/domain/numbers.ts';
import { addressOf, directionOf } from '../../../src/core/domain/order-frame.ts';
import type { OrderRequest } from '../../../src/core/domain/order-request.ts';
import { changed, noPosition, type Position } from '../../../src/core/domain/position.ts';
import type { LedgerTransaction, StoredOrder } from '../../../src/core/store/order-records.ts';
import { Exposure } from '../../../src/orders/life/exposure.ts';
import { storedOrder } from '../../core/store/orders/order-rig.ts';
import { MemoryLedger } from '../../support/memory-ledger.ts';
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
  // The opposite holding loses if the first team wins.
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
  // These are a NO of the same market, and a YES of the other team. Both gain if the holding loses.
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
  const exposure = new Exposure({ store: rig.store, eventOf: rig.eventOf, actorsOf: () => [ACTOR] });
  const shown = [{ eventId: 'game', loss: usd(7), worst: ['second wins'] }];
  // Five shares of the second team gain 4 in that outcome.
  expect(await exposure.eventsOf(rig.store, POD, ACTOR)).toEqual([{ ...shown[0], loss: usd(2) }]);
  expect(await exposure.eventsOf(rig.store, POD, null)).toEqual([{ ...shown[0], loss: usd(2) }]);
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

const OWNERS = [ACTOR, 'bob'];
const ADDRESSES = ['1', '2', '3', '4', '5'];
const OUTCOMES = ['a', 'b', 'c'];
const tenths = fc.integer({ min: 0, max: 10 });
const size = fc.integer({ min: -9, max: 9 });
const part = { owner: fc.constantFrom(...OWNERS), address: fc.constantFrom(...ADDRESSES), size, price: tenths };
const move = fc.record({
  kind: fc.constantFrom('hold', 'order', 'order', 'end', 'catalog'),
  number: fc.integer({ min: 1, max: 4 }),
  ...part,
  isUndone: fc.boolean(),
  /** Whether the test looks at the loss within the step, and behind the step. */
  looks: fc.record({ within: fc.boolean(), behind: fc.boolean() }),
  asked: fc.record(part),
});
const leg = fc.record({ outcome: fc.nat(2), isNot: fc.boolean(), isOfSecond: fc.boolean() });
type Leg = { readonly outcome: number; readonly isNot: boolean; readonly isOfSecond: boolean };
/** A holding: shares, which are negative if they are sold, and tenths of a dollar. */
interface Held {
  readonly owner: string;
  readonly address: string;
  readonly size: number;
  readonly price: number;
}

it('keeps what may be lost over all moves of the ledger, also undone ones, beside a twin that tries all fills and outcomes', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(leg, { minLength: 5, maxLength: 5 }), fc.array(move), async (legs, moves) => {
      const store = new MemoryLedger();
      let event = eventWith(legs);
      const exposure = new Exposure({ store, eventOf: () => event, actorsOf: () => OWNERS });
      let twin = { held: [] as readonly Held[], orders: new Map<number, Held>() };
      const look = (asked: Held, now: typeof twin): void => {
        const request = requestOf(asked);
        const place = { address: addressOf(request), direction: directionOf(request) };
        const usesWith = (exposureMax: number, podExposureMax: number) => {
          const limits = { ...NO_LIMITS, exposureMax, podExposureMax } as ActorLimits;
          return exposure.measure({ podId: POD, actorId: asked.owner, limits, request, ...place }, store).exposures!;
        };
        const orders = [...now.orders.values()];
        const losses = [[asked.owner], OWNERS].map(owners => {
          const before = twinLoss(legs, now.held, orders, owners);
          return { before, after: twinLoss(legs, now.held, [...orders, asked], owners) };
        });
        const [ofActor, ofPod] = losses.map(({ after }) => after);
        const within = losses.map(({ after }) => ({ after, isBeyond: false }));
        expect(usesWith(ofActor!, ofPod!)).toMatchObject(within);
        const raised = losses.map(({ before, after }) => ({ isBeyond: after > before }));
        expect(usesWith(ofActor! - 1, ofPod! - 1)).toMatchObject(raised);
      };
      for (const { kind, number, isUndone, looks, asked, ...its } of moves) {
        if (kind === 'catalog') event = eventWith(legs);
        const before = twin.orders.get(number);
        // An order keeps its owner and its market.
        const order = before === undefined ? its : { ...its, owner: before.owner, address: before.address };
        const orders = new Map(twin.orders);
        let held = twin.held;
        if (kind === 'hold') held = [...held.filter(it => it.owner !== its.owner || it.address !== its.address), its];
        if (kind === 'order') orders.set(number, order);
        if (kind === 'end') orders.set(number, { ...order, size: 0 });
        const step = (writes: LedgerTransaction): void => {
          if (kind === 'hold') writes.putPosition(its.owner, positionOf(its));
          if (kind === 'order' || kind === 'end') writes.putOrder(orderOf(number, order, kind === 'order'));
          if (looks.within) look(asked, { held, orders });
        };
        if (isUndone) store.rehearse(step);
        else {
          store.change(step);
          twin = { held, orders };
        }
        if (looks.behind) look(asked, twin);
      }
      const shown = await exposure.eventsOf(store, POD, null);
      const loss = twinLoss(legs, twin.held, [...twin.orders.values()], OWNERS);
      expect(shown?.map(it => it.loss)).toEqual(loss === 0 ? [] : [loss]);
    }),
  );
});

function eventWith(legs: readonly Leg[]): LinkedEvent {
  const question = (isOfSecond: boolean): Question => ({
    outcomes: OUTCOMES,
    legs: legs.flatMap((its, index) => {
      const { outcome, isNot } = its;
      return its.isOfSecond === isOfSecond ? [{ venue: 'venue_b', address: ADDRESSES[index]!, outcome, isNot }] : [];
    }),
  });
  return { id: 'event', questions: [question(false), question(true)] };
}

function requestOf({ address, size, price }: Held): OrderRequest {
  const way = size < 0 ? ({ action: 'SELL' } as const) : ({ action: 'BUY' } as const);
  return { ...YES_BUY, ...way, ticker: address, size: shares(Math.abs(size)), price: ticks(price * 1_000) };
}

function orderOf(number: number, its: Held, isOpen: boolean): StoredOrder {
  const { order, ...stored } = storedOrder({ number, actorId: its.owner, address: its.address });
  return { ...stored, order: { ...order, request: requestOf(its), status: isOpen ? 'OPEN' : 'CANCELLED' } };
}

function positionOf({ address, size, price }: Held): Position {
  const at = 0 as UnixMillis;
  const change = { change: shares(size), addressPrice: ticks(price * 1_000), fee: 0 as MicroDollars, at };
  return changed(noPosition('venue_b', address, at), change);
}

/** The loss of all questions in their worst outcomes, with the worst set of fills of open orders. A question that can only gain counts nothing. */
function twinLoss(
  legs: readonly Leg[],
  held: readonly Held[],
  orders: readonly Held[],
  owners: readonly string[],
): number {
  const lossIn = (isOfSecond: boolean, happened: number): number => {
    const loss = ({ owner, address, size, price }: Held): number => {
      const { outcome, isNot, isOfSecond: its } = legs[ADDRESSES.indexOf(address)]!;
      const payout = (happened === outcome) === isNot ? 0 : 10;
      return its === isOfSecond && owners.includes(owner) ? usd((size * (price - payout)) / 10) : 0;
    };
    return [...held.map(loss), ...orders.map(it => Math.max(0, loss(it)))].reduce((sum, it) => sum + it, 0);
  };
  const worst = [false, true].map(it => Math.max(0, ...OUTCOMES.map((_, happened) => lossIn(it, happened))));
  return worst[0]! + worst[1]!;
}
