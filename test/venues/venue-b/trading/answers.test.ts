// Every answer of venue B to a new order, and how the gateway reads it: the table of venue-b.md §5 and §7. answers-cancel.test.ts has the
// answers to a cancel.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { MicroShares, Ticks } from '../../../../src/core/domain/numbers.ts';
import type { VenueBOrderRequest } from '../../../../src/core/domain/order-request.ts';
import type { OutboundOutcome } from '../../../../src/core/net/outbound.ts';
import { cancelOutcomes, submitOutcome } from '../../../../src/venues/venue-b/trading/answers.ts';
import { price, size } from '../../trading-rig.ts';
import { answer, error, request } from './scripted-answers.ts';

const CLIENT_ID = 'ours.01234567';
const VENUE_ID = '2597b999-f887-4195-8bac-c3f97a1f2021';

const submitted = (outcome: OutboundOutcome, changes: Partial<VenueBOrderRequest> = {}) =>
  submitOutcome(request(changes), CLIENT_ID, outcome);
const cancelled = (outcome: OutboundOutcome) =>
  cancelOutcomes([{ venueOrderId: VENUE_ID, size: size('10') }], outcome)[0]!;

const created = (changes: Record<string, unknown>): unknown => ({
  ...{ order_id: VENUE_ID, client_order_id: CLIENT_ID },
  ...{ fill_count: '0.00', remaining_count: '10.00', ts_ms: 1_781_159_360_866 },
  ...changes,
});
const counts = (filled: string, remaining: string) => ({ fill_count: filled, remaining_count: remaining });
const averages = { average_fill_price: '0.5200', average_fee_paid: '0.0175' };
const partly = { ...counts('4.00', '6.00'), ...averages };
const whole = { ...counts('10.00', '0.00'), ...averages };
/** Returns the sum of contracts at an average price in ticks on the order's own side. The fees come from venue B's average of 0.0175. */
const stated = (contracts: number, ticks: bigint, fees = contracts * 17_500) => {
  return { size: contracts * 1e6, cost: BigInt(contracts) * 1_000_000n * ticks, fees };
};

describe('a new order that is taken', () => {
  it.each([
    ['rests whole', {}, {}, 'rests', stated(0, 0n)],
    ['rests in part', {}, partly, 'rests', stated(4, 5_200n)],
    ['is filled', {}, whole, 'gone', stated(10, 5_200n)],
    ['meets itself: what is left is gone', {}, { ...partly, ...counts('2.00', '0.00') }, 'gone', stated(2, 5_200n)],
    ['IOC, in part', { timeInForce: 'IOC' }, { ...partly, remaining_count: '0.00' }, 'gone', stated(4, 5_200n)],
    ['IOC, nothing', { timeInForce: 'IOC' }, { remaining_count: '0.00' }, 'gone', stated(0, 0n)],
    ['nothing, and nothing is left', {}, counts('0.00', '0.00'), 'gone', stated(0, 0n)],
    ['IOC, with a remainder that cannot rest', { timeInForce: 'IOC' }, {}, 'gone', stated(0, 0n)],
    ['buy of NO: the price is that of YES', { side: 'NO', price: price('0.5') }, whole, 'gone', stated(10, 4_800n)],
    ['sale of NO', { side: 'NO', action: 'SELL', price: price('0.4') }, whole, 'gone', stated(10, 4_800n)],
    ['sale of YES', { action: 'SELL', price: price('0.5') }, whole, 'gone', stated(10, 5_200n)],
    // The order sells at 0.60 or better, so 0.35 cannot be the price of YES.
    [
      'sale of YES whose average is that of NO',
      { action: 'SELL', price: price('0.6') },
      { ...whole, average_fill_price: '0.3500' },
      'gone',
      stated(10, 6_500n),
    ],
    ['fills without averages', {}, counts('4.00', '6.00'), 'rests', null],
    ['no word of our own id', {}, { client_order_id: undefined }, 'rests', stated(0, 0n)],
    [
      'averages of six decimals',
      {},
      { ...counts('3.00', '7.00'), average_fill_price: '0.523333', average_fee_paid: '0.000001' },
      'rests',
      { size: 3e6, cost: 15_699_990_000n, fees: 3 },
    ],
  ] as const)('%s', (title, wish, body, state, stated) => {
    expect(submitted(answer(201, created(body)), wish as Partial<VenueBOrderRequest>)).toEqual({
      type: 'accepted',
      venueOrderId: VENUE_ID,
      state,
      stated,
      reason: title.startsWith('meets itself') || title.startsWith('nothing,') ? 'SELF_TRADE' : undefined,
    });
  });

  it('is taken by an answer of HTTP 200, too', () => {
    expect(submitted(answer(200, created({})))).toMatchObject({ type: 'accepted', state: 'rests' });
  });

  it('is looked up if it is filled at prices that are not stated', () => {
    const filled = created({ fill_count: '10.00', remaining_count: '0.00' });
    expect(submitted(answer(201, filled))).toMatchObject({ type: 'exists', venueOrderId: VENUE_ID });
  });

  it('4023: is looked up with its reason if it met an order of the account, and what it filled has no price', () => {
    const met = created({ fill_count: '4.00', remaining_count: '0.00' });
    const outcome = { type: 'exists', venueOrderId: VENUE_ID, reason: 'SELF_TRADE' };
    expect(submitted(answer(201, met))).toMatchObject(outcome);
    expect(submitted(answer(201, met), { timeInForce: 'IOC' })).toMatchObject({ ...outcome, reason: undefined });
  });

  it.each([
    ['GTC', { fill_count: '10.00', remaining_count: '0.00' }, { type: 'exists', venueOrderId: VENUE_ID }],
    ['IOC', { fill_count: '4.00', remaining_count: '0.00' }, { type: 'exists', venueOrderId: VENUE_ID }],
    ['GTC', partly, { type: 'accepted', state: 'rests', stated: null }],
  ] as const)(
    '%s, sold at an average that may be of either side, has no stated cost',
    (timeInForce, counts, outcome) => {
      const wish = { action: 'SELL', price: price('0.4'), timeInForce } as const;
      expect(submitted(answer(201, created({ ...counts, ...averages })), wish)).toMatchObject(outcome);
    },
  );

  it.each([
    ['nothing', ''],
    ['HTML', '<html>201</html>'],
    ['cut off', '{"order_id":"2597'],
    ['no object', '[]'],
    ['no id', created({ order_id: '' })],
    ['an id of another type', created({ order_id: 7 })],
    ['no count', created({ fill_count: undefined })],
    ['numbers for counts', created({ remaining_count: 10 })],
    ['more than was ordered', created({ fill_count: '4.00', remaining_count: '7.00', ...averages })],
    ['somebody else’s order', created({ client_order_id: 'theirs' })],
    ['a price above a dollar', created({ ...partly, ...averages, average_fill_price: '1.2000' })],
    ['a price that is none', created({ ...partly, ...averages, average_fill_price: 'cheap' })],
    ['a fee that is none', created({ ...partly, ...averages, average_fee_paid: 'cheap' })],
    ['fees that cannot be counted', created({ ...partly, ...averages, average_fee_paid: '9007199254.0' })],
  ])('says nothing with %s', (_title, body) => {
    expect(submitted(answer(201, body))).toMatchObject({ type: 'unknown', cause: 'unreadable' });
  });
});

describe('a new order that is not taken', () => {
  const refused = (kind: string, code: string) => (message: string) => ({
    ...{ type: 'refused', kind },
    error: { code, message },
  });
  const rejected = refused('invalid', 'VENUE_REJECTED');
  const wrong = refused('invalid', 'INVALID_ORDER');
  const infeasible = refused('invalid', 'NOT_FEASIBLE');
  const poor = refused('insufficientBalance', 'VENUE_REJECTED');
  const absent = refused('notFound', 'VENUE_REJECTED');
  const fault = refused('fault', 'CREDENTIALS_INVALID');
  const notSent = (message: string, retryAfterS = 5) => ({ type: 'not-sent', message, retryAfterS });
  const unknown = (message: string) => ({ type: 'unknown', cause: 'unreadable', message });
  const AUTHENTICATION = { code: 'authentication_error', message: 'authentication_error' };
  const ONE_SUBACCOUNT = 'this API key is restricted to a single sub-account and cannot access this endpoint';

  it.each([
    [409, error('order_already_exists'), { type: 'exists', message: 'order already exists' }],
    [409, error('fill_or_kill_insufficient_resting_volume'), infeasible('fill or kill insufficient resting volume')],
    [400, error('invalid_order', 'post only cross'), infeasible('invalid order (post only cross)')],
    [400, error('POST_ONLY_CROSS'), infeasible('post only cross')],
    [400, error('insufficient_balance'), poor('insufficient balance')],
    [400, error('available_balance_too_low'), poor('available balance too low')],
    [404, error('insufficient_shard_balance'), poor('insufficient shard balance')],
    [404, error('market_not_found'), absent('market not found')],
    [409, error('market_closed'), absent('market closed')],
    [400, error('MARKET_INACTIVE'), absent('market inactive')],
    [400, error('MARKET_NOT_ACTIVE'), rejected('market not active')],
    [400, error('invalid_price'), wrong('invalid price')],
    [
      400,
      error('invalid_order', 'invalid price: precision: -5'),
      wrong('invalid order (invalid price: precision: -5)'),
    ],
    [400, { code: 'bad_request', message: 'bad request', details: 'json: x' }, wrong('bad request (json: x)')],
    [400, { msg: 'Parameter validation failed' }, rejected('Parameter validation failed')],
    [400, error('a_code_of_the_future'), rejected('a code of the future')],
    [400, { error: { code: 'exceeded_risk', message: 'You are over it' } }, rejected('exceeded_risk: You are over it')],
    [400, { error: { code: 'only_a_code' } }, rejected('only_a_code')],
    [410, error('deprecated_v1_order_endpoint'), rejected('deprecated v1 order endpoint')],
    [401, { error: { ...AUTHENTICATION, details: 'BAD_SIGNATURE' } }, fault('authentication_error (BAD_SIGNATURE)')],
    // Our clock and the venue's clock differ. The venue has done nothing, and the credentials are fine.
    [401, error('header_timestamp_expired'), notSent('header timestamp expired', 1)],
    [400, error('header_timestamp_expired'), rejected('header timestamp expired')],
    [403, error('permission_denied'), fault('permission denied')],
    [403, error('forbidden', ONE_SUBACCOUNT), fault(`forbidden (${ONE_SUBACCOUNT})`)],
    [403, error('not_enabled_for_this_user'), rejected('not enabled for this user')],
    [429, { error: 'too many requests' }, notSent('too many requests', 1)],
    [429, '', notSent('too many requests', 1)],
    [425, error('too_early'), notSent('too early')],
    [425, error('EXCHANGE_UNAVAILABLE'), unknown('exchange unavailable')],
    [503, error('service_unavailable'), unknown('service unavailable')],
    [409, error('trading_is_paused'), notSent('trading is paused')],
    [400, error('trading_is_paused'), notSent('trading is paused')],
    [409, error('exchange_is_paused'), notSent('exchange is paused')],
    [503, error('EXCHANGE_PAUSED'), notSent('exchange paused')],
    [503, error('trading_is_paused'), notSent('trading is paused')],
    [503, error('EXCHANGE_UNAVAILABLE'), unknown('exchange unavailable')],
    [400, error('EXCHANGE_UNAVAILABLE'), unknown('exchange unavailable')],
    [500, error('internal_server_error'), unknown('internal server error')],
    // A refusal with this status may have come after an effect.
    [500, error('insufficient_balance'), unknown('insufficient balance')],
    [408, error('timeout'), unknown('timeout')],
  ] as const)('%i %j', (status, body, outcome) => {
    const { venueError, ...said } = submitted(answer(status, body)) as { venueError?: { message: string } };
    expect(said).toEqual(outcome);
    const isVenues = outcome.type === 'refused' || (outcome.type === 'not-sent' && body !== '');
    expect(venueError === undefined).toBe(!isVenues);
  });

  it.each([
    [error('invalid_order', 'post only cross'), 'invalid_order', 'invalid order (post only cross)'],
    [error('POST_ONLY_CROSS'), 'POST_ONLY_CROSS', 'post only cross'],
    [{ error: { code: 'exceeded_risk', message: 'You are over it' } }, 'exceeded_risk', 'You are over it'],
    [{ error: { code: 'only_a_code' } }, 'only_a_code', 'only_a_code'],
    [{ msg: 'Parameter validation failed' }, null, 'Parameter validation failed'],
  ])('keeps the words of %j as the venue writes them', (body, code, message) => {
    expect(submitted(answer(400, body))).toMatchObject({ venueError: { code, message } });
  });

  it.each([301, 400, 401, 403, 404, 409, 500, 502, 503, 504])('%i of a gateway before the venue is unknown', status => {
    for (const body of ['', '<html><h1>Bad Gateway</h1></html>', '{}', 'null', '"error"', '{"error":{}}']) {
      expect(submitted(answer(status, body))).toMatchObject({ type: 'unknown', cause: 'unreadable' });
      expect(cancelled(answer(status, body))).toMatchObject({ type: 'unknown' });
    }
  });

  it.each([
    ['17', 17],
    ['0', 1],
    ['999999', 60],
    ['soon', 5],
    ['-3', 5],
    ['Wed, 21 Oct 2026 07:28:00 GMT', 20],
  ])('a Retry-After of %s is %i s', (text, retryAfterS) => {
    const headers = { 'retry-after': text, date: 'Wed, 21 Oct 2026 07:27:40 GMT' };
    const paused = answer(409, error('trading_is_paused'), headers);
    expect(submitted(paused)).toMatchObject({ type: 'not-sent', retryAfterS });
  });

  it.each([
    ['not-sent', { type: 'not-sent', message: 'x', retryAfterS: 1 }],
    ['lost', { type: 'unknown', cause: 'lost', message: 'x' }],
    ['timeout', { type: 'unknown', cause: 'timeout', message: 'x' }],
  ] as const)('without an answer: %s', (type, expected) => {
    expect(submitted({ type, message: 'x' })).toEqual(expected);
  });

  it('keeps the venue’s words on one line and within bounds', () => {
    const body = { error: { code: 'odd', message: `first\nsecond\u0000\u202e${'x'.repeat(10_000)}` } };
    const outcome = submitted(answer(400, body));
    const message = outcome.type === 'refused' ? outcome.error.message! : '';
    expect(message).toMatch(/^odd: first second x+$/);
    expect(message).toHaveLength(500);
  });
});

describe('answers of any kind', () => {
  const status = fc.oneof(
    fc.constantFrom(200, 201, 400, 401, 404, 409, 429, 500, 503),
    fc.integer({ min: 100, max: 599 }),
  );
  const field = fc.oneof(fc.string(), fc.constantFrom('4.00', '10.00', '0.5200', VENUE_ID, CLIENT_ID), fc.jsonValue());
  const body = fc.oneof(
    fc.uint8Array({ maxLength: 64 }).map(bytes => Buffer.from(bytes).toString()),
    fc.json(),
    fc
      .dictionary(
        fc.constantFrom(
          'order_id',
          'client_order_id',
          'fill_count',
          'remaining_count',
          'average_fill_price',
          'error',
          'code',
          'msg',
          'reduced_by',
          'orders',
        ),
        field,
      )
      .map(object => JSON.stringify(object)),
  );

  it('never break anything, never promise what was not said, and are never larger than their order', () => {
    fc.assert(
      fc.property(status, body, (code, text) => {
        const outcome = submitted({ type: 'answer', status: code, headers: new Map(), body: text });
        if (outcome.type === 'accepted') {
          expect(code === 200 || code === 201).toBe(true);
          expect(outcome.venueOrderId).not.toBe('');
          expect(outcome.stated?.size ?? 0).toBeLessThanOrEqual(request().size);
        }
        const isOver = outcome.type === 'exists' && outcome.venueOrderId !== undefined;
        if (isOver) expect(code === 200 || code === 201).toBe(true);
        else if (outcome.type === 'refused' || outcome.type === 'exists') expect(code >= 400 && code < 500).toBe(true);
        const gone = cancelled({ type: 'answer', status: code, headers: new Map(), body: text });
        if (gone.type === 'cancelled') expect([code, (gone.filled ?? 0) < size('10')]).toEqual([200, true]);
      }),
      { numRuns: 2_000 },
    );
  });

  it('state what can be paid: a price from 0 to 1', () => {
    const count = fc.integer({ min: 0, max: 1_000 });
    fc.assert(
      fc.property(count, count, fc.integer({ min: 0, max: 10_000 }), fc.boolean(), (filled, rest, ticks, isNo) => {
        const text = (cents: number) => `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, '0')}`;
        const average = `${Math.floor(ticks / 10_000)}.${String(ticks % 10_000).padStart(4, '0')}`;
        const said = created({
          fill_count: text(filled),
          remaining_count: text(Math.min(rest, 1_000 - filled)),
          average_fill_price: average,
        });
        const outcome = submitted(answer(201, said), { side: isNo ? 'NO' : 'YES', size: 10e6 as MicroShares });
        // The average price in the answer to an ask may be that of YES or of NO.
        if (isNo && (outcome.type === 'exists' || (outcome.type === 'accepted' && outcome.stated === null))) return;
        if (outcome.type !== 'accepted' || outcome.stated === null) throw new Error('not accepted');
        const { size: traded, cost } = outcome.stated;
        expect(traded).toBe(filled * 10_000);
        expect(cost >= 0n && cost <= BigInt(traded) * BigInt(10_000 as Ticks)).toBe(true);
      }),
    );
  });
});
