// No answer of the venue makes a reader fail: each value is read as a number in its bounds, or not at all.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { UnixMillis } from '../../../../src/core/domain/numbers.ts';
import type { Intent } from '../../../../src/core/domain/order-request.ts';
import { accountKey } from '../../../../src/core/store/orders/keys.ts';
import { fillCodec } from '../../../../src/core/store/orders/records.ts';
import { limits } from '../../../../src/limits.ts';
import { fetchMarketFacts } from '../../../../src/venues/venue-a/market-facts.ts';
import { cancelOutcome, outcomeOfPost } from '../../../../src/venues/venue-a/trading/answers.ts';
import { NO_FEES, readMarketTerms } from '../../../../src/venues/venue-a/trading/market-terms.ts';
import { readShownOrder } from '../../../../src/venues/venue-a/trading/open-orders.ts';
import { verdictOn } from '../../../../src/venues/venue-a/trading/refusals.ts';
import { fillsOf, lostOf, readTrade } from '../../../../src/venues/venue-a/trading/trades.ts';
import { readColdFrame } from '../../../../src/venues/venue-b/cold-frames.ts';
import { timeOf } from '../../../../src/venues/venue-b/trading/amounts.ts';
import { submitOutcome } from '../../../../src/venues/venue-b/trading/answers.ts';
import { fillRecordOf, orderRecordOf } from '../../../../src/venues/venue-b/trading/reported-rows.ts';
import { settledOf } from '../../../../src/venues/venue-b/trading/settlements.ts';
import { liveStream } from '../../../fuzz/private-streams.ts';
import { answer as answerOfB, request } from '../../venue-b/trading/scripted-answers.ts';
import { FILL, ORDER } from '../../venue-b/trading/scripted-rest.ts';
import { EVERYBODY, tradeIn } from './reported-trades.ts';
import { idOf, makerRow, tradeRow } from './scripted-line.ts';
import { limit } from './trading-rig.ts';

const NOW = 1_790_000_000_000 as UnixMillis;
const ID = idOf('a');
const INTENT: Intent = { payload: Buffer.from('{"order":{"side":"BUY"}}'), venueOrderId: ID, clientOrderId: 'order' };
const answer = (status: number, body: unknown) => ({ type: 'answer', status, headers: new Map(), body }) as const;
const posted = (status: number, body: unknown) =>
  outcomeOfPost(answer(status, body), { intent: INTENT, request: limit('BUY', 50, 20), fees: null });
const cancelled = (status: number, body: unknown) => cancelOutcome(answer(status, body), ID);

describe('any answer', () => {
  const sample = {
    ...{ id: ID, asset_id: '123', status: 'MATCHED', side: 'BUY', price: '0.5', size: '5' },
    ...{ original_size: '5', size_matched: '1', taker_order_id: ID },
    maker_orders: [{ order_id: ID, asset_id: '123', matched_amount: '5', price: '0.5' }],
    ...{ orderID: ID, success: true, makingAmount: '1', takingAmount: '2' },
    ...{ t: [{ t: '11' }, { t: '12' }], mts: 0.01, mos: 5 },
  };
  const isAmount = (value: number): boolean => Number.isSafeInteger(value) && value >= 0;
  const damaged = fc
    .tuple(fc.subarray(Object.keys(sample)), fc.jsonValue())
    .map(([keys, value]) => ({ ...sample, ...Object.fromEntries(keys.map(key => [key, value])) }));

  it('is an order, a trade and a market where nothing is damaged', () => {
    expect([readShownOrder(sample, NOW), readMarketTerms(sample, '0xab', NOW)]).not.toContain(null);
    expect(lostOf(readTrade(sample), EVERYBODY)).toEqual([]);
  });

  it('is an answer, never a failure', () => {
    fc.assert(
      fc.property(fc.oneof(fc.jsonValue(), damaged), fc.integer({ min: 100, max: 599 }), (body, status) => {
        expect(posted(status, body).type).toMatch(/^[a-z-]+$/);
        expect(cancelled(status, body).type).toMatch(/^[a-z-]+$/);
        const shown = readShownOrder(body, NOW);
        if (shown !== null) expect([shown.price, shown.size, shown.matched ?? 0].every(isAmount)).toBe(true);
        const trade = readTrade(body);
        if (trade.type === 'trade') {
          const fills = fillsOf(trade, EVERYBODY, NO_FEES);
          const areSound = fills.every(({ size, price }) => isAmount(size) && size > 0 && price > 0 && price < 10_000);
          expect(areSound).toBe(true);
        }
        const terms = readMarketTerms(body, '0xab', NOW);
        if (terms !== null)
          expect([terms.sizeMin, terms.fees.numerator, terms.fees.denominator].every(isAmount)).toBe(true);
      }),
      { numRuns: 500 },
    );
  });

  it('in words is a verdict, and never a refusal of a server that has failed', () => {
    fc.assert(
      fc.property(fc.integer({ min: 500, max: 599 }), fc.string(), (status, text) => {
        expect(['unknown', 'not-now', 'exists']).toContain(verdictOn(status, text).type);
      }),
    );
  });
});

// Readers accepted a time in other units than the venue's own, such as microseconds. The order store has room for times up to the year
// 10889. So the booking of such a fill ended the thread, again at every reading of the account. "5" was read as a day in May 2001.
describe('0003: times beyond the store', () => {
  const MICROSECONDS = 1_786_845_510_000_000;
  const LAST = 253_402_300_799_999;

  it.each([
    ['1786845510', 1_786_845_510_000],
    [String(LAST), LAST],
    [LAST + 1, 0],
    [String(MICROSECONDS), 0],
    [9_007_199_254_740_991, 0],
    ['9999999999999999', 0],
    ['+020000-01-01T00:00:00Z', 0],
  ])('a trade of venue A at %s was made at %i', (match_time, at) => {
    const [fill] = fillsOf(tradeIn(tradeRow({ match_time })), EVERYBODY, NO_FEES);
    expect(fillCodec.encode({ fill: fill!, orderId: null }).length).toBeGreaterThan(0);
    expect(fill!.executedAt).toBe(at);
  });

  it.each([LAST + 1, MICROSECONDS, 9_007_199_254_740_991])('a fill of venue B at %i cannot be read', time => {
    expect(fillRecordOf({ ...FILL, ts_ms: time })).toBeNull();
    expect(fillRecordOf({ ...FILL, ts_ms: undefined, ts: time })).toBeNull();
  });

  it.each(['5', '10000', 'May 1', '2026', '+020000-01-01T00:00:00Z'])('%s is no time of venue B', text => {
    expect(timeOf(undefined, text)).toBeNull();
  });

  it('a closing time of venue B is a valid time, or absent', () => {
    const closing = (seconds: number) => {
      const msg = { market_ticker: 'KXA', event_type: 'close_date_updated', close_ts: seconds };
      return readColdFrame(Buffer.from(JSON.stringify({ type: 'market_lifecycle_v2', msg })))?.message;
    };
    expect(closing(1_781_160_000)).toMatchObject({ change: { event: 'CLOSE_TIME', closeTime: 1_781_160_000_000 } });
    for (const seconds of [0, LAST, 9_007_199_254_741]) {
      expect(closing(seconds)).toMatchObject({ change: { event: 'OTHER' } });
    }
  });
});

// A deeply nested list overflowed the stack, which ended the thread of a stream.
describe('0004: lists for numbers', () => {
  const DEEP_TEXT = `${'['.repeat(50_000)}1${']'.repeat(50_000)}`;
  const DEEP = JSON.parse(DEEP_TEXT);
  const MARKET = { t: [{ t: '7' }, { t: '8' }], mts: 0.01, mos: 5, ao: true, fd: { r: 0.05, e: 1 } };

  it('the terms of a market of venue A are those of numbers and texts', () => {
    expect(readMarketTerms(MARKET, '0xaa', 0 as UnixMillis)).not.toBeNull();
    expect(readMarketTerms({ ...MARKET, mts: '0.01', mos: '5' }, '0xaa', 0 as UnixMillis)).not.toBeNull();
  });

  it.each([
    ['tick', (value: unknown) => ({ mts: value }), [['0.01']]],
    ['smallest order', (value: unknown) => ({ mos: value }), ['5']],
    ['rate', (value: unknown) => ({ fd: { r: value } }), [0.05]],
    ['exponent', (value: unknown) => ({ fd: { r: 0.05, e: value } }), [1]],
  ])('the terms of a market of venue A are not known with a list as the %s', (_what, change, list) => {
    for (const value of [list, DEEP]) {
      expect(readMarketTerms({ ...MARKET, ...change(value) }, '0xaa', 0 as UnixMillis)).toBeNull();
    }
  });

  it.each([
    ['tick', `{"mts":[["0.01"]],"mos":5}`],
    ['tick, deep', `{"mts":${DEEP_TEXT},"mos":5}`],
    ['smallest order', `{"mts":0.01,"mos":["5"]}`],
    ['smallest order, deep', `{"mts":0.01,"mos":${DEEP_TEXT}}`],
    ['no smallest order', `{"mts":0.01}`],
  ])('a book of venue A is not opened with another %s', async (_what, terms) => {
    const market = `{"t":[{"t":"7"},{"t":"8"}],${terms.slice(1)}`;
    const get = async (url: string) => ({
      status: 200,
      body: url.includes('by-token') ? '{"condition_id":"0xaa"}' : market,
    });
    expect(await fetchMarketFacts(get, 'rest', '7')).toMatchObject({ ok: false, error: { code: 'VENUE_UNAVAILABLE' } });
  });

  it.each([
    ['6', '6'],
    ['[[6]]', '[[6]]'],
    ['lists of lists', DEEP_TEXT],
    ['an object', '{"toString":1}'],
  ])('an error of venue B’s private stream ends the connection, not the thread: %s', (_what, code) => {
    const { socket, events } = liveStream('venue_b');
    socket.say(`{"type":"error","msg":{"code":${code},"msg":"no"}}`);
    expect(events).toEqual([{ type: 'up' }]);
    expect(socket.isTerminated).toBe(true);
  });
});

// The name that a venue gave to an order, a trade or a market became part of a key of the order store. Keys of the store have at most 511
// bytes. A longer name failed the transaction and ended the executions thread, again at every reading of the account.
describe('0005: names too long for the store', () => {
  const LONGEST = 'x'.repeat(limits.venueIdCharactersMax);
  const account = { podId: 'p'.repeat(limits.identityCharactersMax), venue: 'venue_a' } as const;

  const trade = tradeRow({
    id: LONGEST,
    taker_order_id: LONGEST,
    maker_orders: [{ ...makerRow(), order_id: LONGEST }],
  });
  const fill = { ...FILL, trade_id: LONGEST, order_id: LONGEST };
  const order = { ...ORDER, order_id: LONGEST };

  it('the longest ids fit into a key', () => {
    const fills = fillsOf(tradeIn(trade), EVERYBODY, NO_FEES);
    for (const { fillId } of fills) expect(accountKey(account, fillId).length).toBeLessThan(limits.storeKeyBytesMax);
    expect(fills).toHaveLength(2);
    expect([fillRecordOf(fill), orderRecordOf(order)]).not.toContain(null);
  });

  it.each([`${LONGEST}x`, 'ü', 'a b', 'a\u0000'])('%j is no id', id => {
    for (const change of [{ id }, { taker_order_id: id }, { maker_orders: [{ ...makerRow(), order_id: id }] }]) {
      expect(lostOf(readTrade({ ...trade, ...change }), EVERYBODY)).not.toEqual([]);
    }
    expect([fillRecordOf({ ...fill, trade_id: id }), fillRecordOf({ ...fill, order_id: id })]).toEqual([null, null]);
    expect(orderRecordOf({ ...order, order_id: id })).toBeNull();
    const body = { order_id: id, fill_count: '0.00', remaining_count: '10.00' };
    const outcome = submitOutcome(request(), 'ours', answerOfB(201, body));
    expect(outcome).toMatchObject({ type: 'unknown', cause: 'unreadable' });
  });

  it.each(['X'.repeat(limits.marketAddressCharactersMax + 1), 'K X', ''])('%j is no market', ticker => {
    expect([fillRecordOf({ ...fill, market_ticker: ticker }), orderRecordOf({ ...order, ticker })]).toEqual([
      null,
      null,
    ]);
    const row = { ticker, market_result: 'yes', settled_time: '2026-06-11T06:31:29Z' };
    expect(settledOf(row)).toBeNull();
  });
});

// The order store refuses a number beyond the exact range, which ended the thread.
describe('0010: sums beyond what is exact', () => {
  const MOST = '9007199254.740991';

  it('makers of one order that traded more than can be counted cannot be read', () => {
    const maker = makerRow('b', MOST);
    expect(tradeIn(tradeRow({ maker_orders: [maker] }))).toMatchObject({ makers: [{}], unread: [] });
    const twice = { makers: [], unread: [{ orderId: maker.order_id, isGarbled: true }] };
    expect(tradeIn(tradeRow({ maker_orders: [maker, maker] }))).toMatchObject(twice);
  });

  it('an order whose size is a sum beyond that cannot be read, and a cost beyond it is not stated', () => {
    const order = { ...ORDER, status: 'canceled', initial_count_fp: undefined, fill_count_fp: MOST };
    expect(orderRecordOf({ ...order, remaining_count_fp: '0' })).not.toBeNull();
    expect(orderRecordOf({ ...order, remaining_count_fp: MOST })).toBeNull();
    const costly = { taker_fill_cost_dollars: MOST, maker_fill_cost_dollars: MOST };
    expect(orderRecordOf({ ...order, ...costly, remaining_count_fp: '0' })?.stated).toBeNull();
  });
});
