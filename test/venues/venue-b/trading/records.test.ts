// Orders, fills and balances as venue B tells them: newer words, older words, and anything at all.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../src/domain/json.ts';
import type { Ticks, UnixMillis } from '../../../../src/domain/numbers.ts';
import { createOrder, type Order, type OrderId, type VenueBOrderRequest } from '../../../../src/domain/order.ts';
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
import { budgetTermsOf, SMALLEST_TIER } from '../../../../src/venues/venue-b/trading/budget-terms.ts';
import { fillRecordOf } from '../../../../src/venues/venue-b/trading/fill-record.ts';
import { lookUp } from '../../../../src/venues/venue-b/trading/look-up.ts';
import { type OrderRecord, orderRecordOf } from '../../../../src/venues/venue-b/trading/order-record.ts';
import { settledOf } from '../../../../src/venues/venue-b/trading/settlements.ts';
import { inTermsOfYes } from '../../../../src/venues/venue-b/trading/stated.ts';
import { price, size } from '../../trading-rig.ts';
import { scriptedRest } from './scripted-rest.ts';

const FILL: JsonObject = {
  trade_id: 'trade',
  order_id: 'order',
  market_ticker: 'KXA',
  book_side: 'ask',
  yes_price_dollars: '0.7500',
  count_fp: '2.50',
  fee_cost: '0.0840',
  is_taker: true,
  ts_ms: 1_671_899_397_123,
};
const ORDER: JsonObject = {
  order_id: 'order',
  client_order_id: 'ours',
  ticker: 'KXA',
  status: 'resting',
  book_side: 'bid',
  yes_price_dollars: '0.3500',
  initial_count_fp: '10.00',
  fill_count_fp: '4.00',
  remaining_count_fp: '6.00',
  taker_fill_cost_dollars: '0.3500',
  maker_fill_cost_dollars: '1.0000',
  taker_fees_dollars: '0.0100',
  maker_fees_dollars: '0.0000',
};

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

  it('says no sum where there is none', () => {
    const bare = Object.fromEntries(Object.entries(ORDER).filter(([key]) => !/cost|fees/.test(key)));
    expect(orderRecordOf(bare)?.stated).toBeNull();
    expect(orderRecordOf({ ...ORDER, taker_fees_dollars: 'x' })?.stated).toBeNull();
  });
});

describe('what an ask has cost', () => {
  it('is never told apart wrongly where the limit is above half a dollar', () => {
    const price10k = fc.integer({ min: 5_001, max: 9_999 });
    fc.assert(
      fc.property(
        price10k,
        fc.integer({ min: 0, max: 9_999 }),
        fc.integer({ min: 1, max: 1_000 }),
        (limit, better, n) => {
          const soldAt = BigInt(Math.min(limit + better, 9_999));
          const count = size(String(n));
          const yes = soldAt * BigInt(count);
          const no = (10_000n - soldAt) * BigInt(count);
          const stated = { side: 'ask', limit: limit as Ticks, size: count } as const;
          expect([inTermsOfYes({ ...stated, cost: yes }), inTermsOfYes({ ...stated, cost: no })]).toEqual([yes, yes]);
        },
      ),
    );
  });

  it('is the sum of YES for a bid, whatever it says', () => {
    expect(inTermsOfYes({ side: 'bid', limit: price('0.6'), size: size('1'), cost: 7n })).toBe(7n);
  });
});

const AT = 1_780_000_000_000 as UnixMillis;

/** A purchase of NO. */
function madeOrder(): Order {
  const request: VenueBOrderRequest = {
    venue: 'venue_b',
    ticker: 'KXA',
    side: 'NO',
    action: 'BUY',
    size: size('10'),
    price: price('0.6'),
    timeInForce: 'GTC',
  };
  return createOrder({ orderId: 'id' as OrderId, podId: 'p', actorId: 'a', keyId: 'k', request, at: AT });
}

describe('an order that is looked up', () => {
  it('has cost what its fills have, whatever the venue means by its sums', async () => {
    // Sold at 0.55 with a limit of 0.40; a sum of 4.50 could be of either side.
    const sums = { taker_fill_cost_dollars: '4.5000', maker_fill_cost_dollars: '0.0000' };
    const counts = { fill_count_fp: '10.00', remaining_count_fp: '0.00', status: 'executed' };
    const order = { ...ORDER, ...sums, ...counts, book_side: 'ask', yes_price_dollars: '0.4000' };
    const fill = { ...FILL, yes_price_dollars: '0.5500', count_fp: '10.00' };
    const rest = scriptedRest(target => (target.includes('/fills') ? { fills: [fill], cursor: '' } : { order }));
    const intent = { payload: Buffer.alloc(0), venueOrderId: null, clientOrderId: 'ours' };
    const found = await lookUp(rest, { ...madeOrder(), venueOrderId: 'order' }, intent, rest.soon());
    expect(found).toMatchObject({ type: 'found', stated: { cost: 10_000_000n * 4_500n }, fills: [{ price: 4_500 }] });
  });
});

describe('an order that is looked up and', () => {
  const intent = { payload: Buffer.alloc(0), venueOrderId: null, clientOrderId: 'ours' };
  const fresh = { as_of_time: '2027-01-01T00:00:00Z' };
  const nothing = { orders: [], cursor: '' };
  type Answer = (target: string) => unknown;
  const lookedUp = (answer: Answer, venueOrderId: string | null = null) => {
    const rest = scriptedRest(answer);
    return lookUp(rest, { ...madeOrder(), venueOrderId, sentAt: AT }, intent, rest.soon());
  };
  /** Shown by its id, and its fills. */
  const shown = (order: unknown, fills: readonly unknown[]): Answer => {
    return target => (target.includes('/fills') ? { fills, cursor: '' } : { order });
  };
  const sold = { ...ORDER, book_side: 'ask' };

  it.each<[string, Answer, string | null]>([
    [
      'is not there, of a venue that does not say how fresh that is',
      it => (it.includes('/orders') ? nothing : {}),
      null,
    ],
    [
      'is not there before, of a venue that cannot be asked again',
      target => {
        if (target.includes('user_data')) return fresh;
        return target.includes('max_ts') ? nothing : { status: 503 };
      },
      null,
    ],
    ['is listed, and cannot be read', () => ({ orders: [{ ...ORDER, status: 'unknown' }], cursor: '' }), null],
    ['is shown, and cannot be read', () => ({ order: { ...ORDER, status: 'unknown' } }), 'order'],
    ['is shown as no order', () => ({ order: null }), 'order'],
    ['is another one', () => ({ order: { ...ORDER, order_id: 'another' } }), 'order'],
    ['has a fill that cannot be read', shown(ORDER, [{ ...FILL, count_fp: 'some' }]), 'order'],
    [
      'has more fills than can be counted',
      shown(
        ORDER,
        ['t1', 't2'].map(trade_id => ({ ...FILL, trade_id, count_fp: '5000000000.00' })),
      ),
      'order',
    ],
  ])('%s is neither absent nor found', async (_what, answer, venueOrderId) => {
    expect(await lookedUp(answer, venueOrderId)).toMatchObject({ type: 'unavailable' });
  });

  it('whose fills are not listed yet has traded what the venue says, in its own frame', async () => {
    // YES sold at an average of 0.40 is NO bought at 0.60.
    const cost = 4_000_000n * 6_000n;
    expect(await lookedUp(shown({ ...sold, maker_fill_cost_dollars: '1.2500' }, []), 'order')).toMatchObject({
      type: 'found',
      state: 'rests',
      stated: { size: size('4'), cost, fees: 10_000 },
      fills: [],
    });
  });

  it('whose fills are listed in part and whose sums are not told is known by its fills alone', async () => {
    const bare = Object.fromEntries(Object.entries(sold).filter(([key]) => !/cost|fees/.test(key)));
    const fill = { ...FILL, count_fp: '1.00' };
    const found = await lookedUp(shown(bare, [fill]), 'order');
    expect(found).toMatchObject({ type: 'found', stated: null, fills: [{ size: size('1'), price: price('0.25') }] });
  });
});

describe('an order that appears between two reads', () => {
  it('is found: a list that was read before the venue said how fresh it is proves nothing', async () => {
    let lists = 0;
    const rest = scriptedRest(target => {
      if (target.includes('user_data_timestamp')) return { as_of_time: '2027-01-01T00:00:00Z' };
      lists += 1;
      const orders = lists === 1 ? [] : [{ ...ORDER, fill_count_fp: '0.00' }];
      return { orders, cursor: '' };
    });
    const intent = { payload: Buffer.alloc(0), venueOrderId: null, clientOrderId: 'ours' };
    const found = await lookUp(rest, { ...madeOrder(), sentAt: AT }, intent, rest.soon());
    expect(found).toMatchObject({ type: 'found', venueOrderId: 'order', state: 'rests' });
  });
});

describe('lists', () => {
  it('have an end, whatever the venue says', async () => {
    const rest = scriptedRest(() => ({ orders: [ORDER], cursor: 'more' }));
    const rows = await rest.readList('/portfolio/orders', 'orders', rest.soon());
    expect(rows).toMatchObject({ ok: false, error: expect.stringContaining('venueBPagesMax') });
  });

  it.each([{}, { orders: {} }, { orders: [7] }, { orders: null }])('%j is none', async body => {
    const rest = scriptedRest(() => body);
    expect((await rest.readList('/portfolio/orders', 'orders', rest.soon())).ok).toBe(false);
  });

  it('with a row that cannot be read are not read in part', async () => {
    const rest = scriptedRest(() => ({ orders: [ORDER, {}], fills: [FILL, {}], market_positions: [{}], cursor: '' }));
    expect(await restingOrders(rest)).toMatchObject({ ok: false });
    expect(await fillsSince(rest, 0 as UnixMillis)).toMatchObject({ ok: false });
    expect(await positions(rest)).toMatchObject({ ok: false });
  });

  it('of orders that say whose fills are leave out what cannot be read', async () => {
    const orders = [ORDER, {}, { ...ORDER, order_id: 'o-unsure', status: 'unknown' }];
    const rest = scriptedRest(() => ({ orders, cursor: '' }));
    expect(await ordersSince(rest, 0 as UnixMillis)).toEqual({ ok: true, value: [orderRecordOf(ORDER)] });
  });
});

describe('what resting orders hold back', () => {
  const resting = (side: 'bid' | 'ask', limit: string, remaining: string, address = 'KXA'): OrderRecord =>
    orderRecordOf({
      ...ORDER,
      ticker: address,
      book_side: side,
      yes_price_dollars: limit,
      fill_count_fp: '0.00',
      remaining_count_fp: remaining,
    })!;
  const held = (address: string, contracts: string) => ({
    address,
    size: signedSizeOf(contracts)!,
    isRedeemable: false,
  });
  it.each([
    ['a bid its price', [resting('bid', '0.3000', '10.00')], [], 3_000_000],
    ['an ask the price of NO', [resting('ask', '0.3000', '10.00')], [], 7_000_000],
    ['an ask that closes, nothing', [resting('ask', '0.3000', '10.00')], [held('KXA', '10.00')], 0],
    ['an ask that closes in part', [resting('ask', '0.3000', '10.00')], [held('KXA', '4.00')], 4_200_000],
    ['a bid that closes NO', [resting('bid', '0.3000', '10.00')], [held('KXA', '-4.00')], 1_800_000],
    [
      'a position of another market closes nothing',
      [resting('ask', '0.3000', '10.00')],
      [held('KXB', '4.00')],
      7_000_000,
    ],
    [
      'a position closes once',
      [resting('ask', '0.3000', '4.00'), resting('ask', '0.4000', '4.00')],
      [held('KXA', '4.00')],
      2_800_000,
    ],
    ['nothing', [], [held('KXA', '4.00')], 0],
  ])('%s', (_title, orders, owned, committed) => {
    expect(committedBy(orders, owned)).toBe(committed);
  });
});

describe('a balance', () => {
  it.each([
    [{ balance_breakdown: [{ balance: '1.5000' }, { balance: '2.2500' }], balance_dollars: '1.5000' }, 3_750_000],
    [{ balance_dollars: '98.0186', balance: 9801 }, 98_018_600],
    [{ balance_dollars: '-1.0000' }, -1_000_000],
    [{ balance_breakdown: [{ balance: '1.5000' }, {}], balance_dollars: '1.5000' }, null],
    // Each exact, and their sum not.
    [{ balance_breakdown: [{ balance: '9007199254' }, { balance: '9007199254' }] }, null],
    [{}, null],
  ])('%j', (body, available) => {
    expect(availableIn(body)).toBe(available);
  });
});

describe('an account', () => {
  it('whose cash cannot be read has no balance', async () => {
    const rest = scriptedRest(target => {
      if (target.includes('/balance')) return { balance_dollars: 'some' };
      return { orders: [], market_positions: [], cursor: '' };
    });
    expect(await balance(rest, false)).toMatchObject({ ok: false, error: { kind: 'unavailable' } });
  });

  it('whose orders cannot be listed has none that are known', async () => {
    const rest = scriptedRest(() => ({ status: 503 }));
    expect(await ordersSince(rest, 0 as UnixMillis)).toMatchObject({ ok: false });
  });
});

describe('anything at all', () => {
  const keys = [
    ...Object.keys(ORDER),
    ...Object.keys(FILL),
    'market_result',
    'settled_time',
    'balance_breakdown',
    'read',
    'write',
  ];
  const value = fc.oneof(
    fc.jsonValue(),
    fc.constantFrom('0.5000', '1.00', 'bid', 'yes', 'resting', 'KXA', 5, -1, Number.NaN),
  );
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
        expect(
          Math.min(terms.read.refillPerS, terms.write.tokensMax, terms.orderCost, terms.cancelCost),
        ).toBeGreaterThan(0);
      }),
      { numRuns: 2_000 },
    );
  });

  it('is a time only if it can be one', () => {
    expect([timeOf(0, undefined), timeOf(-1, ''), timeOf(1.5, 'x'), timeOf('1', null)]).toEqual([
      null,
      null,
      null,
      null,
    ]);
  });
});
