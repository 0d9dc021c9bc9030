// Venue A's REST for the owner of a key (venue-a.md §3.4–3.8). Covers orders and trades with their filters and pages, balances and
// heartbeats, and what faults make of them. Builder codes (venue-a.md §2.1, §3.6): signed with the order, kept with it, and asked for by
// anybody.

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Bytes32, ZERO_BYTES32 } from '../../../src/venues/venue-a/abi-words.ts';
import { checksumAddress, readAddress } from '../../../src/venues/venue-a/address.ts';
import { amountsOf, NEG_RISK, type OrderWish, REGULAR, VenueARig, type Wallet } from './venue-a-rig.ts';

const [YES, NO] = REGULAR.tokens;
const SHARES = 1_000_000;
const RESTING: OrderWish = { token: YES, side: 'BUY', amounts: amountsOf('BUY', 5_300, 10.5 * SHARES) };

let rig: VenueARig;
let alice: Wallet;
let bob: Wallet;
const read = async (wallet: Wallet, target: string) => (await rig.call(wallet, 'GET', target)).body;

beforeEach(async () => {
  rig = await VenueARig.start();
  alice = rig.wallet(1);
  bob = rig.wallet(2);
});
afterEach(() => rig.close());

describe('orders', () => {
  it('are shown as the venue shows them', async () => {
    const { id } = await rig.post(alice, RESTING);
    const order = {
      id,
      status: 'LIVE',
      owner: alice.credentials.apiKey,
      maker_address: checksumAddress(alice.address),
      market: REGULAR.conditionId,
      asset_id: YES,
      side: 'BUY',
      original_size: '10.5',
      size_matched: '0',
      price: '0.53',
      associate_trades: [],
      outcome: 'HOM',
      created_at: rig.nowS,
      expiration: '0',
      order_type: 'GTC',
    };
    expect(await read(alice, `/data/order/${id}`)).toEqual(order);
    expect(await read(alice, '/data/orders')).toEqual({ limit: 100, count: 1, next_cursor: 'LTE=', data: [order] });
  });

  it('are nothing once they have ended, and not found by others', async () => {
    const { id } = await rig.post(alice, RESTING);
    const hidden = await rig.call(bob, 'GET', `/data/order/${id}`);
    expect(hidden).toMatchObject({ status: 404, body: { error: 'Order not found' } });
    await rig.call(alice, 'DELETE', '/order', { orderID: id });
    expect(await rig.call(alice, 'GET', `/data/order/${id}`)).toMatchObject({ status: 200, body: null });
  });

  it('are filtered', async () => {
    const { id: ofYes } = await rig.post(alice, RESTING);
    const { id: ofNo } = await rig.post(alice, {
      ...RESTING,
      token: NO,
      amounts: amountsOf('BUY', 4_000, 10 * SHARES),
    });
    const { id: ofOther } = await rig.post(alice, { ...RESTING, token: NEG_RISK.tokens[0] });
    const ids = async (query: string) =>
      (await read(alice, `/data/orders?${query}`)).data.map((order: { id: string }) => order.id);
    expect(await ids('')).toEqual([ofOther, ofNo, ofYes]);
    expect(await ids(`market=${REGULAR.conditionId}`)).toEqual([ofNo, ofYes]);
    expect(await ids(`asset_id=${NO}`)).toEqual([ofNo]);
    expect(await ids(`id=${ofOther.toUpperCase().replace('0X', '0x')}`)).toEqual([ofOther]);
    expect(await ids(`id=${ofOther}&asset_id=${NO}`)).toEqual([]);
  });

  it('come in pages of a hundred', async () => {
    const wish = { ...RESTING, amounts: amountsOf('BUY', 5_300, 5 * SHARES) };
    for (let batch = 0; batch < 8; batch += 1) {
      const bodies = Array.from({ length: 15 }, () => rig.order(alice, wish).body);
      await rig.call(alice, 'POST', '/orders', bodies);
    }
    const first = await read(alice, '/data/orders?next_cursor=MA==');
    const second = await read(alice, `/data/orders?next_cursor=${first.next_cursor}`);
    expect([first.count, second.count, second.next_cursor]).toEqual([100, 20, 'LTE=']);
    const ids = [...first.data, ...second.data].map((order: { id: string }) => order.id);
    expect(new Set(ids).size).toBe(120);
    expect((await rig.call(alice, 'GET', '/data/orders?next_cursor=zzz')).status).toBe(400);
  });
});

describe('trades', () => {
  it('are seen from both sides, and settle', async () => {
    const { id: makerId } = await rig.post(bob, {
      ...RESTING,
      token: NO,
      amounts: amountsOf('BUY', 4_700, 10 * SHARES),
    });
    const { id: takerId, body } = await rig.post(alice, { ...RESTING, amounts: amountsOf('BUY', 5_300, 6 * SHARES) });
    const [tradeId] = body.tradeIDs;
    const trade = {
      id: tradeId,
      taker_order_id: takerId,
      market: REGULAR.conditionId,
      asset_id: YES,
      side: 'BUY',
      size: '6',
      fee_rate_bps: '0',
      price: '0.53',
      status: 'MATCHED',
      match_time: String(rig.nowS),
      match_time_nano: `${rig.nowS}000000000`,
      last_update: String(rig.nowS),
      outcome: 'HOM',
      bucket_index: 0,
      owner: alice.credentials.apiKey,
      maker_address: checksumAddress(alice.address),
      transaction_hash: expect.stringMatching(/^0x[0-9a-f]{64}$/),
      err_msg: null,
      maker_orders: [
        {
          order_id: makerId,
          owner: bob.credentials.apiKey,
          maker_address: checksumAddress(bob.address),
          matched_amount: '6',
          price: '0.47',
          fee_rate_bps: '0',
          asset_id: NO,
          outcome: 'AWY',
          side: 'BUY',
        },
      ],
      trader_side: 'TAKER',
    };
    expect((await read(alice, '/data/trades')).data).toEqual([trade]);
    expect((await read(bob, '/data/trades')).data).toEqual([{ ...trade, trader_side: 'MAKER' }]);
    const [matched] = (await read(alice, '/data/trades')).data;
    rig.timers.advance(60_000);
    const [settled] = (await read(alice, `/data/trades?id=${tradeId}`)).data;
    expect(settled).toMatchObject({ status: 'CONFIRMED', transaction_hash: matched.transaction_hash });
    expect((await read(bob, `/data/order/${makerId}`)).associate_trades).toEqual([tradeId]);
  });

  it('are filtered', async () => {
    rig.quote(REGULAR, 1, 60, 100);
    const wish: OrderWish = { token: YES, side: 'BUY', amounts: amountsOf('BUY', 6_000, 10 * SHARES) };
    await rig.post(alice, wish);
    const firstS = rig.nowS;
    rig.timers.advance(10_000);
    await rig.post(alice, wish);
    const count = async (query: string) => (await read(alice, `/data/trades?${query}`)).count;
    expect(await count('')).toBe(2);
    expect(await count(`after=${firstS + 1}`)).toBe(1);
    expect(await count(`before=${firstS}`)).toBe(1);
    expect(await count(`asset_id=${NO}`)).toBe(0);
    expect(await count(`market=${REGULAR.conditionId}&asset_id=${YES}`)).toBe(2);
    expect(await count(`maker_address=${alice.address}`)).toBe(2);
    expect(await count(`maker_address=${bob.address}`)).toBe(0);
    expect((await read(bob, '/data/trades')).count).toBe(0);
  });
});

describe('balances', () => {
  const proxy = readAddress(`0x${'11'.repeat(20)}`)!;

  it('are those of the wallet of that kind', async () => {
    rig.exchange.split(alice.address, rig.market(REGULAR), (10 * SHARES) as never);
    const of = (query: string) => read(alice, `/balance-allowance?${query}`);
    const unlimited = '115792089237316195423570985008687907853269984665640564039457584007913129639935';
    expect(await of('asset_type=COLLATERAL&signature_type=0')).toEqual({
      balance: '990000000',
      allowances: {
        '0xE111180000d2663C0091e4f400237545B87B996B': unlimited,
        '0xe2222d279d744050d28e00520010520000310F59': unlimited,
        '0xe3333700cA9d93003F00f0F71f8515005F6c00Aa': unlimited,
      },
    });
    expect((await of(`asset_type=CONDITIONAL&token_id=${NO}&signature_type=0`)).balance).toBe('10000000');
    expect((await of('asset_type=COLLATERAL&signature_type=1')).balance).toBe('0');
    rig.access.bindWallet(proxy, alice.address, 1);
    rig.exchange.deposit(proxy, 7_000_000 as never);
    expect((await of('asset_type=COLLATERAL&signature_type=1')).balance).toBe('7000000');
    expect((await of('asset_type=COLLATERAL&signature_type=2')).balance).toBe('0');
  });

  it('of dollars lack what came on chain since the last update, and have what was traded', async () => {
    const query = 'asset_type=COLLATERAL&signature_type=0';
    const shown = async () => (await read(alice, `/balance-allowance?${query}`)).balance;
    expect(await shown()).toBe('1000000000');
    rig.exchange.deposit(alice.address, 7_000_000 as never);
    rig.exchange.split(alice.address, rig.market(REGULAR), (10 * SHARES) as never);
    expect(await shown()).toBe('1000000000');
    rig.quote(REGULAR, 1, 60, 100);
    await rig.post(alice, { token: YES, side: 'BUY', amounts: amountsOf('BUY', 6_000, 10 * SHARES) });
    expect(Number(await shown())).toBeLessThan(994_000_001);
    expect(Number(await shown())).toBeGreaterThan(993_000_000);
    const before = Number(await shown());
    expect(await read(alice, `/balance-allowance/update?${query}`)).toBe('');
    expect(Number(await shown())).toBe(before - 3_000_000);
  });

  it.each(['asset_type=X', 'asset_type=CONDITIONAL&token_id=9', 'asset_type=COLLATERAL&signature_type=4'])(
    'of nothing that is known: %s',
    async query => {
      expect((await rig.call(alice, 'GET', `/balance-allowance?${query}`)).status).toBe(400);
    },
  );
});

describe('heartbeats', () => {
  const beat = (heartbeat_id: string) => rig.call(alice, 'POST', '/v1/heartbeats', { heartbeat_id });

  it('hand on an id, and cancel everything when they stop', async () => {
    await rig.post(alice, RESTING);
    const first = (await beat('')).body.heartbeat_id;
    const wrong = await beat('x');
    expect(wrong).toMatchObject({ status: 400, body: { error: 'Invalid Heartbeat ID', heartbeat_id: first } });
    rig.timers.advance(8_000);
    expect((await beat(first)).status).toBe(200);
    rig.timers.advance(8_000);
    expect((await read(alice, '/data/orders')).count).toBe(1);
    rig.timers.advance(20_000);
    expect((await read(alice, '/data/orders')).count).toBe(0);
  });

  it('of the old kind have none', async () => {
    await rig.post(alice, RESTING);
    for (let count = 0; count < 4; count += 1) {
      expect((await rig.call(alice, 'POST', '/heartbeats')).body).toEqual({ status: 'ok' });
      rig.timers.advance(8_000);
    }
    expect((await read(alice, '/data/orders')).count).toBe(1);
  });
});

const [HOME, AWAY] = NEG_RISK.tokens;
const CODE = `0x${'b1'.repeat(32)}` as Bytes32;
const OTHER = `0x${'b2'.repeat(32)}` as Bytes32;

const tradesOf = async (code: string, query = '') =>
  (await rig.get(`/builder/trades?builder_code=${code}${query}`)).body.data;
const buy = (token: string, price: number, shares: number, builder?: Bytes32): OrderWish => ({
  token,
  side: 'BUY',
  amounts: amountsOf('BUY', price, shares * SHARES),
  ...(builder === undefined ? {} : { builder }),
});

describe("a builder's trades", () => {
  beforeEach(async () => {
    rig = await VenueARig.start();
    alice = rig.wallet(1);
    bob = rig.wallet(2);
    await rig.post(alice, buy(AWAY, 4_000, 10, CODE));
    await rig.post(alice, buy(AWAY, 3_900, 10, OTHER));
    await rig.post(alice, buy(AWAY, 3_800, 10));
    const answer = await rig.post(bob, buy(HOME, 6_200, 30, CODE));
    expect(answer.body.status).toBe('matched');
  });
  afterEach(() => rig.close());

  it('are those of its orders, on either side', async () => {
    const [taken, made, ...none] = await tradesOf(CODE);
    expect(none).toEqual([]);
    expect(taken).toMatchObject({
      tradeType: 'TAKER',
      builder: CODE,
      assetId: HOME,
      side: 'BUY',
      size: '30',
      sizeUsdc: '18.3',
      maker: checksumAddress(bob.address),
      owner: bob.credentials.apiKey,
      status: 'MATCHED',
    });
    // The fee is 5 % of 0.24, 0.2379 and 0.2356 a share, for ten shares each.
    expect(taken.feeUsdc).toBe('0.35675');
    expect(made).toMatchObject({
      id: taken.id,
      tradeType: 'MAKER',
      assetId: AWAY,
      size: '10',
      sizeUsdc: '4',
      price: '0.4',
      owner: alice.credentials.apiKey,
      feeUsdc: '0',
    });
    expect(await tradesOf(OTHER)).toMatchObject([{ tradeType: 'MAKER', sizeUsdc: '3.9' }]);
  });

  it("are nobody's without a code", async () => {
    for (const code of ['', ZERO_BYTES32, `0x${'b3'.repeat(32)}`]) expect(await tradesOf(code)).toEqual([]);
  });

  it('are filtered as trades are', async () => {
    expect(await tradesOf(CODE, `&market=${NEG_RISK.conditionId}`)).toHaveLength(2);
    expect(await tradesOf(CODE, `&before=${rig.nowS - 1}`)).toEqual([]);
  });

  it('are named in the trades of both', async () => {
    const { data } = (await rig.call(bob, 'GET', '/data/trades')).body;
    const codes = data[0].maker_orders.map((maker: { builder_code?: string }) => maker.builder_code);
    expect(codes).toEqual([CODE, OTHER, undefined]);
  });
});
