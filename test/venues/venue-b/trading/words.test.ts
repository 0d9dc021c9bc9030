// Venue B's words for refusals, and the cost of an ask.

import { describe, expect, it, onTestFinished } from 'vitest';
import type { UnixMillis } from '../../../../src/core/domain/numbers.ts';
import { NOT_PLAIN, plainText } from '../../../../src/core/domain/plain-text.ts';
import { ok } from '../../../../src/core/domain/result.ts';
import { retryAfterSeconds } from '../../../../src/core/net/retry-after.ts';
import { readAnswer } from '../../../../src/tools/client/api-failure.ts';
import { readVenueAEvent } from '../../../../src/venues/venue-a/discovery.ts';
import { readMarketDocument } from '../../../../src/venues/venue-a/market-document.ts';
import { retryAfterOf, wordsOf } from '../../../../src/venues/venue-a/trading/venue-api.ts';
import { readVenueBEvent } from '../../../../src/venues/venue-b/discovery.ts';
import { balance, ordersSince } from '../../../../src/venues/venue-b/trading/account.ts';
import { cancelOutcomes, submitOutcome } from '../../../../src/venues/venue-b/trading/answers.ts';
import { unavailableNow } from '../../../../src/venues/venue-b/trading/refusals.ts';
import { orderRecordOf, venueOrderOf } from '../../../../src/venues/venue-b/trading/reported-rows.ts';
import { getJson } from '../../../../src/venues/venue-json.ts';
import { type Said, ScriptedVenue } from '../../market-read-rig.ts';
import { price, send, size } from '../../trading-rig.ts';
import { answer, request } from './scripted-answers.ts';
import { scriptedRest } from './scripted-rest.ts';
import { OWNER, TICKER, VenueBTradingRig } from './trading-rig.ts';

// The cost of an ask was read as the proceeds of YES: YES sold at 0.08 had an average of 0.92. The simulator stated YES, so no test could
// see it. No source shows the side of the average price in the answer to a new ask. The average counts as the price of YES if the limit
// allows it.
describe('3002: what an ask has cost', () => {
  /** An order that sold YES at 0.08 with a limit of 0.01, as the venue has listed it. */
  const SOLD = {
    order_id: '00000000-0000-4000-8000-000000000001',
    ticker: 'KXTEST-26-AAA',
    status: 'executed',
    side: 'yes',
    action: 'sell',
    yes_price_dollars: '0.0100',
    fill_count_fp: '1.00',
    remaining_count_fp: '0.00',
    taker_fill_cost_dollars: '0.920000',
    maker_fill_cost_dollars: '0.000000',
    taker_fees_dollars: '0.010000',
  };
  const SEVEN = {
    ...SOLD,
    yes_price_dollars: '0.8400',
    fill_count_fp: '7.00',
    taker_fill_cost_dollars: '0.320000',
    maker_fill_cost_dollars: '0.800000',
  };

  describe('the record of an order says', () => {
    it.each([
      ['YES sold at 0.08', SOLD, '0.08'],
      ['YES sold at its limit, in seven parts', SEVEN, '0.84'],
      ['the same in newer words', { ...SOLD, side: undefined, action: undefined, book_side: 'ask' }, '0.08'],
      ['NO bought, in older words', { ...SOLD, side: 'no', action: 'buy' }, '0.08'],
      ['YES bought', { ...SOLD, action: 'buy', yes_price_dollars: '0.9900' }, '0.92'],
      ['NO sold, in older words', { ...SOLD, side: 'no', yes_price_dollars: '0.9900' }, '0.92'],
      ['its older side in the frame of NO', { ...SOLD, side: 'no', action: 'buy', outcome_side: 'no' }, '0.08'],
    ])('%s', (_what, order, yes) => {
      const record = orderRecordOf(order)!;
      expect(record.stated).toEqual({
        size: record.filled,
        cost: BigInt(price(yes)) * BigInt(record.filled),
        fees: 10_000,
      });
      expect(venueOrderOf(record).stated).toBe(record.stated);
    });

    it.each([
      ['sold below its limit', { ...SOLD, yes_price_dollars: '0.0900' }],
      ['bought NO for more than a dollar', { ...SOLD, taker_fill_cost_dollars: '1.010000' }],
    ])('nothing if it cannot be true: %s', (_what, order) => {
      expect(orderRecordOf(order)).toMatchObject({ filled: 1_000_000, stated: null });
    });
  });

  it.each([
    ['takes', 'rest', '0.01', { takerFillCost: 920_000, makerFillCost: 0 }],
    ['is taken', 'take', '0.08', { takerFillCost: 0, makerFillCost: 920_000 }],
  ] as const)('the simulator states NO of an ask that %s', async (_what, way, limit, costs) => {
    const rig = await VenueBTradingRig.open();
    const others = () => rig.others('BUY', price('0.08'), size('1'), way);
    if (way === 'rest') others();
    await send(rig, rig.wish({ action: 'SELL', price: price(limit), size: size('1') }));
    if (way === 'take') others();
    const shown = await rig.trading.ordersSince(0 as UnixMillis);
    expect(shown).toMatchObject({ value: [{ address: TICKER, stated: { cost: 800n * 1_000_000n } }] });
    expect([...rig.paper.exchange.reads(0).orders(OWNER)]).toMatchObject([costs]);
  });
});

// Venue B's words were lost if an error came with a status of success. `Retry-After` was ignored if it was a date. U+0000, U+202E and half
// surrogate pairs passed from venues into names and messages.
describe('3018: words of the venues', () => {
  const VENUE_ID = '2597b999-f887-4195-8bac-c3f97a1f2021';
  const code = 'deprecated_v1_order_endpoint';
  const DEPRECATED = { error: { code, message: 'deprecated v1 order endpoint', details: 'use the V2 endpoints' } };
  const DEPRECATED_WORDS = 'deprecated v1 order endpoint (use the V2 endpoints)';

  describe('an error of venue B with a status of success', () => {
    const created = { order_id: VENUE_ID, client_order_id: 'ours', fill_count: '0.00', remaining_count: '10.00' };

    it.each([200, 201])('%i: an order is in doubt, in the venue’s words', status => {
      const message = `venue B answered HTTP ${status} with an error: ${DEPRECATED_WORDS}`;
      // The second body looks like an acceptance of the order.
      for (const body of [DEPRECATED, { ...created, ...DEPRECATED }]) {
        const outcome = submitOutcome(request(), 'ours', answer(status, body));
        expect(outcome).toEqual({ type: 'unknown', cause: 'unreadable', message });
      }
      const taken = submitOutcome(request(), 'ours', answer(status, { ...created, error: null }));
      expect(taken).toMatchObject({ type: 'accepted' });
    });

    it('a cancel is in doubt, also where it says that it reduced by nothing', () => {
      const message = `venue B answered HTTP 200 with an error: ${DEPRECATED_WORDS}`;
      for (const body of [DEPRECATED, { order_id: VENUE_ID, reduced_by: '0.00', ...DEPRECATED }]) {
        const outcome = cancelOutcomes([{ venueOrderId: VENUE_ID, size: size('10') }], answer(200, body))[0]!;
        expect(outcome).toEqual({ type: 'unknown', message });
      }
    });

    it.each([
      ['an object', DEPRECATED, DEPRECATED_WORDS],
      ['a text', { error: 'too many requests' }, 'too many requests'],
      ['a code', { code: 'bad_request', message: 'bad request', details: 'why' }, 'bad request (why)'],
      ['a message', { msg: 'Parameter validation failed' }, 'Parameter validation failed'],
    ])('a read fails in the words of %s', async (_, body, words) => {
      const rest = scriptedRest(() => body);
      const message = expect.stringContaining(words);
      expect(await rest.read('/portfolio/orders/x', rest.deadline())).toMatchObject({
        type: 'unavailable',
        message: `venue B: HTTP 200 with an error: ${words}`,
      });
      expect(await ordersSince(rest, 0 as UnixMillis)).toMatchObject({ ok: false, error: message });
      expect(await balance(rest, false)).toMatchObject({ ok: false, error: { message } });
    });

    it('lists and descriptions of markets fail in its words, at every venue', async () => {
      const get = () => Promise.resolve({ status: 200, body: JSON.stringify(DEPRECATED) });
      expect(await getJson(get, 'http://venue.test/x')).toEqual({
        ok: false,
        error: { status: null, message: 'HTTP 200 with an error: deprecated v1 order endpoint' },
      });
    });
  });

  describe('a venue that is only read', () => {
    async function read(said: Said) {
      const venue = await ScriptedVenue.start(() => said);
      onTestFinished(() => venue.close());
      return venue.http('venue_d').get('/markets/x', performance.now() + 20_000);
    }

    it('fails in its own words where an error comes with 200', async () => {
      const said = await read({ body: { error: 'mark\u202eet is gone\u0000' } });
      expect(said).toMatchObject({ message: 'venue_d: HTTP 200 with an error: mark et is gone' });
    });

    it('is left alone until the date that it states', async () => {
      const headers = { 'Retry-After': 'Wed, 21 Oct 2026 07:28:20 GMT', Date: 'Wed, 21 Oct 2026 07:28:00 GMT' };
      expect(await read({ status: 429, headers, body: {} })).toMatchObject({ type: 'busy', retryAfterS: 20 });
    });
  });

  describe('Retry-After', () => {
    const now = Date.UTC(2026, 9, 21, 7, 28);
    const soon = 'Wed, 21 Oct 2026 07:28:20 GMT';

    it.each([
      ['17', 17],
      ['0', 0],
      [soon, 20],
      ['Wednesday, 21-Oct-26 07:28:20 GMT', 20],
      ['Wed Oct 21 07:28:20 2026', 20],
      ['Sun Nov  1 07:28:00 2026', 11 * 86_400],
      ['Wed, 21 Oct 2026 07:27:00 GMT', 0],
      ['Wednesday, 21-Oct-94 07:28:20 GMT', 0],
      ['', null],
      ['soon', null],
      ['-3', null],
      ['1.5', null],
      ['Wed, 31 Feb 2027 07:28:20 GMT', null],
      ['Wed, 21 Oct 2026 07:28:20 CET', null],
      ['2026-10-21T07:28:20Z', null],
    ])('%j is %j s', (text, seconds) => {
      expect(retryAfterSeconds(text, '', now)).toBe(seconds);
    });

    it('is measured by the clock of who states it, not by ours', () => {
      expect(retryAfterSeconds(soon, 'Wed, 21 Oct 2026 07:28:15 GMT', now + 3_600_000)).toBe(5);
      expect(retryAfterSeconds(soon, 'no date', now)).toBe(20);
    });

    const headers = { 'retry-after': soon, date: 'Wed, 21 Oct 2026 07:28:00 GMT' };

    it('venue A’s date is kept', () => {
      const said = { type: 'answer', status: 429, headers: new Map(Object.entries(headers)), body: null } as const;
      expect(retryAfterOf(said)).toBe(20);
    });

    it('venue B’s date is kept', () => {
      const paused = answer(409, { error: { code: 'trading_is_paused' } }, headers);
      const [cancelled] = cancelOutcomes([{ venueOrderId: VENUE_ID, size: size('10') }], paused);
      expect([submitOutcome(request(), 'ours', paused), cancelled]).toMatchObject([
        { type: 'not-sent', retryAfterS: 20 },
        { retryAfterS: 20 },
      ]);
      const late = new Map([...Object.entries(headers), ['retry-after', 'Wed, 21 Oct 2026 09:28:00 GMT'] as const]);
      const said = { type: 'answer', status: 429, headers: late, body: '' } as const;
      expect(unavailableNow(said, null)).toMatchObject({ retryAfterS: 60 });
    });

    it('the date of a proxy before the gateway is kept by our client', () => {
      const text = '{"error":{"code":"INVALID_REQUEST","message":"later"}}';
      const wire = { status: 429, text, header: (name: string) => (headers as Record<string, string>)[name] ?? '' };
      const failure = readAnswer({ isMutation: false, idempotencyKey: '' }, ok(wire));
      expect(failure).toMatchObject({ ok: false, error: { kind: 'refused', retryAfterS: 20 } });
    });
  });

  describe('what a terminal obeys', () => {
    const SLY = 'Bos\u0000ton\u202e Cel\ud800tics\n\u2028 ';
    const PLAIN = 'Bos ton Cel tics';

    it('becomes one space, and a cut never leaves half a character', () => {
      expect(plainText(SLY)).toBe(PLAIN);
      expect(plainText('a😀b', 2)).toBe('a');
      expect(plainText('größer 😀 👩‍👧 ٣')).toBe('größer 😀 👩‍👧 ٣');
    });

    it('does not come into names of the catalog', () => {
      const market = { ticker: 'KXA-1-B', title: SLY, yes_sub_title: SLY, no_sub_title: SLY, status: 'active' };
      const event = { event_ticker: 'KXA-1', title: SLY, sub_title: SLY, markets: [market] };
      const eventB = readVenueBEvent(event, () => null);
      const eventA = readVenueAEvent({ id: '1', slug: 'x', title: SLY, markets: [] });
      for (const listed of [eventB, eventA]) {
        expect(listed).toMatchObject({ event: { title: PLAIN } });
        expect(textsIn(listed).filter(text => text.search(NOT_PLAIN) >= 0)).toEqual([]);
      }
      expect(eventB).toMatchObject({ event: { markets: [{ title: PLAIN, label: PLAIN }] } });
    });

    it('does not come into older markets', () => {
      const tokens = ['1', '2'].map(token_id => ({ token_id, outcome: SLY, price: 0.5, winner: false }));
      const document = readMarketDocument({
        ...{ condition_id: `0x${'1'.repeat(64)}`, question: SLY, tokens },
        ...{ active: true, closed: false, end_date_iso: '2026-11-20T00:00:00Z' },
      });
      expect(document).toMatchObject({ market: { title: PLAIN, tokens: [{ name: PLAIN }, { name: PLAIN }] } });
    });

    it('does not come into the words of a refusal', () => {
      expect(wordsOf({ status: 400, body: { error: SLY } })).toBe(PLAIN);
      const refused = answer(400, { error: { code: 'odd', message: SLY } });
      expect(submitOutcome(request(), 'ours', refused)).toMatchObject({ error: { message: `odd: ${PLAIN}` } });
    });
  });

  /** Returns every text in a value, at any depth. */
  function textsIn(value: unknown): string[] {
    if (typeof value === 'string') return [value];
    return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
  }
});
