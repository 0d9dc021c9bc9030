// Random requests to the paper venue B. Any body and any cursor gets a proper answer, accepted values are in the venue's units, and the pages
// together are the whole list.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MICROS_PER_SHARE, TICKS_PER_DOLLAR, type UnixMillis } from '../../../../src/core/domain/numbers.ts';
import { Random } from '../../../../src/core/runtime/random.ts';
import { Uuids } from '../../../../src/paper/ids.ts';
import { VenueBExchange } from '../../../../src/paper/venue-b/exchange.ts';
import { TokenBucket } from '../../../../src/paper/venue-b/rest/access.ts';
import { bodyError, parseBody } from '../../../../src/paper/venue-b/rest/go-body.ts';
import { AMEND_ORDER, amendmentOf, CREATE_ORDER, newOrderOf } from '../../../../src/paper/venue-b/rest/order-body.ts';
import { pageOf } from '../../../../src/paper/venue-b/rest/query.ts';
import { NO_FAULTS } from '../../../support/no-faults.ts';
import { VirtualTimers } from '../../../support/virtual-timers.ts';
import { listedEvent } from '../venue-b-listings.ts';
import { EVENT_TICKER, TICKER } from '../venue-b-rig.ts';

const timers = new VirtualTimers();
const event = listedEvent({ eventTicker: EVENT_TICKER, tickers: [TICKER], now: timers.now() });
const random = new Random(1);
const exchange = new VenueBExchange({ series: [event.series], events: [event], timers, faults: NO_FAULTS, random });
const uuids = new Uuids(new Random(2));

/** Draws mostly an allowed value, and sometimes any value. */
const mostly = (...allowed: readonly unknown[]): fc.Arbitrary<unknown> =>
  fc.oneof({ weight: 6, arbitrary: fc.constantFrom(...allowed) }, { weight: 1, arbitrary: fc.jsonValue() });

const decimal = fc
  .tuple(fc.constantFrom('', '-', '+'), fc.nat(200), fc.constantFrom('.', '', ',', 'e'), fc.nat(999_999))
  .map(([sign, whole, point, fraction]) => `${sign}${whole}${point}${point === '' ? '' : fraction}`);

const bodies = fc.record(
  {
    ticker: mostly(TICKER),
    side: mostly('bid', 'ask'),
    count: fc.oneof(decimal, mostly('1.00', '0.01')),
    price: fc.oneof(decimal, mostly('0.5000', '0.01')),
    time_in_force: mostly('good_till_canceled', 'immediate_or_cancel', 'fill_or_kill'),
    self_trade_prevention_type: mostly('maker', 'taker_at_cross'),
    expiration_time: fc.oneof(mostly(null, 1_790_000_000), fc.maxSafeInteger()),
    client_order_id: mostly('a', ''),
    post_only: mostly(true, false),
  },
  { requiredKeys: ['ticker', 'side', 'count', 'price', 'time_in_force', 'self_trade_prevention_type'] },
);

describe('bodies', () => {
  it('any bytes are an object or a 400', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.uint8Array(),
          fc.json().map(text => new TextEncoder().encode(text)),
        ),
        bytes => {
          const parsed = parseBody(bytes);
          if (parsed.ok) expect(bodyError(parsed.value, CREATE_ORDER)).toEqual(expect.any(String));
          else expect(parsed.error.status).toBe(400);
        },
      ),
    );
  });

  it('what is accepted as an order or an amendment is in the units of the exchange', () => {
    let accepted = 0;
    fc.assert(
      fc.property(bodies, body => {
        const isAmendment = bodyError(body, AMEND_ORDER) === null;
        const amendment = isAmendment ? amendmentOf(body) : null;
        if (amendment?.ok === true) expect(Number.isSafeInteger(amendment.value.total)).toBe(true);
        if (bodyError(body, CREATE_ORDER) !== null) return;
        const order = newOrderOf(body, exchange, uuids);
        if (!order.ok) {
          expect(order.error.status).toBeOneOf([400, 404]);
          return;
        }
        accepted += 1;
        const { price, size, market } = order.value;
        expect(market.ticker).toBe(TICKER);
        expect([price >= 0, price <= TICKS_PER_DOLLAR, Number.isInteger(price)]).toEqual([true, true, true]);
        expect(size % (MICROS_PER_SHARE / 100)).toBe(0);
      }),
      { numRuns: 500 },
    );
    expect(accepted).toBeGreaterThan(0);
  });
});

describe('pages', () => {
  it('put together are the list', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.string({ minLength: 1 })), fc.integer({ min: 1, max: 7 }), (items, limit) => {
        const seen: string[] = [];
        let cursor: string | null = null;
        do {
          const page: { items: readonly string[]; cursor: string } = pageOf(items, {
            limit,
            cursor,
            idOf: item => item,
          });
          expect(page.items.length).toBeLessThanOrEqual(limit);
          seen.push(...page.items);
          cursor = page.cursor;
        } while (cursor !== '');
        expect(seen).toEqual(items);
      }),
    );
  });

  it('what no filter admits any more does not move the pages behind it', () => {
    const lists = fc.tuple(
      fc.uniqueArray(fc.uuid(), { minLength: 1, maxLength: 30 }),
      fc.integer({ min: 1, max: 5 }),
      fc.infiniteStream(fc.boolean()),
    );
    fc.assert(
      fc.property(lists, ([items, limit, ends]) => {
        const ended = new Set<string>();
        const page = { limit, idOf: (item: string) => item, admits: (item: string) => !ended.has(item) };
        const seen: string[] = [];
        let cursor: string | null = null;
        do {
          const shown: { items: readonly string[]; cursor: string } = pageOf(items, { ...page, cursor });
          seen.push(...shown.items);
          cursor = shown.cursor;
          for (const item of shown.items) if (ends.next().value === true) ended.add(item);
        } while (cursor !== '');
        expect(seen).toEqual(items);
      }),
    );
  });

  it('an unknown cursor counts as that of the first page', () => {
    fc.assert(
      fc.property(fc.string(), cursor => {
        expect(pageOf(['é-1', 'é-2'], { limit: 1, cursor, idOf: item => item }).items).toEqual(['é-1']);
      }),
    );
  });
});

describe('token buckets', () => {
  it('never give more than a full bucket and what has flowed in since', () => {
    const terms = { refillPerS: 100, tokensMax: 200 };
    const steps = fc.array(fc.tuple(fc.integer({ min: -50, max: 500 }), fc.integer({ min: 0, max: 250 })));
    fc.assert(
      fc.property(steps, asked => {
        const bucket = new TokenBucket(terms, 0 as UnixMillis);
        let [now, forwardMs, taken] = [0, 0, 0];
        for (const [stepMs, tokens] of asked) {
          now += stepMs;
          forwardMs += Math.max(0, stepMs);
          if (bucket.take(tokens, now as UnixMillis)) taken += tokens;
          expect(taken * 1_000).toBeLessThanOrEqual(terms.tokensMax * 1_000 + forwardMs * terms.refillPerS);
        }
      }),
    );
  });
});
