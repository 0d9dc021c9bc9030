// Venue B's protocol as a client meets it on a real socket: handshake, subscriptions, sequence numbers, errors, REST.

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createHttpClient } from '../../../src/core/net/http.ts';
import { limits } from '../../../src/limits.ts';
import type { VenueServer } from '../../../src/paper/replay/loopback.ts';
import { accessJudge } from '../../../src/paper/replay/venue-b-access.ts';
import { startVenueBServer } from '../../../src/paper/replay/venue-b-server.ts';
import { signedHeaders, TestClient, testKey } from './client.ts';

const grid = { priceLevelStructure: 'linear_cent', priceRanges: [{ start: '0.0000', end: '1.0000', step: '0.0100' }] };
const listing = (ticker: string) => ({ ticker, title: `${ticker}?`, yesSubTitle: ticker, ...grid });
const snapshot = (ticker: string, levels: object): string =>
  JSON.stringify({
    type: 'orderbook_snapshot',
    sid: 9,
    seq: 9,
    msg: { market_ticker: ticker, market_id: 'm', ...levels },
  });
const delta = (ticker: string, side: string, price: string, change: string): string =>
  JSON.stringify({
    type: 'orderbook_delta',
    sid: 9,
    seq: 99,
    msg: { market_ticker: ticker, market_id: 'm', price_dollars: price, delta_fp: change, side, ts_ms: 1 },
  });

let server: VenueServer;
let client: TestClient;
const wanted = new Set<string>();

beforeEach(async () => {
  wanted.clear();
  server = await startVenueBServer({
    listings: ['KXT-1-A', 'KXT-1-B', 'KXT-2-C'].map(listing),
    initial: [
      snapshot('KXT-1-A', { yes_dollars_fp: [['0.4700', '3.00']], no_dollars_fp: [['0.4800', '2.00']] }),
      snapshot('KXT-1-B', {
        no_dollars_fp: [
          ['0.0100', '1058328.00'],
          ['0.5000', '0.25'],
        ],
      }),
    ],
    refusal: accessJudge(testKey, Date.now),
    faults: [],
    onWanted: tickers => {
      for (const ticker of tickers) wanted.add(ticker);
    },
  });
  client = await TestClient.open(server.streamUrl, signedHeaders());
});
afterEach(() => {
  client.close();
  server.close();
});

async function ask(command: object, answers = 1): Promise<Record<string, unknown>[]> {
  const before = client.texts.length;
  client.send(command);
  await client.until(() => client.texts.length >= before + answers);
  return client.frames().slice(before);
}
const subscribe = (id: number, tickers: string[], channels = ['orderbook_delta']) => ({
  id,
  cmd: 'subscribe',
  params: { channels, market_tickers: tickers },
});

describe('handshake', () => {
  const refused = async (headers: Record<string, string>): Promise<string> =>
    TestClient.open(server.streamUrl, headers).then(
      () => 'accepted',
      (error: Error) => error.message,
    );

  it('refuses what is not signed, not now, not by this key or not over this path', async () => {
    const { 'KALSHI-ACCESS-SIGNATURE': signature, ...unsigned } = signedHeaders();
    expect(signature).not.toBe('');
    expect(await refused({})).toContain('401');
    expect(await refused(unsigned)).toContain('401');
    expect(await refused(signedHeaders(Date.now() - 60_000))).toContain('401');
    expect(await refused(signedHeaders(Date.now() + 300_000))).toContain('401');
    expect(await refused({ ...signedHeaders(), 'KALSHI-ACCESS-KEY': 'another' })).toContain('401');
    expect(await refused(signedHeaders(Date.now(), '/trade-api/ws/v1'))).toContain('401');
    expect(await refused({ ...signedHeaders(), 'KALSHI-ACCESS-SIGNATURE': 'AAAA' })).toContain('401');
    expect(await refused(signedHeaders(Date.now() - 4_000))).toBe('accepted');
  });
});

describe('subscriptions', () => {
  it('answers with the sid, then a numbered snapshot per market; an empty side has no key; frames end with a newline', async () => {
    expect(await ask(subscribe(1, ['KXT-1-A', 'KXT-1-B', 'KXT-2-C']), 4)).toEqual([
      { type: 'subscribed', id: 1, msg: { channel: 'orderbook_delta', sid: 1 } },
      {
        type: 'orderbook_snapshot',
        sid: 1,
        seq: 1,
        msg: {
          market_ticker: 'KXT-1-A',
          market_id: 'm',
          yes_dollars_fp: [['0.4700', '3.00']],
          no_dollars_fp: [['0.4800', '2.00']],
        },
      },
      {
        type: 'orderbook_snapshot',
        sid: 1,
        seq: 2,
        msg: {
          market_ticker: 'KXT-1-B',
          market_id: 'm',
          no_dollars_fp: [
            ['0.0100', '1058328.00'],
            ['0.5000', '0.25'],
          ],
        },
      },
      { type: 'orderbook_snapshot', sid: 1, seq: 3, msg: { market_ticker: 'KXT-2-C' } },
    ]);
    expect(client.texts.every(text => text.endsWith('\n'))).toBe(true);
    expect([...wanted]).toEqual(['KXT-1-A', 'KXT-1-B', 'KXT-2-C']);
  });

  it('merges a second subscribe: ok with the sorted whole list, then only the new snapshot; every one of them takes a seq', async () => {
    await ask(subscribe(1, ['KXT-1-B']), 2);
    expect(await ask(subscribe(2, ['KXT-1-B', 'KXT-1-A']), 2)).toEqual([
      { type: 'ok', id: 2, sid: 1, seq: 2, msg: { market_tickers: ['KXT-1-A', 'KXT-1-B'] } },
      expect.objectContaining({ type: 'orderbook_snapshot', seq: 3 }),
    ]);
    server.play(delta('KXT-1-A', 'yes', '0.4700', '-3.00'));
    server.play(delta('KXT-2-C', 'yes', '0.4700', '1.00'));
    const [ok] = await ask(
      { id: 0, cmd: 'update_subscription', params: { sid: 1, market_tickers: ['KXT-1-A'], action: 'delete_markets' } },
      2,
    );
    expect(ok).toMatchObject({ type: 'orderbook_delta', sid: 1, seq: 4 });
    expect(client.frames().at(-1)).toEqual({ type: 'ok', sid: 1, seq: 5, msg: { market_tickers: ['KXT-1-B'] } });
    server.play(delta('KXT-1-A', 'yes', '0.4700', '5.00'));
    expect(
      await ask(
        { id: 4, cmd: 'update_subscription', params: { sids: [1], market_ticker: 'KXT-1-A', action: 'add_markets' } },
        2,
      ),
    ).toMatchObject([
      { type: 'ok', id: 4, seq: 6 },
      { type: 'orderbook_snapshot', seq: 7, msg: { yes_dollars_fp: [['0.4700', '5.00']] } },
    ]);
    expect(await ask({ id: 5, cmd: 'unsubscribe', params: { sids: [1] } })).toEqual([
      { type: 'unsubscribed', id: 5, sid: 1, seq: 8 },
    ]);
    expect(await ask(subscribe(6, ['KXT-1-A']), 2)).toMatchObject([{ msg: { sid: 2 } }, { sid: 2, seq: 1 }]);
  });

  it('gives a late client the book of now, each connection its own sids and numbers', async () => {
    await ask(subscribe(1, ['KXT-1-A']), 2);
    server.play(delta('KXT-1-A', 'no', '0.4800', '-1.50'));
    server.play(delta('KXT-1-A', 'yes', '0.4600', '10.00'));
    const late = await TestClient.open(server.streamUrl, signedHeaders());
    late.send(subscribe(1, ['KXT-1-A'], ['trade', 'orderbook_delta']));
    await late.until(() => late.texts.length === 3);
    server.play(delta('KXT-1-A', 'yes', '0.4600', '0.01'));
    await late.until(() => late.texts.length === 4);
    expect(late.frames().slice(2)).toMatchObject([
      {
        sid: 2,
        seq: 1,
        msg: {
          yes_dollars_fp: [
            ['0.4600', '10.00'],
            ['0.4700', '3.00'],
          ],
          no_dollars_fp: [['0.4800', '0.50']],
        },
      },
      { sid: 2, seq: 2, msg: { delta_fp: '0.01' } },
    ]);
    await client.until(() => client.ofType('orderbook_delta').length === 3);
    expect(client.ofType('orderbook_delta').map(frame => frame.seq)).toEqual([2, 3, 4]);
    late.close();
  });

  it('answers get_snapshot with the command id, and lists what is held', async () => {
    await ask(subscribe(1, ['KXT-1-A'], ['orderbook_delta', 'trade']), 3);
    const get = {
      id: 7,
      cmd: 'update_subscription',
      params: { sid: 1, market_tickers: ['KXT-1-A'], action: 'get_snapshot' },
    };
    expect(await ask(get)).toMatchObject([{ type: 'orderbook_snapshot', id: 7, sid: 1, seq: 2 }]);
    expect(await ask({ id: 8, cmd: 'list_subscriptions' })).toEqual([
      {
        type: 'ok',
        id: 8,
        msg: [
          { channel: 'orderbook_delta', sid: 1 },
          { channel: 'trade', sid: 2 },
        ],
      },
    ]);
  });

  it('shows NO at YES prices to who asks for it', async () => {
    client.send({
      id: 1,
      cmd: 'subscribe',
      params: { channels: ['orderbook_delta'], market_tickers: ['KXT-1-B'], use_yes_price: true },
    });
    await client.until(() => client.texts.length === 2);
    server.play(delta('KXT-1-B', 'no', '0.5000', '1.00'));
    server.play(delta('KXT-1-B', 'yes', '0.1000', '1.00'));
    await client.until(() => client.texts.length === 4);
    expect(client.frames().slice(1)).toMatchObject([
      {
        msg: {
          no_dollars_fp: [
            ['0.5000', '0.25'],
            ['0.9900', '1058328.00'],
          ],
        },
      },
      { seq: 2, msg: { side: 'no', price_dollars: '0.5000' } },
      { seq: 3, msg: { side: 'yes', price_dollars: '0.1000' } },
    ]);
  });

  it('starts over with snapshots on the same sid', async () => {
    await ask(subscribe(1, ['KXT-1-A']), 2);
    server.play(delta('KXT-1-A', 'yes', '0.4700', '-3.00'));
    server.rewind();
    await client.until(() => client.texts.length === 4);
    expect(client.frames().at(-1)).toMatchObject({ sid: 1, seq: 3, msg: { yes_dollars_fp: [['0.4700', '3.00']] } });
  });

  it.each([
    ['not json', 1],
    [{ id: 3, cmd: 'dance' }, 5],
    [{ id: 3, cmd: 'subscribe' }, 2],
    [{ id: 3, cmd: 'subscribe', params: {} }, 3],
    [{ id: 3, cmd: 'subscribe', params: { channels: ['ticker_v2'] } }, 8],
    [{ id: 3, cmd: 'subscribe', params: { channels: ['orderbook_delta'] } }, 14],
    [subscribe(3, ['KXT-1-A', 'KXNOPE']), 11],
    [{ id: 3, cmd: 'unsubscribe', params: {} }, 4],
    [{ id: 3, cmd: 'unsubscribe', params: { sids: [4] } }, 7],
    [{ id: 3, cmd: 'update_subscription', params: { sids: [1, 2], action: 'add_markets' } }, 12],
    [{ id: 3, cmd: 'update_subscription', params: { sid: 4, action: 'add_markets' } }, 7],
    [{ id: 3, cmd: 'update_subscription', params: { sid: 1, market_ticker: 'KXT-1-A' } }, 15],
    [{ id: 3, cmd: 'update_subscription', params: { sid: 1, action: 'add_markets' } }, 14],
    [{ id: 3, cmd: 'update_subscription', params: { sid: 1, market_ticker: 'KXT-1-A', action: 'hug' } }, 13],
  ])('refuses %j with code %i, which takes no seq', async (command, code) => {
    await ask(subscribe(1, ['KXT-1-A']), 2);
    const before = client.texts.length;
    client.send(command);
    await client.until(() => client.texts.length > before);
    const id = typeof command === 'string' ? {} : { id: 3 };
    expect(client.frames().at(-1)).toMatchObject({ type: 'error', ...id, msg: { code } });
    server.play(delta('KXT-1-A', 'yes', '0.4700', '1.00'));
    await client.until(() => client.ofType('orderbook_delta').length === 1);
    expect(client.frames().at(-1)).toMatchObject({ seq: 2 });
  });
});

describe('REST', () => {
  const http = createHttpClient(5_000, 1_000_000);
  const get = async (path: string): Promise<{ status: number; body: Record<string, unknown> }> => {
    const { status, body } = await http.get(server.restUrl + path, {});
    return { status, body: JSON.parse(body) };
  };

  it('describes a market with its grid and its top of book', async () => {
    expect(await get('/markets/KXT-1-A')).toMatchObject({
      status: 200,
      body: {
        market: {
          ticker: 'KXT-1-A',
          event_ticker: 'KXT-1',
          status: 'active',
          price_ranges: grid.priceRanges,
          yes_bid_dollars: '0.4700',
          yes_ask_dollars: '0.5200',
          yes_ask_size_fp: '2.00',
          no_ask_dollars: '0.5300',
        },
      },
    });
    expect((await get('/markets/KXNOPE')).status).toBe(404);
  });

  it('gives the order book, ascending, as deep as asked', async () => {
    const all = {
      no_dollars: [
        ['0.0100', '1058328.00'],
        ['0.5000', '0.25'],
      ],
      yes_dollars: [],
    };
    expect((await get('/markets/KXT-1-B/orderbook')).body).toEqual({ orderbook_fp: all });
    expect((await get('/markets/KXT-1-B/orderbook?depth=1')).body).toEqual({
      orderbook_fp: { no_dollars: [['0.5000', '0.25']], yes_dollars: [] },
    });
    expect((await get('/markets/KXT-1-B/orderbook?depth=101')).status).toBe(400);
  });

  it('lists markets by page, by event, by name', async () => {
    const tickers = ({ body }: { body: Record<string, unknown> }): unknown[] =>
      (body.markets as { ticker: string }[]).map(({ ticker }) => ticker);
    const first = await get('/markets?limit=2');
    expect(tickers(first)).toEqual(['KXT-1-A', 'KXT-1-B']);
    const second = await get(`/markets?limit=2&cursor=${first.body.cursor}`);
    expect(tickers(second)).toEqual(['KXT-2-C']);
    expect(second.body.cursor).toBe('');
    expect(tickers(await get('/markets?event_ticker=KXT-1'))).toEqual(['KXT-1-A', 'KXT-1-B']);
    expect(tickers(await get('/markets?tickers=KXT-2-C,KXT-1-A'))).toEqual(['KXT-1-A', 'KXT-2-C']);
    expect(tickers(await get('/markets?tickers=KXT-2-C,KXNOPE,KXT-1-A&limit=3'))).toEqual(['KXT-1-A', 'KXT-2-C']);
    expect(tickers(await get('/markets?status=settled'))).toEqual([]);
    expect((await get('/markets?limit=1001')).status).toBe(400);
    expect((await get('/exchange/status')).body).toEqual({ exchange_active: true, trading_active: true });
  });

  it('takes a list of tickers as long as a feed makes it, signed with the largest usual key', async () => {
    const names = ['KXT-1-B'.padEnd(limits.venueBTickerListBytes - 'KXT-1-A,'.length - 1, 'X'), 'KXT-1-A'].join(',');
    const signature = { 'KALSHI-ACCESS-SIGNATURE': 'a'.repeat(684) };
    const { status, body } = await http.get(`${server.restUrl}/markets?tickers=${names}&limit=1000`, signature);
    expect([status, JSON.parse(body).markets.length]).toEqual([200, 1]);
  });
});
