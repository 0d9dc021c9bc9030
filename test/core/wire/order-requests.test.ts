// Bodies of submissions. The gateway accepts the bodies that the contract's schema accepts, and each refusal names its field.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isObject, type JsonObject } from '../../../src/core/domain/json.ts';
import {
  readCancelAfter,
  readCancelledMarket,
  readReplacement,
  readVenueAOrder,
  readVenueBOrder,
} from '../../../src/core/wire/order-requests.ts';
import { limits } from '../../../src/limits.ts';
import { openapiSchemas } from '../../support/contract-schema.ts';

const TOKEN = '71321045679252212594626385532706912750332728571942532289631379312455583992563';
const LIMIT = { tokenId: TOKEN, side: 'BUY', type: 'LIMIT', size: '100', price: '0.53' };
const MARKET = { tokenId: TOKEN, side: 'BUY', type: 'MARKET', amount: '50.25' };
const CONTRACTS = { ticker: 'KXNBAGAME-26NOV21BOSLAL-BOS', side: 'NO', action: 'BUY', count: 3, priceCents: 42 };

const NOON = '2026-11-26T12:00:00Z';
const NOON_AND_A_HALF = '2026-11-26T12:00:00.500Z';
const { priceCents: _, ...WITHOUT_PRICE } = CONTRACTS;
const EXACT = { ...WITHOUT_PRICE, price: '0.3165' };
const { count: _count, ...WITHOUT_SIZE } = CONTRACTS;
const HUNDREDTHS = { ...WITHOUT_SIZE, size: '0.22' };

describe('a venue A submission', () => {
  it.each([
    ['a limit order', LIMIT, { type: 'LIMIT', size: 100_000_000, price: 5_300, postOnly: false, timeInForce: 'GTC' }],
    ['a maker', { ...LIMIT, postOnly: true, timeInForce: { type: 'GTC' } }, { postOnly: true }],
    ['the most that there is', { ...LIMIT, size: '1000000000' }, { size: 1e15 }],
    [
      'till a time',
      { ...LIMIT, timeInForce: { type: 'GTD', expiresAt: NOON } },
      { timeInForce: 'GTD', expiresAt: Date.parse(NOON) },
    ],
    ['dollars to spend', MARKET, { dollars: 50_250_000, worstPrice: null, timeInForce: 'FOK' }],
    [
      'shares to sell',
      { ...MARKET, side: 'SELL', worstPrice: '0.4999', timeInForce: { type: 'FAK' } },
      { size: 50_250_000, worstPrice: 4_999, timeInForce: 'FAK' },
    ],
  ])('%s', (_case, body, expected) => {
    expect(readVenueAOrder(body)).toEqual({ ok: true, value: expect.objectContaining(expected) });
  });

  it.each([
    [{ ...LIMIT, type: 'STOP' }, 'type'],
    [{ ...LIMIT, side: 'buy' }, 'side'],
    [{ ...LIMIT, postonly: true }, 'postonly'],
    [{ ...LIMIT, amount: '1' }, 'amount'],
    [{ ...MARKET, postOnly: true }, 'postOnly'],
    [{ ...MARKET, size: '1' }, 'size'],
    [{ ...LIMIT, size: 100 }, 'size'],
    [{ ...LIMIT, size: '0' }, 'size'],
    [{ ...LIMIT, size: '1.001' }, 'size'],
    [{ ...LIMIT, size: '1e3' }, 'size'],
    [{ ...LIMIT, size: '010' }, 'size'],
    [{ ...LIMIT, size: '+1' }, 'size'],
    [{ ...LIMIT, size: '1000000001' }, 'size'],
    [{ ...LIMIT, price: '1.0001' }, 'price'],
    [{ ...LIMIT, price: '0.00000' }, 'price'],
    [{ ...LIMIT, price: '0.53000' }, 'price'],
    [{ ...LIMIT, price: '.5' }, 'price'],
    [{ ...LIMIT, timeInForce: { type: 'FOK' } }, 'timeInForce.type'],
    [{ ...LIMIT, timeInForce: { type: 'GTC', until: 1 } }, 'timeInForce.until'],
    [{ ...LIMIT, timeInForce: { type: 'GTC', expiresAt: NOON } }, 'timeInForce.expiresAt'],
    [{ ...LIMIT, timeInForce: { type: 'GTD' } }, 'timeInForce.expiresAt'],
    [{ ...LIMIT, timeInForce: { type: 'GTD', expiresAt: 1_790_000_000 } }, 'timeInForce.expiresAt'],
    [{ ...LIMIT, timeInForce: { type: 'GTD', expiresAt: '2026-02-30T12:00:00Z' } }, 'timeInForce.expiresAt'],
    [{ ...LIMIT, reduceOnly: true }, 'reduceOnly'],
    [{ ...MARKET, timeInForce: 'FOK' }, 'timeInForce'],
    [{ ...LIMIT, tokenId: '' }, 'tokenId'],
    [{}, 'type'],
  ])('%j is refused, naming %s', (body, field) => {
    expect(readVenueAOrder(body)).toEqual({ ok: false, error: expect.stringMatching(new RegExp(`^${field}: `)) });
  });
});

describe('4033: a time till which an order is good', () => {
  it.each([
    NOON,
    '2026-11-26T12:00:00.000Z',
    new Date(Date.parse(NOON) + 999).toISOString(),
    '2026-11-26T12:00:00.9Z',
    '2026-11-26T12:00:00.999999999Z',
    '2026-11-26T12:00:00+00:00',
    '2026-11-26T12:00:00.123456+00:00',
  ])('%s is noon at both venues, which count whole seconds', expiresAt => {
    const timeInForce = { type: 'GTD', expiresAt };
    const noon = { expiresAt: Date.parse(NOON) };
    expect(readVenueAOrder({ ...LIMIT, timeInForce })).toMatchObject({ ok: true, value: noon });
    expect(readVenueBOrder({ ...CONTRACTS, timeInForce })).toMatchObject({ ok: true, value: { terms: noon } });
  });

  it.each([
    '2026-11-26T12:00:00',
    '2026-11-26 12:00:00Z',
    '2026-11-26T12:00Z',
    '2026-11-26T12:00:00.Z',
    '2026-11-26T12:00:00.1234567890Z',
    '2026-11-26T14:00:00+02:00',
    '2026-11-26T12:00:00-00:00',
    '2026-02-30T12:00:00Z',
    '1795694400',
  ])('%s is refused with the right form', expiresAt => {
    const error =
      'timeInForce.expiresAt: must be a time in UTC that ends in Z or +00:00, like "2026-11-20T18:30:00Z"; a fraction of a second is cut off';
    expect(readVenueAOrder({ ...LIMIT, timeInForce: { type: 'GTD', expiresAt } })).toEqual({ ok: false, error });
  });
});

describe('a number that a venue A submission cannot have', () => {
  it.each([
    [{ ...LIMIT, size: '10.001' }, '10'],
    [{ ...LIMIT, size: '10.0099999999' }, '10.01'],
    [{ ...LIMIT, size: '0.001' }, '0.01'],
    [{ ...LIMIT, size: '9'.repeat(30) }, '1000000000'],
    [{ ...LIMIT, size: '1e3' }, null],
    [{ ...MARKET, amount: '5.006' }, '5.01'],
    [{ ...MARKET, amount: '0' }, '1'],
    [{ ...MARKET, side: 'SELL', amount: '0' }, '0.01'],
    [{ ...LIMIT, price: '0.00001' }, '0.0001'],
    [{ ...LIMIT, price: '0.53000' }, '0.53'],
    [{ ...LIMIT, price: '700' }, '0.9999'],
    [{ ...MARKET, worstPrice: '0.99999' }, '0.9999'],
    [{ ...LIMIT, price: '-1' }, null],
  ])('%j: the nearest that it can is %s', (body, nearest) => {
    const read = readVenueAOrder(body);
    expect(read.ok ? '' : read.error).toMatch(
      nearest === null ? /decimals$/ : new RegExp(`; the nearest such is ${nearest}$`),
    );
  });

  it('names the bound of what it measures', () => {
    const amount = '1000000001';
    expect(readVenueAOrder({ ...MARKET, amount })).toEqual({
      ok: false,
      error:
        'amount: must be decimal text above 0 and up to 1000000000 (dollarsPerOrderMax), with at most 2 decimals; the nearest such is 1000000000',
    });
    expect(readVenueAOrder({ ...MARKET, side: 'SELL', amount })).toMatchObject({
      error: expect.stringContaining('sharesPerOrderMax'),
    });
  });

  it.each([
    ['0', 0],
    ['0.00', 0],
    ['1', 10_000],
  ])('a price of %s is left to the grid of its market, which names the nearest', (price, ticks) => {
    expect(readVenueAOrder({ ...LIMIT, price })).toMatchObject({ ok: true, value: { price: ticks } });
  });
});

describe('4039: a refusal says the right form', () => {
  const { price: _a, ...noPrice } = LIMIT;
  const { count: _b, ...noCount } = CONTRACTS;
  const { side: _c, ...noSide } = CONTRACTS;
  const decimals = 'must be decimal text between 0 and 1, with at most 4 decimals';
  const range = `must be an integer from 1 to ${limits.contractsPerOrderMax} (contractsPerOrderMax)`;
  const most = `${limits.contractsPerOrderMax} (contractsPerOrderMax)`;
  const hundredths = `must be decimal text above 0 and up to ${most}, with at most 2 decimals`;

  it.each([
    [WITHOUT_PRICE, 'priceCents: is missing; exactly one of price (dollars) and priceCents must be given'],
    [{ ...CONTRACTS, price: '0.42' }, 'price: exactly one of price and priceCents must be given'],
    [{ ...EXACT, price: 1 }, 'price: must be decimal text, like "0.53", is a number'],
    [{ ...EXACT, price: '50' }, `price: ${decimals}; prices are in dollars: is 0.50 meant?`],
    [{ ...EXACT, price: '7' }, `price: ${decimals}; prices are in dollars: is 0.07 meant?`],
    [{ ...EXACT, price: '50.5' }, `price: ${decimals}; prices are in dollars: is 0.505 meant?`],
    [{ ...EXACT, price: '100' }, `price: ${decimals}; the nearest such is 0.9999`],
    [{ ...CONTRACTS, count: '1' }, `count: ${range}, is a string`],
    [{ ...CONTRACTS, count: 0 }, `count: ${range}`],
    [noCount, 'count: is missing; exactly one of count (whole contracts) and size must be given'],
    [{ ...CONTRACTS, size: '3' }, 'size: must not be given beside count'],
    [{ ...noCount, size: 3 }, 'size: must be decimal text, like "100", is a number'],
    [{ ...noCount, size: '0.225' }, `size: ${hundredths}; the nearest such is 0.23`],
    [{ ...noCount, size: '0' }, `size: ${hundredths}; the nearest such is 0.01`],
    [{ ...CONTRACTS, priceCents: '42' }, 'priceCents: must be an integer from 1 to 99, is a string'],
    [{ ...CONTRACTS, side: true }, 'side: must be "YES" or "NO", is a boolean'],
    [noSide, 'side: is missing; must be "YES" or "NO"'],
    [{ ...CONTRACTS, side: 'yes' }, 'side: must be "YES" or "NO"'],
    [{ ...CONTRACTS, postOnly: 'true' }, 'postOnly: must be true or false, is a string'],
  ])('%j: %s', (body, error) => {
    expect(readVenueBOrder(body)).toEqual({ ok: false, error });
  });

  it.each([
    [noPrice, 'price: is missing; must be decimal text, like "0.53"'],
    [{ ...LIMIT, size: 100 }, 'size: must be decimal text, like "100", is a number'],
    [{ ...LIMIT, price: '50' }, `price: ${decimals}; prices are in dollars: is 0.50 meant?`],
    [{ ...MARKET, worstPrice: '50' }, `worstPrice: ${decimals}; prices are in dollars: is 0.50 meant?`],
  ])('%j: %s', (body, error) => {
    expect(readVenueAOrder(body)).toEqual({ ok: false, error });
  });
});

describe('a venue B submission', () => {
  it('is whole contracts at whole cents', () => {
    expect(readVenueBOrder(CONTRACTS)).toEqual({
      ok: true,
      value: {
        venue: 'venue_b',
        ticker: CONTRACTS.ticker,
        side: 'NO',
        action: 'BUY',
        size: 3_000_000,
        price: 4_200,
        timeInForce: 'GTC',
      },
    });
  });

  it.each([
    ['0.22', 220_000],
    ['0.01', 10_000],
    ['3.1', 3_100_000],
    ['1000000000', 1e15],
  ])('of size %s is for as many micro-shares', (size, micros) => {
    expect(readVenueBOrder({ ...HUNDREDTHS, size })).toMatchObject({ ok: true, value: { size: micros } });
  });

  it('of a whole size is the order of that count', () => {
    expect(readVenueBOrder({ ...HUNDREDTHS, size: '3' })).toEqual(readVenueBOrder(CONTRACTS));
  });

  it.each([
    [{ timeInForce: { type: 'GTD', expiresAt: NOON } }, { expiresAt: Date.parse(NOON) }],
    [{ postOnly: true }, { postOnly: true }],
    [{ reduceOnly: true, timeInForce: { type: 'FOK' } }, { reduceOnly: true }],
    [{ selfTrade: 'CANCEL_MAKER' }, { selfTrade: 'CANCEL_MAKER' }],
  ])('with %j has these terms', (fields, expected) => {
    const terms = { expiresAt: null, postOnly: false, reduceOnly: false, selfTrade: 'CANCEL_TAKER', ...expected };
    expect(readVenueBOrder({ ...CONTRACTS, ...fields })).toMatchObject({ ok: true, value: { terms } });
  });

  it('with terms that are as by default has none', () => {
    const plain = { postOnly: false, reduceOnly: false, selfTrade: 'CANCEL_TAKER' };
    expect(readVenueBOrder({ ...CONTRACTS, ...plain })).toEqual(readVenueBOrder(CONTRACTS));
  });

  it('may be at an exact price instead', () => {
    expect(readVenueBOrder(EXACT)).toMatchObject({ ok: true, value: { price: 3_165 } });
    expect(readVenueBOrder({ ...EXACT, price: '0.42' })).toEqual(readVenueBOrder(CONTRACTS));
  });

  it.each([
    [{ ...CONTRACTS, reduceOnly: true }, 'reduceOnly'],
    [{ ...CONTRACTS, reduceOnly: true, timeInForce: { type: 'GTD', expiresAt: NOON } }, 'reduceOnly'],
    [{ ...CONTRACTS, postOnly: true, timeInForce: { type: 'IOC' } }, 'postOnly'],
    [{ ...CONTRACTS, postOnly: 1 }, 'postOnly'],
    [{ ...CONTRACTS, selfTrade: 'maker' }, 'selfTrade'],
    [{ ...CONTRACTS, timeInForce: { type: 'GTD', expiresAt: '2026-11-26' } }, 'timeInForce.expiresAt'],
    [{ ...CONTRACTS, timeInForce: { type: 'IOC', expiresAt: NOON } }, 'timeInForce.expiresAt'],
    [{ ...CONTRACTS, price: '0.42' }, 'price'],
    [{ ...EXACT, price: 0.3165 }, 'price'],
    [{ ...EXACT, price: '0.31655' }, 'price'],
    [WITHOUT_PRICE, 'priceCents'],
    [{ ...CONTRACTS, ticker: 'kxnbagame-26nov21boslal-bos' }, 'ticker'],
    [{ ...CONTRACTS, ticker: 'KX--A' }, 'ticker'],
    [{ ...CONTRACTS, ticker: 'KX-' }, 'ticker'],
    [{ ...CONTRACTS, side: 'yes' }, 'side'],
    [{ ...CONTRACTS, action: 'LONG' }, 'action'],
    [{ ...CONTRACTS, count: 0 }, 'count'],
    [{ ...CONTRACTS, count: 1.5 }, 'count'],
    [{ ...CONTRACTS, count: '3' }, 'count'],
    [{ ...CONTRACTS, count: '0.22' }, 'count'],
    [{ ...CONTRACTS, count: 0.22 }, 'count'],
    [{ ...CONTRACTS, count: null, size: '0.22' }, 'size'],
    [{ ...HUNDREDTHS, size: null }, 'size'],
    [{ ...HUNDREDTHS, size: '' }, 'size'],
    [{ ...HUNDREDTHS, size: '1e-2' }, 'size'],
    [{ ...HUNDREDTHS, size: '1000000000.01' }, 'size'],
    [{ ...CONTRACTS, priceCents: 0 }, 'priceCents'],
    [{ ...CONTRACTS, priceCents: 100 }, 'priceCents'],
    [{ ...CONTRACTS, priceCents: null }, 'priceCents'],
    [{ ...CONTRACTS, timeInForce: { type: 'FAK' } }, 'timeInForce.type'],
    [{ ...CONTRACTS, clientOrderId: 'x' }, 'clientOrderId'],
  ])('%j is refused, naming %s', (body, field) => {
    expect(readVenueBOrder(body)).toEqual({ ok: false, error: expect.stringMatching(new RegExp(`^${field}: `)) });
  });

  it.each(['KX-1.5', 'KXHIGHNY-26NOV21-B52.5', 'A', 'A-B-C-D-E.F.G'])('knows the ticker %s', ticker => {
    expect(readVenueBOrder({ ...CONTRACTS, ticker }).ok).toBe(true);
  });
});

describe('a replacement', () => {
  it.each([
    ['venue_a', { price: '0.54' }, { price: 5_400, total: null }],
    ['venue_a', { size: '12.5' }, { price: null, total: 12_500_000 }],
    ['venue_b', { priceCents: 54, count: 2 }, { price: 5_400, total: 2_000_000 }],
    ['venue_b', { price: '0.3165' }, { price: 3_165, total: null }],
    ['venue_b', { size: '3.22' }, { price: null, total: 3_220_000 }],
  ] as const)('at %s may be %j', (venue, body, value) => {
    expect(readReplacement(venue, body)).toEqual({ ok: true, value });
  });

  it.each([
    ['venue_a', {}, 'price: at least one of price and size must be given'],
    ['venue_b', {}, 'price: at least one of price and count or size must be given'],
    ['venue_a', { count: 2 }, 'count: is not a field here; the fields are price, size'],
    ['venue_b', { priceCents: 1, price: '0.01' }, 'price: must not be given beside priceCents'],
    ['venue_b', { side: 'NO', count: 2 }, 'side: is not a field here; the fields are price, priceCents, count, size'],
    ['venue_b', { count: 2, size: '2' }, 'size: must not be given beside count'],
  ] as const)('at %s must not be %j', (venue, body, error) => {
    expect(readReplacement(venue, body)).toEqual({ ok: false, error });
  });
});

describe('the market of a cancel of all', () => {
  it.each([
    ['venue_a', TOKEN, true],
    ['venue_a', '0xabc', false],
    ['venue_a', CONTRACTS.ticker, false],
    ['venue_b', CONTRACTS.ticker, true],
    ['venue_b', 'kxnbagame-26nov21boslal-bos', false],
  ] as const)('at %s may be %s: %s', (venue, address, isOne) => {
    expect(readCancelledMarket(venue, address).ok).toBe(isOne);
  });
});

describe('what is refused by a limit names it', () => {
  it.each([
    [readVenueAOrder({ ...LIMIT, size: '10000000000' }), '(sharesPerOrderMax)'],
    [readVenueAOrder({ ...LIMIT, tokenId: '7'.repeat(129) }), '(marketAddressCharactersMax)'],
    [readVenueBOrder({ ...CONTRACTS, ticker: 'K'.repeat(129) }), '(marketAddressCharactersMax)'],
    [readVenueBOrder({ ...CONTRACTS, count: 0 }), '(contractsPerOrderMax)'],
    [readCancelAfter({ timeoutMs: 1 }), '(cancelAfterMsMin, cancelAfterMsMax)'],
  ])('%j names %s', (read, limit) => {
    expect(read).toEqual({ ok: false, error: expect.stringContaining(limit) });
  });
});

describe('the contract', () => {
  const text = fc.oneof(
    fc.constantFrom('0.53', '1', '0', '100', '0.1', '12.34', '0.12345', '1.234', '-1', '1e2', '', 'BUY', 'LIMIT'),
    fc.string({ maxLength: 6 }),
    fc.double({ min: 0, max: 200, noNaN: true }).map(value => String(Math.round(value * 100) / 100)),
  );
  const value = fc.oneof(
    text,
    fc.integer({ min: -2, max: 120 }),
    fc.boolean(),
    fc.constant(null),
    fc.record({ type: fc.constantFrom('GTC', 'FOK', 'FAK', 'IOC', 'gtc', 'GTD') }),
    fc.record({ type: fc.constantFrom('GTC', 'GTD'), expiresAt: fc.constantFrom(NOON, '2026-11-26', NOON_AND_A_HALF) }),
    fc.constantFrom('CANCEL_TAKER', 'CANCEL_MAKER'),
  );
  const TERMS = ['price', 'count', 'size', 'timeInForce', 'postOnly', 'reduceOnly', 'selfTrade', 'worstPrice', 'extra'];
  /** Returns a good body with some fields changed, removed or added. */
  const spoilt = (good: JsonObject) =>
    fc
      .array(fc.tuple(fc.constantFrom(...Object.keys(good), ...TERMS), fc.option(value)), {
        maxLength: 3,
      })
      .map(changes => {
        const body: Record<string, unknown> = { ...good };
        for (const [name, changed] of changes) {
          if (changed === null) delete body[name];
          else body[name] = changed;
        }
        return body;
      });

  it.each([
    ['VenueAOrderRequest', LIMIT, readVenueAOrder],
    ['VenueAOrderRequest', MARKET, readVenueAOrder],
    ['VenueBOrderRequest', CONTRACTS, readVenueBOrder],
    ['VenueBOrderRequest', EXACT, readVenueBOrder],
    ['VenueBOrderRequest', HUNDREDTHS, readVenueBOrder],
    ['VenueAReplacement', { price: '0.53', size: '100' }, (body: JsonObject) => readReplacement('venue_a', body)],
    ['VenueBReplacement', { priceCents: 42, count: 3 }, (body: JsonObject) => readReplacement('venue_b', body)],
  ])('%s accepts what the gateway accepts, up to bounds that it does not state', (schema, good, read) => {
    fc.assert(
      fc.property(spoilt(good), body => {
        const isAccepted = read(body).ok;
        const problems = openapiSchemas.problems(`#/components/schemas/${schema}`, body);
        if (isAccepted && !hasPriceAtAnEnd(body)) expect(problems).toEqual([]);
        // The schema does not state the two decimals of venue A, nor the longest address.
        else if (problems.length === 0) expect(isObject(body) && hasThirdDecimal(body)).toBe(true);
      }),
      { numRuns: 500 },
    );
  });
});

/** Returns whether a price is 0 or 1. The grid refuses such a price, and the form does not. */
function hasPriceAtAnEnd(body: JsonObject): boolean {
  return [body.price, body.worstPrice].some(it => typeof it === 'string' && [0, 1].includes(Number(it)));
}

function hasThirdDecimal(body: JsonObject): boolean {
  return [body.size, body.amount].some(it => typeof it === 'string' && /\.\d{3,}$/.test(it));
}
