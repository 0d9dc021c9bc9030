// The reading of the venue's messages: recorded samples, every text of its refusals, and both ways of writing amounts.

import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { MicroShares, Ticks, UnixMillis } from '../../../../src/core/domain/numbers.ts';
import type { Intent } from '../../../../src/core/domain/order-request.ts';
import { NOTHING_FILLED } from '../../../../src/core/domain/order-sums.ts';
import { fractionOf, VenueAFees } from '../../../../src/paper/fees/fees.ts';
import { cancelOutcome, outcomeOfPost, statedFill } from '../../../../src/venues/venue-a/trading/answers.ts';
import { NO_FEES, readMarketTerms, takerFee } from '../../../../src/venues/venue-a/trading/market-terms.ts';
import { committedBy, readShownOrder } from '../../../../src/venues/venue-a/trading/open-orders.ts';
import { fillsOf, type Wanted } from '../../../../src/venues/venue-a/trading/trades.ts';
import { collateralOf, sharesOf, timeOf } from '../../../../src/venues/venue-a/trading/wire-numbers.ts';
import { roundMicrosOf } from '../../../../src/venues/wire-values.ts';
import { recordingPath, recordingsPresent } from '../../../support/recordings.ts';
import { partiesThat, tradeIn } from './reported-trades.ts';
import { idOf } from './scripted-line.ts';
import { cents, limit, shares } from './trading-rig.ts';

const fillsFor = (row: unknown, is: Wanted['is']) => fillsOf(tradeIn(row), partiesThat(is), NO_FEES);

type Json = ReturnType<typeof JSON.parse>;

const CRATE = 'venue-a/poly-nautilus/crates/adapters/polymarket/test_data';
const TESTS = 'venue-a/poly-nautilus/tests/integration_tests/adapters/polymarket/resources/ws_messages';
const recorded = (path: string): Json => JSON.parse(readFileSync(recordingPath(path), 'utf8'));

const NOW = 1_790_000_000_000 as UnixMillis;
const ID = idOf('a');
const payload = Buffer.from('{"order":{"side":"BUY","makerAmount":"10000000"}}');
const INTENT: Intent = { payload, venueOrderId: ID, clientOrderId: 'order' };
const ASKED = { intent: INTENT, request: limit('BUY', 50, 20), fees: null };
const posted = (status: number, body: unknown, headers: readonly (readonly [string, string])[] = []) =>
  outcomeOfPost({ type: 'answer', status, headers: new Map(headers), body }, ASKED);
const cancelled = (status: number, body: unknown, id = ID) =>
  cancelOutcome({ type: 'answer', status, headers: new Map(), body }, id);

describe.skipIf(!recordingsPresent)('recorded samples (recordings)', () => {
  it('of answers to orders', () => {
    const stated = { ...recorded(`${CRATE}/http_order_response_ok.json`), orderID: ID };
    expect(posted(200, stated)).toMatchObject({ type: 'accepted', venueOrderId: ID, state: 'delayed' });
    expect(posted(200, recorded(`${CRATE}/http_order_response_failed.json`))).toMatchObject({
      type: 'refused',
      error: { code: 'VENUE_REJECTED', message: 'Insufficient balance' },
    });
    expect(posted(500, recorded(`${CRATE}/http_order_response_error_500.json`))).toMatchObject({
      type: 'unknown',
      message: 'Internal server error',
    });
  });

  it('of answers to cancels', () => {
    const ok = recorded(`${CRATE}/http_cancel_response_ok.json`);
    expect(cancelled(200, ok, ok.canceled[0])).toEqual({ type: 'cancelled' });
    const failed = recorded(`${CRATE}/http_cancel_response_failed.json`);
    expect(cancelled(200, failed, Object.keys(failed.not_canceled)[0])).toEqual({
      type: 'not-found',
      message: 'already canceled or matched',
    });
    expect(cancelled(200, failed)).toMatchObject({ type: 'unknown' });
  });

  it('of open orders', () => {
    const { data } = recorded(`${CRATE}/http_open_orders_page.json`);
    const [first, second] = data.map((row: object) => readShownOrder(withId(row), NOW));
    const bid = { state: 'rests', isBuy: true, price: 6_000, size: shares(200), stated: NOTHING_FILLED };
    expect(first).toMatchObject(bid);
    expect(second).toMatchObject({ state: 'rests', isBuy: false, matched: shares(50), stated: { size: shares(50) } });
    expect([committedBy(first), committedBy(second)]).toEqual([120_000_000, 0]);
    const sold = readShownOrder(recorded(`${CRATE}/http_open_order_sell_fok.json`), NOW);
    expect(sold).toMatchObject({ state: 'gone', stated: null });
  });

  it.each([
    ['ws_user_order_placement.json', 'rests', 0],
    ['ws_user_order_update.json', 'rests', 25],
    ['ws_user_order_matched.json', 'gone', 100],
    ['ws_user_order_cancellation.json', 'gone', 0],
    ['ws_user_order_venue_cancel.json', 'gone', 0],
    ['ws_user_order_fok_killed.json', 'gone', 0],
  ])('of the user channel: %s', (file, state, matched) => {
    const order = readShownOrder(withId(recorded(`${CRATE}/${file}`)), NOW);
    expect(order).toMatchObject({ state, stated: { size: shares(matched) } });
  });

  it('of a taker’s trade: a fill for each maker, at its price, of one token or the other', () => {
    const message = recorded(`${TESTS}/user_trade1.json`);
    const trade = tradeIn(message);
    const fills = fillsFor(message, ({ owner }) => owner === message.owner);
    expect(fills).toHaveLength(message.maker_orders.length);
    expect(new Set(fills.map(({ fillId }) => fillId)).size).toBe(fills.length);
    expect(fills.reduce((sum, { size }) => sum + size, 0)).toBe(trade.size);
    expect(fills.every(({ price, address }) => price === 5_180 && address === message.asset_id)).toBe(true);
    expect(fills[0]).toMatchObject({
      venueTradeId: message.id,
      liquidity: 'TAKER',
      settlement: message.status,
      positionChange: message.side === 'BUY' ? shares(10) : -shares(10),
    });
  });

  it('of a maker’s trade: only its own orders, at their prices', () => {
    const message = recorded(`${TESTS}/user_trade4.json`);
    const [own] = message.maker_orders;
    const fills = fillsFor(message, ({ owner }) => owner === own.owner);
    expect(fills.map(({ price, size, liquidity }) => [price, size, liquidity])).toEqual([
      [cents(40), shares(5), 'MAKER'],
      [cents(30), shares(5), 'MAKER'],
    ]);
    expect(fills.every(it => it.positionChange > 0 && it.venueOrderId.startsWith('0x'))).toBe(true);
  });

  it('of a list of trades, without makers, once it is final', () => {
    const [row] = recorded(`${CRATE}/http_trades_page.json`).data;
    const [fill, ...more] = fillsFor({ ...row, status: 'CONFIRMED' }, ({ owner }) => owner === row.owner);
    expect(more).toEqual([]);
    const executedAt = Date.parse('2024-01-01');
    expect(fill).toMatchObject({ price: cents(50), size: shares(10), settlement: 'CONFIRMED', executedAt });
  });

  it('of balances', () => {
    expect(collateralOf(recorded(`${CRATE}/http_balance_allowance_collateral.json`).balance)).toBe(1_000_000_000);
    expect(collateralOf(recorded(`${CRATE}/http_balance_allowance_no_allowance.json`).balance)).toBe(250_500_000);
  });

  /** Replaces the ids that were shortened when the order was recorded. */
  function withId(order: Json): Json {
    const digits = String(order.id).replace(/[^0-9a-f]/g, '');
    const id = `0x${digits.slice(0, 64).padEnd(64, '0')}`;
    return { ...order, id, asset_id: order.asset_id.padStart(20, '1') };
  }
});

describe('refusals', () => {
  it.each([
    [400, 'Invalid order payload', 'fault', 'INVALID_ORDER'],
    [400, 'the order owner has to be the owner of the API KEY', 'fault', 'CREDENTIALS_INVALID'],
    [400, 'the order signer address has to be the address of the API KEY', 'fault', 'CREDENTIALS_INVALID'],
    [400, "'0x12' address banned", 'fault', 'VENUE_REJECTED'],
    [400, "'0x12' address in closed only mode", 'invalid', 'VENUE_REJECTED'],
    [400, 'maker address not allowed, please use the deposit wallet flow', 'fault', 'CREDENTIALS_INVALID'],
    [400, `order ${ID} is invalid. Price (0.505) breaks minimum tick size rule: 0.01`, 'invalid', 'INVALID_ORDER'],
    [400, `order ${ID} is invalid. Size (1) lower than the minimum: 5`, 'invalid', 'INVALID_ORDER'],
    [400, 'invalid amount for a marketable BUY order ($0.5), min size: $1', 'invalid', 'INVALID_ORDER'],
    [400, `order ${ID} crosses the book`, 'invalid', 'NOT_FEASIBLE'],
    [400, 'invalid post-only order: order crosses book', 'invalid', 'NOT_FEASIBLE'],
    [400, 'not enough balance / allowance: the balance is not enough', 'insufficientBalance', 'VENUE_REJECTED'],
    [400, 'invalid expiration', 'invalid', 'INVALID_ORDER'],
    [400, 'invalid signature', 'fault', 'CREDENTIALS_INVALID'],
    [400, 'order canceled in the CTF exchange contract', 'invalid', 'VENUE_REJECTED'],
    [400, "order couldn't be fully filled. FOK orders are fully filled or killed.", 'invalid', 'NOT_FEASIBLE'],
    [400, `the orderbook ${ID} does not exist`, 'notFound', 'VENUE_REJECTED'],
    [400, 'something new', 'invalid', 'VENUE_REJECTED'],
    [401, 'Unauthorized/Invalid api key', 'fault', 'CREDENTIALS_INVALID'],
    [403, 'Trading restricted in your region', 'fault', 'VENUE_REJECTED'],
    [404, 'market not found', 'notFound', 'VENUE_REJECTED'],
  ])('%i %s', (status, error, kind, code) => {
    const venueError = { code: null, message: error };
    expect(posted(status, { error })).toEqual({ type: 'refused', kind, error: { code, message: error }, venueError });
    // An older server gives the same refusal with status 200.
    if (status === 400) {
      const older = { success: false, errorMsg: error, orderID: '', status: '' };
      expect(posted(200, older)).toEqual({ type: 'refused', kind, error: { code, message: error }, venueError });
    }
  });

  it.each([
    [400, 'order match delayed due to market conditions'],
    [404, 'Not Found'],
    [408, 'Request Timeout'],
    [500, 'could not insert order'],
    [500, 'there are no matching orders'],
    [500, 'FOK orders are filled or killed'],
    [500, 'the trade contains rounding issues'],
    [500, 'not enough balance / allowance'],
    [502, 'Bad Gateway'],
    [503, 'upstream connect error'],
    [301, 'moved'],
  ])('%i %s says nothing', (status, error) => {
    expect(posted(status, { error })).toEqual({ type: 'unknown', cause: 'unreadable', message: error });
  });

  it.each([
    [425, '', 1],
    [429, 'Too Many Requests', 7],
    [503, 'Trading is currently disabled. Check polymarket.com for updates', 1],
    [503, 'Trading is currently cancel-only. New orders are not accepted, but cancels are allowed.', 1],
  ])('%i %s: not sent', (status, error, retryAfterS) => {
    const headers = retryAfterS > 1 ? ([['retry-after', String(retryAfterS)]] as const) : [];
    expect(posted(status, { error }, headers)).toMatchObject({ type: 'not-sent', retryAfterS });
  });

  it('post-only mode says in its body when it ends; nobody is sent away for ever', () => {
    const error = 'post-only mode: only post-only orders and cancels are allowed';
    const body = { error, code: 'post_only_mode', retry_after_seconds: 79 };
    const venueError = { code: 'post_only_mode', message: error };
    expect(posted(503, body)).toEqual({ type: 'not-sent', message: error, retryAfterS: 79, venueError });
    expect(posted(503, { ...body, retry_after_seconds: 10 ** 9 })).toMatchObject({ retryAfterS: 300 });
  });

  it('tell what is there, what was killed, and what was signed for another exchange', () => {
    expect(posted(400, { error: `order ${ID} is invalid. Duplicated.` })).toMatchObject({ type: 'exists' });
    const mismatch = { type: 'refused', kind: 'fault', error: { code: 'VENUE_REJECTED' } };
    expect(posted(400, { error: 'order_version_mismatch' })).toMatchObject(mismatch);
    const killed = { type: 'accepted', venueOrderId: ID, state: 'gone', stated: NOTHING_FILLED };
    expect(posted(400, { error: 'no orders found to match with FAK order. FAK orders are …' })).toEqual(killed);
  });

  it('of cancels', () => {
    const none = (reason: string) => cancelled(200, { canceled: [], not_canceled: { [ID]: reason } }).type;
    expect(none('order match delayed due to …')).toBe('not-now');
    expect(none('Order already matched')).toBe('not-found');
    expect(cancelled(400, { error: 'Invalid orderID' })).toMatchObject({ type: 'refused', kind: 'invalid' });
    expect(cancelled(200, null).type).toBe('unknown');
    expect(cancelled(503, { error: 'Trading is currently disabled.' }).type).toBe('unknown');
    expect(cancelled(425, {}).type).toBe('not-sent');
    expect(cancelled(404, { error: 'Order not found' }).type).toBe('not-found');
    // The venue uses these words about orders. Their meaning for a cancel is unknown.
    for (const error of ['Duplicated.', 'order match delayed'])
      expect(cancelled(400, { error })).toEqual({ type: 'unknown', message: error });
  });

  it('are none without an answer', () => {
    const unsent = { type: 'not-sent', message: 'connect ECONNREFUSED' } as const;
    expect([outcomeOfPost(unsent, ASKED), cancelOutcome(unsent, ID)]).toMatchObject([unsent, unsent]);
  });
});

describe('a maker’s trade', () => {
  const OURS = idOf('b');
  const trade = (side: string, makerToken: string, change: object) => {
    const maker = { order_id: OURS, asset_id: makerToken, matched_amount: '5', price: '0.4', ...change };
    const row = { id: 'trade-1', taker_order_id: ID, asset_id: '11', side, size: '5', price: '0.4', status: 'MATCHED' };
    return fillsFor({ ...row, maker_orders: [maker] }, ({ orderId }) => orderId === OURS);
  };

  // If both orders buy, the venue makes new shares for them. If both orders sell, the venue merges their shares (venue-a.md §9.1).
  it.each([
    ['BUY', '11', -shares(5)],
    ['SELL', '11', shares(5)],
    ['BUY', '22', shares(5)],
    ['SELL', '22', -shares(5)],
  ])('without a side follows from the taker’s %s: of token %s it is %i', (side, makerToken, positionChange) => {
    const [fill] = trade(side, makerToken, {});
    expect(fill).toMatchObject({ address: makerToken, price: cents(40), positionChange, liquidity: 'MAKER' });
  });

  it('with a side has that side', () => {
    expect(trade('BUY', '22', { side: 'SELL' })).toMatchObject([{ positionChange: -shares(5) }]);
  });
});

describe('amounts of an answer', () => {
  const buy = { isBuy: true, makerAmount: 10_000_000n };
  const sell = { isBuy: false, makerAmount: 20_000_000n };
  it.each([
    ['decimals', '10', '18.51', buy, 18_510_000, 100_000_000_000n],
    ['whole decimals', '5', '10', buy, 10_000_000, 50_000_000_000n],
    ['millionths', '10000000', '18510000', buy, 18_510_000, 100_000_000_000n],
    ['a little over', '10.000001', '18.51', buy, 18_510_000, 100_000_010_000n],
    ['a little over in millionths', '10000001', '18510000', buy, 18_510_000, 100_000_010_000n],
    ['of a sale a little over', '20.000001', '9.4', sell, 20_000_001, 94_000_000_000n],
    ['of a sale', '20', '9.4', sell, 20_000_000, 94_000_000_000n],
    ['of a sale in millionths', '20000000', '9400000', sell, 20_000_000, 94_000_000_000n],
  ] as const)('%s', (_what, making, taking, signed, size, cost) => {
    expect(statedFill(making, taking, signed, null)).toEqual({ size, cost, fees: 0 });
  });

  it('may be nothing, or what cannot be', () => {
    expect(statedFill('', '', buy, null)).toBe(NOTHING_FILLED);
    for (const [making, taking] of [
      ['10', ''],
      ['', '10'],
      ['11.5', '20'],
      ['10.010001', '20'],
      ['ten', '20'],
      ['10', '5'],
      ['10', '0'],
      // These amounts, read as millionths, are more than was signed.
      ['11000000', '20000000'],
    ])
      expect(statedFill(making, taking, buy, null)).toBeNull();
  });

  it.each([
    ['24.37', 24_370_000],
    ['', null],
    [null, null],
    ['1e3', null],
    ['-1', null],
  ])('shares %j', (text, expected) => {
    expect(sharesOf(text)).toBe(expected);
  });

  it.each([
    [28.09, 28_090_000],
    ['0.123456789', 123_456],
    [1e-7, 0],
    [1e22, null],
  ])('shares on the chain %j', (value, expected) => {
    expect(roundMicrosOf(value)).toBe(expected);
  });

  it.each([
    ['1725958681', 1_725_958_681_000],
    [1_725_958_681, 1_725_958_681_000],
    ['1725958682125', 1_725_958_682_125],
    ['2024-01-01T00:00:00Z', 1_704_067_200_000],
    ['soon', 0],
    [null, 0],
  ])('a time %j', (value, expected) => {
    expect(timeOf(value)).toBe(expected);
  });
});

describe('fees', () => {
  it('are those of the paper exchange', () => {
    const rate = fc.constantFrom('0.05', '0.03', '0.07', '0', '0.0123');
    const price = fc.integer({ min: 1, max: 9_999 });
    const size = fc.integer({ min: 1, max: 10 ** 13 });
    fc.assert(
      fc.property(rate, fc.constantFrom(1, 2), price, size, (text, exponent, at, of) => {
        const terms = { rate: fractionOf(text), exponent: exponent as 1 | 2, sizeStep: 10_000 as MicroShares };
        const paper = new VenueAFees(terms).takerFee(at as Ticks, of as MicroShares);
        const ours = takerFee(feesOf(Number(text), exponent), at as Ticks, of as MicroShares);
        expect(ours).toBe(paper);
      }),
    );
  });

  it('are as on a real position: 28.09 shares at 0.6699 cost 0.31058', () => {
    expect(takerFee(feesOf(0.05, 1), 6_699 as Ticks, shares(28.09))).toBe(310_580);
    // A fee of less than the last decimal is nothing, even if it is more than half of that decimal.
    expect(takerFee(feesOf(0.05, 1), 5_000 as Ticks, shares(0.00048))).toBe(0);
  });

  function feesOf(r: number, e: number) {
    const market = { t: [{ t: '11' }, { t: '22' }], mts: 0.01, mos: 5, fd: { r, e, to: true } };
    return readMarketTerms(market, '0xab', NOW)!.fees;
  }
});

describe('a market', () => {
  const market = { t: [{ t: '11' }, { t: '22' }], mts: 0.01, mos: 5, ao: true };
  const read = (change: object, isOver = false) => readMarketTerms({ ...market, ...change }, '0xab', NOW, isOver);

  it('is open, neg-risk and free or not', () => {
    expect(read({})).toMatchObject({ phase: 'OPEN', isNegRisk: false, fees: NO_FEES, sizeMin: shares(5) });
    expect(read({ ao: undefined, nr: true }, true)).toMatchObject({ phase: 'CLOSED', isNegRisk: true });
    expect(read({ ao: undefined, nr: true })).toMatchObject({ phase: 'PAUSED', isNegRisk: true });
  });

  it.each([
    { mts: 0.02 },
    { mts: 'x' },
    { mos: 'five' },
    { t: [{ t: '11' }] },
    { t: [{ t: '11' }, { t: '11' }] },
    { fd: 1 },
    { fd: { r: 0.05, e: 1.5 } },
  ])('is not understood with %j', change => {
    expect(read(change)).toBeNull();
  });
});
