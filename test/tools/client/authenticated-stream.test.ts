// Streams that authenticate themselves, on real sockets: signed upgrades from Node, and tickets where headers cannot be set. Both through
// reconnections, wrong clocks and refusals.

import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { WebSocket } from 'ws';
import type { Level, MarketKey } from '../../../src/core/domain/market.ts';
import type { MicroShares, Ticks, UnixMillis } from '../../../src/core/domain/numbers.ts';
import { jsonCodec } from '../../../src/core/wire/json.ts';
import type { StreamCodec } from '../../../src/core/wire/messages.ts';
import { protobufCodec } from '../../../src/core/wire/protobuf.ts';
import { checksumLevels } from '../../../src/market-data/book/checksum.ts';
import { createBrowserStream } from '../../../src/tools/client/browser-stream.ts';
import { CrossbookClient } from '../../../src/tools/client/crossbook-client.ts';
import { nodeSigner } from '../../../src/tools/client/node-client.ts';
import { createNodeStream } from '../../../src/tools/client/node-stream.ts';
import type { OrderbookStream } from '../../../src/tools/client/orderbook-stream.ts';
import { portableSigner, ServerClock } from '../../../src/tools/client/signer.ts';
import { SignedServer } from './signed-server.ts';

const market: MarketKey = { venue: 'venue_b', ticker: 'KXNBAGAME-26NOV20BOSLAL-BOS' };
const bids: Level[] = [{ price: 5_000 as Ticks, size: 10 as MicroShares }];
const HOUR_MS = 3_600_000;

let server: SignedServer;
let stream: OrderbookStream | null;
/** The server's ends of the streams, oldest first. */
let streams: WebSocket[];
/** The frames that the client has sent on these streams. */
let said: Buffer[];

beforeEach(async () => {
  server = await SignedServer.start();
  stream = null;
  streams = [];
  said = [];
  server.onStream = socket => {
    streams.push(socket);
    socket.on('message', data => said.push(data as Buffer));
  };
  let tickets = 0;
  server.answer = ({ target }) => {
    if (target !== '/v1/orderbook/ticket') return { body: { unixMillis: 0 } };
    tickets += 1;
    server.tickets.add(`ticket-${tickets}`);
    return { status: 201, body: { ticket: `ticket-${tickets}`, expiresAt: '' } };
  };
});
afterEach(async () => {
  stream?.close();
  await server.close();
});

/** Resolves with the stream's next report about its connection. */
function nextConnection(of: OrderbookStream): Promise<[isUp: boolean, detail: string]> {
  return new Promise(resolve => of.once('connection', (...news) => resolve(news)));
}

/** Sends a book, and resolves with the levels that the client made of it. */
async function throughTheWire(of: OrderbookStream, codec: StreamCodec): Promise<readonly Level[]> {
  const folded = new Promise<readonly Level[]>(resolve => of.once('book', book => resolve(book.bids)));
  const times = { venueTime: 1 as UnixMillis, receivedAt: 1 as UnixMillis };
  const checksum = checksumLevels(bids, []);
  const book = {
    type: 'snapshot',
    market,
    epoch: 1,
    seq: 1,
    state: 'LIVE',
    bids,
    asks: [],
    checksum,
    ...times,
  } as const;
  streams.at(-1)!.send(codec.encode(book), { binary: codec.isBinary });
  return folded;
}

const KINDS = [
  ['Node', (codec: StreamCodec) => createNodeStream({ url: server.streamUrl, signer: nodeSigner(server), codec })],
  [
    'browsers',
    (codec: StreamCodec) =>
      createBrowserStream({ client: new CrossbookClient({ url: server.url, signer: portableSigner(server) }), codec }),
  ],
] as const;

describe.each(KINDS)('the stream for %s', (_name, create) => {
  it.each([jsonCodec, protobufCodec])('brings books over $subprotocol, and its requests', async codec => {
    stream = create(codec);
    const up = nextConnection(stream);
    stream.subscribe('book', [market]);
    stream.start();
    expect(await up).toEqual([true, '']);
    expect(await throughTheWire(stream, codec)).toEqual(bids);
    stream.ping();
    const pinged = new Promise(resolve => streams[0]!.once('message', resolve));
    await pinged;
    const requests = said.map(frame => codec.decode(frame));
    expect(requests).toMatchObject([{ value: { op: 'subscribe' } }, { value: { op: 'ping' } }]);
    expect(streams[0]?.protocol).toBe(codec.subprotocol);
  });

  it('authenticates itself anew after a lost connection', async () => {
    stream = create(jsonCodec);
    let up = nextConnection(stream);
    stream.start();
    await up;
    const down = nextConnection(stream);
    streams[0]!.terminate();
    expect(await down).toEqual([false, expect.stringMatching(/./)]);
    up = nextConnection(stream);
    expect(await up).toEqual([true, '']);
    expect(streams).toHaveLength(2);
  });

  it.each([2 * HOUR_MS, -2 * HOUR_MS])('is not kept down by a clock that is %d ms off', async aheadMs => {
    server.aheadMs = aheadMs;
    stream = create(jsonCodec);
    const up = nextConnection(stream);
    stream.start();
    expect(await up).toEqual([true, '']);
  });

  it('says nothing more once it is closed', async () => {
    stream = create(jsonCodec);
    const up = nextConnection(stream);
    stream.start();
    await up;
    const reported: string[] = [];
    stream.on('connection', (_isUp, detail) => reported.push(detail));
    stream.on('message', ({ type }) => reported.push(type));
    const gone = new Promise(resolve => streams[0]!.once('close', resolve));
    stream.close();
    streams[0]!.send(jsonCodec.encode({ type: 'pong', id: '1' }));
    await gone;
    await setImmediate();
    expect(reported).toHaveLength(1);
  });

  it('that is closed before it is connected connects no more', async () => {
    stream = create(jsonCodec);
    stream.start();
    stream.close();
    const other = create(jsonCodec);
    const up = nextConnection(other);
    other.start();
    await up;
    expect(streams).toHaveLength(1);
    other.close();
  });
});

describe('the stream for Node', () => {
  const create = (keyId = server.keyId, clock = new ServerClock()) =>
    createNodeStream({ url: server.streamUrl, signer: nodeSigner({ keyId, seedHex: server.seedHex }), clock });

  it('says in the words of the gateway why it is refused', async () => {
    stream = create('stranger');
    const down = nextConnection(stream);
    stream.start();
    expect(await down).toEqual([false, expect.stringContaining('signing key \\"stranger\\" is unknown')]);
    expect(server.lines).toEqual(['GET /v1/time']);
  });

  it('does not ask for the time when it is known, until an attempt fails', async () => {
    const clock = new ServerClock();
    const now = Date.now();
    clock.observe(now, now, now - 2 * HOUR_MS);
    stream = create(server.keyId, clock);
    const down = nextConnection(stream);
    stream.start();
    expect(await down).toEqual([false, expect.stringContaining('401')]);
    expect(server.lines).toEqual(['GET /v1/orderbook']);
    expect(await nextConnection(stream)).toEqual([true, '']);
    expect(server.lines).toEqual(['GET /v1/orderbook', 'GET /v1/time', 'GET /v1/time', 'GET /v1/orderbook']);
  });

  it('connects although the time cannot be had for another reason', async () => {
    server.answer = () => ({ status: 429, body: { error: { code: 'INVALID_REQUEST', message: 'slower' } } });
    stream = create();
    const up = nextConnection(stream);
    stream.start();
    expect(await up).toEqual([true, '']);
  });
});

describe('the stream for browsers', () => {
  const create = () =>
    createBrowserStream({ client: new CrossbookClient({ url: server.url, signer: portableSigner(server) }) });

  it('takes a new ticket for every connection, and shows no key', async () => {
    stream = create();
    let up = nextConnection(stream);
    stream.start();
    await up;
    streams[0]!.terminate();
    await nextConnection(stream);
    up = nextConnection(stream);
    await up;
    const upgrades = server.heard.filter(({ method }) => method === 'GET');
    expect(upgrades.map(({ target }) => target)).toEqual([
      '/v1/orderbook?ticket=ticket-1',
      '/v1/orderbook?ticket=ticket-2',
    ]);
    expect(upgrades.map(({ header }) => header('svc-key-id'))).toEqual(['', '']);
  });

  it('tries again after it got no ticket, and says why', async () => {
    const { answer } = server;
    server.answer = () => ({
      status: 503,
      body: { error: { code: 'INTERNAL_ERROR', message: 'no room for tickets' } },
    });
    stream = create();
    const down = nextConnection(stream);
    stream.start();
    expect(await down).toEqual([false, 'no ticket: no room for tickets']);
    server.answer = answer;
    expect(await nextConnection(stream)).toEqual([true, '']);
  });

  it('tries again after its ticket was refused', async () => {
    const { answer } = server;
    server.answer = () => ({ status: 201, body: { ticket: 'used', expiresAt: '' } });
    stream = create();
    const down = nextConnection(stream);
    stream.start();
    expect(await down).toEqual([false, expect.stringMatching(/./)]);
    server.answer = answer;
    expect(await nextConnection(stream)).toEqual([true, '']);
  });
});
