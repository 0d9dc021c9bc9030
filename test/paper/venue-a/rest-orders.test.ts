// Orders through venue A's REST: the text of every refusal, and the answer to an accepted order (venue-a.md §2, §3.1). The tests use HTTP, and sign
// as clients do.

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readAddress } from '../../../src/venues/venue-a/address.ts';
import {
  amountsOf,
  eventListing,
  marketListing,
  NEG_RISK,
  type OrderWish,
  REGULAR,
  SECOND_PROTOCOL,
  VenueARig,
  type Wallet,
} from './venue-a-rig.ts';

const [YES, NO] = REGULAR.tokens;
const SHARES = 1_000_000;
/** A bid for 10 shares at 50 cents. */
const RESTING: OrderWish = { token: YES, side: 'BUY', amounts: amountsOf('BUY', 5_000, 10 * SHARES) };
const PROXY = readAddress(`0x${'11'.repeat(20)}`)!;

let rig: VenueARig;
let alice: Wallet;
let bob: Wallet;

beforeEach(async () => {
  rig = await VenueARig.start();
  alice = rig.wallet(1);
  bob = rig.wallet(2);
});
afterEach(() => rig.close());

describe('what is refused', () => {
  const limit = (side: 'BUY' | 'SELL', price: number, shares: number): OrderWish => ({
    token: YES,
    side,
    amounts: amountsOf(side, price, shares * SHARES),
  });
  const table: [what: string, wish: OrderWish, status: number, text: string][] = [
    ['another owner', { ...RESTING, body: { owner: 'x' } }, 400, 'the order owner has to be the owner of the API KEY'],
    ['an order type that is none', { ...RESTING, body: { orderType: 'IOC' } }, 400, 'Invalid order payload'],
    ['a flag that is none', { ...RESTING, body: { postOnly: 'yes' } }, 400, 'Invalid order payload'],
    ['post-only FAK', { ...RESTING, type: 'FAK', postOnly: true }, 400, 'Invalid order payload'],
    ['no order', { ...RESTING, body: { order: null } }, 400, 'Invalid order payload'],
    ['a token that nobody lists', { ...RESTING, token: '9' }, 404, 'market not found'],
    ['an exchange of the wrong kind', { ...RESTING, isNegRisk: true }, 400, 'invalid signature'],
    ['GTD without a time', { ...RESTING, type: 'GTD' }, 400, 'invalid expiration'],
    ['GTC with a time', { ...RESTING, expirationS: 1_790_001_000 }, 400, 'invalid expiration'],
    ['GTD in the past', { ...RESTING, type: 'GTD', expirationS: 1_789_999_000 }, 400, 'invalid expiration'],
    [
      'a price off the grid',
      limit('BUY', 5_050, 10),
      400,
      'order <id> is invalid. Price (0.505) breaks minimum tick size rule: 0.01',
    ],
    [
      'a price of a dollar',
      limit('BUY', 10_000, 10),
      400,
      'order <id> is invalid. Price (1) breaks minimum tick size rule: 0.01',
    ],
    [
      'thousandths of a share',
      limit('BUY', 5_000, 10.002),
      400,
      'invalid amounts, the buy orders maker amount supports a max accuracy of 4 decimals, taker amount a max of 2 decimals',
    ],
    [
      'a market order for a thousandth of a dollar',
      { token: YES, side: 'BUY', amounts: [10_001_000, 20_002_000], type: 'FAK' },
      400,
      'invalid amounts, the market buy orders maker amount supports a max accuracy of 2 decimals, taker amount a max of 4 decimals',
    ],
    ['no shares', { ...RESTING, amounts: [5_000_000, 0] }, 400, 'Invalid order payload'],
    ['no dollars', { ...RESTING, amounts: [0, 5_000_000] }, 400, 'Invalid order payload'],
    [
      'a size below the least',
      limit('BUY', 5_000, 4),
      400,
      'order <id> is invalid. Size (4) lower than the minimum: 5',
    ],
    [
      'more than there is money for',
      limit('BUY', 5_000, 3_000),
      400,
      'not enough balance / allowance: the balance is not enough -> balance: 1000000000, order amount: 1500000000',
    ],
    [
      'more than is held',
      limit('SELL', 9_000, 10),
      400,
      'not enough balance / allowance: the balance is not enough -> balance: 0, order amount: 10000000',
    ],
    [
      'post-only across the book',
      { ...limit('BUY', 6_000, 10), postOnly: true },
      400,
      'invalid post-only order: order crosses book',
    ],
    [
      'a marketable BUY of 60 cents',
      limit('BUY', 6_000, 1),
      400,
      'invalid amount for a marketable BUY order ($0.6), min size: $1',
    ],
    [
      'FOK without enough to match',
      { ...limit('BUY', 6_000, 500), type: 'FOK' },
      400,
      "order couldn't be fully filled. FOK orders are fully filled or killed.",
    ],
    [
      'FAK without anything to match',
      { ...limit('BUY', 3_000, 10), type: 'FAK' },
      400,
      'no orders found to match with FAK order. FAK orders are partially filled or killed if no match is found.',
    ],
  ];

  it.each(table)('%s', async (_what, wish, status, text) => {
    rig.quote(REGULAR, 1, 60, 100);
    const answer = await rig.post(alice, wish);
    expect(answer.body.error).toBe(text.replace('<id>', answer.id));
    expect(answer.status).toBe(status);
  });

  it('the struct of version 1', async () => {
    const { body } = rig.order(alice, RESTING);
    const { timestamp: _time, metadata: _data, builder: _builder, ...rest } = body.order;
    const order = { ...rest, taker: `0x${'0'.repeat(40)}`, nonce: '0', feeRateBps: '0' };
    const answer = await rig.call(alice, 'POST', '/order', { ...body, order });
    expect(answer).toMatchObject({ status: 400, body: { error: 'order_version_mismatch' } });
  });

  it('a body that is no JSON', async () => {
    const text = '{"order":';
    const answer = await rig.send('POST', '/order', text, rig.l2Headers(alice, 'POST', '/order', text));
    expect(answer).toMatchObject({ status: 400, body: { error: 'Invalid order payload' } });
  });

  it('a signature over another order', async () => {
    const { body } = rig.order(alice, RESTING);
    const { order } = rig.order(alice, RESTING).body;
    const answer = await rig.call(alice, 'POST', '/order', {
      ...body,
      order: { ...body.order, signature: order.signature },
    });
    expect(answer).toMatchObject({ status: 400, body: { error: 'invalid signature' } });
  });

  it('an order that another key has signed', async () => {
    const { body } = rig.order(bob, RESTING);
    const answer = await rig.call(alice, 'POST', '/order', { ...body, owner: alice.credentials.apiKey });
    const error = 'the order signer address has to be the address of the API KEY';
    expect(answer).toMatchObject({ status: 400, body: { error } });
  });

  it('the same order twice, whether it rests, has matched or was cancelled', async () => {
    const { id, body } = rig.order(alice, RESTING);
    const post = () => rig.call(alice, 'POST', '/order', body);
    expect(await post()).toMatchObject({ status: 200, body: { status: 'live', orderID: id } });
    const duplicated = { status: 400, body: { error: `order ${id} is invalid. Duplicated.`, orderID: id } };
    expect(await post()).toMatchObject(duplicated);
    await rig.call(alice, 'DELETE', '/order', { orderID: id });
    expect(await post()).toMatchObject(duplicated);
    expect((await rig.call(alice, 'GET', '/data/orders')).body.count).toBe(0);
  });

  it('the same order under other terms that are not signed, or another key of its owner', async () => {
    const { id, body } = rig.order(alice, RESTING);
    expect((await rig.call(alice, 'POST', '/order', body)).status).toBe(200);
    const duplicate = { status: 400, body: { error: `order ${id} is invalid. Duplicated.` } };
    const later = { ...body, orderType: 'GTD', order: { ...body.order, expiration: '1790001000' } };
    expect(await rig.call(alice, 'POST', '/order', later)).toMatchObject(duplicate);
    expect(await rig.call(alice, 'POST', '/order', { ...body, postOnly: true })).toMatchObject(duplicate);
    const credentials = rig.access.createKey(alice.address, 1n)!;
    const second = { ...body, owner: credentials.apiKey };
    expect(await rig.call({ ...alice, credentials }, 'POST', '/order', second)).toMatchObject(duplicate);
    expect([...rig.exchange.openOrders(alice.credentials.apiKey, 0)]).toHaveLength(1);
  });

  it('what is held by an open order already', async () => {
    rig.exchange.split(alice.address, rig.market(REGULAR), (10 * SHARES) as never);
    const sale: OrderWish = { token: NO, side: 'SELL', amounts: amountsOf('SELL', 9_000, 6 * SHARES) };
    expect((await rig.post(alice, sale)).status).toBe(200);
    const again = await rig.post(alice, sale);
    expect(again.status).toBe(400);
    expect(again.body.error).toContain('not enough balance / allowance');
  });
});

describe('whose wallet it is', () => {
  const from = (signatureType: 1 | 2 | 3): OrderWish => ({ ...RESTING, maker: PROXY, signatureType });

  it.each([1, 2, 3] as const)('type %i: the first who trades from a wallet owns it', async type => {
    rig.exchange.deposit(PROXY, 20_000_000 as never);
    expect(await rig.post(alice, from(type))).toMatchObject({ status: 200, body: { status: 'live' } });
    const { body } = await rig.call(alice, 'GET', '/data/orders');
    expect(body.data[0].maker_address).toBe(PROXY);
    const error = 'maker address not allowed, please use the deposit wallet flow';
    expect(await rig.post(bob, from(type))).toMatchObject({ status: 400, body: { error } });
  });

  it('the operator says otherwise', async () => {
    rig.exchange.deposit(PROXY, 20_000_000 as never);
    expect(rig.access.bindWallet(PROXY, bob.address, 2)).toBe(true);
    expect((await rig.post(alice, from(2))).status).toBe(400);
    expect((await rig.post(bob, from(2))).status).toBe(200);
    const balance = async (wallet: Wallet) =>
      (await rig.call(wallet, 'GET', '/balance-allowance?asset_type=COLLATERAL&signature_type=2')).body.balance;
    expect([await balance(alice), await balance(bob)]).toEqual(['0', '20000000']);
    rig.access.bindWallet(PROXY, alice.address, 2);
    expect([await balance(alice), await balance(bob)]).toEqual(['20000000', '0']);
  });

  it("an API key's address is its own, for a proxy too", async () => {
    const answer = await rig.post(bob, { ...RESTING, maker: alice.address, signatureType: 1 });
    expect(answer.body.error).toBe('maker address not allowed, please use the deposit wallet flow');
  });

  it('an order for an EOA other than its signer is not signed', async () => {
    const answer = await rig.post(bob, { ...RESTING, maker: alice.address });
    expect(answer.body.error).toBe('invalid signature');
  });
});

describe('who is shut out', () => {
  it('an address that is banned', async () => {
    rig.access.restrict(alice.address, 'banned');
    const answer = await rig.post(alice, RESTING);
    expect(answer.status).toBe(400);
    expect(answer.body.error).toMatch(/^'0x[0-9a-fA-F]{40}' address banned$/);
    rig.access.restrict(alice.address, null);
    expect((await rig.post(alice, RESTING)).status).toBe(200);
  });

  it('a wallet in closed only mode, but for its sales', async () => {
    rig.exchange.split(alice.address, rig.market(REGULAR), (10 * SHARES) as never);
    rig.access.restrict(alice.address, 'closed-only');
    const bought = await rig.post(alice, RESTING);
    expect(bought.body.error).toMatch(/^'0x[0-9a-fA-F]{40}' address in closed only mode$/);
    const sold = await rig.post(alice, { token: YES, side: 'SELL', amounts: amountsOf('SELL', 9_000, 6 * SHARES) });
    expect(sold.status).toBe(200);
    const banStatus = await rig.call(alice, 'GET', '/auth/ban-status/closed-only');
    expect(banStatus.body).toEqual({ closed_only: true });
  });
});

describe('in the modes of the venue', () => {
  const modes = [
    ['cancel-only', 503, 'Trading is currently cancel-only. New orders are not accepted, but cancels are allowed.'],
    ['disabled', 503, 'Trading is currently disabled. Check polymarket.com for updates'],
    ['restarting', 425, 'matching engine is restarting'],
  ] as const;

  it.each(modes)('%s', async (mode, status, error) => {
    const { id } = await rig.post(alice, RESTING);
    rig.exchange.setMode(mode);
    expect(await rig.post(alice, RESTING)).toMatchObject({ status, body: { error } });
    const batch = await rig.call(alice, 'POST', '/orders', [rig.order(alice, RESTING).body]);
    expect(batch).toMatchObject({ status, body: { error } });
    const cancels = [
      ['/order', { orderID: id }],
      ['/orders', [id]],
      ['/cancel-market-orders', { market: REGULAR.conditionId }],
      ['/cancel-all', undefined],
    ] as const;
    if (mode === 'cancel-only') {
      expect((await rig.call(alice, 'DELETE', ...cancels[0])).body.canceled).toEqual([id]);
      return;
    }
    for (const [target, body] of cancels)
      expect(await rig.call(alice, 'DELETE', target, body)).toMatchObject({ status, body: { error } });
    expect([...rig.exchange.openOrders(alice.credentials.apiKey, 0)]).toHaveLength(1);
  });

  it('post-only', async () => {
    rig.exchange.setMode('post-only');
    const refused = await rig.post(alice, RESTING);
    expect(refused).toMatchObject({
      status: 503,
      body: {
        error: 'post-only mode: only post-only orders and cancels are allowed',
        code: 'post_only_mode',
        retry_after_seconds: Number(refused.headers.get('retry-after')),
      },
    });
    expect((await rig.post(alice, { ...RESTING, postOnly: true })).status).toBe(200);
  });

  it('a market that takes no orders', async () => {
    rig.exchange.setAcceptingOrders(rig.market(REGULAR), false);
    const error = 'the market is not yet ready to process new orders';
    expect(await rig.post(alice, RESTING)).toMatchObject({ status: 400, body: { error } });
  });
});

describe('what is taken', () => {
  it('rests', async () => {
    const answer = await rig.post(alice, RESTING);
    expect(answer.status).toBe(200);
    const { id: orderID } = answer;
    expect(answer.body).toEqual({
      errorMsg: '',
      orderID,
      takingAmount: '',
      makingAmount: '',
      status: 'live',
      success: true,
    });
  });

  it('is matched, and settles later', async () => {
    rig.quote(REGULAR, 1, 54, 100);
    const answer = await rig.post(alice, { token: YES, side: 'BUY', amounts: [10_000_000, 18_518_500], type: 'FOK' });
    expect(answer.body).toEqual({
      errorMsg: '',
      orderID: answer.id,
      takingAmount: '18.51',
      makingAmount: '9.9954',
      status: 'matched',
      success: true,
      tradeIDs: [expect.stringMatching(/^[0-9a-f-]{36}$/)],
    });
  });

  it('sells into a bid for the other token: takingAmount is dollars then', async () => {
    rig.exchange.split(alice.address, rig.market(REGULAR), (10 * SHARES) as never);
    rig.quote(REGULAR, 1, 54, 100);
    const answer = await rig.post(alice, { token: NO, side: 'SELL', amounts: amountsOf('SELL', 4_600, 10 * SHARES) });
    expect(answer.body).toMatchObject({ takingAmount: '4.6', makingAmount: '10', status: 'matched' });
  });

  it('is of the neg-risk exchange, at its finer tick', async () => {
    const wish = { token: NEG_RISK.tokens[1], side: 'BUY', amounts: amountsOf('BUY', 4_770, 10 * SHARES) } as const;
    expect((await rig.post(alice, wish)).body).toMatchObject({ status: 'live' });
  });

  it('is of protocol V2, signed for its exchange', async () => {
    const wish: OrderWish = {
      token: SECOND_PROTOCOL.tokens[1],
      side: 'BUY',
      amounts: amountsOf('BUY', 4_700, 10 * SHARES),
    };
    const answer = await rig.post(alice, wish);
    expect(answer.body).toMatchObject({ status: 'live', orderID: answer.id });
  });

  it('is held back where takers are, and cannot be cancelled meanwhile', async () => {
    const held = await VenueARig.start({ events: [eventListing([marketListing({ takerDelayS: 1 })])] });
    const taker = held.wallet(1);
    held.quote(REGULAR, 1, 54, 100);
    const wish: OrderWish = { token: YES, side: 'BUY', amounts: amountsOf('BUY', 5_400, 10 * SHARES) };
    const { id, body } = await held.post(taker, wish);
    expect(body).toMatchObject({ status: 'delayed', takingAmount: '', makingAmount: '' });
    expect((await held.call(taker, 'GET', `/data/order/${id}`)).body.status).toBe('DELAYED');
    expect((await held.call(taker, 'DELETE', '/order', { orderID: id })).body.canceled).toEqual([]);
    held.timers.advance(1_000);
    expect((await held.call(taker, 'GET', '/data/trades')).body.data).toMatchObject([{ taker_order_id: id }]);
    held.close();
  });

  it('lasts until a date', async () => {
    const { id } = await rig.post(alice, { ...RESTING, type: 'GTD', expirationS: rig.nowS + 400 });
    const { body } = await rig.call(alice, 'GET', `/data/order/${id}`);
    expect(body).toMatchObject({ id, expiration: String(rig.nowS + 400), order_type: 'GTD' });
    rig.timers.advance(400_000);
    expect((await rig.call(alice, 'GET', '/data/orders')).body.data).toEqual([]);
  });
});
