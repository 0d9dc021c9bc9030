// The page's reader of the stream, against the publishing half of the gateway on real sockets and against a server that sends false data. It reads
// messages with the client's reader, which checks their form.

import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type WebSocket, WebSocketServer } from 'ws';
import type { Level, MarketKey } from '../../../src/core/domain/market.ts';
import { fail, ok } from '../../../src/core/domain/result.ts';
import { jsonCodec } from '../../../src/core/wire/json.ts';
import { checksumLevels } from '../../../src/market-data/book/checksum.ts';
import { BookStream, readUpdate } from '../../../src/tools/page/book-stream.ts';
import { serverMessages } from '../../core/wire/arbitraries.ts';
import { Cable } from '../../faults/cable.ts';
import { eventually } from '../../support/eventually.ts';
import { MARKET, type Rig, startRig, TICKER } from '../../support/stream-rig.ts';

it('reads books as the client does, but for their times', () => {
  fc.assert(
    fc.property(fc.oneof(serverMessages.snapshot, serverMessages.delta), message => {
      const text = new TextDecoder().decode(jsonCodec.encode(message));
      expect(readUpdate(JSON.parse(text))).toMatchObject({ ...message, venueTime: 0, receivedAt: 0 });
    }),
  );
});

/** Records the reports of a stream. */
class Watched {
  readonly stream: BookStream;
  readonly downs: (string | null)[] = [];
  readonly routes: (readonly [id: string, outcomes: number | null])[] = [];
  readonly trades: string[] = [];
  changes = 0;
  tickets = 0;

  constructor(url: string, hasTickets = () => true) {
    this.stream = new BookStream({
      url,
      takeTicket: async () => {
        this.tickets += 1;
        return hasTickets() ? ok(`t${this.tickets}`) : fail('no ticket now');
      },
      onDown: why => void this.downs.push(why),
      onBook: (_market, changes) => {
        this.changes += changes;
      },
      onRoutes: (id, routes) => void this.routes.push([id, routes?.outcomes.length ?? null]),
      onTrade: ({ tradeId }) => void this.trades.push(tradeId),
    });
  }

  /** Returns prices and sizes of a book, best first. Null means that the book waits for its snapshot. */
  levels(market: MarketKey = MARKET): readonly (readonly [number, number])[] | null {
    const book = this.stream.book(market);
    if (book?.isSynced !== true) return null;
    return [...book.bids, ...book.asks].map(({ price, size }) => [price, size / 1_000_000]);
  }
}

describe('beside a gateway', () => {
  let rig: Rig;
  let cable: Cable;
  let watched: Watched;
  beforeEach(async () => {
    rig = await startRig();
    const url = new URL(rig.url);
    cable = await Cable.lay(Number(url.port));
    url.port = String(cable.port);
    watched = new Watched(url.href);
  });
  afterEach(() => {
    watched.stream.close();
    cable.cut();
    rig.close();
  });
  const settled = (levels: ReturnType<Watched['levels']>) => eventually(() => expect(watched.levels()).toEqual(levels));

  it('follows a book, and counts its changes', async () => {
    watched.stream.show([MARKET]);
    await eventually(() => rig.snapshot(TICKER, 4_000, 6_000));
    await settled([
      [4_000, 10],
      [6_000, 10],
    ]);
    rig.change(TICKER, 'bid', 4_100, 7);
    rig.change(TICKER, 'ask', 6_000, 0);
    await settled([
      [4_100, 7],
      [4_000, 10],
    ]);
    expect(watched.changes).toBe(2);
  });

  it('connects again with a new ticket, and has the book anew', async () => {
    watched.stream.show([MARKET]);
    await eventually(() => rig.snapshot(TICKER, 4_000, 6_000));
    await eventually(() => expect(watched.levels()).not.toBeNull());
    cable.cut();
    await eventually(() => expect(watched.downs.at(-1)).not.toBeNull());
    expect(watched.levels()).toBeNull();
    await eventually(() => expect(rig.unsubscribed).toEqual([TICKER]));
    await cable.mend();
    await eventually(() => rig.snapshot(TICKER, 4_200, 6_200));
    await settled([
      [4_200, 10],
      [6_200, 10],
    ]);
    expect(watched.tickets).toBeGreaterThan(1);
  });

  it('leaves what is no longer shown, and has what is shown then', async () => {
    const other: MarketKey = { venue: 'venue_b', ticker: 'KXOTHER' };
    watched.stream.show([MARKET, MARKET]);
    await eventually(() => rig.snapshot(TICKER, 4_000, 6_000));
    watched.stream.show([other]);
    await eventually(() => expect(rig.unsubscribed).toEqual([TICKER]));
    await eventually(() => rig.snapshot('KXOTHER', 3_000, 5_000));
    await eventually(() => expect(watched.levels(other)).toHaveLength(2));
    expect(watched.stream.book(MARKET)).toBeUndefined();
  });

  it('asks again for a market that was refused for now', async () => {
    rig.refusals.set(TICKER, { code: 'VENUE_UNAVAILABLE', message: 'venue answered 503' });
    watched.stream.show([MARKET]);
    await eventually(() => expect(watched.downs).toContain(null));
    rig.refusals.clear();
    await eventually(() => rig.snapshot(TICKER, 4_000, 6_000));
    await eventually(() => expect(watched.levels()).toHaveLength(2));
  });
});

describe('of a server that lies', () => {
  let server: WebSocketServer;
  let watched: Watched;
  /** The page's messages on all connections. */
  const heard: { readonly op: string; readonly channel?: string }[] = [];
  let connected: WebSocket;
  beforeEach(async () => {
    heard.length = 0;
    server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
    await once(server, 'listening');
    server.on('connection', socket => {
      connected = socket;
      socket.on('message', data => void heard.push(JSON.parse(String(data))));
    });
    watched = new Watched(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`);
    watched.stream.show([MARKET]);
    watched.stream.follow(new Map([['a-market', 100]]));
    await eventually(() => expect(heard).toHaveLength(3));
  });
  afterEach(() => {
    watched.stream.close();
    server.close();
  });

  const say = (message: object): void => connected.send(JSON.stringify(message));
  const level = { price: 4_000, size: 1_000_000 } as Level;
  const good = checksumLevels([level], []);
  const snapshot = (checksum: number) => ({
    ...{ type: 'snapshot', market: MARKET, epoch: 1, seq: 5, state: 'LIVE', bids: [['0.4', '1']], asks: [], checksum },
  });

  it('asks for books, trades and routes once it is connected', () => {
    expect(heard).toMatchObject([
      { op: 'subscribe', channel: 'book', markets: [MARKET] },
      { op: 'subscribe', channel: 'trade', markets: [MARKET] },
      { op: 'subscribe', channel: 'outcome', catalogMarkets: ['a-market'], minIntervalMs: 100 },
    ]);
  });

  it('asks for routes at another pace, and leaves those that are no longer followed', async () => {
    watched.stream.follow(
      new Map([
        ['a-market', 1_000],
        ['b-market', 1_000],
      ]),
    );
    watched.stream.follow(new Map([['b-market', 1_000]]));
    await eventually(() => expect(heard).toHaveLength(5));
    expect(heard.slice(3)).toMatchObject([
      { op: 'subscribe', channel: 'outcome', catalogMarkets: ['a-market', 'b-market'], minIntervalMs: 1_000 },
      { op: 'unsubscribe', channel: 'outcome', catalogMarkets: ['a-market'] },
    ]);
    const routes = { type: 'outcome', outcomes: [{}], omitted: [] };
    say({ ...routes, catalogMarket: 'a-market' });
    say({ ...routes, catalogMarket: 'b-market' });
    await eventually(() => expect(watched.routes.at(-1)).toEqual(['b-market', 1]));
    expect(watched.routes.filter(([id]) => id === 'a-market')).toEqual([['a-market', null]]);
  });

  it('hears trades of the books that it shows, and no others', async () => {
    const trade = { type: 'trade', channel: 'trade', price: '0.4', size: '1', takerSide: 'BUY' };
    say({ ...trade, market: { venue: 'venue_b', ticker: 'KXOTHER' }, tradeId: 'other' });
    say({ ...trade, market: MARKET, tradeId: 'ours' });
    await eventually(() => expect(watched.trades).toEqual(['ours']));
  });

  it.each([
    ['with a gap', { type: 'delta', market: MARKET, epoch: 1, seq: 7, prevSeq: 6, changes: [], checksum: good }],
    [
      'with another checksum',
      { type: 'delta', market: MARKET, epoch: 1, seq: 6, prevSeq: 5, changes: [], checksum: 1 },
    ],
    ['that a heartbeat passes', { type: 'heartbeat', books: [[MARKET, 1, 6]] }],
  ])('a book %s is empty until its snapshot, which is asked for', async (_, message) => {
    say(snapshot(good));
    await eventually(() => expect(watched.levels()).toEqual([[4_000, 1]]));
    say(message);
    await eventually(() => expect(heard.at(-1)).toMatchObject({ op: 'snapshot', market: MARKET }));
    expect(watched.levels()).toBeNull();
    say(snapshot(good));
    await eventually(() => expect(watched.levels()).toEqual([[4_000, 1]]));
  });

  it('a snapshot with a wrong checksum ends the connection, and the next one is better', async () => {
    say(snapshot(1));
    await eventually(() => expect(heard.filter(({ channel }) => channel === 'book')).toHaveLength(2));
    expect(watched.downs).toEqual([null, 'a book with a wrong checksum', null]);
    say(snapshot(good));
    await eventually(() => expect(watched.levels()).toEqual([[4_000, 1]]));
  });
});

it('says why there is no ticket, and asks for another', async () => {
  let hasTickets = false;
  const rig = await startRig();
  const watched = new Watched(rig.url, () => hasTickets);
  await eventually(() => expect(watched.downs).toContain('no ticket now'));
  hasTickets = true;
  await eventually(() => expect(watched.downs.at(-1)).toBeNull());
  watched.stream.close();
  rig.close();
});
