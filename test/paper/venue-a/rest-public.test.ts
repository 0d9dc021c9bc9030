// Venue A's public REST (venue-a.md §4, §5.4). Covers books with the right hash, prices of either token, markets in their three forms, and
// history by the minute. Also faults, and the instant mode. Hostile requests to venue A's REST: to any JSON the answer is one of the
// venue's, and it has no effect beyond the request. Over HTTP, with valid credentials.

import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { RequestFault } from '../../../src/paper/faults/faults.ts';
import { NO_FAULTS } from '../../support/no-faults.ts';
import { statedAndOwnHash } from './venue-a-hash.ts';
import {
  amountsOf,
  NEG_RISK,
  type OrderWish,
  REGULAR,
  SECOND_PROTOCOL,
  START_MS,
  VenueARig,
  type Wallet,
} from './venue-a-rig.ts';

const [YES, NO] = REGULAR.tokens;
const NOBODY = '999';

let rig: VenueARig;
let alice: Wallet;
const read = async (target: string) => (await rig.get(target)).body;
const ask = async (target: string, body: unknown) => (await rig.send('POST', target, JSON.stringify(body), {})).body;

beforeEach(async () => {
  rig = await VenueARig.start();
  alice = rig.wallet(1);
});
afterEach(() => rig.close());

function quoteBoth(): void {
  rig.quote(REGULAR, 0, 52, 40);
  rig.quote(REGULAR, 0, 53, 30);
  rig.quote(REGULAR, 1, 55, 10);
  rig.quote(REGULAR, 1, 54, 35);
}

describe('books', () => {
  it('are best last, and mirrored for the other token', async () => {
    quoteBoth();
    expect(await read(`/book?token_id=${NO}`)).toMatchObject({
      market: REGULAR.conditionId,
      asset_id: NO,
      timestamp: String(START_MS),
      bids: [
        { price: '0.45', size: '10' },
        { price: '0.46', size: '35' },
      ],
      asks: [
        { price: '0.48', size: '40' },
        { price: '0.47', size: '30' },
      ],
      min_order_size: '5',
      tick_size: '0.01',
      neg_risk: false,
      last_trade_price: '0.500',
    });
  });

  it('carry their hash after each change', async () => {
    const quote = fc.record({
      side: fc.constantFrom(0, 1),
      cents: fc.integer({ min: 1, max: 49 }),
      shares: fc.nat(500),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(quote, { minLength: 1, maxLength: 6 }), fc.nat(5_000), async (quotes, passedMs) => {
        rig.timers.advance(passedMs);
        for (const { side, cents, shares } of quotes) {
          rig.quote(REGULAR, side as 0 | 1, side === 0 ? cents : 100 - cents, shares + 1);
        }
        for (const book of await ask('/books', [{ token_id: YES }, { token_id: NO }])) {
          const { stated, own } = statedAndOwnHash(book, { minOrderSize: '5', negRisk: false });
          expect(stated).toBe(own);
        }
      }),
      { numRuns: 20 },
    );
  });

  it.each([
    ['/book', 400, 'Invalid token id'],
    ['/book?token_id=x', 400, 'Invalid token id'],
    [`/book?token_id=${NOBODY}`, 404, 'No orderbook exists for the requested token id'],
    [`/midpoint?token_id=${NOBODY}`, 404, 'No orderbook exists for the requested token id'],
    [`/tick-size?token_id=${NOBODY}`, 404, 'market not found'],
    [`/markets-by-token/${NOBODY}`, 404, 'market not found'],
    ['/markets/0x00', 404, 'market not found'],
    ['/clob-markets/0x00', 404, 'market not found'],
    [`/price?token_id=${YES}&side=x`, 400, 'Invalid side'],
    [`/prices-history?market=${YES}`, 400, 'Invalid interval'],
  ])('of an unknown token, or with unknown parameters, are refused: %s', async (target, status, error) => {
    expect(await rig.get(target)).toMatchObject({ status, body: { error } });
  });
});

describe('prices', () => {
  it('of one token', async () => {
    quoteBoth();
    expect(await read(`/price?token_id=${NO}&side=BUY`)).toEqual({ price: '0.46' });
    expect(await read(`/price?token_id=${NO}&side=SELL`)).toEqual({ price: '0.47' });
    expect(await read(`/midpoint?token_id=${YES}`)).toEqual({ mid: '0.535' });
    expect(await read(`/spread?token_id=${YES}`)).toEqual({ spread: '0.01' });
    expect(await read(`/last-trade-price?token_id=${YES}`)).toEqual({ price: '0.5', side: '' });
  });

  it('of a book that is empty', async () => {
    expect(await read(`/price?token_id=${YES}&side=BUY`)).toEqual({ price: '0' });
    expect(await read(`/price?token_id=${NO}&side=SELL`)).toEqual({ price: '1' });
  });

  it('of many tokens, those that are unknown left out', async () => {
    quoteBoth();
    const tokens = [{ token_id: YES }, { token_id: NOBODY }, { token_id: NO }];
    const sides = [
      { token_id: YES, side: 'BUY' },
      { token_id: YES, side: 'SELL' },
    ];
    expect(await ask('/prices', sides)).toEqual({ [YES]: { BUY: '0.53', SELL: '0.54' } });
    expect(await ask('/midpoints', tokens)).toEqual({ [YES]: '0.535', [NO]: '0.465' });
    expect(await ask('/spreads', tokens)).toEqual({ [YES]: '0.01', [NO]: '0.01' });
    expect((await ask('/books', tokens)).map((book: { asset_id: string }) => book.asset_id)).toEqual([YES, NO]);
    expect((await rig.send('POST', '/books', '{}', {})).status).toBe(400);
    expect((await rig.send('POST', '/books', JSON.stringify(Array(501).fill({ token_id: YES })), {})).status).toBe(400);
  });

  it('of the last trade, as either token sees it', async () => {
    quoteBoth();
    await rig.post(alice, { token: YES, side: 'BUY', amounts: amountsOf('BUY', 5_400, 5_000_000) });
    expect(await read(`/last-trade-price?token_id=${YES}`)).toEqual({ price: '0.54', side: 'BUY' });
    const both = await ask('/last-trades-prices', [{ token_id: YES }, { token_id: NO }]);
    expect(both).toEqual([
      { token_id: YES, price: '0.54', side: 'BUY' },
      { token_id: NO, price: '0.46', side: 'SELL' },
    ]);
  });
});

describe('facts', () => {
  it('of the venue', async () => {
    expect(await read('/ok')).toBe('OK');
    // Item 4040: `getOk` of the first client reads this answer.
    expect(await read('/')).toBe('OK');
    expect(await read('/version')).toEqual({ version: 2 });
    expect(await read('/time')).toBe(START_MS / 1_000);
    rig.timers.advance(1_500);
    expect(await read('/time')).toBe(START_MS / 1_000 + 1);
  });

  it('of a token', async () => {
    const [token] = NEG_RISK.tokens;
    for (const target of [`?token_id=${token}`, `/${token}`]) {
      expect(await read(`/tick-size${target}`)).toEqual({ minimum_tick_size: 0.001 });
      expect(await read(`/neg-risk${target}`)).toEqual({ neg_risk: true });
      expect(await read(`/fee-rate${target}`)).toEqual({ base_fee: 1_000 });
    }
    expect(await read(`/markets-by-token/${NO}`)).toEqual({
      condition_id: REGULAR.conditionId,
      primary_token_id: YES,
      secondary_token_id: NO,
    });
  });

  it('of a market in short, without what is false', async () => {
    const short = {
      c: REGULAR.conditionId,
      t: [
        { t: YES, o: 'HOM' },
        { t: NO, o: 'AWY' },
      ],
      mts: 0.01,
      mos: 5,
      mbf: 0,
      tbf: 0,
      r: null,
      ao: true,
      gst: '2026-09-21T20:13:20Z',
      aot: '2026-09-20T14:13:20Z',
    };
    expect(await read(`/clob-markets/${REGULAR.conditionId}`)).toEqual(short);
    const fees = await read(`/clob-markets/${NEG_RISK.conditionId}`);
    expect(fees).toMatchObject({ nr: true, tbf: 1_000, fd: { r: 0.05, e: 1, to: true } });
  });

  it('of a market at length, until it is resolved', async () => {
    quoteBoth();
    const long = () => read(`/markets/${REGULAR.conditionId}`);
    expect(await long()).toMatchObject({
      condition_id: REGULAR.conditionId,
      closed: false,
      accepting_orders: true,
      minimum_tick_size: 0.01,
      minimum_order_size: 5,
      tokens: [
        { token_id: YES, outcome: 'HOM', price: 0.535, winner: false },
        { token_id: NO, outcome: 'AWY', price: 0.465, winner: false },
      ],
    });
    rig.exchange.resolutions.resolve(rig.market(REGULAR), 1);
    expect(await long()).toMatchObject({
      closed: true,
      accepting_orders: false,
      tokens: [
        { price: 0, winner: false },
        { price: 1, winner: true },
      ],
    });
    const conditions = async (target: string) =>
      (await read(target)).data.map((market: { condition_id: string }) => market.condition_id);
    expect(await conditions('/markets')).toEqual([
      REGULAR.conditionId,
      NEG_RISK.conditionId,
      SECOND_PROTOCOL.conditionId,
    ]);
    expect(await conditions('/simplified-markets?next_cursor=MA==')).toHaveLength(3);
    expect(await conditions('/sampling-markets')).toEqual([NEG_RISK.conditionId, SECOND_PROTOCOL.conditionId]);
    expect(await conditions('/sampling-simplified-markets')).toEqual([
      NEG_RISK.conditionId,
      SECOND_PROTOCOL.conditionId,
    ]);
  });
});

describe('faults', () => {
  const withFault = (fault: RequestFault) =>
    VenueARig.start({
      faults: { ...NO_FAULTS, ofRequest: ({ operation }) => (operation === 'POST /order' ? fault : null) },
    });
  const wish = { token: YES, side: 'BUY', amounts: amountsOf('BUY', 5_000, 10_000_000) } as const;

  it.each([true, false])('an answer is lost, the order is there: %s', async isApplied => {
    const faulty = await withFault({ kind: 'lost', isApplied });
    const alice = faulty.wallet(1);
    await expect(faulty.post(alice, wish)).rejects.toThrow();
    expect((await faulty.call(alice, 'GET', '/data/orders')).body.count).toBe(isApplied ? 1 : 0);
    faulty.close();
  });

  it.each([
    [{ kind: 'status', status: 500, isApplied: true }, 500, 'could not insert order'],
    [{ kind: 'status', status: 502, isApplied: false }, 502, 'Bad Gateway'],
    [{ kind: 'rate-limited' }, 429, 'Too Many Requests'],
  ] as [RequestFault, number, string][])('%j', async (fault, status, error) => {
    const faulty = await withFault(fault);
    expect(await faulty.post(faulty.wallet(1), wish)).toMatchObject({ status, body: { error } });
    faulty.close();
  });

  it('private reads are stale', async () => {
    const stale = await VenueARig.start({ faults: { ...NO_FAULTS, staleMs: () => 2_000 } });
    const alice = stale.wallet(1);
    await stale.post(alice, wish);
    const count = async () => (await stale.call(alice, 'GET', '/data/orders')).body.count;
    expect(await count()).toBe(0);
    stale.timers.advance(2_000);
    expect(await count()).toBe(1);
    stale.close();
  });
});

describe('instant mode', () => {
  it('matches each posted order, of any owner, under its true id', async () => {
    const instant = await VenueARig.start({ mode: 'instant' });
    const alice = instant.wallet(1, 0);
    const token = NEG_RISK.tokens[0];
    const { id, body } = instant.order(alice, { token, side: 'SELL', amounts: [18_510_000, 10_000_000] });
    const post = async (target: string, value: unknown) =>
      (await instant.send('POST', target, JSON.stringify(value), {})).body;
    const answer = await post('/order', body);
    expect(answer).toMatchObject({ orderID: id, status: 'matched', takingAmount: '10', makingAmount: '18.51' });
    expect(await post('/orders', [body, body])).toEqual([answer, answer]);
    expect(await post('/order', {})).toEqual({ error: 'Invalid order payload' });
    expect((await instant.call(alice, 'GET', '/data/trades')).body.count).toBe(0);
    instant.close();
  });
});

const RESTING: OrderWish = { token: YES, side: 'BUY', amounts: amountsOf('BUY', 5_000, 10_000_000) };

const DEPTH = 10_000;
const HOSTILE = [
  '1e400',
  '-1',
  '123456789012345678901234567890',
  '"NaN"',
  'null',
  'true',
  '{}',
  '[null]',
  '"\\u0000\\ud800"',
  '"__proto__"',
  '{"toString":1,"valueOf":2}',
  '[{"toString":null}]',
  '['.repeat(DEPTH) + ']'.repeat(DEPTH),
];

async function status(method: string, path: string, text: string): Promise<number> {
  return (await rig.send(method, path, text, rig.l2Headers(alice, method, path, text))).status;
}

describe('bodies that nobody should send', () => {
  it.each([
    ['POST', '/books', ['token_id']],
    ['POST', '/prices', ['token_id', 'side']],
    ['POST', '/midpoints', ['token_id']],
    ['POST', '/spreads', ['token_id']],
    ['POST', '/last-trades-prices', ['token_id']],
    ['POST', '/order', ['order', 'owner', 'orderType']],
    ['POST', '/orders', ['order', 'owner', 'orderType']],
    ['POST', '/v1/heartbeats', ['heartbeat_id']],
    ['POST', '/orders-scoring', ['id']],
    ['DELETE', '/order', ['orderID']],
    ['DELETE', '/orders', ['id']],
    ['DELETE', '/cancel-market-orders', ['market', 'asset_id']],
    ['DELETE', '/auth/readonly-api-key', ['key']],
  ])('%s %s', async (method, path, fields) => {
    for (const value of HOSTILE) {
      const bodies = fields.flatMap(field => [`{"${field}":${value}}`, `[{"token_id":"${YES}","${field}":${value}}]`]);
      for (const text of [value, `[${value}]`, ...bodies])
        expect(await status(method, path, text), text.slice(0, 80)).toBeLessThan(500);
    }
  });

  it('orders with any field of theirs replaced', async () => {
    const { body } = rig.order(alice, RESTING);
    for (const field of Object.keys(body.order)) {
      for (const value of HOSTILE) {
        const text = JSON.stringify({ ...body, order: { ...body.order, [field]: '@' } }).replace('"@"', () => value);
        expect(await status('POST', '/order', text), text.slice(0, 300)).toBeLessThan(500);
      }
    }
    expect([...rig.exchange.openOrders(alice.credentials.apiKey, 0)]).toEqual([]);
  });

  it.each([
    ['no body', ''],
    ['no JSON', '{"market":'],
    ['no object', '[]'],
    ['a market that is no text', '{"market":null}'],
    ['a token that is no text', `{"market":"${REGULAR.conditionId}","asset_id":1}`],
  ])('cancel nothing by market: %s', async (_what, text) => {
    await rig.post(alice, RESTING);
    expect(await status('DELETE', '/cancel-market-orders', text)).toBe(400);
    expect([...rig.exchange.openOrders(alice.credentials.apiKey, 0)]).toHaveLength(1);
  });
});
