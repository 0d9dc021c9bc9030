// Messages of the venues about our orders, by REST or on private streams. Each gives an outcome, or data that can be stored. All numbers are in the
// text, and no fill or order is too large, too long or too late for the store.

import fc from 'fast-check';
import { expect } from 'vitest';
import { fraction } from '../../src/core/domain/fraction.ts';
import { isObject, type JsonObject, parseJson } from '../../src/core/domain/json.ts';
import { type MicroShares, TIME_MAX, type Ticks, type UnixMillis } from '../../src/core/domain/numbers.ts';
import type { Intent, VenueAOrderRequest, VenueBOrderRequest } from '../../src/core/domain/order-request.ts';
import type { Filled } from '../../src/core/domain/order-sums.ts';
import { changed, noPosition } from '../../src/core/domain/position.ts';
import { accountKey, listKey, scopedKey } from '../../src/core/store/orders/keys.ts';
import { fillCodec, positionCodec } from '../../src/core/store/orders/records.ts';
import { limits } from '../../src/limits.ts';
import type { VenueFill, VenueOrder } from '../../src/venues/venue.ts';
import { cancelOutcome as cancelOutcomeA, outcomeOfPost } from '../../src/venues/venue-a/trading/answers.ts';
import { readMarketTerms } from '../../src/venues/venue-a/trading/market-terms.ts';
import { committedBy, readShownOrder } from '../../src/venues/venue-a/trading/open-orders.ts';
import { fillsOf, lostOf, readTrade } from '../../src/venues/venue-a/trading/trades.ts';
import { availableIn } from '../../src/venues/venue-b/trading/account.ts';
import { cancelOutcomes as cancelOutcomesB, submitOutcome } from '../../src/venues/venue-b/trading/answers.ts';
import { queueRowsIn } from '../../src/venues/venue-b/trading/queue-positions.ts';
import { fillRecordOf, orderRecordOf, venueOrderOf } from '../../src/venues/venue-b/trading/reported-rows.ts';
import { settledOf } from '../../src/venues/venue-b/trading/settlements.ts';
import { jsonCorpus } from './corpus.ts';
import { damagedBytes } from './damaged-bytes.ts';
import { damagedJson } from './damaged-json.ts';
import { fuzz } from './fuzz.ts';
import { naiveNearestTick, naiveScaled } from './naive-decimal.ts';
import { textsIn } from './texts-in.ts';

const POD = 'p'.repeat(limits.identityCharactersMax);
const ACTOR = `${POD}/${POD}`;
const NOW = 1_790_000_000_000 as UnixMillis;

const status = fc.oneof(
  fc.constantFrom(200, 201, 400, 401, 404, 409, 425, 429, 500, 503),
  fc.integer({ min: 100, max: 599 }),
);

/** Messages; a few of them are not JSON. */
function messages(name: string): fc.Arbitrary<string> {
  const text = damagedJson(jsonCorpus(name), 4);
  const bytes = damagedBytes(
    text.map(it => Buffer.from(it)),
    ['"size":"1"', '"price":', '"status":"'],
    2,
  ).map(it => it.toString());
  return fc.oneof({ weight: 3, arbitrary: text }, { weight: 1, arbitrary: bytes });
}

const ID = `0x${'a'.repeat(64)}`;
const INTENT: Intent = {
  payload: Buffer.from('{"order":{"side":"BUY","makerAmount":"10000000"}}'),
  venueOrderId: ID,
  clientOrderId: 'ours',
};
const FEES = { numerator: 5, denominator: 100, exponent: 1, isTakerOnly: false };
const ORDER_A: VenueAOrderRequest = {
  ...{ venue: 'venue_a', type: 'LIMIT', tokenId: '7', side: 'BUY', postOnly: false, timeInForce: 'GTC' },
  size: 20_000_000 as MicroShares,
  price: 5_300 as Ticks,
};
const ORDER_B: VenueBOrderRequest = {
  ...{ venue: 'venue_b', ticker: 'KXA', side: 'NO', action: 'BUY', timeInForce: 'GTC' },
  size: 10_000_000 as MicroShares,
  price: 6_000 as Ticks,
};

fuzz({
  name: 'venue A messages',
  inputs: fc.tuple(status, messages('venue-a-messages')),
  runs: 300,
  check([code, text]) {
    const body = parseJson(text);
    const answer = { type: 'answer', status: code, headers: new Map<string, string>(), body } as const;
    const outcome = outcomeOfPost(answer, { intent: INTENT, request: ORDER_A, fees: FEES });
    if (outcome.type === 'accepted') soundFilled(outcome.stated, new Set());
    if ('message' in outcome) expect(outcome.message.length).toBeLessThanOrEqual(limits.venueWordsMax);
    expect(cancelOutcomeA(answer, ID).type).not.toBe('');
    if (body === undefined) return;
    const order = readShownOrder(body, NOW);
    if (order !== null) {
      soundOrder('venue_a', order, textsIn(body));
      expect(order.matched).toBe(microsOf((body as JsonObject).size_matched));
      expect(Number.isSafeInteger(committedBy(order))).toBe(true);
    }
    const terms = readMarketTerms(body, '0xaa', NOW);
    if (terms !== null) expect(terms.sizeMin).toBe(microsOf((body as JsonObject).mos));
    const trade = readTrade(body);
    const all = { is: () => true, mayBe: () => true };
    if (trade.type === 'unread' || lostOf(trade, all).length > 0) return;
    const fills = fillsOf(trade, all, terms?.fees ?? FEES);
    for (const fill of fills) soundFill('venue_a', fill, textsIn(body));
    expect(new Set(fills.map(({ fillId }) => fillId)).size).toBe(fills.length);
    expect(totalOf(fills.filter(({ liquidity }) => liquidity === 'MAKER'))).toBe(reportedByMakers(body as JsonObject));
  },
});

fuzz({
  name: 'venue B messages',
  inputs: fc.tuple(status, messages('venue-b-messages')),
  runs: 300,
  check([code, text]) {
    const body = parseJson(text);
    const answer = {
      type: 'answer',
      status: code,
      headers: new Map<string, string>(),
      body: text,
    } as const;
    const outcome = submitOutcome(ORDER_B, 'ours', answer);
    if (outcome.type === 'accepted') {
      soundFilled(outcome.stated, textsIn(body));
      expect(keyBytes(accountKey({ podId: POD, venue: 'venue_b' }, outcome.venueOrderId))).toBe('fits');
    }
    if ('message' in outcome) expect(outcome.message.length).toBeLessThanOrEqual(limits.venueWordsMax + 80);
    expect(cancelOutcomesB([{ venueOrderId: 'o-1', size: ORDER_B.size }], answer)[0]?.type).not.toBe('');
    for (const row of [body, isObject(body) ? body.msg : undefined].filter(isObject)) {
      const fill = fillRecordOf(row);
      if (fill !== null) soundFill('venue_b', fill, textsIn(row));
      const order = orderRecordOf(row);
      if (order !== null) soundOrder('venue_b', venueOrderOf(order), textsIn(row));
      const settled = settledOf(row);
      if (settled !== null) expect([isTime(settled.at), isAddress('venue_b', settled.address)]).toEqual([true, true]);
      const available = availableIn(row);
      if (available !== null) expect(Number.isSafeInteger(available)).toBe(true);
      for (const [venueOrderId, ahead] of queueRowsIn(row) ?? []) {
        const stated = textsIn(row);
        expect([stated.has(venueOrderId), [...stated].some(it => microsOf(it) === ahead)]).toEqual([true, true]);
      }
    }
  },
});

const naiveTicks = (text: string) => naiveScaled(text, 4);

function soundFill(venue: 'venue_a' | 'venue_b', fill: VenueFill, stated: ReadonlySet<string>): void {
  const { fillId, venueTradeId, venueOrderId, address, addressPrice, size, positionChange, fee, executedAt } = fill;
  expect(isAddress(venue, address)).toBe(true);
  expect(isTime(executedAt) || (venue === 'venue_a' && executedAt === 0)).toBe(true);
  expect([size > 0, Math.abs(positionChange) === size, fee >= 0]).toEqual([true, true, true]);
  // A part of the text states the price, or the price of the other outcome. A trade at venue A without makers has an average price.
  const readings = venue === 'venue_a' ? [naiveTicks, naiveNearestTick] : [naiveTicks];
  const ticks = [...stated].flatMap(text => readings.map(read => read(text)));
  expect(ticks.includes(addressPrice) || ticks.includes(10_000 - addressPrice)).toBe(true);
  for (const id of [venueTradeId, venueOrderId]) expect(id === '' || hasText(stated, id)).toBe(true);
  const stored = { fill: plain(fill), orderId: null };
  expect(fillCodec.decode(fillCodec.encode(stored), Buffer.from('fill'))).toEqual(stored);
  for (const rest of [fillId, venueOrderId]) expect(keyBytes(accountKey({ podId: POD, venue }, rest))).toBe('fits');
  const position = changed(noPosition(venue, address, NOW), { change: positionChange, addressPrice, fee, at: NOW });
  expect(positionCodec.decode(positionCodec.encode(position), Buffer.from('position'))).toEqual(position);
  expect(position.average).toEqual(fraction(BigInt(positionChange < 0 ? 10_000 - addressPrice : addressPrice)));
}

function soundOrder(venue: 'venue_a' | 'venue_b', order: VenueOrder, stated: ReadonlySet<string>): void {
  const { venueOrderId, address, request } = order;
  expect([isAddress(venue, address), hasText(stated, venueOrderId)]).toEqual([true, true]);
  expect(keyBytes(accountKey({ podId: POD, venue }, venueOrderId))).toBe('fits');
  soundFilled(order.stated, stated);
  if (request?.venue === 'venue_b') expect(Number.isSafeInteger(request.size)).toBe(true);
}

function soundFilled(filled: Filled | null, stated: ReadonlySet<string>): void {
  if (filled === null || filled.size === 0) return;
  expect([Number.isSafeInteger(filled.size), Number.isSafeInteger(filled.fees)]).toEqual([true, true]);
  expect(filled.cost >= 0n).toBe(true);
  if (stated.size > 0) expect([...stated].map(text => naiveScaled(text, 6))).toContain(filled.size);
}

/** Returns whether the address fits the keys of the order store, beside the longest names of pod and actor. */
function isAddress(venue: 'venue_a' | 'venue_b', address: string): boolean {
  if (address === '') return false;
  const place = { createdAt: NOW, orderId: '01234567-89ab-8cde-8f01-000000000001' as never };
  const keys = [scopedKey(ACTOR, venue, address), listKey(ACTOR, venue, address, 'OPEN', place)];
  return keys.every(key => keyBytes(key) === 'fits');
}

function keyBytes(key: Uint8Array): string {
  return key.length <= limits.storeKeyBytesMax ? 'fits' : `${key.length} bytes`;
}

function isTime(at: number): boolean {
  return Number.isSafeInteger(at) && at > 0 && at <= TIME_MAX;
}

function hasText(texts: ReadonlySet<string>, wanted: string): boolean {
  return [...texts].some(text => text === wanted || text.toLowerCase() === wanted);
}

/** Converts a text or a number to millionths of a share; an absent value is 0. */
function microsOf(value: unknown): number | null {
  if (value === undefined || value === null || value === '') return 0;
  return naiveScaled(typeof value === 'number' ? String(value) : value, 6);
}

function reportedByMakers({ maker_orders }: JsonObject): bigint {
  const makers = Array.isArray(maker_orders) ? maker_orders.filter(isObject) : [];
  return makers.reduce((sum, { matched_amount }) => sum + BigInt(microsOf(matched_amount) ?? 0), 0n);
}

function totalOf(fills: readonly VenueFill[]): bigint {
  return fills.reduce((sum, { size }) => sum + BigInt(size), 0n);
}

function plain({ fillId, venueTradeId, price, size, fee, liquidity, settlement, executedAt }: VenueFill) {
  return { fillId, venueTradeId, price, size, fee, liquidity, settlement, executedAt };
}
