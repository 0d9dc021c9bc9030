// The venue's own TypeScript client, unmodified, against the paper venue B: all its calls for trading, the portfolio, the account, keys and market
// data. Only its basePath is set. The keys are RSA, the only kind that the client knows.

import { generateKeyPairSync } from 'node:crypto';
import axios, { type AxiosResponse } from 'axios';
import {
  AccountApi,
  ApiKeysApi,
  Configuration,
  EventsApi,
  ExchangeApi,
  HistoricalApi,
  MarketApi,
  OrderGroupsApi,
  OrdersApi,
  PortfolioApi,
} from 'kalshi-typescript';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { wallTimers } from '../../../src/core/runtime/timers.ts';
import { ALL_SCOPES } from '../../../src/paper/venue-b/rest/access.ts';
import { EVENT_TICKER, OTHER_TICKER, TICKER, VenueBRig } from './venue-b-rig.ts';

const USER = '11111111-1111-4111-8111-111111111111';
const KEY = '22222222-2222-4222-8222-222222222222';

let rig: VenueBRig;
let configuration: Configuration;

beforeAll(async () => {
  rig = await VenueBRig.start({ timers: wallTimers });
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  rig.access.addUser({ userId: USER, tier: 'basic' });
  rig.access.addKey({
    keyId: KEY,
    userId: USER,
    publicKeyPem: publicKey.export({ type: 'spki', format: 'pem' }).toString(),
    scopes: ALL_SCOPES,
    subaccount: null,
    name: 'official',
  });
  rig.fund(USER, 100_000);
  rig.house('bid 0.47 x 30');
  rig.house('ask 0.52 x 30');
  configuration = new Configuration({
    apiKey: KEY,
    privateKeyPem: privateKey.export({ type: 'pkcs1', format: 'pem' }).toString(),
    basePath: rig.server.restUrl,
  });
});
afterAll(() => rig.close());

/** Each API gets its own axios: on the shared axios the first key would sign every request (venue-b.md §12). */
const api = <Api>(Class: new (configuration: Configuration, basePath: undefined, axios: never) => Api): Api =>
  new Class(configuration, undefined, axios.create() as never);

/** Returns the body of an answer that must have this status. */
async function answered<T>(status: number, call: Promise<AxiosResponse<T>>): Promise<T> {
  const response = await call;
  expect(response.status).toBe(status);
  return response.data;
}

let orders = 0;
const order = (changes: Record<string, unknown> = {}) => {
  orders += 1;
  return {
    ticker: TICKER,
    client_order_id: `official-${orders}`,
    side: 'bid' as const,
    count: '2.00',
    price: '0.4600',
    time_in_force: 'good_till_canceled' as const,
    self_trade_prevention_type: 'taker_at_cross' as const,
    ...changes,
  };
};

describe('account', () => {
  it('tells limits and costs, and goes up a tier', async () => {
    const account = api(AccountApi);
    expect(await answered(200, account.getAccountApiLimits())).toEqual({
      grants: [],
      read: { bucket_capacity: 200, refill_rate: 200 },
      usage_tier: 'basic',
      write: { bucket_capacity: 100, refill_rate: 100 },
    });
    await answered(204, account.upgradeAccountApiUsageLevel());
    const { usage_tier, grants } = await answered(200, account.getAccountApiLimits());
    expect([usage_tier, grants]).toEqual([
      'advanced',
      [{ exchange_instance: 'event_contract', level: 'advanced', source: 'manual' }],
    ]);
    const costs = await answered(200, account.getAccountEndpointCosts());
    expect(costs.default_cost).toBe(10);
    expect(costs.endpoint_costs).toContainEqual({
      cost: 2,
      method: 'DELETE',
      path: '/trade-api/v2/portfolio/events/orders/:order_id',
    });
    const { volume_progress } = await answered(200, account.getAccountApiUsageLevelVolumeProgress());
    expect(volume_progress).toMatchObject([{ trailing_30d_volume_fp: '0.00' }]);
    // The requests below are more than a small tier allows at once.
    rig.access.addUser({ userId: USER, tier: 'prestige' });
  });
});

describe('orders', () => {
  it('places, reads, decreases, amends, cancels', async () => {
    const trading = api(OrdersApi);
    const placed = await answered(201, trading.createOrderV2(order()));
    expect(placed).toMatchObject({ fill_count: '0.00', remaining_count: '2.00' });
    const id = placed.order_id;
    expect((await answered(200, trading.getOrder(id))).order).toMatchObject({
      order_id: id,
      user_id: USER,
      status: 'resting',
      yes_price_dollars: '0.4600',
      no_price_dollars: '0.5400',
    });
    expect(await answered(200, trading.getOrderQueuePosition(id))).toEqual({ queue_position_fp: '0.00' });
    const { queue_positions } = await answered(200, trading.getOrderQueuePositions(TICKER, undefined, 0));
    expect(queue_positions).toEqual([{ market_ticker: TICKER, order_id: id, queue_position_fp: '0.00' }]);

    const decreased = await answered(200, trading.decreaseOrderV2(id, { reduce_by: '0.50', market_ticker: TICKER }));
    expect(decreased).toMatchObject({ order_id: id, remaining_count: '1.50' });
    const amendment = { ticker: TICKER, side: 'bid' as const, price: '0.4700', count: '3.00' };
    expect(await answered(200, trading.amendOrderV2(id, amendment, 0))).toMatchObject({ remaining_count: '3.00' });
    const cancelled = await answered(200, trading.cancelOrderV2(id, 0, -1, TICKER));
    expect(cancelled).toMatchObject({ order_id: id, reduced_by: '3.00' });
    await expect(trading.cancelOrderV2(id)).rejects.toMatchObject({ response: { status: 404 } });
  });

  it('takes, and lists what came of it', async () => {
    const trading = api(OrdersApi);
    const taken = await answered(201, trading.createOrderV2(order({ price: '0.5200', count: '1.00' })));
    expect(taken).toMatchObject({ average_fee_paid: '0.0175', average_fill_price: '0.5200', fill_count: '1.00' });
    const page = await answered(200, trading.getOrders(TICKER, EVENT_TICKER, 1, 4_000_000_000, 'executed', 10));
    expect(page.orders.map(it => it.order_id)).toEqual([taken.order_id]);
    expect(page.cursor).toBe('');
    const first = await answered(200, trading.getOrders(undefined, undefined, undefined, undefined, undefined, 1));
    expect(first.cursor).not.toBe('');
    const second = await answered(
      200,
      trading.getOrders(undefined, undefined, undefined, undefined, undefined, 1, first.cursor, 0, 0),
    );
    expect(second.orders[0]?.order_id).not.toBe(first.orders[0]?.order_id);
  });

  it('places and cancels in batches, and all at once', async () => {
    const trading = api(OrdersApi);
    const batch = await answered(
      201,
      trading.batchCreateOrdersV2({ orders: [order(), order({ price: '0.4655' }), order({ ticker: OTHER_TICKER })] }),
    );
    expect(batch.orders.map(it => it.error?.code ?? it.remaining_count)).toEqual(['2.00', 'invalid_price', '2.00']);
    const [first, , third] = batch.orders;
    const cancelled = await answered(
      200,
      trading.batchCancelOrdersV2({
        orders: [{ order_id: first!.order_id!, market_ticker: TICKER }, { order_id: 'none' }],
      }),
    );
    expect(cancelled.orders).toMatchObject([
      { order_id: first!.order_id, reduced_by: '2.00' },
      { order_id: 'none', reduced_by: '0.00', error: { code: 'not_found' } },
    ]);
    await answered(204, trading.cancelAllOrders());
    expect((await answered(200, trading.getOrder(third!.order_id!))).order.status).toBe('canceled');
  });
});

describe('order groups', () => {
  it('creates, lists, triggers, resets, limits, deletes', async () => {
    const groups = api(OrderGroupsApi);
    expect(await answered(200, groups.getOrderGroups())).toEqual({});
    const { order_group_id: id, subaccount } = await answered(201, groups.createOrderGroup({ contracts_limit: 100 }));
    expect(subaccount).toBe(0);
    const placed = await answered(201, api(OrdersApi).createOrderV2(order({ order_group_id: id })));
    expect(await answered(200, groups.getOrderGroup(id))).toEqual({
      contracts_limit_fp: '100.00',
      exchange_index: 0,
      is_auto_cancel_enabled: false,
      orders: [placed.order_id],
    });
    expect(await answered(200, groups.triggerOrderGroup(id))).toEqual({});
    expect((await answered(200, groups.getOrderGroup(id))).orders).toEqual([]);
    expect(await answered(200, groups.resetOrderGroup(id, 0))).toEqual({});
    expect(await answered(200, groups.updateOrderGroupLimit(id, { contracts_limit_fp: '7.00' }))).toEqual({});
    const { order_groups } = await answered(200, groups.getOrderGroups(0));
    expect(order_groups).toMatchObject([{ id, contracts_limit_fp: '7.00' }]);
    expect(await answered(200, groups.deleteOrderGroup(id))).toEqual({});
    await expect(groups.getOrderGroup(id)).rejects.toMatchObject({ response: { status: 404 } });
  });
});

describe('portfolio', () => {
  it('shows money, positions, fills, settlements', async () => {
    const portfolio = api(PortfolioApi);
    const balance = await answered(200, portfolio.getBalance());
    expect(balance).toMatchObject({ balance: 99_946, balance_dollars: '999.4625' });
    expect(balance.balance_breakdown).toEqual([{ balance: '999.4625', exchange_index: 0 }]);
    const positions = await answered(
      200,
      portfolio.getPositions(undefined, 10, 'position', TICKER, EVENT_TICKER, 0, 0),
    );
    expect(positions.market_positions).toMatchObject([
      { ticker: TICKER, position_fp: '1.00', total_traded_dollars: '0.520000', fees_paid_dollars: '0.017500' },
    ]);
    expect(positions.event_positions).toMatchObject([{ event_ticker: EVENT_TICKER, total_cost_shares_fp: '1.00' }]);
    const { fills } = await answered(200, portfolio.getFills(TICKER));
    expect(fills).toMatchObject([{ is_taker: true, fee_cost: '0.017500', yes_price_dollars: '0.5200', side: 'yes' }]);
    expect((await answered(200, portfolio.getSettlements(10))).settlements).toEqual([]);
    expect(await answered(200, portfolio.getPortfolioRestingOrderTotalValue())).toEqual({
      resting_order_value_breakdown: [{ balance: '0.0000', exchange_index: 0 }],
      total_resting_order_value: 0,
    });
    expect(await answered(200, portfolio.getDeposits())).toEqual({ cursor: '', deposits: [] });
    expect(await answered(200, portfolio.getWithdrawals())).toEqual({ cursor: '', withdrawals: [] });
  });

  it('opens a subaccount and moves money to it', async () => {
    const portfolio = api(PortfolioApi);
    const { subaccount_number } = await answered(201, portfolio.createSubaccount({ exchange_index: 0 }));
    expect(subaccount_number).toBe(1);
    const transfer = { client_transfer_id: 'once', from_subaccount: 0, to_subaccount: 1, amount_cents: 5_000 };
    await answered(200, portfolio.applySubaccountTransfer(transfer));
    await expect(portfolio.applySubaccountTransfer(transfer)).rejects.toMatchObject({ response: { status: 409 } });
    const { transfers } = await answered(200, portfolio.getSubaccountTransfers());
    expect(transfers).toMatchObject([{ amount_cents: 5_000, from_subaccount: 0, to_subaccount: 1 }]);
    const { subaccount_balances } = await answered(200, portfolio.getSubaccountBalances());
    expect(subaccount_balances.map(it => it.balance)).toEqual(['949.4625', '50.0000']);
    await answered(200, portfolio.updateSubaccountNetting({ subaccount_number: 1, enabled: true }));
    const { netting_configs } = await answered(200, portfolio.getSubaccountNetting());
    expect(netting_configs.map(it => it.enabled)).toEqual([false, true]);
  });

  it('moves money to another shard and back', async () => {
    const portfolio = api(PortfolioApi);
    const move = { source: 'event_contract', destination: 'event_contract', amount: 10_000 } as const;
    const { transfer_id } = await answered(
      200,
      portfolio.intraExchangeInstanceTransfer({ ...move, source_exchange_shard: 0, destination_exchange_shard: 3 }),
    );
    const { transfer } = await answered(200, portfolio.getIntraExchangeInstanceTransfer(transfer_id));
    expect(transfer).toMatchObject({ amount: '1.0000', status: 'complete', destination_exchange_shard: 3 });
    expect((await answered(200, portfolio.getIntraExchangeInstanceTransfers())).transfers).toHaveLength(1);
    expect((await answered(200, portfolio.getBalance())).balance_breakdown).toEqual([
      { balance: '948.4625', exchange_index: 0 },
      { balance: '1.0000', exchange_index: 3 },
    ]);
    const back = { ...move, source_exchange_shard: 3, destination_exchange_shard: 0 };
    await expect(portfolio.intraExchangeInstanceTransfer({ ...back, amount: 10_001 })).rejects.toMatchObject({
      response: { status: 400 },
    });
    await answered(200, portfolio.intraExchangeInstanceTransfer(back));
    expect((await answered(200, portfolio.getBalance(0, 0))).balance_dollars).toBe('949.4625');
  });

  it('remembers how money shall be spread', async () => {
    const portfolio = api(PortfolioApi);
    const allocations = [
      { exchange_index: 0, percent: 60 },
      { exchange_index: 1, percent: 40 },
    ];
    await answered(200, portfolio.setTargetBalanceAllocation({ allocations, resting_margin_reservation: 'max' }));
    expect(await answered(200, portfolio.getTargetBalanceAllocation())).toEqual({
      allocations,
      resting_margin_reservation: 'max',
    });
  });
});

describe('API keys', () => {
  it('makes, uses, lists and removes keys', async () => {
    const keys = api(ApiKeysApi);
    const made = await answered(201, keys.generateApiKey({ name: 'made', scopes: ['read'] }));
    const { publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const public_key = publicKey.export({ type: 'spki', format: 'pem' }).toString();
    const { api_key_id } = await answered(201, keys.createApiKey({ name: 'own', public_key, subaccount: 1 }));
    expect((await answered(200, keys.getApiKeys())).api_keys).toEqual([
      { api_key_id: KEY, name: 'official', scopes: ['read', 'write'] },
      { api_key_id: made.api_key_id, name: 'made', scopes: ['read'] },
      { api_key_id, name: 'own', scopes: ['read', 'write'], subaccount: 1 },
    ]);

    const other = new Configuration({
      apiKey: made.api_key_id,
      privateKeyPem: made.private_key,
      basePath: rig.server.restUrl,
    });
    const reading = new OrdersApi(other, undefined, axios.create() as never);
    await answered(200, reading.getOrders());
    await expect(reading.createOrderV2(order())).rejects.toMatchObject({ response: { status: 403 } });
    await answered(204, keys.deleteApiKey(made.api_key_id));
    await expect(reading.getOrders()).rejects.toMatchObject({ response: { status: 401 } });
  });
});

describe('market data', () => {
  it('exchange', async () => {
    const exchange = api(ExchangeApi);
    expect(await answered(200, exchange.getExchangeStatus())).toMatchObject({ trading_active: true });
    expect((await answered(200, exchange.getSeriesFeeChanges())).series_fee_change_arr).toEqual([]);
    expect((await answered(200, exchange.getUserDataTimestamp())).as_of_time).toMatch(/Z$/);
  });

  it('markets', async () => {
    const market = api(MarketApi);
    expect((await answered(200, market.getMarket(TICKER))).market).toMatchObject({ yes_bid_dollars: '0.4700' });
    expect((await answered(200, market.getMarkets(1))).markets).toHaveLength(1);
    expect((await answered(200, market.getMarketOrderbook(TICKER, 1))).orderbook_fp.yes_dollars).toEqual([
      ['0.4700', '30.00'],
    ]);
    expect((await answered(200, market.getMarketOrderbooks([TICKER, OTHER_TICKER]))).orderbooks).toHaveLength(2);
    expect((await answered(200, market.getTrades(10, undefined, TICKER))).trades).toHaveLength(1);
    const series = EVENT_TICKER.split('-')[0]!;
    expect((await answered(200, market.getSeries(series))).series.ticker).toBe(series);
    expect((await answered(200, market.getSeriesList())).series).toHaveLength(1);
  });

  it('events', async () => {
    const events = api(EventsApi);
    expect((await answered(200, events.getEvents(10))).events).toHaveLength(1);
    expect((await answered(200, events.getEvent(EVENT_TICKER, true))).event.markets).toHaveLength(2);
    await answered(200, events.getEventFeeChanges());
    await answered(200, events.getMultivariateEvents());
  });

  it('history, which is empty', async () => {
    const historical = api(HistoricalApi);
    expect((await answered(200, historical.getHistoricalCutoff())).trades_created_ts).toMatch(/Z$/);
    expect(await answered(200, historical.getFillsHistorical())).toEqual({ cursor: '', fills: [] });
    expect(await answered(200, historical.getHistoricalOrders())).toEqual({ cursor: '', orders: [] });
    expect((await answered(200, historical.getHistoricalPositions())).market_positions).toEqual([]);
  });
});

// docs/PAPER.md, section "Clients".
describe('where the environment names a proxy', () => {
  /** The environment with a proxy address on which nobody listens. */
  const env = { HTTP_PROXY: 'http://127.0.0.1:9', http_proxy: 'http://127.0.0.1:9' };
  const before = { ...process.env };
  beforeAll(() => void Object.assign(process.env, env));
  afterAll(() => {
    process.env = before;
  });
  const balanceBy = (options: object) =>
    new PortfolioApi(configuration, undefined, axios.create(options) as never).getBalance();

  it('the client asks that proxy', async () => {
    await expect(balanceBy({})).rejects.toThrow();
  });

  it.each([
    ['with NO_PROXY', {}, '127.0.0.1'],
    ['with an axios without proxy', { proxy: false }, ''],
  ])('%s it asks the exchange', async (_how, options, noProxy) => {
    Object.assign(process.env, { NO_PROXY: noProxy, no_proxy: noProxy });
    expect((await balanceBy(options)).status).toBe(200);
  });
});
