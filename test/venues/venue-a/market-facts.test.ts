// The facts of a market, as REST states them.

import { describe, expect, it } from 'vitest';
import type { HttpGet } from '../../../src/core/net/http.ts';
import { fetchBook, fetchMarketFacts, stepOfTick } from '../../../src/venues/venue-a/market-facts.ts';
import { TwinMarket } from './twin-market.ts';

const byToken = { condition_id: '0xabc', primary_token_id: '11', secondary_token_id: '22' };
const tokens = [
  { t: '11', o: 'Yes' },
  { t: '22', o: 'No' },
];
const market = { c: '0xabc', t: tokens, mts: 0.001, mos: 5, nr: true, ao: true };

/** Answers the first request with the token's market, the second with `described`. */
function rest(described: unknown, requests: string[] = []): HttpGet {
  return async url => {
    requests.push(url);
    return { status: 200, body: JSON.stringify(url.includes('by-token') ? byToken : described) };
  };
}

describe('market facts', () => {
  it('come from two requests', async () => {
    const requests: string[] = [];
    const names = { conditionId: '0xabc', primaryToken: '11', complementToken: '22' };
    const terms = { step: 10, tickSize: '0.001', minOrderSize: '5', negRisk: true };
    const facts = await fetchMarketFacts(rest(market, requests), 'http://rest', '22');
    expect(facts).toEqual({ ok: true, value: { ...names, ...terms } });
    expect(requests).toEqual(['http://rest/markets-by-token/22', 'http://rest/clob-markets/0xabc']);
  });

  it('take what is left out for false', async () => {
    const plain = { ...market, nr: undefined };
    expect(await fetchMarketFacts(rest(plain), 'rest', '11')).toMatchObject({ value: { negRisk: false } });
  });

  it.each([
    ['without tokens', { ...market, t: undefined }],
    ['with three tokens', { ...market, t: [...market.t, { t: '33' }] }],
    ['with one token twice', { ...market, t: [market.t[0], market.t[0]] }],
    ['with a token that is a number', { ...market, t: [market.t[0], { t: 22 }] }],
    ['without a tick', { ...market, mts: undefined }],
    ['with a tick of 0', { ...market, mts: 0 }],
    ['that is null', null],
  ])('are not guessed from a market %s', async (_what, described) => {
    const facts = await fetchMarketFacts(rest(described), 'rest', '11');
    expect(facts).toMatchObject({ error: { code: 'VENUE_UNAVAILABLE' } });
  });

  it.each([{}, { condition_id: '' }, { condition_id: 7 }, { condition_id: '"}' }])(
    'are not had of a token whose market is %j',
    async byToken => {
      const requests: string[] = [];
      const get: HttpGet = async url => {
        requests.push(url);
        return { status: 200, body: JSON.stringify(byToken) };
      };
      expect(await fetchMarketFacts(get, 'rest', '11')).toMatchObject({ error: { code: 'VENUE_UNAVAILABLE' } });
      expect(requests).toHaveLength(1);
    },
  );

  it('are not those of a market that does not have the token', async () => {
    expect(await fetchMarketFacts(rest(market), 'rest', '33')).toMatchObject({ error: { code: 'UNKNOWN_MARKET' } });
  });

  it.each([
    ['0.01', 100],
    ['0.0001', 1],
    ['0.005', 50],
    ['0.0025', 25],
    // This tick does not divide the dollar, so the ladder gets the widest step that has all of its prices.
    ['0.03', 100],
    ['0', null],
    ['0.00001', null],
    ['tick', null],
  ])('a tick of %s makes a ladder step of %s', (tickSize, step) => {
    expect(stepOfTick(tickSize)).toBe(step);
  });
});

describe('a book by REST', () => {
  it('is asked for by token', async () => {
    const twin = new TwinMarket(0);
    const get: HttpGet = async url => {
      expect(url).toBe('rest/book?token_id=11');
      return { status: 200, body: JSON.stringify(twin.restBook()) };
    };
    const book = { market: twin.conditionId, terms: { minOrderSize: '5' } };
    expect(await fetchBook(get, 'rest', '11')).toMatchObject(book);
  });

  it.each([
    ['there is none', 404, '{"error":"No orderbook exists for the requested token id"}'],
    ['it is no book', 200, '{"bids":[]}'],
  ])('is null if %s', async (_what, status, body) => {
    expect(await fetchBook(async () => ({ status, body }), 'rest', '11')).toBeNull();
  });
});
