// Venue B's own recorded answers (venue-b/kalshi-fortuna, June 2026; venue-b/kalshi-cockpit, August 2026). Each answer is read without a
// loss: the test writes each record again and compares the result. Skipped if the recordings are absent.

import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { isObject, type JsonObject, objectsOf } from '../../../../src/core/domain/json.ts';
import { formatMicroShares, formatTicks, type MicroShares } from '../../../../src/core/domain/numbers.ts';
import type { VenueBOrderRequest } from '../../../../src/core/domain/order-request.ts';
import type { OutboundOutcome } from '../../../../src/core/net/outbound.ts';
import { availableIn } from '../../../../src/venues/venue-b/trading/account.ts';
import { cancelOutcomes, submitOutcome } from '../../../../src/venues/venue-b/trading/answers.ts';
import { budgetTermsOf, SMALLEST_TIER } from '../../../../src/venues/venue-b/trading/budget.ts';
import { orderBody } from '../../../../src/venues/venue-b/trading/order-body.ts';
import { fillRecordOf, orderRecordOf } from '../../../../src/venues/venue-b/trading/reported-rows.ts';
import { settledOf } from '../../../../src/venues/venue-b/trading/settlements.ts';
import { recordingPath, recordingsPresent } from '../../../support/recordings.ts';
import { price, size } from '../../trading-rig.ts';
import { answer, request } from './scripted-answers.ts';

const FORTUNA = recordingPath('venue-b/kalshi-fortuna/fixtures/kalshi');
const COCKPIT = recordingPath('venue-b/kalshi-cockpit/tests/fixtures');

const bytes = (name: string): Buffer => readFileSync(`${FORTUNA}/${name}.json`);
const json = (path: string): JsonObject => JSON.parse(readFileSync(path, 'utf8')) as JsonObject;
const meta = (name: string): JsonObject => json(`${FORTUNA}/${name}.meta.json`);

/** Returns the order request of a recorded body. */
function requestOf(body: JsonObject): VenueBOrderRequest {
  return request({
    ...{ ticker: String(body.ticker), action: body.side === 'ask' ? 'SELL' : 'BUY' },
    ...{ size: size(String(body.count)), price: price(String(body.price)) },
    timeInForce: body.time_in_force === 'good_till_canceled' ? 'GTC' : 'IOC',
  });
}

function recorded(name: string): OutboundOutcome {
  return { type: 'answer', status: Number(meta(name).status), headers: new Map(), body: bytes(name).toString() };
}

function sentTo(name: string): JsonObject {
  const body = meta(name).request_body;
  if (!isObject(body)) throw new Error(`${name} has no body`);
  return body;
}

/** Returns decimal text with the number of decimals that the venue writes. */
function padded(text: string, decimals: number): string {
  const [whole, fraction = ''] = text.split('.');
  return `${whole}.${fraction.padEnd(decimals, '0')}`;
}

describe.skipIf(!recordingsPresent)('recorded answers of venue B (needs CROSSBOOK_DATA)', () => {
  const taken = { type: 'accepted', state: 'gone', stated: { size: 1e6, cost: 5_200_000_000n, fees: 17_500 } };
  const refused = (kind: string, error: object) => ({ type: 'refused', kind, error });

  it.each([
    ['orders__create_v2_maker', { type: 'accepted', state: 'rests', stated: { size: 0 } }],
    ['orders__create_v2_taker_ioc', taken],
    ['orders__settlement_seed', taken],
    ['orders__stp_setup', { type: 'accepted', state: 'rests' }],
    ['orders__stp_self_cross', { type: 'accepted', state: 'gone', stated: { size: 0 } }],
    ['orders__duplicate_client_order_id', { type: 'exists', message: 'order already exists' }],
    ['orders__reuse_canceled_client_id', { type: 'exists' }],
    ['orders__insufficient_balance', refused('insufficientBalance', { message: 'insufficient balance' })],
    ['orders__invalid_price_structure', refused('invalid', { code: 'INVALID_ORDER' })],
    ['orders__post_only_cross', refused('invalid', { code: 'NOT_FEASIBLE' })],
  ])('%s', (name, outcome) => {
    const body = sentTo(name);
    expect(submitOutcome(requestOf(body), String(body.client_order_id), recorded(name))).toMatchObject(outcome);
  });

  it('numbers for texts are refused in a shape of their own', () => {
    const any = requestOf({ ...sentTo('orders__numeric_field_types'), count: '1.00', price: '0.0100' });
    expect(submitOutcome(any, 'ours', recorded('orders__numeric_field_types'))).toMatchObject({
      type: 'refused',
      error: { code: 'INVALID_ORDER', message: expect.stringContaining('cannot unmarshal number') },
    });
  });

  it.each(['orders__create_v2_maker', 'orders__create_v2_taker_ioc', 'orders__stp_self_cross', 'orders__stp_setup'])(
    '%s was asked for in the words that we use',
    name => {
      const { post_only: _absent, ...body } = sentTo(name);
      expect(JSON.parse(orderBody(requestOf(body), String(body.client_order_id)))).toEqual(body);
    },
  );

  // These are recorded answers to single orders. A batch has the same fields in its item (venue-b.md §5.5).
  it.each([
    ['orders__cancel_v2', 'cancelled'],
    ['cleanup__stp_resting', 'cancelled'],
    ['orders__cancel_already_canceled', 'not-found'],
    ['orders__cancel_executed', 'not-found'],
    ['orders__cancel_unknown_id', 'not-found'],
  ])('%s', (name, type) => {
    const venueOrderId = String(meta(name).path).split('/').at(-1)!;
    const said = json(`${FORTUNA}/${name}.json`);
    const batch = answer(200, { orders: [{ order_id: venueOrderId, reduced_by: '0.00', ...said }] });
    expect(cancelOutcomes([{ venueOrderId, size: size('1') }], batch)[0]?.type).toBe(type);
  });

  it.each(['auth__bad_signature', 'auth__unknown_key_id', 'auth__missing_signature_header'])(
    '%s is a fault of our credentials',
    name => {
      const any = requestOf(sentTo('orders__create_v2_maker'));
      expect(submitOutcome(any, 'ours', recorded(name))).toMatchObject({
        type: 'refused',
        kind: 'fault',
        error: { code: 'CREDENTIALS_INVALID', message: expect.stringMatching(/\w/) },
      });
    },
  );

  it.each(['auth__skew_minus30s', 'auth__skew_minus5min', 'auth__skew_plus5min'])(
    '%s is a fault of a clock: nothing was done',
    name => {
      const any = requestOf(sentTo('orders__create_v2_maker'));
      const notSent = { type: 'not-sent', message: 'header timestamp expired' };
      expect(submitOutcome(any, 'ours', recorded(name))).toMatchObject(notSent);
      expect(cancelOutcomes([{ venueOrderId: 'order', size: size('1') }], recorded(name))[0]).toMatchObject(notSent);
    },
  );

  it('orders are read without loss', () => {
    const single = ['get_after_create', 'get_after_cancel', 'stp_resting_after', 'legacy_cancel'];
    const orders = [
      ...objectsOf(json(`${FORTUNA}/portfolio__orders_list.json`).orders),
      ...single.map(name => json(`${FORTUNA}/orders__${name}.json`).order as JsonObject),
    ];
    expect(orders.length).toBeGreaterThan(5);
    for (const order of orders) {
      const record = orderRecordOf(order)!;
      const read = {
        order_id: record.venueOrderId,
        client_order_id: record.clientOrderId,
        ticker: record.address,
        book_side: record.side,
        yes_price_dollars: padded(formatTicks(record.limit), 4),
        fill_count_fp: padded(formatMicroShares(record.filled), 2),
        remaining_count_fp: padded(formatMicroShares(record.remaining), 2),
        status: order.status,
      };
      expect(read).toEqual(pick(order, read));
      expect(record.state).toBe(order.status === 'resting' ? 'rests' : 'gone');
      expect(record.stated?.size).toBe(record.filled);
      const cost = Number(order.taker_fill_cost_dollars) + Number(order.maker_fill_cost_dollars);
      expect(Number(record.stated?.cost) / 1e10).toBeCloseTo(cost, 9);
    }
  });

  it.each([
    [`${FORTUNA}/fills__after_taker.json`, 1],
    [`${COCKPIT}/portfolio_fills_redacted.json`, 33],
  ])('fills of %s are read without loss', (path, least) => {
    expect(existsSync(path)).toBe(true);
    const fills = fillsIn(json(path));
    expect(fills.length).toBeGreaterThanOrEqual(least);
    for (const fill of fills) {
      const record = fillRecordOf(fill)!;
      const read = {
        trade_id: record.venueTradeId,
        order_id: record.venueOrderId,
        market_ticker: record.address,
        book_side: record.positionChange > 0 ? 'bid' : 'ask',
        yes_price_dollars: padded(formatTicks(record.addressPrice), 4),
        count_fp: padded(formatMicroShares(Math.abs(record.positionChange) as MicroShares), 2),
        fee_cost: padded(formatMicroShares(record.fee as number as MicroShares), 6),
        is_taker: record.liquidity === 'TAKER',
        ts: Math.floor(record.executedAt / 1_000),
      };
      expect(read).toEqual(pick(fill, read));
      expect(record.fillId).toBe(`${record.venueTradeId}.${record.venueOrderId}`);
      // The older fields, if the row has them, state the same side.
      const { book_side: _book, outcome_side: _outcome, ...older } = fill;
      if ('action' in older) expect(fillRecordOf(older)?.positionChange).toBe(record.positionChange);
    }
  });

  it('settlements are read: winners, losers and values between', () => {
    const rows = settlementsIn(json(`${COCKPIT}/portfolio_settlements_redacted.json`));
    expect(rows.length).toBeGreaterThan(3);
    for (const row of rows) {
      const value = { yes: 10_000, no: 0 }[String(row.market_result)];
      if (value === undefined) expect(settledOf(row)).toBeNull();
      else expect(settledOf(row)).toMatchObject({ type: 'settled', address: row.ticker, value });
    }
  });

  it('the balance is the sum of the shards, to the $0.0001', () => {
    expect(availableIn(json(`${FORTUNA}/auth__balance_ok.json`))).toBe(98_018_600);
  });

  it('limits and costs are those of the smallest tier', () => {
    const [limitsSaid, costs] = ['limits', 'endpoint_costs'].map(name => json(`${FORTUNA}/account__${name}.json`));
    const [read, write] = [1, 1].map(one => ({ refillPerS: one, tokensMax: one }));
    const other = { ...SMALLEST_TIER, read: read!, write: write!, orderCost: 1, cancelCost: 1, readCost: 1 };
    const terms = budgetTermsOf(limitsSaid!, costs!, other);
    expect(terms).toEqual({ ...SMALLEST_TIER, orderReadCost: expect.any(Number) });
  });
});

/** Returns those fields of a row that the test writes again. */
function pick(row: JsonObject, read: object): object {
  return Object.fromEntries(Object.entries(row).filter(([key]) => key in read));
}

/** Returns the rows of a recording. The recorder of August has wrapped them. */
function rowsIn(value: unknown, isRow: (row: JsonObject) => boolean): readonly JsonObject[] {
  if (Array.isArray(value)) return value.flatMap(item => rowsIn(item, isRow));
  if (!isObject(value)) return [];
  return isRow(value) ? [value] : Object.values(value).flatMap(item => rowsIn(item, isRow));
}

const fillsIn = (value: unknown) => rowsIn(value, row => 'trade_id' in row && 'count_fp' in row);
const settlementsIn = (value: unknown) => rowsIn(value, row => 'market_result' in row);
