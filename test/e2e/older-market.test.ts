// GET /v1/markets/{marketVenue}/{marketId} as a caller meets it, with the gateway on the paper exchanges. Covers every kind of market of
// every venue, what goes wrong there, and the thread that reads.

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type JsonObject, objectsOf } from '../../src/core/domain/json.ts';
import { silentLog } from '../../src/core/runtime/log.ts';
import { MarketReads } from '../../src/venues/market-reads.ts';
import { answerProblems } from '../support/contract-schema.ts';
import { ask, someToken } from '../support/paper-traders.ts';
import type { RunningGateway } from '../support/running-gateway.ts';
import { sharedGateway } from '../support/shared-gateway.ts';
import { send } from '../support/signed-requests.ts';

let gateway: RunningGateway;
beforeAll(async () => {
  gateway = await sharedGateway();
});
afterAll(() => gateway.close());

interface Read {
  readonly status: number;
  readonly market: JsonObject;
  readonly message: string;
}

/** Reads a market; the answer is checked against the contract. */
async function read(venue: string, id: string, query = ''): Promise<Read> {
  const url = `${gateway.httpUrl}/v1/markets/${venue}/${id}${query}`;
  const { status, headers, json } = await send(url, { headers: { 'x-api-key': gateway.apiKey } });
  expect(answerProblems('getOlderMarket', status, headers, json)).toEqual([]);
  const { market = {}, error } = json as { market?: JsonObject; error?: { message: string } };
  return { status, market, message: error?.message ?? '' };
}

const outcomesOf = ({ market }: Read) => objectsOf(market.outcomes) as unknown as Outcome[];
interface Outcome {
  readonly name: string;
  readonly bid: number | null;
  readonly ask: number | null;
  readonly mid: number | null;
}
const isQuoted = ({ bid, ask, mid }: Outcome): boolean =>
  bid !== null && ask !== null && mid !== null && bid > 0 && bid < mid && mid < ask && ask < 1;
/** Converts a price to exact hundredths of a tick. */
const micros = (price: number | null): number => Math.round((price ?? Number.NaN) * 1_000_000);

describe('venue A', () => {
  const someCondition = async (): Promise<string> => {
    const { gamma } = gateway.paper!.urls.venueA;
    const { body } = await ask<{ conditionId: string }[]>(`${gamma}/markets?clob_token_ids=${await someToken(gamma)}`);
    return body[0]!.conditionId;
  };

  it('is read by condition id, as its own books have it', async () => {
    const id = await someCondition();
    const answer = await read('venue_a', id);
    expect(answer).toMatchObject({ status: 200, market: { venue: 'venue_a', marketId: id, status: 'open' } });
    const outcomes = outcomesOf(answer);
    expect(outcomes.map(isQuoted)).toEqual([true, true]);
    // Both prices come from one book, seen from either side, unless its makers have moved between the two reads.
    const sum = async (): Promise<number> =>
      outcomesOf(await read('venue_a', id)).reduce((total, { mid }) => total + micros(mid), 0);
    await expect.poll(sum).toBe(1_000_000);
  });

  it('is resolved when it has a result', async () => {
    const id = await someCondition();
    const control = `${gateway.paper!.urls.control}/venues/venue_a/markets/${id}`;
    await ask(`${control}/settle`, 'POST', { value: '1' });
    await expect.poll(async () => (await read('venue_a', id)).market.status).toBe('resolved');
    expect(outcomesOf(await read('venue_a', id)).map(({ bid, ask }) => [bid, ask])).toEqual([
      [null, null],
      [null, null],
    ]);
  });
});

describe('venue D', () => {
  it.each([
    ['rain-in-paris-this-month', 'open'],
    ['btc-up-or-down-daily', 'open'],
    ['ships-through-suez-above-70', 'open'],
    ['vote-count-disputed', 'paused'],
    ['yesterdays-question', 'closed'],
    ['rate-cut-october-meeting', 'open'],
  ])('%s is %s, and quoted', async (slug, status) => {
    const answer = await read('venue_d', slug);
    expect(answer).toMatchObject({ status: 200, market: { venue: 'venue_d', marketId: slug, status } });
    expect(outcomesOf(answer).map(isQuoted)).toEqual([true, true]);
    expect(String(answer.market.expirationDate)).toMatch(/^\d{4}-\d\d-\d\dT00:00:00\.000Z$/);
  });

  it('knows an empty side from a price', async () => {
    const [yes, no] = outcomesOf(await read('venue_d', 'snow-on-the-summit'));
    expect([yes!.bid, yes!.mid, no!.ask, no!.mid]).toEqual([null, null, null, null]);
    expect(micros(yes!.ask) + micros(no!.bid)).toBe(1_000_000);
    const nobody = outcomesOf(await read('venue_d', 'nobody-quotes-this'));
    expect(nobody.map(({ bid, ask, mid }) => [bid, ask, mid])).toEqual(nobody.map(() => [null, null, null]));
    expect(await read('venue_d', 'settled-question')).toMatchObject({ market: { status: 'resolved' } });
  });

  it('has the price of a pool, as one of a dollar', async () => {
    const [yes, no] = outcomesOf(await read('venue_d', 'eth-above-4000-pool'));
    expect([yes!.bid, yes!.ask]).toEqual([null, null]);
    expect([yes!.mid! > 0 && yes!.mid! < 1, micros(yes!.mid) + micros(no!.mid)]).toEqual([true, 1_000_000]);
  });

  it('names the members of a group', async () => {
    expect(await read('venue_d', 'rate-cut-by')).toMatchObject({
      status: 404,
      message:
        'rate-cut-by is a group of markets: ask for one of rate-cut-june-meeting, rate-cut-october-meeting, rate-cut-december-meeting',
    });
  });
});

describe('venue E', () => {
  it.each([
    ['101', 'open', 'Comet visible to the naked eye this month?'],
    ['104', 'closed', 'Bridge opened before noon?'],
    ['210', 'open', 'What will be sold this year? - The ferry line'],
  ])('%s is %s, and quoted', async (id, status, title) => {
    const answer = await read('venue_e', id);
    expect(answer).toMatchObject({ status: 200, market: { venue: 'venue_e', marketId: id, status, title } });
    expect(outcomesOf(answer).map(isQuoted)).toEqual([true, true]);
    // A market of a group has the expiration date of its group.
    expect(answer.market.expirationDate).not.toBeNull();
  });

  it.each([
    ['103', 'paused'],
    ['105', 'resolved'],
    ['106', 'cancelled'],
    ['212', 'resolved'],
  ])('%s is %s', async (id, status) => {
    expect(await read('venue_e', id)).toMatchObject({ status: 200, market: { status } });
  });

  it('shows one side if the venue has no other', async () => {
    const [yes, no] = outcomesOf(await read('venue_e', '102'));
    expect([yes!.bid, yes!.mid, no!.ask, no!.mid]).toEqual([null, null, null, null]);
    expect(micros(yes!.ask) + micros(no!.bid)).toBe(1_000_000);
  });

  it('does not know what was deleted, and names the members of a group', async () => {
    expect(await read('venue_e', '107')).toMatchObject({ status: 404, message: 'no such market: 107' });
    expect(await read('venue_e', '37')).toMatchObject({
      status: 404,
      message: '37 is a group of markets: ask for one of 210, 211, 212',
    });
  });
});

describe('a request', () => {
  it('is answered within what the venue allows, however many come at once', async () => {
    const slugs = [
      'rain-in-paris-this-month',
      'btc-up-or-down-daily',
      'rate-cut-december-meeting',
      'vote-count-disputed',
    ];
    const answers = await Promise.all([...slugs, ...slugs, ...slugs].map(slug => read('venue_d', slug)));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    // Concurrent reads of the same market get the same answer.
    for (const [index, { market }] of answers.entries()) expect(market).toEqual(answers[index % slugs.length]!.market);
  });

  it.each([
    ['venue_b', 'X', 400, 'marketVenue: must be one of venue_a, venue_d, venue_e'],
    ['venue-a', 'X', 400, 'marketVenue: must be written venue_a in a path'],
    ['venue_d', 'no-such-market', 404, 'no such market: no-such-market'],
    ['venue_d', '%2e%2e%2factive', 404, 'no such market: ../active'],
    ['venue_a', '0x12', 404, 'no such market: 0x12'],
    ['venue_a', `0x${'0'.repeat(64)}`, 404, `no such market: 0x${'0'.repeat(64)}`],
    ['venue_e', '999999', 404, 'no such market: 999999'],
    ['venue_e', 'abc', 404, 'no such market: abc'],
  ])('for %s %s is %d', async (venue, id, status, message) => {
    expect(await read(venue, id)).toEqual({ status, market: {}, message });
  });

  it('with a parameter that nobody knows is 400', async () => {
    expect(await read('venue_e', '101', '?depth=2')).toMatchObject({
      status: 400,
      message: expect.stringContaining('depth'),
    });
  });

  it('without a key is forbidden', async () => {
    const { status, json } = await send(`${gateway.httpUrl}/v1/markets/venue_e/101`);
    expect([status, json]).toEqual([403, { message: 'Forbidden' }]);
  });
});

describe('a fault of the venue', () => {
  const strike = async (operation: string, fault: object, more: object = {}): Promise<void> => {
    const rule = { venue: 'venue_e', operation, fault, ...more };
    expect((await ask(`${gateway.paper!.urls.control}/faults`, 'POST', rule)).status).toBe(201);
  };

  it('that is over the next time is not reported', async () => {
    await strike('GET /market/:id', { kind: 'status', status: 500, isApplied: false }, { countMax: 1 });
    await strike('GET /token/orderbook', { kind: 'lost', isApplied: false }, { countMax: 1 });
    // No other test has read these markets before.
    expect(await read('venue_e', '211')).toMatchObject({ status: 200 });
  });

  let lastId = 900;
  it.each<[fault: object, status: number, message: RegExp]>([
    [{ kind: 'status', status: 502, isApplied: false }, 502, /^venue_e: HTTP 502$/],
    [{ kind: 'status', status: 403, isApplied: false }, 502, /^venue_e: HTTP 403/],
    [{ kind: 'lost', isApplied: false }, 502, /^venue_e: /],
    [{ kind: 'rate-limited' }, 503, /^venue_e: asks to be left alone/],
  ])('%j is %d', async (fault, status, message) => {
    await strike('GET /market/:id', fault);
    // Each case has a market of its own, since an answer is reused for a second.
    lastId += 1;
    const answer = await read('venue_e', String(lastId));
    await ask(`${gateway.paper!.urls.control}/faults`, 'DELETE');
    expect(answer).toMatchObject({ status, message: expect.stringMatching(message) });
  });
});

describe('the thread that reads', () => {
  it('is started anew after it has died, and its waiters get an error', async () => {
    const { venueA, venueD, venueE } = gateway.paper!.urls;
    const targets = {
      venue_a: { url: venueA.rest },
      venue_b: null,
      venue_d: { url: venueD.rest },
      venue_e: { url: venueE.rest, apiKey: null },
    };
    const reads = new MarketReads({ targets, log: silentLog });
    const hung = async () =>
      JSON.stringify((await ask(`${gateway.paper!.urls.control}/faults/journal`)).body).split('"hung"').length;
    const before = await hung();
    await ask(`${gateway.paper!.urls.control}/faults`, 'POST', {
      venue: 'venue_e',
      operation: 'GET /market/:id',
      fault: { kind: 'hung', isApplied: false, hangMs: 60_000 },
      countMax: 1,
    });
    const lost = reads.read('venue_e', '104');
    await expect.poll(hung).toBeGreaterThan(before);
    await reads.kill();
    expect(await lost).toMatchObject({ type: 'busy', retryAfterS: 1 });
    await expect.poll(() => reads.read('venue_e', '101')).toMatchObject({ type: 'market' });
    await reads.close();
    expect(await reads.read('venue_e', '102')).toMatchObject({ type: 'busy' });
  });

  it('starts only when it is needed, and answers that a venue is not configured', async () => {
    const targets = { venue_a: null, venue_b: null, venue_d: null, venue_e: null };
    const reads = new MarketReads({ targets, log: silentLog });
    await reads.close();
    const others = new MarketReads({ targets, log: silentLog });
    expect(await others.read('venue_d', 'x')).toEqual({
      type: 'faulty',
      message: 'venue_d: is not configured',
    });
    await others.close();
  });
});
