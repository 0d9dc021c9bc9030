// The collar of an actor: the price limit beyond which an order is refused, on both sides and in both frames.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Grid, uniformGrid } from '../../../src/core/domain/grid.ts';
import { type ActorLimits, NO_LIMITS } from '../../../src/core/domain/identity.ts';
import { ASK, PRIMARY } from '../../../src/core/domain/market.ts';
import type { Ticks } from '../../../src/core/domain/numbers.ts';
import { addressOf, directionOf } from '../../../src/core/domain/order-frame.ts';
import type { OrderRequest } from '../../../src/core/domain/order-request.ts';
import { type MarketPrices, NO_PRICES } from '../../../src/core/domain/position.ts';
import { BookIndexWriter } from '../../../src/market-data/book/book-index-writer.ts';
import { LiveBooks } from '../../../src/market-data/book/live-books.ts';
import { createArena, indexOf, regionOf } from '../../../src/market-data/book/memory.ts';
import { BookWriter } from '../../../src/market-data/book/writer.ts';
import { collarBound, collarProblem } from '../../../src/orders/life/collar.ts';
import type { LookUp } from '../../../src/venues/venue.ts';
import { found, RESTS, Rig, shares, TOKEN_SELL, YES_BUY } from './orders-rig.ts';

const cents = (count: number): Ticks => (100 * count) as Ticks;
const CENT_GRID = uniformGrid(cents(1));
/** A grid with steps of a tenth of a cent below ten cents. */
const TAPERED: Grid = [
  { start: 0 as Ticks, end: cents(10), step: 10 as Ticks },
  { start: cents(10), end: cents(100), step: cents(1) },
];
const BOOK: MarketPrices = { bid: cents(48), ask: cents(50), lastTrade: null };

const token = (side: 'BUY' | 'SELL', price: number): OrderRequest => ({
  ...TOKEN_SELL,
  ...{ type: 'LIMIT', side, size: shares(1), price: cents(price), postOnly: false, timeInForce: 'GTC' },
});
const contract = (side: 'YES' | 'NO', action: 'BUY' | 'SELL', price: number): OrderRequest => ({
  ...YES_BUY,
  ...{ side, action, price: cents(price) },
});

function isWithin(
  own: Partial<ActorLimits>,
  request: OrderRequest,
  prices: MarketPrices = BOOK,
  grid: Grid = CENT_GRID,
): boolean | string {
  const asked = { request, address: addressOf(request), direction: directionOf(request) };
  const bound = collarBound({ ...NO_LIMITS, ...own }, asked, grid, (_venue, _address, isAsk) =>
    isAsk ? prices.ask : prices.bid,
  );
  if (bound.type !== 'bounded') return bound.type;
  return collarProblem((request as { price: Ticks }).price, bound) === null;
}

describe('five ticks beyond the opposite best, and no more', () => {
  it.each([
    ['a purchase at venue A', token('BUY', 55), token('BUY', 56)],
    ['a sale at venue A', token('SELL', 43), token('SELL', 42)],
    ['a purchase of YES', contract('YES', 'BUY', 55), contract('YES', 'BUY', 56)],
    ['a sale of YES', contract('YES', 'SELL', 43), contract('YES', 'SELL', 42)],
    // The ask of NO is at 0.52, its bid at 0.50.
    ['a purchase of NO', contract('NO', 'BUY', 57), contract('NO', 'BUY', 58)],
    ['a sale of NO', contract('NO', 'SELL', 45), contract('NO', 'SELL', 44)],
  ])('%s', (_what, within, beyond) => {
    expect([within, beyond].map(it => isWithin({ collarTicks: 5 }, it))).toEqual([true, false]);
  });
});

it('counts a tick as the step of the grid at the opposite best', () => {
  const low = { ...BOOK, ask: cents(5) };
  const ask = (ticks: number): OrderRequest => ({ ...token('BUY', 0), price: ticks as Ticks }) as OrderRequest;
  expect([550, 560].map(price => isWithin({ collarTicks: 5 }, ask(price), low, TAPERED))).toEqual([true, false]);
});

it('counts per cent of the opposite best, in the frame of the order', () => {
  const own = { collarPercent: 10 };
  expect([55, 56].map(price => isWithin(own, token('BUY', price)))).toEqual([true, false]);
  // A tenth of 0.48 is less than five cents.
  expect([44, 43].map(price => isWithin(own, token('SELL', price)))).toEqual([true, false]);
  expect([57, 58].map(price => isWithin(own, contract('NO', 'BUY', price)))).toEqual([true, false]);
});

it('holds both distances if both are set', () => {
  const own = { collarTicks: 2, collarPercent: 10 };
  expect([52, 53].map(price => isWithin(own, token('BUY', price)))).toEqual([true, false]);
  expect([55, 56].map(price => isWithin({ ...own, collarTicks: 20 }, token('BUY', price)))).toEqual([true, false]);
});

it('without an opposite price does as set', () => {
  const own = { collarTicks: 5 };
  for (const prices of [NO_PRICES, { ...BOOK, ask: null }]) {
    expect(isWithin(own, token('BUY', 99), prices)).toBe('no-price');
    expect(isWithin({ ...own, collarWithoutBook: 'PASS' }, token('BUY', 99), prices)).toBe('free');
  }
  expect(isWithin({ collarWithoutBook: 'PASS' }, token('BUY', 99))).toBe('free');
});

it('6001: a book that is being written is no book that is missing', async () => {
  const arena = createArena();
  const { ticker } = YES_BUY;
  const writer = new BookWriter(regionOf(arena, 'venue_b'), () => {});
  const book = writer.openBook(cents(1))!;
  new BookIndexWriter(indexOf(arena)).put('venue_b', ticker, { book, view: PRIMARY });
  const rig = new Rig();
  const { best } = new LiveBooks(arena);
  rig.bestOf = best;
  const own = { ...NO_LIMITS, collarTicks: 5, collarWithoutBook: 'PASS' } as const;
  // The feed's thread stands still within a change.
  writer.begin(book);
  writer.clear(book);
  writer.set(book, ASK, cents(50), shares(1));
  expect(await rig.submit(RESTS, { limits: own })).toMatchObject({
    ...{ kind: 'unavailable', reason: null, retryAfterS: 1 },
    message: 'the book that the actor’s collar counts from is being written: nothing was sent',
  });
  expect(rig.store.order(rig.id())).toBeNull();
  writer.commitSnapshot(book, rig.timers.now());
  expect(await rig.submit(RESTS, { limits: own })).toMatchObject({ kind: 'invalid', reason: 'NOT_FEASIBLE' });
});

it('agrees with a naive twin that counts in dollars of YES', () => {
  const price = fc.integer({ min: 1, max: 99 });
  const way = fc.record({ side: fc.constantFrom('YES' as const, 'NO' as const), isBuy: fc.boolean(), price });
  fc.assert(
    fc.property(way, price, price, fc.nat(30), ({ side, isBuy, price: limit }, bid, ask, ticks) => {
      const yes = side === 'YES' ? limit : 100 - limit;
      const buysYes = (side === 'YES') === isBuy;
      const expected = buysYes ? yes - ask <= ticks : bid - yes <= ticks;
      const prices = { bid: cents(bid), ask: cents(ask), lastTrade: null };
      const request = contract(side, isBuy ? 'BUY' : 'SELL', limit);
      expect(isWithin({ collarTicks: ticks }, request, prices)).toBe(expected);
    }),
  );
});

it('an order beyond it is a REJECTED order under its key, and one without a price leaves the key free', async () => {
  const rig = new Rig();
  const collared = { limits: { ...NO_LIMITS, collarTicks: 5 } };
  expect(await rig.submit(RESTS, collared)).toMatchObject({ kind: 'unavailable', reason: null, retryAfterS: 1 });
  expect(rig.store.order(rig.id())).toBeNull();
  rig.prices = { bid: cents(40), ask: cents(50), lastTrade: null };
  const answer = await rig.submit(RESTS, collared);
  expect(answer).toMatchObject({
    ...{ kind: 'invalid', reason: 'NOT_FEASIBLE' },
    message: 'the limit 0.56 is beyond the actor’s collar: to buy is allowed at at most 0.55, the best ask is 0.5',
  });
  expect(rig.order()).toMatchObject({ status: 'REJECTED', error: { code: 'NOT_FEASIBLE' } });
  rig.prices = { ...rig.prices, ask: cents(51) };
  expect(await rig.submit(RESTS, collared)).toEqual({ ...answer, isReplayed: true });
  expect(await rig.submit(RESTS, { ...collared, idempotencyKey: 'next' })).toMatchObject({ type: 'made' });
});

it('is looked at again before the second half of a replace, which comes later', async () => {
  const own = { ...NO_LIMITS, collarTicks: 5 };
  const prices = [
    [
      { bid: cents(40), ask: cents(50), lastTrade: null },
      { kind: 'invalid', reason: 'NOT_FEASIBLE' },
    ],
    [NO_PRICES, { kind: 'unavailable', retryAfterS: 1 }],
  ] as const;
  for (const [later, refusal] of prices) {
    const rig = new Rig('venue_a');
    await rig.submit(RESTS);
    rig.prices = { bid: cents(40), ask: cents(54), lastTrade: null };
    const gone = Promise.withResolvers<LookUp>();
    rig.venue.lookUps = [gone.promise];
    const answer = rig.replace({ price: cents(59) }, { limits: own });
    await rig.timers.settle(100);
    expect(rig.order(rig.id('new')).status).toBe('PENDING');
    rig.prices = later;
    gone.resolve(found('gone'));
    expect(await answer).toMatchObject({ type: 'refused', ...refusal });
    expect(rig.order(rig.id('new'))).toMatchObject({ status: 'REJECTED', isReleased: later === NO_PRICES });
    expect(rig.venue.calls.filter(call => call.startsWith('submit'))).toHaveLength(1);
  }
});
