// The venue's official client (`@polymarket/clob-client-v2`), unmodified, against venue A's paper exchange. It makes every trading and
// portfolio call that it has, with the wallet of a browser library (viem) and with one of ethers.

import { Wallet as EthersWallet } from '@ethersproject/wallet';
import { AssetType, Chain, ClobClient, OrderType, PriceHistoryInterval, Side } from '@polymarket/clob-client-v2';
import { createWalletClient, http } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { TEST_ADDRESS, TEST_KEY_TEXT } from '../../support/venue-a-orders.ts';
import { NEG_RISK, REGULAR, SECOND_PROTOCOL, VenueARig } from './venue-a-rig.ts';

const [YES, NO] = REGULAR.tokens;
const PROXY = `0x${'11'.repeat(20)}`;
const HEX_64 = /^0x[0-9a-f]{64}$/;

const account = privateKeyToAccount(TEST_KEY_TEXT as `0x${string}`);
/** A wallet that only signs; the test never uses its transport. */
const viemWallet = createWalletClient({ account, transport: http('http://127.0.0.1:1') });
const ethersWallet = new EthersWallet(TEST_KEY_TEXT);

type Options = ConstructorParameters<typeof ClobClient>[0];

let rig: VenueARig;
let client: ClobClient;

async function clientOf(options: Partial<Options> = {}): Promise<ClobClient> {
  const common = {
    host: rig.server.restUrl,
    chain: Chain.POLYGON,
    signer: viemWallet,
    // The rig's clock, which is the venue's clock, stands still.
    useServerTime: true,
    throwOnError: true,
    ...options,
  };
  const creds = await new ClobClient({ ...common, throwOnError: false }).createOrDeriveApiKey();
  return new ClobClient({ ...common, creds });
}

beforeEach(async () => {
  rig = await VenueARig.start();
  // Trades settle while the client asks for their transactions.
  rig.exchange.observe(event => {
    if (event.type === 'trade') setImmediate(() => rig.timers.advance(30_000));
  });
  rig.exchange.deposit(TEST_ADDRESS, 1_000_000_000 as never);
  rig.exchange.deposit(PROXY, 100_000_000 as never);
  rig.exchange.split(TEST_ADDRESS, rig.market(REGULAR), 100_000_000 as never);
  rig.quote(REGULAR, 0, 50, 100);
  rig.quote(REGULAR, 1, 54, 100);
  client = await clientOf();
});
afterEach(() => rig.close());

describe('keys', () => {
  it('are created once, derived after, listed and deleted', async () => {
    const made = await client.createApiKey(5);
    expect(made.secret).toMatch(/^[\w-]{43}=$/);
    expect(await client.deriveApiKey(5)).toEqual(made);
    await expect(client.createApiKey(5)).rejects.toThrow('Could not create api key');
    await expect(client.deriveApiKey(6)).rejects.toThrow('Could not derive api key!');
    expect((await client.getApiKeys()).apiKeys).toEqual([client.creds!.key, made.key]);
    expect(await client.getClosedOnlyMode()).toEqual({ closed_only: false });
    const readonly = await client.createReadonlyApiKey();
    expect(await client.getReadonlyApiKeys()).toEqual([readonly.apiKey]);
    expect(await client.deleteReadonlyApiKey(readonly.apiKey)).toBe(true);
    const builder = await client.createBuilderApiKey();
    expect(await client.getBuilderApiKeys()).toEqual([{ key: builder.key }]);
    expect(await client.revokeBuilderApiKey()).toBe('OK');
    expect(await client.deleteApiKey()).toBe('OK');
    await expect(client.getApiKeys()).rejects.toThrow('Unauthorized/Invalid api key');
  });
});

// No official client on npm signs an order for the exchange of Protocol V2. This one, 1.1.0, knows the exchanges of Protocol V1 only. The
// other, `@polymarket/client` 0.2.0, has the address of the newer exchange, and uses it for quotes of combos and for approvals. Orders of
// Protocol V2 are signed by our own adapter in test/venues/venue-a/trading/protocol-v2.test.ts.
describe('a market of Protocol V2', () => {
  const [tokenID] = SECOND_PROTOCOL.tokens;

  it('is read by the client, and refuses its order, which is signed for an exchange of Protocol V1', async () => {
    rig.quote(SECOND_PROTOCOL, 0, 50, 100);
    expect(await client.getOrderBook(tokenID)).toMatchObject({
      asset_id: tokenID,
      market: SECOND_PROTOCOL.conditionId,
    });
    const wish = { tokenID, price: 0.5, side: Side.BUY, size: 10 };
    await expect(client.createAndPostOrder(wish)).rejects.toThrow('order_version_mismatch');
    expect(await client.getOpenOrders()).toEqual([]);
  });
});

describe('limit orders', () => {
  it('GTC rests, is read, is a duplicate when sent again, and is cancelled', async () => {
    const order = await client.createOrder({ tokenID: YES, price: 0.41, side: Side.BUY, size: 10.55 });
    const posted = await client.postOrder(order, OrderType.GTC);
    expect(posted).toMatchObject({ success: true, status: 'live', orderID: expect.stringMatching(HEX_64) });
    const { orderID } = posted;
    expect(await client.getOrder(orderID)).toMatchObject({ id: orderID, price: '0.41', original_size: '10.55' });
    expect((await client.getOpenOrders({ market: REGULAR.conditionId })).map(it => it.id)).toEqual([orderID]);
    await expect(client.postOrder(order, OrderType.GTC)).rejects.toThrow(`order ${orderID} is invalid. Duplicated.`);
    expect(await client.cancelOrder({ orderID })).toEqual({ canceled: [orderID], not_canceled: {} });
    expect(await client.getOpenOrders()).toEqual([]);
    expect(await client.getPreMigrationOrders()).toEqual([]);
  });

  it('GTD, post-only, on the neg-risk exchange at its finer tick', async () => {
    const [tokenID] = NEG_RISK.tokens;
    const wish = { tokenID, price: 0.477, side: Side.BUY, size: 7 };
    const { orderID } = await client.createAndPostOrder(
      { ...wish, expiration: rig.nowS + 400 },
      undefined,
      OrderType.GTD,
      true,
    );
    expect(await client.getOrder(orderID)).toMatchObject({ order_type: 'GTD', expiration: String(rig.nowS + 400) });
    rig.quote(NEG_RISK, 1, 50, 10);
    await expect(client.createAndPostOrder({ ...wish, price: 0.51 }, undefined, OrderType.GTC, true)).rejects.toThrow(
      'order crosses book',
    );
  });

  it('match what stands in the book, and learn the transaction', async () => {
    const bought = await client.createAndPostOrder({ tokenID: NO, price: 0.5, side: Side.BUY, size: 20 });
    expect(bought).toMatchObject({ status: 'matched', takingAmount: '20', makingAmount: '10' });
    expect(bought.transactionsHashes).toEqual([expect.stringMatching(HEX_64)]);
    const [trade] = await client.getTrades({ id: bought.tradeIDs![0]! });
    expect(trade).toMatchObject({ status: 'CONFIRMED', trader_side: 'TAKER', side: 'BUY', size: '20', price: '0.5' });
    const page = await client.getTradesPaginated({ market: REGULAR.conditionId });
    expect(page).toMatchObject({ count: 1, next_cursor: 'LTE=' });
  });

  it('are refused in words', async () => {
    const wish = { tokenID: YES, price: 0.4, side: Side.BUY, size: 10 };
    await expect(client.createAndPostOrder({ ...wish, size: 4 })).rejects.toThrow('lower than the minimum: 5');
    await expect(client.createAndPostOrder({ ...wish, size: 5_000 })).rejects.toThrow('not enough balance / allowance');
    const sale = { tokenID: NEG_RISK.tokens[0], price: 0.6, side: Side.SELL, size: 10 };
    await expect(client.createAndPostOrder(sale)).rejects.toThrow('not enough balance / allowance');
  });

  it('go in batches', async () => {
    const orders = await Promise.all(
      [0.4, 0.41].map(price => client.createOrder({ tokenID: YES, price, side: Side.BUY, size: 10 })),
    );
    const legs = await client.postOrders(orders.map(order => ({ order, orderType: OrderType.GTC })));
    expect(legs.map((leg: { status: string }) => leg.status)).toEqual(['live', 'live']);
    const ids = legs.map((leg: { orderID: string }) => leg.orderID);
    expect((await client.cancelOrders(ids)).canceled).toEqual(ids);
  });

  it('are cancelled by the market, and all', async () => {
    const place = async (tokenID: string) =>
      (await client.createAndPostOrder({ tokenID, price: 0.1, side: Side.BUY, size: 10 })).orderID;
    const [ofYes, ofNo, ofOther] = [await place(YES), await place(NO), await place(NEG_RISK.tokens[0])];
    expect((await client.cancelMarketOrders({ market: REGULAR.conditionId, asset_id: NO })).canceled).toEqual([ofNo]);
    expect((await client.cancelMarketOrders({ market: REGULAR.conditionId })).canceled).toEqual([ofYes]);
    expect((await client.cancelAll()).canceled).toEqual([ofOther]);
  });
});

describe('market orders', () => {
  it('FOK buys for dollars', async () => {
    const answer = await client.createAndPostMarketOrder({ tokenID: YES, amount: 10, side: Side.BUY });
    expect(answer).toMatchObject({ status: 'matched', takingAmount: '18.51' });
    expect(answer.transactionsHashes).toHaveLength(1);
  });

  it('FAK sells what it can', async () => {
    const wish = { tokenID: YES, amount: 100, price: 0.5, side: Side.SELL, orderType: OrderType.FAK } as const;
    const first = await client.createAndPostMarketOrder(wish, undefined, OrderType.FAK);
    expect(first).toMatchObject({ status: 'matched', makingAmount: '100', takingAmount: '50' });
    rig.exchange.split(TEST_ADDRESS, rig.market(REGULAR), 10_000_000 as never);
    await expect(client.createAndPostMarketOrder({ ...wish, amount: 10 }, undefined, OrderType.FAK)).rejects.toThrow(
      'no orders found to match with FAK order',
    );
  });

  it('FOK is killed', async () => {
    const wish = { tokenID: YES, amount: 500, price: 0.54, side: Side.BUY };
    await expect(client.createAndPostMarketOrder(wish)).rejects.toThrow("order couldn't be fully filled");
  });
});

describe('wallets', () => {
  it.each([1, 2, 3])('of signature type %i have their own money', async signatureType => {
    const proxied = await clientOf({ signatureType, funderAddress: PROXY });
    const wish = { tokenID: YES, price: 0.4, side: Side.BUY, size: 10 };
    const { orderID } = await proxied.createAndPostOrder(wish);
    expect((await proxied.getOrder(orderID)).maker_address.toLowerCase()).toBe(PROXY);
    const { balance } = await proxied.getBalanceAllowance({ asset_type: AssetType.COLLATERAL });
    expect(balance).toBe('100000000');
  });

  it('of ethers sign as well', async () => {
    const other = await clientOf({ signer: ethersWallet });
    expect(other.creds).toEqual(client.creds);
    const posted = await other.createAndPostOrder({ tokenID: YES, price: 0.4, side: Side.BUY, size: 10 });
    expect(posted.status).toBe('live');
  });
});

describe('portfolio', () => {
  it('balances, heartbeats, and what is empty here', async () => {
    const { balance, allowances } = await client.getBalanceAllowance({
      asset_type: AssetType.CONDITIONAL,
      token_id: YES,
    });
    expect(balance).toBe('100000000');
    expect(Object.values(allowances).map(BigInt)).toEqual([2n ** 256n - 1n, 2n ** 256n - 1n]);
    await client.updateBalanceAllowance({ asset_type: AssetType.COLLATERAL });
    const { heartbeat_id } = await client.postHeartbeat();
    expect(await client.postHeartbeat(heartbeat_id)).toEqual({ heartbeat_id: expect.any(String) });
    expect(await client.getNotifications()).toEqual([]);
    expect(await client.dropNotifications({ ids: ['1'] })).toBe('OK');
    expect(await client.isOrderScoring({ order_id: '0xab' })).toEqual({ scoring: false });
    expect(await client.areOrdersScoring({ orderIds: ['0xab'] })).toEqual({ '0xab': false });
    expect(await client.getEarningsForUserForDay('2026-09-21')).toEqual([]);
    expect(await client.getTotalEarningsForUserForDay('2026-09-21')).toEqual([]);
    expect(await client.getUserEarningsAndMarketsConfig('2026-09-21')).toEqual([]);
    expect(await client.getRewardPercentages()).toEqual({});
    expect(await client.getCurrentRewards()).toEqual([]);
    expect(await client.getRawRewardsForMarket(REGULAR.conditionId)).toEqual([]);
    const builderTrades = await client.getBuilderTrades({ builder_code: `0x${'1'.padStart(64, '0')}` });
    expect(builderTrades).toMatchObject({ trades: [], limit: 300 });
  });
});

describe('market data', () => {
  it('of the venue and its markets', async () => {
    expect(await client.getOk()).toBe('OK');
    expect(await client.getVersion()).toBe(2);
    expect(await client.getServerTime()).toBe(rig.nowS);
    expect((await client.getMarkets()).count).toBe(3);
    expect((await client.getSimplifiedMarkets()).count).toBe(3);
    expect((await client.getSamplingMarkets()).count).toBe(3);
    expect((await client.getSamplingSimplifiedMarkets()).count).toBe(3);
    expect(await client.getMarket(REGULAR.conditionId)).toMatchObject({ condition_id: REGULAR.conditionId });
    expect(await client.getClobMarketInfo(NEG_RISK.conditionId)).toMatchObject({ nr: true, fd: { r: 0.05 } });
    expect(await client.getFeeExponent(NEG_RISK.tokens[0])).toBe(1);
  });

  it('of books and prices', async () => {
    const book = await client.getOrderBook(YES);
    expect(book.bids.at(-1)).toEqual({ price: '0.5', size: '100' });
    expect(await client.getOrderBooks([{ token_id: NO, side: Side.BUY }])).toHaveLength(1);
    expect(await client.getTickSize(YES)).toBe('0.01');
    expect(await client.getNegRisk(YES)).toBe(false);
    expect(await client.getFeeRateBps(YES)).toBe(0);
    expect(await client.getMidpoint(YES)).toEqual({ mid: '0.52' });
    expect(await client.getMidpoints([{ token_id: YES, side: Side.BUY }])).toEqual({ [YES]: '0.52' });
    expect(await client.getPrice(YES, Side.SELL)).toEqual({ price: '0.54' });
    expect(await client.getPrices([{ token_id: YES, side: Side.BUY }])).toEqual({ [YES]: { BUY: '0.5' } });
    expect(await client.getSpread(YES)).toEqual({ spread: '0.04' });
    expect(await client.getSpreads([{ token_id: YES, side: Side.BUY }])).toEqual({ [YES]: '0.04' });
    expect(await client.getLastTradePrice(YES)).toEqual({ price: '0.5', side: '' });
    expect(await client.getLastTradesPrices([{ token_id: YES, side: Side.BUY }])).toHaveLength(1);
    expect(await client.calculateMarketPrice(YES, Side.BUY, 10)).toBe(0.54);
    const history = { market: YES, interval: PriceHistoryInterval.ONE_HOUR, fidelity: 1 };
    expect(await client.getPricesHistory(history)).toEqual({ history: [] });
  });
});
