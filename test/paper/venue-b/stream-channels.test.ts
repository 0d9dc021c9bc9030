// Messages of the channels of venue B's stream, and their receivers (venue-b.md §10.3, §10.4), over real sockets.

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { UnixMillis } from '../../../src/core/domain/numbers.ts';
import { micros } from '../../support/amounts.ts';
import { BOSTON, CALLERS, LAKERS, MarketRig, ownerOf, START } from './market-rig.ts';
import type { Frame } from './stream-client.ts';

const UUID = expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/);
const [ts, ts_ms, time] = [START / 1_000, START, '2026-05-28T20:26:40Z'];

let rig: MarketRig;

beforeEach(async () => {
  rig = await MarketRig.start();
});
afterEach(() => rig.close());

const of = (frames: readonly Frame[], type: string) => frames.filter(frame => frame.type === type);

describe('orderbook_delta', () => {
  const market = { market_ticker: BOSTON, market_id: '00000000-0000-4000-8000-000000000001' };

  it('says how each touched level has changed, NO bids at their own prices', async () => {
    const client = await rig.listen('writer', ['orderbook_delta'], { market_tickers: [BOSTON] });
    rig.place({ side: 'buy', price: '0.47', count: '3' });
    rig.place({ side: 'sell', price: '0.52', count: '0.01' });
    rig.place({ who: ownerOf('bob'), side: 'sell', price: '0.47', count: '1.5', more: { timeInForce: 'IOC' } });
    rig.place({ side: 'buy', price: '0.30', count: '4', ticker: LAKERS });
    const delta = (seq: number, price: string, change: string, side: string) => ({
      type: 'orderbook_delta',
      sid: 1,
      seq,
      msg: { ...market, price_dollars: price, delta_fp: change, side, ts: time, ts_ms },
    });
    expect(await client.drain()).toEqual([
      delta(2, '0.4700', '3.00', 'yes'),
      delta(3, '0.4800', '0.01', 'no'),
      delta(4, '0.4700', '-1.50', 'yes'),
    ]);
  });

  it('names the order to its owner only', async () => {
    const [own, sub, other] = await Promise.all(
      ['alice', 'alice-sub', 'bob'].map(key => rig.listen(key, ['orderbook_delta'], { market_tickers: [BOSTON] })),
    );
    rig.place({ side: 'sell', price: '0.52', count: '1', more: { clientOrderId: 'mine "1"' } });
    const about = (frames: readonly Frame[]) => frames.map(({ msg }) => [msg.client_order_id, msg.subaccount]);
    expect(about(await own!.drain())).toEqual([['mine "1"', 0]]);
    expect(about(await sub!.drain())).toEqual([[undefined, undefined]]);
    expect(about(await other!.drain())).toEqual([[undefined, undefined]]);
  });

  it('sends NO in terms of YES to clients that request it', async () => {
    const plain = await rig.listen('bob', ['orderbook_delta'], { market_tickers: [BOSTON] });
    const inYes = await rig.listen('bob', ['orderbook_delta'], { market_tickers: [BOSTON], use_yes_price: true });
    rig.place({ side: 'sell', price: '0.52', count: '1' });
    rig.place({ side: 'buy', price: '0.40', count: '1' });
    const prices = (frames: readonly Frame[]) => frames.map(({ msg }) => `${msg.side} ${msg.price_dollars}`);
    expect(prices(await plain.drain())).toEqual(['no 0.4800', 'yes 0.4000']);
    expect(prices(await inYes.drain())).toEqual(['no 0.5200', 'yes 0.4000']);
  });
});

describe('trade', () => {
  it('is numbered, public, and filtered by market', async () => {
    const all = await rig.listen('bob', ['trade']);
    const filtered = await rig.listen('bob', ['trade'], { market_tickers: [LAKERS] });
    rig.place({ side: 'buy', price: '0.36', count: '200' });
    rig.place({ who: ownerOf('bob'), side: 'sell', price: '0.36', count: '136' });
    expect(await all.drain()).toEqual([
      {
        type: 'trade',
        sid: 1,
        seq: 1,
        msg: {
          trade_id: UUID,
          market_ticker: BOSTON,
          yes_price_dollars: '0.3600',
          no_price_dollars: '0.6400',
          count_fp: '136.00',
          taker_side: 'no',
          taker_outcome_side: 'no',
          taker_book_side: 'ask',
          is_block_trade: false,
          ts,
          ts_ms,
        },
      },
    ]);
    expect(await filtered.drain()).toEqual([]);
  });
});

describe('ticker', () => {
  it('sums up each turn in which quotes or the last trade moved, without a number', async () => {
    const client = await rig.listen('bob', ['ticker']);
    rig.place({ side: 'buy', price: '0.45', count: '300' });
    rig.place({ side: 'sell', price: '0.53', count: '150' });
    rig.place({ who: ownerOf('bob'), side: 'sell', price: '0.45', count: '25' });
    expect(await client.drain()).toEqual([
      {
        type: 'ticker',
        sid: 1,
        msg: {
          market_ticker: BOSTON,
          market_id: '00000000-0000-4000-8000-000000000001',
          price_dollars: '0.4500',
          yes_bid_dollars: '0.4500',
          yes_ask_dollars: '0.5300',
          yes_bid_size_fp: '275.00',
          yes_ask_size_fp: '150.00',
          last_trade_size_fp: '25.00',
          volume_fp: '25.00',
          open_interest_fp: '25.00',
          dollar_volume: 12,
          dollar_open_interest: 12,
          ts,
          ts_ms,
          time,
        },
      },
    ]);
  });

  it('is silent about what happens below the top', async () => {
    const client = await rig.listen('bob', ['ticker']);
    rig.place({ side: 'buy', price: '0.45', count: '300' });
    expect(await client.drain()).toHaveLength(1);
    rig.place({ side: 'buy', price: '0.44', count: '300' });
    expect(await client.drain()).toEqual([]);
  });
});

describe('private channels', () => {
  it('fill: both sides of a match under the same trade id, each to its own', async () => {
    const [maker, taker, all] = await Promise.all([
      rig.listen('alice', ['fill']),
      rig.listen('bob', ['fill']),
      rig.listen('bob', ['trade']),
    ]);
    const resting = rig.place({ side: 'buy', price: '0.75', count: '278', more: { clientOrderId: 'maker' } });
    const taking = rig.place({ who: ownerOf('bob'), side: 'sell', price: '0.75', count: '278' });
    const [trade] = await all!.drain();
    const common = {
      trade_id: trade!.msg.trade_id,
      market_ticker: BOSTON,
      exchange_index: 0,
      action: 'buy',
      yes_price_dollars: '0.7500',
      count_fp: '278.00',
      ts,
      ts_ms,
      subaccount: 0,
    };
    expect(await maker!.drain()).toEqual([
      {
        type: 'fill',
        sid: 1,
        msg: {
          ...common,
          order_id: resting.order.orderId,
          client_order_id: 'maker',
          is_taker: false,
          side: 'yes',
          purchased_side: 'yes',
          outcome_side: 'yes',
          book_side: 'bid',
          fee_cost: '0.0000',
          post_position_fp: '278.00',
        },
      },
    ]);
    const [fill, ...rest] = await taker!.drain();
    expect(rest).toEqual([]);
    expect(fill!.msg).toEqual({
      ...common,
      order_id: taking.order.orderId,
      client_order_id: taking.order.clientOrderId,
      is_taker: true,
      side: 'no',
      purchased_side: 'no',
      outcome_side: 'no',
      book_side: 'ask',
      fee_cost: expect.stringMatching(/^3\.64\d\d(\d\d)?$/),
      post_position_fp: '-278.00',
    });
  });

  it('user_orders: every state of an order', async () => {
    const client = await rig.listen('alice', ['user_orders']);
    const expiresAt = (START + 60_000) as UnixMillis;
    const { order } = rig.place({ side: 'sell', price: '0.35', count: '10', more: { expiresAt } });
    rig.exchange.orders.decrease(ownerOf('alice'), order.orderId, { to: micros('4') });
    rig.place({ who: ownerOf('bob'), side: 'buy', price: '0.35', count: '1' });
    rig.exchange.orders.cancel(ownerOf('alice'), order.orderId);
    const frames = await client.drain();
    expect(frames[0]).toEqual({
      type: 'user_order',
      sid: 1,
      msg: {
        order_id: order.orderId,
        user_id: CALLERS.alice!.userId,
        client_order_id: order.clientOrderId,
        ticker: BOSTON,
        exchange_index: 0,
        status: 'resting',
        side: 'no',
        is_yes: false,
        outcome_side: 'no',
        book_side: 'ask',
        yes_price_dollars: '0.3500',
        initial_count_fp: '10.00',
        fill_count_fp: '0.00',
        remaining_count_fp: '10.00',
        taker_fill_cost_dollars: '0.0000',
        maker_fill_cost_dollars: '0.0000',
        taker_fees_dollars: '0.0000',
        maker_fees_dollars: '0.0000',
        self_trade_prevention_type: 'taker_at_cross',
        created_time: time,
        created_ts_ms: ts_ms,
        last_update_time: time,
        last_updated_ts_ms: ts_ms,
        expiration_time: '2026-05-28T20:27:40Z',
        expiration_ts_ms: expiresAt,
        subaccount_number: 0,
      },
    });
    expect(
      frames.map(({ msg }) => [msg.status, msg.remaining_count_fp, msg.fill_count_fp, msg.last_update_reason]),
    ).toEqual([
      ['resting', '10.00', '0.00', undefined],
      ['resting', '4.00', '0.00', 'Decrease'],
      ['resting', '3.00', '1.00', 'Trade'],
      ['canceled', '0.00', '1.00', undefined],
    ]);
  });

  it('market_positions: after each fill', async () => {
    const client = await rig.listen('alice', ['market_positions']);
    rig.place({ side: 'buy', price: '0.50', count: '100' });
    rig.place({ who: ownerOf('bob'), side: 'sell', price: '0.50', count: '100' });
    expect(await client.drain()).toEqual([
      {
        type: 'market_position',
        sid: 1,
        msg: {
          user_id: CALLERS.alice!.userId,
          market_ticker: BOSTON,
          position_fp: '100.00',
          position_cost_dollars: '50.0000',
          realized_pnl_dollars: '0.0000',
          fees_paid_dollars: '0.0000',
          position_fee_cost_dollars: '0.0000',
          volume_fp: '100.00',
          subaccount: 0,
        },
      },
    ]);
  });

  it('order_group_updates: numbered', async () => {
    const client = await rig.listen('alice', ['order_group_updates']);
    const group = rig.exchange.groups.create(ownerOf('alice'), micros('150'));
    const id = group!.groupId;
    rig.exchange.groups.trigger(ownerOf('alice'), id);
    rig.exchange.groups.reset(ownerOf('alice'), id);
    rig.exchange.groups.setLimit(ownerOf('alice'), id, micros('20'));
    rig.exchange.groups.delete(ownerOf('alice'), id);
    const update = (seq: number, event_type: string, more: object = {}) => ({
      type: 'order_group_updates',
      sid: 1,
      seq,
      msg: { event_type, order_group_id: id, ...more, ts_ms },
    });
    expect(await client.drain()).toEqual([
      update(1, 'created', { contracts_limit_fp: '150.00' }),
      update(2, 'triggered'),
      update(3, 'reset'),
      update(4, 'limit_updated', { contracts_limit_fp: '20.00' }),
      update(5, 'deleted'),
    ]);
  });

  it('keep users and subaccounts apart', async () => {
    const channels = ['fill', 'market_positions', 'user_orders', 'order_group_updates'];
    const [main, sub, other] = await Promise.all(['alice', 'alice-sub', 'bob'].map(key => rig.listen(key, channels)));
    rig.place({ who: ownerOf('alice', 0), side: 'buy', price: '0.40', count: '1' });
    rig.place({ who: ownerOf('alice', 1), side: 'buy', price: '0.41', count: '1' });
    rig.exchange.groups.create(ownerOf('alice', 1), micros('5'));
    const subaccounts = (frames: readonly Frame[]) => of(frames, 'user_order').map(({ msg }) => msg.subaccount_number);
    expect(subaccounts(await main!.drain())).toEqual([0, 1]);
    const heard = await sub!.drain();
    expect(subaccounts(heard)).toEqual([1]);
    expect(of(heard, 'order_group_updates')).toHaveLength(1);
    expect(await other!.drain()).toEqual([]);
  });

  it('can be filtered by market', async () => {
    const client = await rig.listen('alice', ['user_orders'], { market_tickers: [LAKERS] });
    rig.place({ side: 'buy', price: '0.40', count: '1' });
    rig.place({ side: 'buy', price: '0.40', count: '1', ticker: LAKERS });
    expect((await client.drain()).map(({ msg }) => msg.ticker)).toEqual([LAKERS]);
  });
});
