// The orders, fills and balances of venue B, with present fields, older fields, and any other fields.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../src/core/domain/json.ts';
import type { Ticks, UnixMillis } from '../../../../src/core/domain/numbers.ts';
import {
  availableIn,
  balance,
  committedBy,
  fillsSince,
  ordersSince,
  positions,
  restingOrders,
} from '../../../../src/venues/venue-b/trading/account.ts';
import { signedSizeOf, timeOf } from '../../../../src/venues/venue-b/trading/amounts.ts';
import { budgetTermsOf, SMALLEST_TIER } from '../../../../src/venues/venue-b/trading/budget.ts';
import {
  answeredCost,
  fillRecordOf,
  type OrderRecord,
  orderRecordOf,
  recordedCost,
  venueOrderOf,
} from '../../../../src/venues/venue-b/trading/reported-rows.ts';
import { settledOf } from '../../../../src/venues/venue-b/trading/settlements.ts';
import { price, size } from '../../trading-rig.ts';
import { FILL, ORDER, scriptedRest } from './scripted-rest.ts';

describe('a fill', () => {
  it('is of the order and of the trade: an account that trades with itself has two of one trade', () => {
    const [one, other] = [FILL, { ...FILL, order_id: 'other', book_side: 'bid' }].map(fillRecordOf);
    expect(one?.fillId).not.toBe(other?.fillId);
    expect((one?.positionChange ?? 0) + (other?.positionChange ?? 0)).toBe(0);
  });

  it.each([
    [{ book_side: 'bid' }, 1],
    [{ book_side: 'ask' }, -1],
    [{ book_side: 'ask', outcome_side: 'no', side: 'no', action: 'buy' }, -1],
    [{ book_side: undefined, outcome_side: 'yes' }, 1],
    [{ book_side: undefined, outcome_side: 'no' }, -1],
    [{ book_side: undefined, outcome_side: 'no', side: 'yes', action: 'sell' }, -1],
    [{ book_side: undefined, purchased_side: 'no', side: 'yes', action: 'sell' }, -1],
    [{ book_side: undefined, side: 'yes', action: 'buy' }, 1],
    [{ book_side: undefined, side: 'yes', action: 'sell' }, -1],
    [{ book_side: undefined, side: 'no', action: 'buy' }, -1],
    [{ book_side: undefined, side: 'no', action: 'sell' }, 1],
  ])('%j moves the position %i', (words, sign) => {
    expect(fillRecordOf({ ...FILL, ...words })?.positionChange).toBe(sign * 2_500_000);
  });

  it.each([
    { trade_id: undefined },
    { order_id: '' },
    { market_ticker: 7 },
    { book_side: 'buy' },
    { book_side: undefined, side: 'yes' },
    { yes_price_dollars: '1.5000' },
    { yes_price_dollars: 0.75 },
    { yes_price_dollars: '0.75001' },
    { count_fp: '0.00' },
    { count_fp: '-1.00' },
    { fee_cost: 'free' },
    { ts_ms: undefined },
  ])('cannot be read with %j', changes => {
    expect(fillRecordOf({ ...FILL, ...changes })).toBeNull();
  });

  it('that names no trade is one by its own id', () => {
    const fill = fillRecordOf({ ...FILL, trade_id: undefined, fill_id: 'by-itself' });
    expect(fill).toMatchObject({ fillId: 'by-itself.order', venueTradeId: 'by-itself' });
  });

  it('has its time to the millisecond where it is said, else to the second', () => {
    const { ts_ms: _none, ...later } = FILL;
    expect(fillRecordOf(FILL)?.executedAt).toBe(1_671_899_397_123);
    expect(fillRecordOf({ ...later, created_time: '2026-06-11T06:29:30.164956Z' })?.executedAt).toBe(1_781_159_370_164);
    expect(fillRecordOf({ ...later, ts: 1_671_899_397 })?.executedAt).toBe(1_671_899_397_000);
  });
});

describe('an order', () => {
  it('is read with what it took and gave together', () => {
    expect(orderRecordOf(ORDER)).toMatchObject({
      state: 'rests',
      side: 'bid',
      stated: { size: 4_000_000, cost: 13_500_000_000n, fees: 10_000 },
    });
  });

  it.each([
    ['canceled', 'gone'],
    ['executed', 'gone'],
    ['resting', 'rests'],
  ])('%s: %s', (status, state) => {
    expect(orderRecordOf({ ...ORDER, status })?.state).toBe(state);
  });

  it.each([
    { status: 'unknown' },
    { status: undefined },
    { order_id: undefined },
    { ticker: '' },
    { fill_count_fp: 4 },
    { remaining_count_fp: undefined },
    { yes_price_dollars: undefined },
    { book_side: undefined },
  ])('cannot be read with %j', changes => {
    expect(orderRecordOf({ ...ORDER, ...changes })).toBeNull();
  });

  it('states no sum if the venue states none', () => {
    const bare = Object.fromEntries(Object.entries(ORDER).filter(([key]) => !/cost|fees/.test(key)));
    expect(orderRecordOf(bare)?.stated).toBeNull();
    expect(orderRecordOf({ ...ORDER, taker_fees_dollars: 'x' })?.stated).toBeNull();
    const free = { taker_fill_cost_dollars: '0.0000', maker_fill_cost_dollars: '0.0000' };
    expect(orderRecordOf({ ...ORDER, ...free })?.stated).toBeNull();
  });

  it.each([
    ['as it was made', { initial_count_fp: '10.00' }, 10_000_000],
    ['as what is known of it, where that is not stated', { initial_count_fp: undefined }, 4_000_000],
  ])('that was cancelled in part is as large %s', (_title, changes, made) => {
    const record = orderRecordOf({ ...ORDER, ...changes, status: 'canceled', remaining_count_fp: '0.00' })!;
    expect(venueOrderOf(record)).toMatchObject({ request: { size: made } });
  });
});

describe('the end of an order', () => {
  const canceled = { ...ORDER, status: 'canceled', last_update_reason: undefined };

  it.each([
    ['ExpiryCancel', 'EXPIRED'],
    ['CloseCancel', 'MARKET_CLOSED'],
    ['SelfTradeCancel', 'SELF_TRADE'],
    ['HaltCancel', 'VENUE'],
    ['MarginCancel', 'VENUE'],
    ['ReduceOnlyCancel', 'VENUE'],
    ['Trade', undefined],
    ['Hitherto', undefined],
  ])('by %s has the reason %s', (last_update_reason, reason) => {
    expect(orderRecordOf({ ...canceled, last_update_reason })?.reason).toBe(reason);
    expect(orderRecordOf({ ...ORDER, status: 'resting', last_update_reason })?.reason).toBeUndefined();
  });

  it('has its times in milliseconds, or else as texts', () => {
    const texts = { expiration_time: '2026-11-21T12:00:00Z', last_update_time: '2026-11-21T12:00:00.5Z' };
    expect(orderRecordOf({ ...canceled, ...texts })).toMatchObject({
      expiresAt: Date.UTC(2026, 10, 21, 12),
      reason: 'EXPIRED',
    });
    const millis = { expiration_ts_ms: Date.UTC(2026, 10, 22), last_updated_ts_ms: Date.UTC(2026, 10, 21) };
    expect(orderRecordOf({ ...canceled, ...texts, ...millis })).toMatchObject({
      expiresAt: Date.UTC(2026, 10, 22),
      reason: 'VENUE',
    });
  });
});

describe('what an ask has cost', () => {
  const sale = fc.record({
    limit: fc.integer({ min: 1, max: 9_999 }),
    better: fc.nat({ max: 9_998 }),
    count: fc.integer({ min: 1, max: 1_000 }),
  });
  /** Returns a sale at the limit or better: the proceeds of YES, and the cost of NO. */
  const soldAt = ({ limit, better, count }: { limit: number; better: number; count: number }) => {
    const at = BigInt(Math.min(limit + better, 9_999));
    const amount = size(String(count));
    const stated = { side: 'ask', limit: limit as Ticks, size: amount } as const;
    return { stated, yes: at * BigInt(amount), no: (10_000n - at) * BigInt(amount), at };
  };

  it('is what NO cost in an order record', () => {
    fc.assert(
      fc.property(sale, it => {
        const { stated, yes, no } = soldAt(it);
        expect(recordedCost({ ...stated, cost: no })).toBe(yes);
      }),
    );
  });

  it('is not known from a record that says a worse price than the limit, or more than a dollar', () => {
    const stated = { side: 'ask', limit: price('0.4'), size: size('1') } as const;
    expect(recordedCost({ ...stated, cost: 6_000_000_000n })).toBe(4_000_000_000n);
    expect(recordedCost({ ...stated, cost: 6_000_000_001n })).toBeNull();
    expect(recordedCost({ ...stated, cost: 10_000_000_001n })).toBeNull();
  });

  it('is known from the average in an answer where the limit leaves one reading, and only there', () => {
    fc.assert(
      fc.property(sale, fc.boolean(), (it, isOfYes) => {
        const { stated, yes, no, at } = soldAt(it);
        const isEitherSide = it.limit <= 10_000 - Number(at) && at !== 5_000n;
        expect(answeredCost({ ...stated, cost: isOfYes ? yes : no })).toBe(isEitherSide ? null : yes);
      }),
      { numRuns: 1_000 },
    );
  });

  it('is not known from an average that is worse than the limit either way', () => {
    expect(answeredCost({ side: 'ask', limit: price('0.6'), size: size('1'), cost: 5_000_000_000n })).toBeNull();
  });

  it('is the sum of YES for a bid, in a record and in an answer', () => {
    const bid = { side: 'bid', limit: price('0.6'), size: size('1'), cost: 7n } as const;
    expect([recordedCost(bid), answeredCost(bid)]).toEqual([7n, 7n]);
  });
});

it('cancels go ahead of all else', async () => {
  const urgent: string[] = [];
  const rest = scriptedRest((_target, { method, isUrgent }) => {
    if (isUrgent === true) urgent.push(method);
    return {};
  });
  for (const method of ['GET', 'POST', 'DELETE'] as const) await rest.request(method, '/orders', '', 1_000);
  expect(urgent).toEqual(['DELETE']);
});

describe('lists', () => {
  it('have an end, also if the venue says otherwise', async () => {
    let pages = 0;
    const rest = scriptedRest(() => ({ orders: [ORDER], cursor: `more-${++pages}` }));
    const rows = await rest.readList('/portfolio/orders', 'orders', rest.deadline());
    expect(rows).toMatchObject({ ok: false, error: expect.stringContaining('venueBPagesMax') });
  });

  it('end with an empty page that leads to itself', async () => {
    const rest = scriptedRest(() => ({ orders: [], cursor: 'more' }));
    expect(await rest.readList('/portfolio/orders', 'orders', rest.deadline())).toEqual({ ok: true, value: [] });
  });

  // Only an empty cursor is the venue's mark of the last page (venue-b.md §4). Rows behind an empty page counted as absent.
  it('6204: go on after an empty page that leads on', async () => {
    const pages = [
      { orders: [], cursor: 'second' },
      { orders: [ORDER], cursor: '' },
    ];
    const rest = scriptedRest(() => pages.shift()!);
    expect(await rest.readList('/portfolio/orders', 'orders', rest.deadline())).toEqual({ ok: true, value: [ORDER] });
  });

  it('that go on nobody knows where are not read in part', async () => {
    const rest = scriptedRest(() => ({ orders: [ORDER], cursor: 'a cursor with spaces' }));
    const rows = await rest.readList('/portfolio/orders', 'orders', rest.deadline());
    expect(rows).toMatchObject({ ok: false, error: expect.stringContaining('cursor') });
  });

  it('of fills are asked for up to the whole second that follows', async () => {
    const asked: string[] = [];
    const rest = scriptedRest(target => {
      asked.push(target);
      return { fills: [], cursor: '' };
    });
    await fillsSince(rest, 1_779_999_999_999 as UnixMillis, 1_780_000_003_001 as UnixMillis);
    expect(asked).toEqual([expect.stringContaining('min_ts=1779999999&max_ts=1780000004&')]);
  });

  it.each([{}, { orders: {} }, { orders: null }])('%j is no list', async body => {
    const rest = scriptedRest(() => body);
    expect((await rest.readList('/portfolio/orders', 'orders', rest.deadline())).ok).toBe(false);
  });

  it('with a row that cannot be read have the others, and what it names', async () => {
    const lists = { orders: [ORDER, {}], fills: [FILL, 7], market_positions: [{ ticker: 'KXA' }], cursor: '' };
    const rest = scriptedRest(() => lists);
    const nameless = { orders: [], addresses: [] };
    expect(await restingOrders(rest)).toMatchObject({ value: { rows: [{}], unread: [nameless] } });
    expect(await fillsSince(rest, rest.now)).toMatchObject({ value: { rows: [{}], unread: [nameless] } });
    expect(await positions(rest)).toMatchObject({ value: { rows: [], unread: [{ addresses: ['KXA'] }] } });
  });

  it('of orders that say whose fills are leave out what cannot be read', async () => {
    const orders = [ORDER, {}, { ...ORDER, order_id: 'o-unsure', status: 'unknown' }];
    const rest = scriptedRest(() => ({ orders, cursor: '' }));
    expect(await ordersSince(rest, rest.now)).toEqual({ ok: true, value: [orderRecordOf(ORDER)] });
  });
});

describe('what resting orders hold back', () => {
  const resting = (side: 'bid' | 'ask', limit: string, remaining: string): OrderRecord =>
    orderRecordOf({
      ...{ ...ORDER, book_side: side, yes_price_dollars: limit },
      ...{ fill_count_fp: '0.00', remaining_count_fp: remaining },
    })!;
  const held = (address: string, count: string) => ({ address, size: signedSizeOf(count)!, isRedeemable: false });
  const BID = [resting('bid', '0.3000', '10.00')];
  const ASK = [resting('ask', '0.3000', '10.00')];
  const ASKS = [resting('ask', '0.3000', '4.00'), resting('ask', '0.4000', '4.00')];
  it.each([
    ['a bid its price', BID, [], 3_000_000],
    ['an ask the price of NO', ASK, [], 7_000_000],
    ['an ask that closes, nothing', ASK, [held('KXA', '10.00')], 0],
    ['an ask that closes in part', ASK, [held('KXA', '4.00')], 4_200_000],
    ['a bid that closes NO', BID, [held('KXA', '-4.00')], 1_800_000],
    ['a position of another market closes nothing', ASK, [held('KXB', '4.00')], 7_000_000],
    ['a position closes once', ASKS, [held('KXA', '4.00')], 2_800_000],
    ['parts of a micro-dollar, whole', [resting('bid', '0.3333', '0.000001')], [], 1],
    ['nothing', [], [held('KXA', '4.00')], 0],
  ])('%s', (_title, orders, owned, committed) => {
    expect(committedBy(orders, owned)).toBe(committed);
  });
});

describe('a balance', () => {
  it('of which more is held back than there is has nothing left', async () => {
    const rest = scriptedRest(target =>
      target.includes('/balance')
        ? { balance_dollars: '1.0000' }
        : { orders: [{ ...ORDER, fill_count_fp: '0.00' }], market_positions: [], cursor: '' },
    );
    expect(await balance(rest, true)).toMatchObject({ value: { available: 0, committed: 2_100_000 } });
    expect(await balance(rest, false)).toMatchObject({ value: { available: 1_000_000, committed: 2_100_000 } });
  });

  it.each([
    [{ balance_breakdown: [{ balance: '1.5000' }, { balance: '2.2500' }], balance_dollars: '1.5000' }, 3_750_000],
    [{ balance_dollars: '98.0186', balance: 9801 }, 98_018_600],
    [{ balance_dollars: '-1.0000' }, -1_000_000],
    [{ balance_breakdown: [{ balance: '1.5000' }, {}], balance_dollars: '1.5000' }, null],
    // Each number is exact, but their sum is not.
    [{ balance_breakdown: [{ balance: '9007199254' }, { balance: '9007199254' }] }, null],
    [{}, null],
  ])('%j', (body, available) => {
    expect(availableIn(body)).toBe(available);
  });
});

describe('anything at all', () => {
  const others = ['market_result', 'settled_time', 'balance_breakdown', 'read', 'write'];
  const keys = [...Object.keys(ORDER), ...Object.keys(FILL), ...others];
  const words = fc.constantFrom('0.5000', '1.00', 'bid', 'yes', 'resting', 'KXA', 5, -1, Number.NaN);
  const value = fc.oneof(fc.jsonValue(), words);
  const record = fc.dictionary(fc.oneof(fc.constantFrom(...keys), fc.string()), value) as fc.Arbitrary<JsonObject>;

  it('is read as something sound or not at all', () => {
    fc.assert(
      fc.property(record, fc.boolean(), (changes, isBare) => {
        const fill = fillRecordOf(isBare ? changes : { ...FILL, ...changes });
        if (fill !== null) {
          expect(fill.size).toBeGreaterThan(0);
          expect(Math.abs(fill.positionChange)).toBe(fill.size);
          expect(fill.price >= 0 && fill.price <= 10_000 && fill.fee >= 0).toBe(true);
          expect(Number.isSafeInteger(fill.executedAt)).toBe(true);
        }
        const order = orderRecordOf(isBare ? changes : { ...ORDER, ...changes });
        if (order?.stated) expect(order.stated.size).toBe(order.filled);
        settledOf(changes);
        availableIn(changes);
        const terms = budgetTermsOf(changes, changes, SMALLEST_TIER);
        const { read, write, orderCost, cancelCost } = terms;
        expect(Math.min(read.refillPerS, write.tokensMax, orderCost, cancelCost)).toBeGreaterThan(0);
      }),
      { numRuns: 2_000 },
    );
  });

  it('is a time only if it can be one', () => {
    const times = [timeOf(0, undefined), timeOf(-1, ''), timeOf(1.5, 'x'), timeOf('1', null)];
    expect(times).toEqual([null, null, null, null]);
  });
});
