// Commands of venue B's stream and their answers (venue-b.md §10.1–10.3), each as a row, over real sockets.

import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { BOSTON, LAKERS, MarketRig, TOTAL } from './market-rig.ts';
import { type Frame, StreamClient } from './stream-client.ts';

let rig: MarketRig;
let client: StreamClient;

beforeAll(async () => {
  rig = await MarketRig.start();
  rig.place({ ticker: BOSTON, side: 'buy', price: '0.47', count: '3' });
  rig.place({ ticker: BOSTON, side: 'buy', price: '0.46', count: '10' });
  rig.place({ ticker: BOSTON, side: 'sell', price: '0.52', count: '2.5' });
});
afterAll(() => rig.close());
afterEach(() => client.close());

async function connect(key = 'alice'): Promise<StreamClient> {
  client = await StreamClient.connect(rig.port, key);
  return client;
}

const subscribe = (params: object, id = 1) => ({ id, cmd: 'subscribe', params });
const books = (...tickers: string[]) => ({ channels: ['orderbook_delta'], market_tickers: tickers });
const update = (params: object, id = 3) => ({ id, cmd: 'update_subscription', params });
const outline = (frames: readonly Frame[]) => frames.map(({ type, sid, seq }) => [type, sid, seq]);

describe('the handshake', () => {
  it('is refused with 401 and no upgrade if it is not signed well', async () => {
    await expect(StreamClient.connect(rig.port, 'nobody')).rejects.toThrow('401');
    await connect();
    expect(await client.drain()).toEqual([]);
  });
});

describe('subscribe', () => {
  it('answers every channel, then shows the books: levels ascend, an empty side is missing', async () => {
    await connect();
    const frames = await client.ask(
      subscribe({ channels: ['orderbook_delta', 'trade'], market_tickers: [BOSTON, LAKERS] }),
    );
    expect(frames).toEqual([
      { type: 'subscribed', id: 1, msg: { channel: 'orderbook_delta', sid: 1 } },
      { type: 'subscribed', id: 1, msg: { channel: 'trade', sid: 2 } },
      {
        type: 'orderbook_snapshot',
        sid: 1,
        seq: 1,
        msg: {
          market_ticker: BOSTON,
          market_id: rig.market(BOSTON).listing.marketId,
          yes_dollars_fp: [
            ['0.4600', '10.00'],
            ['0.4700', '3.00'],
          ],
          no_dollars_fp: [['0.4800', '2.50']],
        },
      },
      {
        type: 'orderbook_snapshot',
        sid: 1,
        seq: 2,
        msg: { market_ticker: LAKERS, market_id: rig.market(LAKERS).listing.marketId },
      },
    ]);
  });

  it('shows NO levels in YES terms on request', async () => {
    await connect();
    const frames = await client.ask(subscribe({ ...books(BOSTON), use_yes_price: true }));
    expect(frames[1]!.msg.no_dollars_fp).toEqual([['0.5200', '2.50']]);
  });

  it('merges with what is held: ok with the whole list, then books of the new markets only', async () => {
    await connect();
    await client.ask(subscribe(books(LAKERS)));
    const frames = await client.ask(subscribe(books(LAKERS, BOSTON), 2));
    expect(outline(frames)).toEqual([
      ['ok', 1, 2],
      ['orderbook_snapshot', 1, 3],
    ]);
    expect(frames[0]).toEqual({ type: 'ok', id: 2, sid: 1, seq: 2, msg: { market_tickers: [BOSTON, LAKERS] } });
    expect(frames[1]!.msg.market_ticker).toBe(BOSTON);
  });

  it('never gives a sid again', async () => {
    await connect();
    await client.ask(subscribe(books(BOSTON)));
    await client.ask({ id: 2, cmd: 'unsubscribe', params: { sids: [1] } });
    const [subscribed, snapshot] = await client.ask(subscribe(books(BOSTON), 3));
    expect(subscribed!.msg).toEqual({ channel: 'orderbook_delta', sid: 2 });
    expect(snapshot!.seq).toBe(1);
  });

  it('ends every frame with a newline', async () => {
    await connect();
    client.send(subscribe(books(BOSTON)));
    await client.until(() => client.texts.length === 2);
    expect(client.texts.map(text => text.endsWith('}\n'))).toEqual([true, true]);
  });

  it('takes 0 for no id', async () => {
    await connect();
    const [subscribed] = await client.ask(subscribe(books(BOSTON), 0));
    expect(subscribed).toEqual({ type: 'subscribed', msg: { channel: 'orderbook_delta', sid: 1 } });
  });

  it.each([
    [{ channels: ['ticker'], market_id: '00000000-0000-4000-8000-000000000001' }],
    [{ channels: ['ticker'], market_ids: ['00000000-0000-4000-8000-000000000001'] }],
    [{ channels: ['ticker'], market_ticker: BOSTON }],
    [{ channels: ['ticker'] }],
    [{ channels: ['communications'], shard_factor: 4, shard_key: 3 }],
    [{ channels: ['cfbenchmarks_value', 'cfbenchmarks_value_5hz'], index_ids: ['BRTI'] }],
    [{ channels: ['pyth_value'], underlying_tickers: ['BTC'] }],
    [{ channels: ['multivariate_market_lifecycle', 'market_lifecycle_v2'], market_tickers: ['ignored'] }],
    [{ channels: ['fill', 'market_positions', 'user_orders', 'order_group_updates'] }],
  ])('takes %j', async params => {
    await connect();
    const frames = await client.ask(subscribe(params as object));
    expect(frames.map(({ type, msg }) => [type, msg.channel])).toEqual(
      params.channels.map(channel => ['subscribed', channel]),
    );
  });

  it('shows tickers at once on request: of the markets named, or of all', async () => {
    await connect();
    const one = await client.ask(
      subscribe({ channels: ['ticker'], market_ticker: BOSTON, send_initial_snapshot: true }),
    );
    expect(one.map(({ type, msg }) => [type, msg.market_ticker])).toEqual([
      ['subscribed', undefined],
      ['ticker', BOSTON],
    ]);
    await client.ask({ id: 2, cmd: 'unsubscribe', params: { sids: [1] } });
    const all = await client.ask(subscribe({ channels: ['ticker'], send_initial_snapshot: true }, 3));
    expect(all.slice(1).map(({ msg }) => msg.market_ticker)).toEqual([BOSTON, LAKERS, TOTAL]);
  });
});

describe('update_subscription', () => {
  it('adds: ok, then the books of the new ones', async () => {
    await connect();
    await client.ask(subscribe(books(LAKERS)));
    const frames = await client.ask(update({ sid: 1, market_tickers: [BOSTON, LAKERS], action: 'add_markets' }));
    expect(outline(frames)).toEqual([
      ['ok', 1, 2],
      ['orderbook_snapshot', 1, 3],
    ]);
    expect(frames[0]!.msg).toEqual({ market_tickers: [BOSTON, LAKERS] });
  });

  it('deletes a market, of which nothing more comes; added again it comes with its book', async () => {
    await connect();
    await client.ask(subscribe(books(LAKERS, TOTAL)));
    const deleted = await client.ask(update({ sids: [1], market_ticker: TOTAL, action: 'delete_markets' }));
    expect(deleted).toEqual([{ type: 'ok', id: 3, sid: 1, seq: 3, msg: { market_tickers: [LAKERS] } }]);
    rig.place({ ticker: TOTAL, side: 'buy', price: '0.10', count: '1' });
    const added = await client.ask(update({ sid: 1, market_tickers: [TOTAL], action: 'add_markets' }, 4));
    expect(outline(added)).toEqual([
      ['ok', 1, 4],
      ['orderbook_snapshot', 1, 5],
    ]);
  });

  it('keeps a subscription whose last market is deleted, and it carries nothing', async () => {
    await connect();
    await client.ask(subscribe(books(TOTAL)));
    await client.ask(update({ sid: 1, market_tickers: [TOTAL], action: 'delete_markets' }));
    rig.place({ ticker: TOTAL, side: 'buy', price: '0.11', count: '1' });
    expect(await client.drain()).toEqual([]);
  });

  it('gives a snapshot under the id of the command', async () => {
    await connect();
    await client.ask(subscribe(books(BOSTON)));
    const [snapshot, ...rest] = await client.ask(update({ sid: 1, market_tickers: [BOSTON], action: 'get_snapshot' }));
    expect(rest).toEqual([]);
    expect([snapshot!.type, snapshot!.id, snapshot!.sid, snapshot!.seq]).toEqual(['orderbook_snapshot', 3, 1, 2]);
  });

  it('leaves the list out of ok if it was asked to', async () => {
    await connect();
    await client.ask(subscribe({ ...books(BOSTON), skip_ticker_ack: true }));
    const [answer] = await client.ask(update({ sid: 1, market_tickers: [LAKERS], action: 'add_markets' }));
    expect(answer).toEqual({ type: 'ok', id: 3, sid: 1, seq: 2, msg: {} });
  });
});

describe('the rest', () => {
  it('unsubscribes several at once, each with its next number', async () => {
    await connect();
    await client.ask(subscribe({ channels: ['orderbook_delta', 'ticker'], market_tickers: [BOSTON] }));
    const frames = await client.ask({ id: 2, cmd: 'unsubscribe', params: { sids: [1, 2] } });
    expect(frames).toEqual([
      { type: 'unsubscribed', id: 2, sid: 1, seq: 2 },
      { type: 'unsubscribed', id: 2, sid: 2, seq: 1 },
    ]);
  });

  it('lists what is held', async () => {
    await connect();
    await client.ask(subscribe({ channels: ['ticker', 'trade'] }));
    const frames = await client.ask({ id: 6, cmd: 'list_subscriptions' });
    expect(frames).toEqual([
      {
        type: 'ok',
        id: 6,
        msg: [
          { channel: 'ticker', sid: 1 },
          { channel: 'trade', sid: 2 },
        ],
      },
    ]);
  });
});

/** The stream has three subscriptions: `orderbook_delta` as sid 1, `market_lifecycle_v2` as sid 2, `ticker` as sid 3. */
const refusals: [code: number, command: unknown][] = [
  [1, 'no json'],
  [1, '[]'],
  [1, { id: 'one', cmd: 'subscribe', params: books(BOSTON) }],
  [1, { id: -1, cmd: 'subscribe', params: books(BOSTON) }],
  [2, { id: 9, cmd: 'subscribe' }],
  [2, { id: 9, cmd: 'unsubscribe', params: [] }],
  [3, subscribe({}, 9)],
  [3, subscribe({ channels: [] }, 9)],
  [4, { id: 9, cmd: 'unsubscribe', params: {} }],
  [4, { id: 9, cmd: 'unsubscribe', params: { sids: ['1'] } }],
  [5, { id: 9, cmd: 'resubscribe', params: {} }],
  [5, { id: 9 }],
  [7, { id: 9, cmd: 'unsubscribe', params: { sids: [1, 77] } }],
  [7, update({ sid: 77, market_tickers: [BOSTON], action: 'add_markets' }, 9)],
  [8, subscribe({ channels: ['ticker_v2'] }, 9)],
  [8, subscribe({ channels: ['trade', 'market_lifecycle'] }, 9)],
  [11, subscribe({ ...books(BOSTON), market_ticker: BOSTON }, 9)],
  [11, subscribe({ channels: ['trade'], market_ids: ['00000000-0000-4000-8000-000000000001'] }, 9)],
  [11, subscribe(books(BOSTON, 'KXNONE'), 9)],
  [11, subscribe({ channels: ['trade'], market_tickers: [1] }, 9)],
  [11, update({ sid: 1, market_tickers: ['KXNONE'], action: 'get_snapshot' }, 9)],
  [12, update({ market_tickers: [BOSTON], action: 'add_markets' }, 9)],
  [12, update({ sids: [1, 2], market_tickers: [BOSTON], action: 'add_markets' }, 9)],
  [13, update({ sid: 1, market_tickers: [BOSTON], action: 'replace_markets' }, 9)],
  [13, update({ sid: 2, market_tickers: [BOSTON], action: 'add_markets' }, 9)],
  [13, update({ sid: 3, market_tickers: [BOSTON], action: 'get_snapshot' }, 9)],
  [14, subscribe({ channels: ['orderbook_delta'] }, 9)],
  [14, update({ sid: 1, action: 'add_markets' }, 9)],
  [15, update({ sid: 1, market_tickers: [BOSTON] }, 9)],
  [19, subscribe({ channels: ['communications'], shard_factor: 0 }, 9)],
  [20, subscribe({ channels: ['communications'], shard_key: 0 }, 9)],
  [21, subscribe({ channels: ['communications'], shard_factor: 2, shard_key: -1 }, 9)],
  [22, subscribe({ channels: ['communications'], shard_factor: 2, shard_key: 2 }, 9)],
  [24, subscribe({ channels: ['cfbenchmarks_value'] }, 9)],
  [28, subscribe({ channels: ['pyth_value'], underlying_tickers: [] }, 9)],
];

describe('refusals', () => {
  it.each(refusals)('%i for %j', async (code, command) => {
    await connect();
    await client.ask(subscribe(books(LAKERS), 1));
    await client.ask(subscribe({ channels: ['market_lifecycle_v2', 'ticker'] }, 2));
    const [error, ...rest] = await client.ask(command);
    expect(rest).toEqual([]);
    expect(error!.type).toBe('error');
    expect(error!.msg.code).toBe(code);
    expect(error!.msg.msg).toMatch(/^\w/);
    expect(error!.id).toBe(code === 1 ? undefined : 9);
    // The refusals have begun, changed or ended no subscription.
    const [list] = await client.ask({ id: 10, cmd: 'list_subscriptions' });
    expect(list!.msg).toHaveLength(3);
    const [held] = await client.ask(update({ sid: 1, market_tickers: [LAKERS], action: 'add_markets' }, 11));
    expect(held).toEqual({ type: 'ok', id: 11, sid: 1, seq: 2, msg: { market_tickers: [LAKERS] } });
  });

  it('names the markets that do not exist', async () => {
    await connect();
    const [error] = await client.ask(subscribe(books(BOSTON, 'KXNONE', 'KXNADA')));
    expect(error!.msg.market_tickers).toEqual(['KXNONE', 'KXNADA']);
  });

  it('9 for private channels of a key that may not read', async () => {
    await connect('writer');
    const [error] = await client.ask(subscribe({ channels: ['trade', 'fill'] }));
    expect(error!.msg).toEqual({ code: 9, msg: 'Authentication required' });
    const [subscribed] = await client.ask(subscribe({ channels: ['trade'] }));
    expect(subscribed!.type).toBe('subscribed');
  });
});

describe('a frame', () => {
  it('4022: ends with the time of its sending, of each kind', async () => {
    await connect();
    client.send(subscribe({ ...books(BOSTON), channels: ['orderbook_delta', 'trade', 'ticker', 'user_orders'] }));
    client.send(update({ sid: 1, market_tickers: [BOSTON], action: 'get_snapshot' }));
    client.send(update({ sid: 1, market_tickers: [LAKERS], action: 'add_markets' }));
    client.send({ id: 4, cmd: 'unsubscribe', params: { sids: [77] } });
    await client.until(() => client.texts.some(text => text.includes('"type":"error"')));
    rig.place({ ticker: BOSTON, side: 'buy', price: '0.45', count: '3' });
    rig.trade('0.50', '1');
    client.send({ id: 5, cmd: 'unsubscribe', params: { sids: [1] } });
    await client.until(() => client.texts.some(text => text.includes('"type":"unsubscribed"')));
    const frames = client.texts.map(text => JSON.parse(text) as object);
    expect(new Set(frames.map(frame => (frame as Frame).type))).toEqual(
      new Set([
        ...['subscribed', 'orderbook_snapshot', 'ok', 'error', 'orderbook_delta'],
        ...['trade', 'ticker', 'user_order', 'unsubscribed'],
      ]),
    );
    for (const frame of frames) expect(Object.entries(frame).at(-1)).toEqual(['sending_ts_ms', rig.timers.now()]);
  });
});
