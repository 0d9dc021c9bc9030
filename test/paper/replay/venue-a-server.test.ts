// Venue A's market channel and REST as a client meets them on real sockets; hashes against an implementation that shares
// nothing with the server's.

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createHttpClient } from '../../../src/core/net/http.ts';
import type { VenueServer } from '../../../src/paper/replay/loopback.ts';
import { startVenueAServer } from '../../../src/paper/replay/venue-a-server.ts';
import { TestClient } from './client.ts';
import { statedAndOwnHash } from './venue-a-hash.ts';

const UP = '111';
const DOWN = '222';
const facts = {
  conditionId: '0xc1',
  tokens: [UP, DOWN] as const,
  outcomes: ['Up', 'Down'] as const,
  minOrderSize: '5',
  tickSize: '0.01',
  negRisk: true,
};
const opening = JSON.stringify([
  {
    event_type: 'book',
    market: '0xc1',
    asset_id: UP,
    timestamp: '1000',
    hash: 'x',
    bids: [
      { price: '0.4', size: '7' },
      { price: '0.53', size: '30' },
    ],
    asks: [{ price: '0.54', size: '5.25' }],
    tick_size: '0.01',
    last_trade_price: '0.470',
  },
]);
const change = JSON.stringify({
  event_type: 'price_change',
  market: '0xc1',
  timestamp: '1001',
  price_changes: [
    { asset_id: DOWN, price: '0.47', size: '24.37', side: 'SELL', hash: 'y' },
    { asset_id: UP, price: '0.53', size: '24.37', side: 'BUY', hash: 'z' },
  ],
});
const subscription = { type: 'market', assets_ids: [UP], initial_dump: true };

let server: VenueServer;
const wanted: string[] = [];
const clients: TestClient[] = [];
async function open(): Promise<TestClient> {
  const client = await TestClient.open(server.streamUrl);
  clients.push(client);
  return client;
}

beforeEach(async () => {
  wanted.length = 0;
  server = await startVenueAServer({
    facts: [facts],
    initial: [opening],
    faults: [],
    onWanted: conditions => {
      wanted.push(...conditions);
    },
  });
});
afterEach(() => {
  for (const client of clients.splice(0)) client.close();
  server.close();
});

describe('market channel', () => {
  it.each(['PING', 'hello', '{"operation":"subscribe","assets_ids":["111"]}', '{"type":"market"}'])(
    'closes with 1008 when the first message is %s',
    async first => {
      const client = await open();
      client.send(first);
      await client.until(() => client.closed !== null);
      expect(client.closed).toBe('code 1008 invalid subscription payload');
    },
  );

  it('answers a subscription with one array of books, best last, hashed as the venue hashes, the mirror too', async () => {
    const client = await open();
    client.send({ ...subscription, assets_ids: [UP, DOWN, '333'] });
    await client.until(() => client.texts.length === 1);
    const books = JSON.parse(client.texts[0]!);
    expect(books).toMatchObject([
      {
        event_type: 'book',
        market: '0xc1',
        asset_id: UP,
        timestamp: '1000',
        tick_size: '0.01',
        last_trade_price: '0.470',
      },
      {
        asset_id: DOWN,
        bids: [{ price: '0.46', size: '5.25' }],
        asks: [
          { price: '0.6', size: '7' },
          { price: '0.47', size: '30' },
        ],
      },
    ]);
    for (const book of books) {
      expect(book).not.toHaveProperty('min_order_size');
      const { stated, own } = statedAndOwnHash(book, { minOrderSize: '5', negRisk: true });
      expect(stated).toBe(own);
    }
    expect(wanted).toEqual(['0xc1', '0xc1']);
  });

  it('forwards recorded frames untouched to who holds one of their tokens, and gives a late client the book of now', async () => {
    const [holder, other] = [await open(), await open()];
    holder.send(subscription);
    other.send({ ...subscription, assets_ids: ['333'] });
    other.send('PING');
    await holder.until(() => holder.texts.length === 1);
    await other.until(() => other.texts.length === 1);
    server.play(change);
    await holder.until(() => holder.texts.length === 2);
    expect(holder.texts[1]).toBe(change);
    other.send({ operation: 'subscribe', assets_ids: [DOWN] });
    await other.until(() => other.texts.length === 2);
    expect(other.texts[0]).toBe('PONG');
    expect(JSON.parse(other.texts[1]!)).toMatchObject([
      { timestamp: '1001', asks: [{}, { price: '0.47', size: '24.37' }] },
    ]);
  });

  it('unsubscribes, and sends no dump where none is wanted', async () => {
    const client = await open();
    client.send({ ...subscription, initial_dump: false });
    client.send({ operation: 'unsubscribe', assets_ids: [UP] });
    client.send('PING');
    await client.until(() => client.texts.length === 1);
    server.play(change);
    client.send('PING');
    await client.until(() => client.texts.length === 2);
    expect(client.texts).toEqual(['PONG', 'PONG']);
  });

  it('keeps custom events for clients that want them', async () => {
    const [plain, custom] = [await open(), await open()];
    plain.send(subscription);
    custom.send({ ...subscription, custom_feature_enabled: true });
    await Promise.all([plain, custom].map(client => client.until(() => client.texts.length === 1)));
    server.play(JSON.stringify({ event_type: 'best_bid_ask', market: '0xc1', asset_id: UP }));
    server.play(change);
    await Promise.all([plain.until(() => plain.texts.length === 2), custom.until(() => custom.texts.length === 3)]);
    expect(plain.texts[1]).toBe(change);
  });

  it('learns the last trade price from the hash of a change, before it is announced', async () => {
    const client = await open();
    client.send(subscription);
    await client.until(() => client.texts.length === 1);
    const [before] = JSON.parse(client.texts[0]!);
    const after = {
      ...before,
      timestamp: '1001',
      last_trade_price: '0.530',
      bids: [before.bids[0], { price: '0.53', size: '24.37' }],
    };
    const { own } = statedAndOwnHash(after, { minOrderSize: '5', negRisk: true });
    server.play(change.replace('"z"', `"${own}"`));
    const late = await open();
    late.send(subscription);
    await late.until(() => late.texts.length === 1);
    expect(JSON.parse(late.texts[0]!)).toMatchObject([{ hash: own, last_trade_price: '0.530' }]);
  });

  it('starts over with the books of the start', async () => {
    const client = await open();
    client.send(subscription);
    await client.until(() => client.texts.length === 1);
    server.play(change);
    server.rewind();
    await client.until(() => client.texts.length === 3);
    expect(client.texts[2]).toBe(client.texts[0]);
  });
});

describe('REST', () => {
  const http = createHttpClient(5_000, 1_000_000);
  const get = async (path: string): Promise<{ status: number; body: unknown }> => {
    const { status, body } = await http.get(server.restUrl + path, {});
    return { status, body: JSON.parse(body) };
  };

  it('names the condition of a token, and says what enters the hash', async () => {
    const condition = { condition_id: '0xc1', primary_token_id: UP, secondary_token_id: DOWN };
    expect(await get(`/markets-by-token/${DOWN}`)).toEqual({ status: 200, body: condition });
    expect((await get('/markets-by-token/333')).status).toBe(404);
    expect((await get('/clob-markets/0xc1')).body).toMatchObject({
      c: '0xc1',
      t: [
        { t: UP, o: 'Up' },
        { t: DOWN, o: 'Down' },
      ],
      mts: 0.01,
      mos: 5,
      nr: true,
    });
    expect((await get('/clob-markets/0xc2')).status).toBe(404);
  });

  it('gives a whole book whose hash verifies', async () => {
    const { body } = await get(`/book?token_id=${DOWN}`);
    const { stated, own } = statedAndOwnHash(body as never, { minOrderSize: '5', negRisk: true });
    expect(stated).toBe(own);
    expect(body).toMatchObject({ min_order_size: '5', tick_size: '0.01', neg_risk: true, last_trade_price: '0.470' });
    expect((await get('/book?token_id=333')).status).toBe(404);
    expect((await get('/book?token_id=x')).status).toBe(400);
    expect((await get('/ok')).body).toBe('OK');
    expect(Number.isInteger((await get('/time')).body)).toBe(true);
  });
});
