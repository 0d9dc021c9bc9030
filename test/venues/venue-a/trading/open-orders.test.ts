// The state of an order as venue A shows it, for each text of its status.

import { describe, expect, it } from 'vitest';
import type { UnixMillis } from '../../../../src/core/domain/numbers.ts';
import { limits } from '../../../../src/limits.ts';
import { committedBy, readShownOrder } from '../../../../src/venues/venue-a/trading/open-orders.ts';
import {
  idOf,
  listOf,
  makerRow,
  NOTHING_LISTED,
  orderRow,
  type Script,
  SILENCE,
  SOON,
  submitted,
  tradeRow,
  tradingOn,
} from './scripted-line.ts';
import { FIRST, marketBuy, SECOND, shares } from './trading-rig.ts';

const NOW = 1_790_000_000_000 as UnixMillis;

describe('an order as it is shown', () => {
  const ID = idOf('a');
  const shown = { id: ID, asset_id: '123', side: 'BUY', price: '0.5', original_size: '5', order_type: 'GTC' };

  it.each([
    ['LIVE', 'rests'],
    ['unmatched', 'rests'],
    ['ORDER_STATUS_UNMATCHED', 'rests'],
    ['UNMATCHED_invalid post-only order: order crosses book', 'gone'],
    ['DELAYED_by the market', 'delayed'],
    ['CANCELED_MARKET_RESOLVED', 'gone'],
    ['INVALID', 'gone'],
  ])('with status %s', (status, state) => {
    expect(readShownOrder({ ...shown, type: 'UPDATE', status }, NOW)).toMatchObject({ state });
    expect(readShownOrder({ ...shown, type: 'CANCELLATION', status }, NOW)).toMatchObject({ state: 'gone' });
  });

  it.each([
    ['nothing', '0', 'GTC', 'gone', null],
    ['a part', '2', 'GTC', 'rests', 2_000_000],
    ['all but a hundredth', '4.99', 'GTC', 'rests', 4_990_000],
    ['all but less than that', '4.990001', 'GTC', 'gone', 4_990_001],
    ['a part, of what cannot rest', '2', 'FAK', 'gone', null],
    ['all of it', '5', 'GTC', 'gone', 5_000_000],
  ])('0118: that was matched: %s', (_what, size_matched, order_type, state, size) => {
    const order = readShownOrder({ ...shown, status: 'MATCHED', size_matched, order_type }, NOW);
    expect([order?.state, order?.stated?.size ?? null]).toEqual([state, size]);
  });

  it('that was cancelled just now has not been matched whole', () => {
    const cancelled = { ...shown, type: 'CANCELLATION', status: 'CANCELED' };
    expect(readShownOrder({ ...cancelled, size_matched: '2' }, NOW)).toMatchObject({ stated: { size: 2_000_000 } });
    expect(readShownOrder({ ...cancelled, size_matched: '5' }, NOW)).toMatchObject({ state: 'gone', stated: null });
  });

  it.each([
    ['a buy, what is left of it', { size_matched: '2' }, 1_500_000],
    ['parts of a micro-dollar, whole', { original_size: '0.000001', price: '0.3333' }, 1],
    ['a sale, nothing', { side: 'SELL' }, 0],
    ['what is over, nothing', { status: 'CANCELED' }, 0],
  ])('holds back of %s', (_what, change, committed) => {
    expect(committedBy(readShownOrder({ ...shown, status: 'LIVE', ...change }, NOW)!)).toBe(committed);
  });

  const at = (ageMs: number) => ({ created_at: (NOW - ageMs) / 1_000 });
  const late = limits.venueAImmediateMs + 1_000;

  it.each([
    ['an unmatched FAK, once it is older than any delay', 'ORDER_STATUS_UNMATCHED', 'FAK', late, 'gone', 0],
    ['an unmatched FOK, once it is older than any delay', 'UNMATCHED', 'FOK', late, 'gone', 0],
    ['a FAK that is called live, once it is older than any delay', 'LIVE', 'fak', late, 'gone', 0],
    ['an unmatched FAK that may still be matched', 'ORDER_STATUS_UNMATCHED', 'FAK', 1_000, 'delayed', 0],
    ['an unmatched FAK whose time the clocks dispute', 'ORDER_STATUS_UNMATCHED', 'FAK', -2_000, 'delayed', 0],
    ['an unmatched limit order, however old it is', 'ORDER_STATUS_UNMATCHED', 'GTC', late, 'rests', 0],
  ])('4007: %s', (_what, status, order_type, ageMs, state, size) => {
    const order = readShownOrder({ ...shown, status, order_type, size_matched: '0', ...at(ageMs) }, NOW);
    expect([order?.state, order?.stated?.size]).toEqual([state, size]);
  });

  it('4007: an unmatched FAK is undecided without a time, and has matched nothing if it states no sum', () => {
    const unmatched = { ...shown, status: 'ORDER_STATUS_UNMATCHED', order_type: 'FAK' };
    expect(readShownOrder({ ...unmatched, size_matched: '0' }, NOW)).toMatchObject({ state: 'delayed' });
    expect(readShownOrder({ ...unmatched, ...at(late) }, NOW)).toMatchObject({ state: 'gone', matched: 0 });
  });

  it('4007: an unmatched FAK that is over holds no money back', () => {
    const unmatched = { ...shown, status: 'UNMATCHED', order_type: 'FAK', size_matched: '0' };
    expect(committedBy(readShownOrder({ ...unmatched, ...at(late) }, NOW)!)).toBe(0);
    expect(committedBy(readShownOrder({ ...unmatched, ...at(0) }, NOW)!)).toBe(2_500_000);
  });
});

it.each([
  ['among what rests', 1, 'rests'],
  ['not among what rests', 0, 'gone'],
])('0118: an order that was matched in part is where the list has it: %s', async (_what, listed, state) => {
  let id = '';
  const shown = () => orderRow({ id, status: 'MATCHED', size_matched: '4' });
  const { trading, order, intent } = await submitted({
    '/order': () => ({ status: 500, body: {} }),
    '/data/order/': () => ({ body: shown() }),
    '/data/orders': () => listOf(...[shown()].slice(0, listed)),
    '/data/trades': () => NOTHING_LISTED,
  });
  id = intent.venueOrderId!;
  const found = { type: 'found', state, stated: { size: shares(4) } };
  expect(await trading.lookUp(order, intent, SOON)).toMatchObject(found);
});

// With the venue's clock ten seconds behind, a look-up missed the trade of a FOK whose answer was lost. The order was REJECTED as not
// fillable.
it.each([0, 10, 60])('0130: %i seconds: the look finds what was traded', async behindS => {
  let row: object = {};
  let matchedS = 0;
  const { trading, timers, order, intent } = await submitted(
    {
      ...SILENCE,
      '/order': () => 'lost',
      '/data/trades': ({ target }) => {
        const after = Number(new URLSearchParams(target.split('?')[1]).get('after'));
        return matchedS >= after ? listOf(row) : NOTHING_LISTED;
      },
    },
    marketBuy(5, 'FOK', 50),
  );
  matchedS = Math.floor(timers.now() / 1_000) - behindS;
  row = tradeRow({ status: 'CONFIRMED', taker_order_id: intent.venueOrderId, match_time: String(matchedS) });
  timers.advance(31_000);
  expect(await trading.lookUp(order, intent, SOON)).toMatchObject({ state: 'gone', fills: [{ size: shares(10) }] });
});

// A single trade, made outside the gateway in a market with an unknown tick, was unreadable, and the whole account with it. The stream
// reconnected at every trade in that market, and no reading succeeded. After a start venue A took no orders of the pod.
describe('0251: a trade in a market of an unknown tick', () => {
  const ELSEWHERE = idOf('d');
  const trade = (id: string) => tradeRow({ id, status: 'CONFIRMED', market: ELSEWHERE, maker_orders: [makerRow()] });

  function fillsOf(description: object, ...trades: readonly object[]) {
    const script: Script = {
      [`/clob-markets/${ELSEWHERE}`]: () => ({ body: { t: [{ t: FIRST }, { t: SECOND }], ao: true, ...description } }),
      '/data/trades': () => listOf(...trades),
    };
    const { trading, line } = tradingOn(script);
    return { line, fills: () => trading.fillsSince(0 as UnixMillis) };
  }

  it('such a trade is reported with its cost, and so are the others', async () => {
    const unknownTick = { mts: 0.002, mos: 5, fd: { r: 0.05, e: 1, to: true } };
    const { fills, line } = fillsOf(unknownTick, trade('one'), trade('two'));
    const fill = { size: shares(10), fee: 125_000 };
    expect(await fills()).toMatchObject({ value: { rows: [fill, fill], unread: [] } });
    expect(line.requests.filter(({ target }) => target.startsWith('/clob-markets'))).toHaveLength(1);
  });

  it('fees that are stated otherwise are not taken for none', async () => {
    const { fills } = fillsOf({ mts: 0.01, mos: 5, fd: { r: 0.05, e: 'half', to: true } }, trade('one'));
    expect(await fills()).toMatchObject({ value: { rows: [], unread: [{ tradeId: 'one' }] } });
  });
});
