// The stream's client against a server in memory, under virtual time, with both codecs: its requests, its events and its reconnections. One
// test uses real sockets.

import { describe, expect, it } from 'vitest';
import { BID, type Level, type MarketKey } from '../../../src/core/domain/market.ts';
import type { MicroShares, Ticks, UnixMillis } from '../../../src/core/domain/numbers.ts';
import { type Connection, listen, socketRoute } from '../../../src/core/net/listen.ts';
import { connectWebSocket } from '../../../src/core/net/websocket.ts';
import { jsonCodec } from '../../../src/core/wire/json.ts';
import type { ClientMessage, Delta, Snapshot, StreamCodec } from '../../../src/core/wire/messages.ts';
import { protobufCodec } from '../../../src/core/wire/protobuf.ts';
import { limits } from '../../../src/limits.ts';
import { checksumLevels } from '../../../src/market-data/book/checksum.ts';
import { OrderbookStream } from '../../../src/tools/client/orderbook-stream.ts';
import { VirtualTimers } from '../../support/virtual-timers.ts';
import { MemoryServer } from './memory-server.ts';

const market: MarketKey = { venue: 'venue_b', ticker: 'KXNBAGAME-26NOV20BOSLAL-BOS' };
const other: MarketKey = {
  venue: 'venue_a',
  tokenId: '71321045679252212594626385532706912750332728571942532289631379312455583992563',
};
const EPOCH = 1_795_237_201_000;
const times = { venueTime: EPOCH as UnixMillis, receivedAt: EPOCH as UnixMillis };

const bids = (size: number): Level[] => [{ price: 5_000 as Ticks, size: size as MicroShares }];

function snapshot(seq: number, size: number, of = market): Snapshot {
  const book = { bids: bids(size), asks: [] };
  const checksum = checksumLevels(book.bids, book.asks);
  return { type: 'snapshot', market: of, epoch: EPOCH, seq, state: 'LIVE', ...book, checksum, ...times };
}

function delta(seq: number, size: number): Delta {
  const changes = bids(size).map(level => ({ side: BID, ...level }) as const);
  return {
    type: 'delta',
    market,
    epoch: EPOCH,
    seq,
    prevSeq: seq - 1,
    changes,
    checksum: checksumLevels(bids(size), []),
    ...times,
  };
}

/** Returns a client, its server, and all events of the client so far. */
function connected(codec: StreamCodec) {
  const [server, timers] = [new MemoryServer(codec), new VirtualTimers()];
  let signatures = 0;
  const stream = new OrderbookStream({
    url: 'ws://localhost/v1/orderbook',
    codec,
    headers: () => ({ 'SVC-Signature': `signature ${++signatures}` }),
    connect: server.connect,
    timers,
    random: () => 0.5,
  });
  const reported: unknown[] = [];
  stream.on('connection', (isUp, detail) => reported.push([isUp ? 'up' : 'down', detail]));
  stream.on('book', (book, update) => reported.push([update.type, book.seq, book.bestBid?.size]));
  stream.on('trade', trade => reported.push(['trade', trade.tradeId]));
  stream.on('state', (_market, state, reason) => reported.push([state, reason]));
  stream.on('gap', (book, cause) => reported.push([cause, book.isSynced]));
  stream.on('refused', refusal => reported.push(refusal));
  stream.on('unreadable', () => reported.push('unreadable'));
  stream.start();
  server.accept();
  /** Returns the events since the last call. */
  const news = () => ({ reported: reported.splice(0), heard: server.heard.splice(0).map(withoutId) });
  return { server, timers, stream, news };
}

function withoutId({ id: _, ...rest }: ClientMessage): object {
  return rest;
}

const request = { market, side: null };
const subscribed = { op: 'subscribe', channel: 'book', markets: [request] };

describe.each([jsonCodec, protobufCodec])('the stream client over $subprotocol', codec => {
  it('offers the subprotocol, signs the upgrade, subscribes and folds the book', () => {
    const { server, stream, news } = connected(codec);
    stream.subscribe('book', [market]);
    server.say(snapshot(4, 10), delta(5, 20));
    expect(server.attempts).toMatchObject([
      { subprotocols: [codec.subprotocol], headers: { 'SVC-Signature': 'signature 1' } },
    ]);
    expect(news()).toEqual({
      reported: [
        ['up', ''],
        ['snapshot', 4, 10],
        ['delta', 5, 20],
      ],
      heard: [subscribed],
    });
    expect(stream.book(market)?.bids).toEqual(bids(20));
  });

  it('asks for a snapshot after a gap and after a wrong checksum, once each', () => {
    const { server, stream, news } = connected(codec);
    stream.subscribe('book', [market]);
    server.say(snapshot(1, 10));
    news();
    server.say(delta(3, 30), delta(4, 40));
    expect(news()).toEqual({ reported: [['gap', false]], heard: [{ op: 'snapshot', market: request }] });
    server.say(snapshot(4, 40), { ...delta(5, 50), checksum: 1 });
    expect(news()).toEqual({
      reported: [
        ['snapshot', 4, 40],
        ['checksum', false],
      ],
      heard: [{ op: 'snapshot', market: request }],
    });
    server.say(snapshot(5, 50));
    expect(news().reported).toEqual([['snapshot', 5, 50]]);
  });

  it('notices from a heartbeat that the last delta is missing', () => {
    const { server, stream, news } = connected(codec);
    stream.subscribe('book', [market]);
    server.say(snapshot(1, 10), { type: 'heartbeat', books: [{ market, epoch: EPOCH, seq: 1 }] });
    expect(news().heard).toEqual([subscribed]);
    server.say({ type: 'heartbeat', books: [{ market, epoch: EPOCH, seq: 2 }] });
    expect(news()).toEqual({ reported: [['gap', false]], heard: [{ op: 'snapshot', market: request }] });
  });

  it('starts over when a snapshot is wrong in itself', () => {
    const { server, stream, timers, news } = connected(codec);
    stream.subscribe('book', [market]);
    news();
    server.say({ ...snapshot(1, 10), checksum: 1 });
    expect(news().reported).toEqual([
      ['checksum', false],
      ['down', 'terminated'],
    ]);
    timers.advance(limits.upstreamBackoffMaxMs);
    expect(server.attempts).toHaveLength(2);
  });

  it('says of a book that is lost, or no longer wanted, that it is RESYNCING', () => {
    const { server, stream } = connected(codec);
    stream.subscribe('book', [market]);
    const book = stream.book(market)!;
    server.say(snapshot(1, 10));
    expect(book.state).toBe('LIVE');
    server.say(delta(3, 30));
    expect(book.state).toBe('RESYNCING');
    server.say(snapshot(3, 30));
    expect(book.state).toBe('LIVE');
    stream.unsubscribe('book', [market]);
    expect([book.state, book.bids]).toEqual(['RESYNCING', []]);
  });

  it('empties its books when the connection is lost, and returns with a fresh signature and all subscriptions', () => {
    const { server, stream, timers, news } = connected(codec);
    stream.subscribe('book', [market, other]);
    stream.subscribe('trade', [market]);
    stream.unsubscribe('book', [other]);
    server.say(snapshot(1, 10));
    news();
    server.drop('code 1006');
    expect(stream.book(market)).toMatchObject({ isSynced: false, bids: [] });
    timers.advance(limits.upstreamBackoffMaxMs);
    server.accept();
    expect(server.attempts[1]?.headers).toEqual({ 'SVC-Signature': 'signature 2' });
    expect(news()).toEqual({
      reported: [
        ['down', 'code 1006'],
        ['up', ''],
      ],
      heard: [subscribed, { op: 'subscribe', channel: 'trade', markets: [request] }],
    });
    server.say(snapshot(1, 70));
    expect(news().reported).toEqual([['snapshot', 1, 70]]);
  });

  it('is back within a second, however long the gateway was away', () => {
    const { server, timers } = connected(codec);
    for (let failures = 0; failures < 20; failures++) {
      const before = server.attempts.length;
      server.drop('refused');
      timers.advance(limits.upstreamBackoffMinMs + limits.streamBackoffMaxMs);
      expect(server.attempts).toHaveLength(before + 1);
    }
  });

  it('forgets a refused market of the channel it was refused on, and says why', () => {
    const { server, stream, timers, news } = connected(codec);
    stream.subscribe('trade', [market]);
    stream.subscribe('book', [market, other]);
    news();
    const rejected = [{ market, code: 'UNKNOWN_MARKET', message: 'no such market' }] as const;
    server.say(
      { type: 'subscribed', id: '1', channel: 'trade', accepted: [market], rejected: [] },
      { type: 'error', id: '2', code: 'UNKNOWN_MARKET', message: 'no such market', rejected },
      { type: 'error', id: null, code: 'INVALID_REQUEST', message: 'what?', rejected: [] },
    );
    expect(news().reported).toEqual([
      { code: 'UNKNOWN_MARKET', message: 'no such market', market, asksAgainInMs: null },
      { code: 'INVALID_REQUEST', message: 'what?', market: null, asksAgainInMs: null },
    ]);
    server.drop('');
    timers.advance(limits.upstreamBackoffMaxMs);
    server.accept();
    expect(news().heard).toEqual([
      { op: 'subscribe', channel: 'book', markets: [{ market: other, side: null }] },
      { op: 'subscribe', channel: 'trade', markets: [request] },
    ]);
  });

  it('passes on trades and states, and empties a book that the server rebuilds', () => {
    const { server, stream, news } = connected(codec);
    stream.subscribe('book', [market]);
    server.say(snapshot(1, 10));
    news();
    const price = { price: 5_000 as Ticks, size: 1 as MicroShares };
    server.say(
      { type: 'trade', market, tradeId: 't-1', ...price, takerSide: 1, ...times },
      { type: 'state', market, state: 'RESYNCING', reason: 'SEQUENCE_GAP' },
      delta(2, 20),
    );
    expect(news()).toEqual({
      reported: [
        ['trade', 't-1'],
        ['RESYNCING', 'SEQUENCE_GAP'],
      ],
      heard: [],
    });
    expect(stream.book(market)).toMatchObject({ state: 'RESYNCING', isSynced: false, bids: [] });
  });

  it('ignores what it cannot read and books that it did not ask for', () => {
    const { server, stream, news } = connected(codec);
    stream.subscribe('book', [market]);
    news();
    server.sayBytes(new Uint8Array([0xff, 0xff]));
    server.say(snapshot(1, 10, other), snapshot(1, 10));
    expect(news().reported).toEqual(['unreadable', ['snapshot', 1, 10]]);
  });

  it('asks for many markets in portions that the server accepts', () => {
    const { server, stream } = connected(codec);
    const count = 2 * limits.marketsPerSubscribeMax + 1;
    const markets = Array.from(
      { length: count },
      (_, index): MarketKey => ({ venue: 'venue_b', ticker: `T-${index}` }),
    );
    stream.subscribe('book', markets);
    const sizes = server.heard.map(message => ('markets' in message ? message.markets.length : 0));
    expect(sizes).toEqual([limits.marketsPerSubscribeMax, limits.marketsPerSubscribeMax, 1]);
  });

  it('shows that it is alive, and stops when it is closed', () => {
    const { server, stream, timers, news } = connected(codec);
    news();
    timers.advance(limits.upstreamPingMs);
    expect(news().heard).toEqual([{ op: 'ping' }]);
    stream.close();
    timers.advance(10 * limits.upstreamBackoffMaxMs);
    expect(news()).toEqual({ reported: [['down', 'terminated']], heard: [] });
    expect(server.attempts).toHaveLength(1);
    expect(timers.pending).toBe(0);
  });

  it('speaks through real sockets', async () => {
    const route = socketRoute<null>({
      pattern: '/v1/orderbook',
      messageBytesMax: limits.streamMessageBytesMax,
      unsentBytesMax: limits.streamCloseBytes,
      idleTimeoutS: 0,
      accept: asked => ({ context: null, subprotocol: asked.header('sec-websocket-protocol') }),
      open: () => {},
      message: (connection: Connection<null>, frame, isBinary) => {
        const message = codec.decode(frame);
        if (!message.ok || isBinary !== codec.isBinary) return;
        connection.send(codec.encode({ type: 'pong', id: message.value.id ?? '' }), codec.isBinary);
        connection.send(codec.encode(snapshot(1, 10)), codec.isBinary);
      },
      drain: () => {},
      close: () => {},
    });
    const listener = await listen({ host: '127.0.0.1', port: 0, http: [], sockets: [route] });
    const url = `ws://127.0.0.1:${listener.port}/v1/orderbook`;
    const stream = new OrderbookStream({ url, codec, connect: connectWebSocket });
    const folded = new Promise(resolve => stream.once('book', book => resolve(book.bids)));
    stream.subscribe('book', [market]);
    stream.start();
    expect(await folded).toEqual(bids(10));
    stream.close();
    listener.close();
  });
});
