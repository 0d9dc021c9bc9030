// Upgrades on real sockets: accepted at once or after a promise, refused, or abandoned. Also covers other requests to the path of a stream.

import { createHash, randomBytes } from 'node:crypto';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import {
  type Acceptance,
  jsonReply,
  type Listener,
  listen,
  type SocketRoute,
  socketRoute,
} from '../../../src/core/net/listen.ts';
import { connectWebSocket } from '../../../src/core/net/websocket.ts';
import { RawHttp } from '../../support/raw-http.ts';
import { turnsUntil } from '../../support/turns.ts';

/** The calls of the route's handlers, in sequence. */
let reported: string[] = [];
/** The decision that the next `accept` returns. */
let decide: (target: string) => Acceptance<string> = () => accepted;
const accepted: Acceptance<string> = { context: 'somebody', subprotocol: '' };

const stream: SocketRoute<string> = {
  pattern: '/stream',
  messageBytesMax: 1_000,
  unsentBytesMax: 1_000,
  idleTimeoutS: 0,
  accept: request => {
    reported.push(`accept ${request.target}`);
    return decide(request.target);
  },
  open: ({ context }) => reported.push(`open ${context}`),
  message: (connection, frame) => connection.send(frame, false),
  drain: () => {},
  close: ({ context }) => reported.push(`close ${context}`),
};
const listener: Listener = await listen({
  host: '127.0.0.1',
  port: 0,
  http: [
    { method: 'post', pattern: '/stream/ticket', handle: () => jsonReply(201, 'ticket') },
    { method: 'get', pattern: '/other', handle: () => jsonReply(200, 'other') },
  ],
  sockets: [
    socketRoute(stream),
    socketRoute({ ...stream, pattern: '/explained', notUpgraded: () => jsonReply(426, 'Upgrade: websocket') }),
  ],
  refuse: { malformed: (_request, problem) => jsonReply(400, problem) },
  // By default, a connection that its peer has closed would count for twenty seconds.
  webSocketEndedMs: 1,
});
afterAll(() => listener.close());
beforeEach(() => {
  reported = [];
  decide = () => accepted;
});

const KEY = randomBytes(16).toString('base64');
const UPGRADE = `Host: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Key: ${KEY}\r\n`;
const ASK = `GET /stream?a HTTP/1.1\r\n${UPGRADE}Sec-WebSocket-Version: 13\r\n\r\n`;

async function exchange(request: string): Promise<RawHttp> {
  const client = await RawHttp.connect(listener);
  client.send(request);
  await client.until(() => client.heard.includes('\r\n\r\n'));
  return client;
}

describe('an upgrade', () => {
  it('is accepted, and its frames go both ways', async () => {
    decide = () => accepted;
    const client = await exchange(ASK);
    const proof = createHash('sha1').update(`${KEY}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest('base64');
    expect(client.heard).toContain('101 Switching Protocols');
    expect(client.heard).toContain(`Sec-WebSocket-Accept: ${proof}`);
    client.send(Uint8Array.of(0x81, 0x82, 0, 0, 0, 0, 0x68, 0x69));
    await client.until(() => client.heard.endsWith('\x81\x02hi'));
    expect([listener.connections, listener.requestsInFlight]).toEqual([1, 0]);
    client.destroy();
    await turnsUntil(() => listener.connections === 0);
    expect(reported).toEqual(['accept /stream?a', 'open somebody', 'close somebody']);
  });

  it('echoes a message of messageBytesMax, and is closed by one that is a byte longer', async () => {
    const echoed: string[] = [];
    const closed = Promise.withResolvers<string>();
    const client = connectWebSocket(
      { url: `ws://127.0.0.1:${listener.port}/stream`, headers: {}, handshakeTimeoutMs: 10_000, frameBytesMax: 10_000 },
      {
        onOpen: () => client.send('a'.repeat(stream.messageBytesMax)),
        onFrame: frame => {
          echoed.push(Buffer.from(frame).toString());
          client.send('b'.repeat(stream.messageBytesMax + 1));
        },
        onPing: () => {},
        onClose: detail => closed.resolve(detail),
      },
    );
    await closed.promise;
    expect(echoed).toEqual(['a'.repeat(stream.messageBytesMax)]);
    expect(reported).toEqual(['accept /stream', 'open somebody', 'close somebody']);
  });

  it('is closed by its client on a frame longer than frameBytesMax, which no listener gets', async () => {
    const frames: Uint8Array[] = [];
    const closed = Promise.withResolvers<string>();
    const client = connectWebSocket(
      { url: `ws://127.0.0.1:${listener.port}/stream`, headers: {}, handshakeTimeoutMs: 10_000, frameBytesMax: 4 },
      {
        onOpen: () => client.send('12345'),
        onFrame: frame => void frames.push(frame),
        onPing: () => {},
        onClose: detail => closed.resolve(detail),
      },
    );
    expect(await closed.promise).toContain('Max payload size exceeded');
    expect(frames).toEqual([]);
  });

  it('names the subprotocol that was chosen', async () => {
    decide = () => ({ context: 'somebody', subprotocol: 'b' });
    const client = await exchange(ASK.replace('\r\n\r\n', '\r\nSec-WebSocket-Protocol: a, b\r\n\r\n'));
    expect(client.heard).toContain('Sec-WebSocket-Protocol: b\r\n');
    client.destroy();
    await turnsUntil(() => listener.connections === 0);
  });

  it('is refused, and the connection lives on', async () => {
    decide = () => ({ refusal: jsonReply(401, 'who are you') });
    const client = await exchange(ASK);
    client.send('GET /other HTTP/1.1\r\nHost: x\r\n\r\n');
    expect((await client.hear(2)).map(({ status }) => status)).toEqual([401, 200]);
    client.destroy();
  });

  it('whose acceptance throws is a 500', async () => {
    decide = () => expect.unreachable();
    const client = await exchange(ASK);
    expect(client.answers[0]?.status).toBe(500);
    expect(listener.requestsInFlight).toBe(0);
    client.destroy();
  });

  it.each([
    ['another version', ASK.replace('Version: 13', 'Version: 8'), 'Sec-WebSocket-Version: must be 13'],
    ['a body', ASK.replace('\r\n\r\n', '\r\nContent-Length: 1\r\n\r\na'), 'body: an upgrade has none'],
    ['two hosts', ASK.replace('\r\n\r\n', '\r\nHost: y\r\n\r\n'), 'Host: must be given once'],
  ])('with %s is a 400 that ends the connection', async (_, request, problem) => {
    const client = await RawHttp.connect(listener);
    const [answer] = await client.send(request).end();
    expect([answer?.status, JSON.parse(answer!.body), reported]).toEqual([400, problem, []]);
  });
});

describe("a stream's path", () => {
  const plain = 'GET /stream HTTP/1.1\r\nHost: x\r\n\r\n';
  it.each([
    ['asks for no upgrade', plain, 404],
    ['has no key', plain.replace('\r\n\r\n', '\r\nUpgrade: websocket\r\n\r\n'), 404],
    ['has a key that is none', ASK.replace(KEY, 'short'), 404],
    ['has a key and no upgrade', ASK.replace('Upgrade: websocket', 'Upgrade: h2c'), 404],
    ['may get the reason', plain.replace('/stream', '/explained'), 426],
  ])('for a GET that %s', async (_, request, status) => {
    const client = await exchange(request);
    expect([client.answers[0]?.status, reported]).toEqual([status, []]);
    client.destroy();
  });

  it('has no other method, and routes below it', async () => {
    const refused = await exchange(plain.replace('GET', 'POST'));
    expect([refused.answers[0]?.status, refused.answers[0]?.headers.get('allow')]).toEqual([405, 'GET']);
    refused.destroy();
    const ticket = await exchange('POST /stream/ticket HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n');
    expect(ticket.answers[0]?.status).toBe(201);
    ticket.destroy();
  });
});
