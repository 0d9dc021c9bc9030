// Venue B's words were lost if an error came with a status of success. `Retry-After` was ignored if it was a date. U+0000, U+202E and half
// surrogate pairs passed from venues into names and messages.

import { afterEach, describe, expect, it } from 'vitest';
import { readAnswer } from '../../src/client/api-failure.ts';
import type { UnixMillis } from '../../src/domain/numbers.ts';
import type { VenueBOrderRequest } from '../../src/domain/order-request.ts';
import { NOT_PLAIN, plainText } from '../../src/domain/plain-text.ts';
import { ok } from '../../src/domain/result.ts';
import { retryAfterSeconds } from '../../src/net/retry-after.ts';
import { readVenueAEvent } from '../../src/venues/venue-a/discovery.ts';
import { readMarketDocument } from '../../src/venues/venue-a/market-document.ts';

import { retryAfterOf, wordsOf } from '../../src/venues/venue-a/trading/venue-api.ts';
import { readVenueBEvent } from '../../src/venues/venue-b/discovery.ts';
import { balance, ordersSince } from '../../src/venues/venue-b/trading/account.ts';
import { cancelOutcomes, submitOutcome } from '../../src/venues/venue-b/trading/answers.ts';
import { notNow } from '../../src/venues/venue-b/trading/refusals.ts';
import { getJson } from '../../src/venues/venue-json.ts';
import { type Said, ScriptedVenue } from '../venues/market-read-rig.ts';
import { price, size } from '../venues/trading-rig.ts';
import { answer } from '../venues/venue-b/trading/scripted-answers.ts';
import { scriptedRest } from '../venues/venue-b/trading/scripted-rest.ts';

const VENUE_ID = '2597b999-f887-4195-8bac-c3f97a1f2021';
const REQUEST: VenueBOrderRequest = {
  venue: 'venue_b',
  ticker: 'KXA',
  side: 'YES',
  action: 'BUY',
  size: size('10'),
  price: price('0.6'),
  timeInForce: 'GTC',
};
const DEPRECATED = {
  error: {
    code: 'deprecated_v1_order_endpoint',
    message: 'deprecated v1 order endpoint',
    details: 'use the V2 endpoints',
  },
};
const DEPRECATED_WORDS = 'deprecated v1 order endpoint (use the V2 endpoints)';

describe('an error of venue B with a status of success', () => {
  const created = { order_id: VENUE_ID, client_order_id: 'ours', fill_count: '0.00', remaining_count: '10.00' };

  it.each([200, 201])('%i: an order is in doubt, in the venue’s words', status => {
    const unknown = { type: 'unknown', cause: 'unreadable' };
    const message = `venue B answered HTTP ${status} with an error: ${DEPRECATED_WORDS}`;
    expect(submitOutcome(REQUEST, 'ours', answer(status, DEPRECATED))).toEqual({ ...unknown, message });
    // Also where it looks like an acceptance.
    expect(submitOutcome(REQUEST, 'ours', answer(status, { ...created, ...DEPRECATED }))).toEqual({
      ...unknown,
      message,
    });
    expect(submitOutcome(REQUEST, 'ours', answer(status, { ...created, error: null }))).toMatchObject({
      type: 'accepted',
    });
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
    const deadline = rest.soon();
    expect(await rest.read('/portfolio/orders/x', deadline)).toMatchObject({
      type: 'unavailable',
      message: `venue B: HTTP 200 with an error: ${words}`,
    });
    expect(await ordersSince(rest, 0 as UnixMillis)).toMatchObject({
      ok: false,
      error: expect.stringContaining(words),
    });
    expect(await balance(rest, false)).toMatchObject({ ok: false, error: { message: expect.stringContaining(words) } });
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
  let venue: ScriptedVenue;
  afterEach(() => venue.close());

  async function read(said: Said) {
    venue = await ScriptedVenue.start(() => said);
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
    expect(retryAfterOf({ type: 'answer', status: 429, headers: new Map(Object.entries(headers)), body: null })).toBe(
      20,
    );
  });

  it('venue B’s date is kept', () => {
    const paused = answer(409, { error: { code: 'trading_is_paused' } }, headers);
    expect(submitOutcome(REQUEST, 'ours', paused)).toMatchObject({ type: 'not-sent', retryAfterS: 20 });
    expect(cancelOutcomes([{ venueOrderId: VENUE_ID, size: size('10') }], paused)[0]).toMatchObject({
      retryAfterS: 20,
    });
    const late = new Map([...Object.entries(headers), ['retry-after', 'Wed, 21 Oct 2026 09:28:00 GMT'] as const]);
    expect(notNow({ type: 'answer', status: 429, headers: late, body: Buffer.alloc(0) }, null)).toMatchObject({
      retryAfterS: 60,
    });
  });

  it('the date of a proxy before the gateway is kept by our client', () => {
    const wire = {
      status: 429,
      text: '{"error":{"code":"INVALID_REQUEST","message":"later"}}',
      header: (name: string) => (headers as Record<string, string>)[name] ?? '',
    };
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
    const eventB = readVenueBEvent(
      { event_ticker: 'KXA-1', title: SLY, sub_title: SLY, markets: [market] },
      () => null,
    );
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
      condition_id: `0x${'1'.repeat(64)}`,
      question: SLY,
      tokens,
      active: true,
      closed: false,
      end_date_iso: '2026-11-20T00:00:00Z',
    });
    expect(document).toMatchObject({ market: { title: PLAIN, tokens: [{ name: PLAIN }, { name: PLAIN }] } });
  });

  it('does not come into the words of a refusal', () => {
    expect(wordsOf({ status: 400, body: { error: SLY } })).toBe(PLAIN);
    const refused = answer(400, { error: { code: 'odd', message: SLY } });
    expect(submitOutcome(REQUEST, 'ours', refused)).toMatchObject({ error: { message: `odd: ${PLAIN}` } });
  });
});

/** Every text in a value, however deep. */
function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}
