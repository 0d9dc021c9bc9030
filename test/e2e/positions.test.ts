// Positions through the whole gateway (contract §5). Signed requests buy and sell them at the paper exchanges. Their values come from live books of
// markets that nobody streams. They are gone or redeemable when their market is settled.

import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { VenueAPosition, VenueBPosition } from '../../src/core/generated/api-types.ts';
import { eventually } from '../support/eventually.ts';
import { ask, someToken } from '../support/paper-traders.ts';
import { send, type TestKey } from '../support/signed-requests.ts';
import { errorOf, OrdersRig, orderIdOf, type Shown } from './orders-rig.ts';

let rig: OrdersRig;

beforeAll(async () => {
  rig = await OrdersRig.shared('venue-b');
  const isTradable = () => expect(rig.gateway.trading.isTradable('demo', 'venue_a')).toBe(true);
  await eventually(isTradable);
});
afterAll(async () => {
  await rig.control('PUT', '/venues/venue_b/settlement', {});
  await rig.close();
});

async function rowsOf<Row>(venue: 'venue-a' | 'venue-b', query = '', key?: TestKey): Promise<readonly Row[]> {
  const answer = await rig.call('GET', `/v1/${venue}/positions${query}`, {}, key);
  expect(answer.status, answer.text).toBe(200);
  return (answer.json as { readonly positions: readonly Row[] }).positions;
}

/** Resolves when the row equals the expected row of the same moment, since the prices of a market may move in between. */
function becomes(venue: 'venue-a' | 'venue-b', query: string, expected: () => Promise<object | null>): Promise<void> {
  return eventually(async () => {
    const row = await expected();
    const [shown = null] = await rowsOf(venue, query);
    expect(shown).toEqual(row === null ? null : expect.objectContaining(row));
  });
}

const always = (row: object | null) => () => Promise.resolve(row);

async function trade(venue: 'venue-a' | 'venue-b', body: object): Promise<Shown> {
  const headers = { 'Content-Type': 'application/json' };
  const sent = { body: JSON.stringify(body), headers, idempotencyKey: randomUUID() };
  const answer = await rig.call('POST', `/v1/${venue}/orders`, sent);
  expect(answer.status, answer.text).toBe(201);
  return (await rig.call('GET', `/v1/${venue}/orders/${orderIdOf(answer)}`)).json as Shown;
}

describe('at venue B', () => {
  interface Market {
    readonly ticker: string;
    readonly yes_bid_dollars: string;
    readonly yes_ask_dollars: string;
    readonly last_price_dollars: string;
    readonly occurrence_datetime: string;
  }
  let tickers: readonly string[];

  beforeAll(async () => {
    const { body } = await ask<{ readonly markets: readonly Market[] }>(
      `${rig.gateway.paper!.urls.venueB.rest}/markets?limit=1000&status=open`,
    );
    const wide = body.markets.filter(({ yes_bid_dollars, yes_ask_dollars }) => {
      const [bid, asked] = [cents(yes_bid_dollars), cents(yes_ask_dollars)];
      return bid > 20 && asked < 80 && asked - bid === 2;
    });
    // These are the games that are played last, so their prices stand still.
    const calm = wide.toSorted((a, b) => b.occurrence_datetime.localeCompare(a.occurrence_datetime));
    tickers = calm.slice(0, 4).map(({ ticker }) => ticker);
  });

  const cents = (dollars: string): number => Math.round(Number(dollars) * 100);

  /** Returns the prices in cents. */
  async function atVenue(ticker: string) {
    const { body } = await ask<{ readonly market: Market }>(`${rig.gateway.paper!.urls.venueB.rest}/markets/${ticker}`);
    const { yes_bid_dollars, yes_ask_dollars, last_price_dollars } = body.market;
    const [bid, asked] = [cents(yes_bid_dollars), cents(yes_ask_dollars)];
    return { bid, middle: (bid + asked) / 2, last: cents(last_price_dollars) };
  }

  const order = (ticker: string, fields: object) => ({ ticker, side: 'YES', action: 'BUY', priceCents: 99, ...fields });
  const dollars = (inCents: number): string => String(inCents / 100);

  it('what is bought is a row at the middle of its book, and follows it', async () => {
    const ticker = tickers[0]!;
    const { averagePrice } = await trade('venue-b', order(ticker, { count: 10 }));
    const paid = cents(averagePrice!);
    const row = async () => {
      const { middle } = await atVenue(ticker);
      const [valueUsd, unrealizedPnlUsd] = [dollars(10 * middle), dollars(10 * (middle - paid))];
      // The middle is rounded to the even cent. In money it is exact.
      const markCents = middle % 1 === 0 ? middle : 2 * Math.round(middle / 2);
      return { side: 'YES', contracts: 10, averagePriceCents: paid, markCents, valueUsd, unrealizedPnlUsd };
    };
    await becomes('venue-b', `?ticker=${ticker}`, row);
    const before = await atVenue(ticker);
    await trade('venue-b', order(ticker, { count: 1, priceCents: before.bid + 1 }));
    await becomes('venue-b', `?ticker=${ticker}`, row);
    expect((await atVenue(ticker)).middle).not.toBe(before.middle);
  });

  it('the other side nets at once, and what is left is of that side', async () => {
    const ticker = tickers[1]!;
    await trade('venue-b', order(ticker, { count: 4 }));
    await becomes('venue-b', `?ticker=${ticker}`, always({ side: 'YES', contracts: 4 }));
    const { averagePrice } = await trade('venue-b', order(ticker, { side: 'NO', count: 6 }));
    await becomes('venue-b', `?ticker=${ticker}`, async () => {
      const { middle } = await atVenue(ticker);
      const averagePriceCents = cents(averagePrice!);
      return { side: 'NO', contracts: 2, averagePriceCents, valueUsd: dollars(2 * (100 - middle)) };
    });
    await trade('venue-b', order(ticker, { count: 2 }));
    await becomes('venue-b', `?ticker=${ticker}`, always(null));
  });

  it('in a paused market the last trade counts', async () => {
    const ticker = tickers[2]!;
    await trade('venue-b', order(ticker, { count: 3 }));
    const byMiddle = async () => ({ valueUsd: dollars(3 * (await atVenue(ticker)).middle) });
    await becomes('venue-b', `?ticker=${ticker}`, byMiddle);
    await rig.control('POST', `/venues/venue_b/markets/${ticker}/pause`);
    const byLastTrade = async () => ({ valueUsd: dollars(3 * (await atVenue(ticker)).last), unrealizedPnlUsd: '0' });
    await becomes('venue-b', `?ticker=${ticker}`, byLastTrade);
  });

  it('a settled market leaves no row', async () => {
    const ticker = tickers[3]!;
    await trade('venue-b', order(ticker, { count: 2 }));
    await becomes('venue-b', `?ticker=${ticker}`, always({ contracts: 2 }));
    await rig.control('PUT', '/venues/venue_b/settlement', { delayMs: 0 });
    await rig.control('POST', `/venues/venue_b/markets/${ticker}/settle`, { value: '1' });
    await becomes('venue-b', `?ticker=${ticker}`, always(null));
  });

  it('rows are ordered by ticker, and are the actor’s own', async () => {
    const rows = await rowsOf<VenueBPosition>('venue-b');
    const names = rows.map(({ ticker }) => ticker);
    expect([names, names.length]).toEqual([names.toSorted(), 2]);
    expect(await rowsOf('venue-b', '', await rig.newKey({ actorId: 'stranger', scopes: ['read'] }))).toEqual([]);
    expect(await rowsOf('venue-b', '?ticker=KXNOTHING-26')).toEqual([]);
  });

  const longest = 'K'.repeat(129);
  const wide = '%E2%82%AC'.repeat(128);
  it.each(['?ticker=', `?ticker=${longest}`, `?ticker=${wide}`, '?tokenId=1', '?ticker=A&ticker=B'])(
    '%s is refused',
    async query => {
      for (const list of ['positions', 'orders']) {
        const answer = await rig.call('GET', `/v1/venue-b/${list}${query}`);
        expect([answer.status, errorOf(answer).code]).toEqual([400, 'INVALID_REQUEST']);
        expect(errorOf(answer).message).toMatch(/^"?(ticker|tokenId)"?: /);
      }
    },
  );
});

describe('at venue A', () => {
  let tokenId: string;
  let complement: string;

  beforeAll(async () => {
    const { gamma } = rig.gateway.paper!.urls.venueA;
    tokenId = await someToken(gamma);
    const { body } = await ask<readonly [{ readonly clobTokenIds: string }]>(
      `${gamma}/markets?clob_token_ids=${tokenId}`,
    );
    complement = JSON.parse(body[0].clobTokenIds).find((it: string) => it !== tokenId);
  });

  const limit = (fields: object) => ({ tokenId, side: 'BUY', type: 'LIMIT', size: '20', price: '0.98', ...fields });

  async function middleOf(token: string): Promise<string> {
    const url = `${rig.gateway.paper!.urls.venueA.rest}/midpoint?token_id=${token}`;
    return String(Number((await ask<{ readonly mid: string }>(url)).body.mid));
  }

  it('either token of a market is a row of its own, at the middle of its own book', async () => {
    await trade('venue-a', limit({}));
    await trade('venue-a', limit({ tokenId: complement, size: '7.5' }));
    const row = (token: string, size: string) => async () => ({ tokenId: token, size, mark: await middleOf(token) });
    await becomes('venue-a', `?tokenId=${tokenId}`, row(tokenId, '20'));
    await becomes('venue-a', `?tokenId=${complement}`, row(complement, '7.5'));
    const rows = await rowsOf<VenueAPosition>('venue-a');
    expect(rows.map(row => row.tokenId)).toEqual([tokenId, complement].toSorted());
    for (const { size, mark, averagePrice, valueUsd, unrealizedPnlUsd, redeemable } of rows) {
      expect(Number(valueUsd)).toBeCloseTo(Number(size) * Number(mark), 4);
      expect(Number(unrealizedPnlUsd)).toBeCloseTo(Number(size) * (Number(mark) - Number(averagePrice)), 4);
      expect(redeemable).toBe(false);
    }
  });

  it('a token that is sold is a row no more', async () => {
    await trade('venue-a', limit({ side: 'SELL', size: '5', price: '0.02' }));
    await becomes('venue-a', `?tokenId=${tokenId}`, always({ size: '15' }));
  });

  it('a market order takes its limit from the live book, and asks the venue for none', async () => {
    const noBook = { kind: 'status', status: 500, isApplied: false };
    await rig.fault({ venue: 'venue_a', operation: 'GET /book', fault: noBook, countMax: 100 });
    const amount = { tokenId, type: 'MARKET', amount: '5' };
    // On a busy machine the book may be STALE for a moment. An order without its own limit price is refused then.
    await eventually(async () => expect((await trade('venue-a', { ...amount, side: 'SELL' })).status).toBe('FILLED'));
    const elsewhere = {
      ...amount,
      tokenId: await someToken(rig.gateway.paper!.urls.venueA.gamma),
      side: 'BUY',
    };
    const sent = { body: JSON.stringify(elsewhere), headers: { 'Content-Type': 'application/json' } };
    const refused = await rig.call('POST', '/v1/venue-a/orders', { ...sent, idempotencyKey: randomUUID() });
    expect([refused.status, errorOf(refused).message]).toEqual([503, expect.stringContaining('venue A')]);
    await rig.control('DELETE', '/faults');
    await becomes('venue-a', `?tokenId=${tokenId}`, always({ size: '10' }));
  });

  it('the winner of a resolved market waits to be redeemed, and its loser is gone', async () => {
    await rig.control('POST', `/venues/venue_a/markets/${tokenId}/settle`, { value: '1' });
    // The gateway may take up to half a minute until it checks for resolved markets again.
    const won = { size: '10', redeemable: true, mark: '1', valueUsd: '10' };
    await becomes('venue-a', `?tokenId=${tokenId}`, always(won));
    await becomes('venue-a', `?tokenId=${complement}`, always(null));
  });
});

it('the markets of positions are subscribed, and counted', async () => {
  const { text } = await send(`${rig.gateway.httpUrl}/metrics`);
  expect(Number(/^crossbook_kept_markets (\d+)$/m.exec(text)?.[1])).toBeGreaterThan(0);
});
