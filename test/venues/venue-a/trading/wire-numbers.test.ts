// Prices and money of venue A, in every form that the venue may write, read as integers.

import { describe, expect, it } from 'vitest';
import type { UnixMillis } from '../../../../src/core/domain/numbers.ts';
import { readMarketTerms } from '../../../../src/venues/venue-a/trading/market-terms.ts';
import { readShownOrder } from '../../../../src/venues/venue-a/trading/open-orders.ts';
import { lostOf, readTrade } from '../../../../src/venues/venue-a/trading/trades.ts';
import {
  averagePriceOf,
  collateralOf,
  nearestTicksOf,
  sharesOf,
} from '../../../../src/venues/venue-a/trading/wire-numbers.ts';
import { submitOutcome } from '../../../../src/venues/venue-b/trading/answers.ts';
import { lookUp } from '../../../../src/venues/venue-b/trading/look-up.ts';
import { fillRecordOf, orderRecordOf } from '../../../../src/venues/venue-b/trading/reported-rows.ts';
import { answer, orderOf, request as requestOf } from '../../venue-b/trading/scripted-answers.ts';
import { FILL, ORDER, scriptedRest } from '../../venue-b/trading/scripted-rest.ts';
import { EVERYBODY } from './reported-trades.ts';
import { CONDITION, idOf, orderRow } from './scripted-line.ts';
import { FIRST, SECOND } from './trading-rig.ts';

it.each([
  ['0.12345', 1_235],
  ['0.12344', 1_234],
  ['0.99999', 9_999],
  ['0.00001', 1],
  ['0.5', 5_000],
  ['0', null],
  ['1', null],
  ['half', null],
])('an average price of %s is, to the nearest tick that can be traded at, %s', (text, ticks) => {
  expect(averagePriceOf(text)).toBe(ticks);
});

it.each([
  ['1', 10_000],
  ['0', 0],
  ['0.99999', 9_999],
])('a price of %s is final or not: %i', (text, ticks) => {
  expect(nearestTicksOf(text)).toBe(ticks);
});

it.each([
  ['1000000000', 1_000_000_000],
  ['250.500000', 250_500_000],
  ['0', 0],
  ['1e9', null],
  ['-1', null],
])('a balance of %s has %s micro-dollars', (text, micros) => {
  expect(collateralOf(text)).toBe(micros);
});

// Venues leave an unset field out, write null, or write an empty text. All three mean the same, in every optional number of both venues. An
// empty text made the cost of an order unreadable, and an ended order "unavailable". In other fields it counted as zero, so an order
// without a stated amount had ended without a trade.
describe('3003: an empty text is not a number', () => {
  const NOTHING = [undefined, null, ''];
  const AT = 1_780_000_000_000 as UnixMillis;

  describe('venue B', () => {
    const { initial: size, limit: price } = orderRecordOf(ORDER)!;
    const request = requestOf({ size, price });
    const taken = { ...ORDER, status: 'executed', remaining_count_fp: '0.00', fill_count_fp: '10.00' };
    const order = { ...taken, taker_fill_cost_dollars: '3.4000', maker_fees_dollars: '0.0200' };

    it.each(NOTHING)('(%j) of a cost or a fee is no part of the sum', async nothing => {
      const bare = { ...order, maker_fill_cost_dollars: nothing, taker_fees_dollars: nothing };
      const record = orderRecordOf(bare);
      expect(record?.stated).toMatchObject({ cost: 34_000_000_000n, fees: 20_000 });
      const made = orderOf(request);
      const rest = scriptedRest(target =>
        target.includes('/fills') ? { fills: [], cursor: nothing } : { order: bare, orders: [] },
      );
      const intent = { payload: new Uint8Array(), venueOrderId: 'order', clientOrderId: 'ours' };
      const found = await lookUp(rest, { ...made, venueOrderId: 'order' }, intent, rest.deadline());
      expect(found).toMatchObject({ type: 'found', state: 'gone', stated: { size: 10_000_000 } });
    });

    it.each(NOTHING)('(%j) of all of them is no cost of nothing', nothing => {
      const sums = { taker_fill_cost_dollars: nothing, maker_fill_cost_dollars: nothing };
      expect(orderRecordOf({ ...order, ...sums })).toMatchObject({ state: 'gone', stated: null });
      expect(orderRecordOf({ ...ORDER, initial_count_fp: nothing })?.initial).toBe(10_000_000);
    });

    it.each(NOTHING)('(%j) of a fee, a time or an older word is as if it were not there', nothing => {
      const reported = { ...FILL, fee_cost: nothing, ts_ms: nothing, created_time: '2022-12-24T16:29:57.123Z' };
      expect(fillRecordOf(reported)).toMatchObject({ fee: 0, executedAt: 1_671_899_397_123 });
      const older = { ...FILL, book_side: nothing, outcome_side: nothing, purchased_side: 'no' };
      expect(fillRecordOf(older)?.positionChange).toBe(-2_500_000);
    });

    it.each(NOTHING)('(%j) of an average follows from the fills', nothing => {
      const body = { order_id: 'o', client_order_id: nothing, fill_count: '4.00', remaining_count: '6.00' };
      const said = { ...body, average_fill_price: nothing, average_fee_paid: nothing };
      expect(submitOutcome(request, 'ours', answer(201, said))).toMatchObject({ state: 'rests', stated: null });
      const priced = answer(201, { ...said, average_fill_price: '0.3400' });
      expect(submitOutcome(request, 'ours', priced)).toMatchObject({ stated: { cost: 13_600_000_000n, fees: 0 } });
    });
  });

  describe('venue A', () => {
    const id = idOf('a');
    const order = orderRow();

    it.each(NOTHING)('(%j) is no number of shares', nothing => {
      expect(sharesOf(nothing)).toBeNull();
    });

    it.each(NOTHING)('(%j) of what was matched is no end without a trade', nothing => {
      const ended = { type: 'CANCELLATION', status: 'CANCELED', size_matched: nothing };
      const cancelled = readShownOrder({ ...order, ...ended }, AT);
      expect(cancelled).toMatchObject({ state: 'gone', stated: null, matched: null });
      const resting = readShownOrder({ ...order, status: 'LIVE', size_matched: nothing }, AT);
      expect(resting).toMatchObject({ state: 'rests', stated: null, matched: null });
      const matched = readShownOrder({ ...order, status: 'MATCHED', size_matched: nothing }, AT);
      // Only the list of resting orders tells whether a part of the order is left.
      expect(matched).toMatchObject({ state: 'gone', stated: null, isPartMatched: true });
    });

    it.each(NOTHING)('(%j) of a FOK that was killed is nothing (venue-a.md §6.2)', nothing => {
      const status = "CANCELED_order couldn't be fully filled. FOK orders are fully filled or killed.";
      const killed = { ...order, order_type: 'FOK', type: 'CANCELLATION', status, size_matched: nothing };
      expect(readShownOrder(killed, AT)).toMatchObject({ state: 'gone', stated: { size: 0 } });
    });

    it.each(NOTHING)('(%j) of an order that rests is no size and no price', nothing => {
      for (const field of ['original_size', 'price'])
        expect(readShownOrder({ ...order, status: 'LIVE', size_matched: '0', [field]: nothing }, AT)).toBeNull();
      const over = { ...order, status: 'CANCELED', size_matched: '0', original_size: nothing, price: nothing };
      expect(readShownOrder(over, AT)).toMatchObject({ state: 'gone', stated: { size: 0 } });
    });

    it.each(NOTHING)('(%j) of a trade is unreported, and no garbage', nothing => {
      const row = { id: 't', status: 'MATCHED', side: 'BUY', asset_id: FIRST, market: CONDITION, taker_order_id: id };
      const trade = readTrade({ ...row, size: nothing, price: nothing, fee_rate_bps: nothing, match_time: nothing });
      expect(trade).toMatchObject({ type: 'trade', size: null, price: null, isGarbled: false });
      expect(lostOf(trade, EVERYBODY)).toHaveLength(1);
      expect(readTrade({ ...row, match_time: nothing, timestamp: '1725958681' }).executedAt).toBe(1_725_958_681_000);
    });

    it.each(NOTHING)('(%j) of a market’s fees is a market without fees', nothing => {
      const market = { t: [{ t: FIRST }, { t: SECOND }], mts: 0.01, mos: 5, fd: nothing };
      expect(readMarketTerms(market, CONDITION, AT)?.fees.numerator).toBe(0);
      const flat = { ...market, fd: { r: '0.05', e: nothing } };
      expect(readMarketTerms(flat, CONDITION, AT)?.fees).toMatchObject({ numerator: 5, denominator: 100, exponent: 1 });
    });
  });
});
