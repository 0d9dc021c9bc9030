// A whole gateway on real sockets, from outside: bytes that are hardly HTTP, queries and bodies of every operation, and messages on the stream. Every
// answer is documented and names the fault, and no other caller notices.

import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, expect } from 'vitest';
import { SCOPES } from '../../src/core/domain/identity.ts';
import { isObject, type JsonObject, parseJson, textOf } from '../../src/core/domain/json.ts';
import type { MarketKey } from '../../src/core/domain/market.ts';
import type { UnixMillis } from '../../src/core/domain/numbers.ts';
import { jsonCodec } from '../../src/core/wire/json.ts';
import type { ServerMessage } from '../../src/core/wire/messages.ts';
import { protobufCodec } from '../../src/core/wire/protobuf.ts';
import { OPERATIONS } from '../../src/gateway/api/operations.ts';
import { rateProfiles } from '../../src/limits.ts';
import { clientMessage } from '../core/wire/arbitraries.ts';
import { OrdersRig } from '../e2e/orders-rig.ts';
import { answerProblems } from '../support/contract-schema.ts';
import { eventually } from '../support/eventually.ts';
import { naiveJson } from '../support/naive-json.ts';
import { RawHttp } from '../support/raw-http.ts';
import { type Answer, send, sendSigned, signedHeaders, type TestKey } from '../support/signed-requests.ts';
import { RigClient } from '../support/stream-rig.ts';
import { escapedCorpus, jsonCorpus } from './corpus.ts';
import { damagedBytes } from './damaged-bytes.ts';
import { damagedJson } from './damaged-json.ts';
import { fuzz } from './fuzz.ts';
import { naiveCancelAfter, naiveVenueAOrder, naiveVenueBOrder } from './naive-orders.ts';

let rig: OrdersRig;
/** A second actor's key. This actor has orders in the ticker, too, which the first actor must never see. */
let bob: TestKey;
/** A key that sees the whole pod. */
let observer: TestKey;
/**
 * More keys of bob. Together they may send as many mutations a minute as the test can send; one key would soon be refused (`signaturesPerKeyMax`).
 */
let keysOfBob: readonly TestKey[];
let market: MarketKey & { readonly venue: 'venue_b' };
/** A page token for the second page, given to the first actor, by path. */
const tokens = new Map<string, string>();
const ordersOfBob = new Set<string>();
/** The id of the first actor's order at venue B. */
let orderId: string;

beforeAll(async () => {
  rig = await OrdersRig.start('venue-b', { readsCatalog: true, rateProfile: rateProfiles.bench });
  rig.gateway.keyStore.createActor({ podId: 'demo', actorId: 'bob', createdAt: Date.now() as UnixMillis });
  keysOfBob = await Promise.all(Array.from({ length: 8 }, () => rig.newKey({ actorId: 'bob' })));
  [bob] = keysOfBob as [TestKey];
  observer = await rig.newKey({ actorId: 'bob', scopes: SCOPES });
  await eventually(() => expect(rig.gateway.catalog.isWhole).toBe(true));
  market = rig.gateway.markets.find(it => it.venue === 'venue_b')!;
  const order = { ticker: market.ticker, side: 'YES', action: 'BUY', count: 1, priceCents: 1 };
  for (const key of [bob, rig.gateway.key]) {
    for (let count = 0; count < 2; count += 1) {
      const { json } = await rig.submit(order, {}, key);
      ({ orderId } = json as { orderId: string });
      if (key === bob) ordersOfBob.add(orderId);
    }
  }
  for (const path of ['/v1/venue-b/orders', '/v1/orders', '/v1/markets', '/v1/sports/events']) {
    const page = (await asked(path, 'pageSize=1')).json as { readonly nextPageToken: string | null };
    if (page.nextPageToken !== null) tokens.set(path, page.nextPageToken);
  }
  expect(tokens.size).toBe(4);
});
afterAll(() => rig.close());

// ── Bytes that are hardly HTTP ──────────────────────────────────────────────────────────────────────────────────────

const WORDS = [
  ...[
    'GET ',
    'POST ',
    ' HTTP/1.1\r\n',
    'Content-Length: 9\r\n',
    'Transfer-Encoding: chunked\r\n',
    'Expect: 100-continue\r\n',
  ],
  ...['0\r\n\r\n', 'Connection: close\r\n', 'SVC-Key-Id: ', '%', '/../', '?', '//'],
];
/** The expected statuses. docs/PROTOCOL.md names those for which the native parser has its own pages. */
const STATUSES = [200, 201, 400, 401, 403, 404, 405, 413, 415, 429, 431, 505];
const NATIVE = [400, 431, 505];

/** Returns a newly signed request, since a signature is valid for 30 s. */
function signedRequest(): Buffer {
  const lines = Object.entries(signedHeaders(rig.gateway.key, 'GET', '/v1/whoami')).map(it => it.join(': '));
  return Buffer.from(`GET /v1/whoami HTTP/1.1\r\nHost: x\r\n${lines.join('\r\n')}\r\n\r\n`, 'latin1');
}

fuzz({
  name: 'http requests',
  inputs: fc.record({
    parts: fc.array(damagedBytes(fc.constantFrom(...escapedCorpus('http-requests')), WORDS), {
      minLength: 1,
      maxLength: 3,
    }),
    /** The place of a valid request of the signer among the inputs. A place beyond their number means that there is no valid request. */
    place: fc.nat(5),
    isOneSegment: fc.boolean(),
    // The requests come from many addresses, since the failed checks of one address would soon be refused for their number.
    address: fc.tuple(fc.integer({ min: 2, max: 250 }), fc.integer({ min: 1, max: 250 })),
  }),
  runs: 25,
  async check({ parts, place, isOneSegment, address: [third, last] }) {
    const sent = place < parts.length ? parts.toSpliced(place, 0, signedRequest()) : parts;
    const from = { port: rig.gateway.port, localAddress: `127.0.${third}.${last}` };
    const client = await RawHttp.connect(from);
    for (const part of isOneSegment ? [Buffer.concat(sent)] : sent) client.send(part);
    await expectUnharmed();
    await client.finish().end();
    if (client.heard.includes(' 101 ')) return;
    for (const { status, body } of client.answers) {
      expect(STATUSES).toContain(status);
      if (status >= 400 && !(NATIVE.includes(status) && body.includes('<h1')))
        expect(wordsOf(parseJson(body))).not.toBe('');
    }
  },
});

async function expectUnharmed(): Promise<void> {
  const answer = await sendSigned(`${rig.gateway.httpUrl}/v1/time`, rig.gateway.key, { localAddress: '127.0.0.77' });
  expect(answer.status).toBe(200);
}

/** Returns the message of an error of either family; the older family has two shapes. */
function wordsOf(body: unknown): string {
  if (!isObject(body)) return '';
  return isObject(body.error) ? textOf(body.error.message) : textOf(body.message);
}

// ── Queries ─────────────────────────────────────────────────────────────────────────────────────────────────────────

const LISTS = OPERATIONS.filter(it => it.method === 'GET' && it.query.length > 0 && it.family !== 'open');
const VALUES = [
  ...[
    '',
    '0',
    '1',
    '100',
    '101',
    '-1',
    '1e1',
    '5.0',
    ' 5',
    'OPEN',
    'open',
    'open,filled',
    'open,,',
    'limit,market',
    'true',
  ],
  ...[
    'TRUE',
    'venue_a',
    'venue_b',
    'venue_c',
    'basketball',
    'nba',
    'lakers',
    '2026-11-21T00:00:00Z',
    '9999-99-99',
    'KXA',
    '7',
  ],
  ...['UPCOMING', 'LIVE', 'x'.repeat(129), 'x'.repeat(700), '€'.repeat(128), '\u0000', '\u202e', '\ud800'],
];

fuzz({
  name: 'queries',
  inputs: fc.record({
    list: fc.constantFrom(...LISTS),
    parameters: fc.array(
      fc.tuple(
        fc.oneof({ weight: 8, arbitrary: fc.nat(20) }, fc.constantFrom('', 'pagesize', 'q ', '__proto__', 'é')),
        fc.oneof(fc.constantFrom(...VALUES), fc.string({ maxLength: 12 }), fc.webQueryParameters({ size: 'small' })),
      ),
      { maxLength: 4 },
    ),
    /** A token of some list, changed or unchanged. */
    token: fc.option(fc.tuple(fc.nat(3), fc.nat(3), fc.nat(200), fc.boolean()), { freq: 3, nil: null }),
    isRaw: fc.boolean(),
    isBob: fc.boolean(),
  }),
  runs: 40,
  async check({ list, parameters, token, isRaw, isBob }) {
    const encoded = (text: string) =>
      isRaw ? text.replace(/[^!-~]|[#\\"<>^`{|}]/g, '%') : encodeURIComponent(text.toWellFormed());
    const pairs = parameters.map(([name, value]) => {
      const known = typeof name === 'number' ? list.query[name % list.query.length]! : name;
      return `${encoded(known)}=${encoded(value)}`;
    });
    const shown = token === null ? null : tokenOf(...token);
    if (shown !== null) pairs.push(`pageToken=${shown}`);
    const path = list.path.replace(':orderId', orderId);
    const caller = list.family === 'signed' && list.scope === 'observe' ? observer : isBob ? bob : rig.gateway.key;
    const answer = await asked(path, pairs.join('&'), caller);
    expect(answerProblems(list.operationId, answer.status, answer.headers, answer.json)).toEqual([]);
    // The query names another actor's order, an order at the other venue, or an unknown event.
    const isNotThere =
      path !== list.path ? isBob || path.includes('venue-a') : pairs.some(it => it.startsWith('eventId='));
    expect(isNotThere ? [200, 400, 404] : [200, 400]).toContain(answer.status);
    if (answer.status === 400) expect(wordsOf(answer.json)).toMatch(/^("[^"]*"|[\w.]+|query|path).*: .+/s);
    const isGivenOut = shown !== null && tokens.get(list.path) === shown && !(isBob && list.family === 'signed');
    if (answer.status === 200 && shown !== null) expect(isGivenOut).toBe(true);
    if (answer.status === 200 && list.operationId === 'listVenueBOrders' && !isBob) {
      for (const { orderId } of (answer.json as { orders: { orderId: string }[] }).orders)
        expect(ordersOfBob.has(orderId)).toBe(false);
    }
  },
});

function tokenOf(index: number, kind: number, at: number, isDoubled: boolean): string {
  const token = [...tokens.values()][index]!;
  if (kind < 2) return token;
  const place = at % token.length;
  return token.slice(0, place) + (isDoubled ? token[place]! : '') + token.slice(kind === 2 ? place : place + 1);
}

function asked(path: string, query: string, key = rig.gateway.key): Promise<Answer> {
  const target = query === '' ? path : `${path}?${query}`;
  const url = rig.gateway.httpUrl + target;
  if (path !== '/v1/orders') {
    return rawSigned(target, key);
  }
  return send(url, { headers: { 'x-api-key': rig.gateway.apiKey } });
}

/** Sends the target unchanged, since URL would repair it. */
async function rawSigned(target: string, key: TestKey): Promise<Answer> {
  const client = await RawHttp.connect(rig.gateway);
  const lines = Object.entries(signedHeaders(key, 'GET', target)).map(it => it.join(': '));
  client.send(`GET ${target} HTTP/1.1\r\nHost: x\r\n${lines.join('\r\n')}\r\n\r\n`);
  const [answer] = await client.hear(1);
  client.destroy();
  const text = Buffer.from(answer!.body, 'latin1').toString();
  return { status: answer!.status, headers: Object.fromEntries(answer!.headers), text, json: parseJson(text) };
}

// ── Bodies ──────────────────────────────────────────────────────────────────────────────────────────────────────────

const MUTATIONS = [
  { operationId: 'submitVenueAOrder', path: '/v1/venue-a/orders', naive: naiveVenueAOrder },
  { operationId: 'submitVenueBOrder', path: '/v1/venue-b/orders', naive: naiveVenueBOrder },
  { operationId: 'cancelAfter', path: '/v1/orders/cancel-after', naive: naiveCancelAfter },
] as const;

fuzz({
  name: 'bodies of mutations',
  inputs: fc.tuple(fc.constantFrom(...MUTATIONS), damagedJson(jsonCorpus('order-bodies')), fc.nat(7)),
  runs: 40,
  async check([{ operationId, path, naive }, text, signer]) {
    const parts = { body: text, idempotencyKey: operationId === 'cancelAfter' ? '' : randomUUID() };
    const headers = { 'Content-Type': 'application/json' };
    const answer = await sendSigned(rig.gateway.httpUrl + path, keysOfBob[signer]!, {
      method: 'POST',
      headers,
      ...parts,
    });
    expect(answerProblems(operationId, answer.status, answer.headers, answer.json)).toEqual([]);
    const json = naiveJson(text);
    const isSound = json !== null && isObject(json.value) && !json.isAmbiguous && !json.hasDecimals;
    if (isSound && naive(json.value as JsonObject) !== null) expect(answer.status).toBeLessThan(500);
    else if (answer.status !== 413)
      expect([answer.status, wordsOf(answer.json)]).toEqual([400, expect.stringMatching(/^.+: .+/s)]);
  },
});

// ── The stream ──────────────────────────────────────────────────────────────────────────────────────────────────────

const said = fc.constantFrom(jsonCodec, protobufCodec).chain(codec => {
  const sound = clientMessage.map(message => codec.encodeClient(message));
  const texts = damagedJson(jsonCorpus('client-messages')).map(text => Buffer.from(text));
  const bytes = codec.isBinary ? damagedBytes(sound) : fc.oneof(texts, damagedBytes(fc.oneof(sound, texts)));
  return fc.record({
    codec: fc.constant(codec),
    messages: fc.array(bytes, { minLength: 1, maxLength: 8 }),
    isBinary: fc.boolean(),
  });
});

fuzz({
  name: 'messages on the stream',
  inputs: said,
  runs: 15,
  async check({ codec, messages, isBinary }) {
    const { url, upgradeHeaders } = rig.gateway;
    const caller = await RigClient.connect({ url, upgradeHeaders }, codec);
    caller.say({ op: 'subscribe', id: 'first', channel: 'book', markets: [{ market, side: null }] });
    await heardUpTo(caller, message => message.type === 'snapshotsDone' && message.id === 'first');
    const isAsBytes = codec.isBinary || isBinary;
    // A text frame cannot hold bytes that are not UTF-8.
    const sent = isAsBytes ? messages : messages.map(bytes => Buffer.from(bytes.toString()));
    const kept = sent.filter(bytes => !isLeaving(codec.decode(bytes)));
    for (const bytes of kept) caller.send(bytes, isAsBytes);
    caller.say({ op: 'ping', id: 'last' });
    const heard = await heardUpTo(caller, message => message.type === 'pong' && message.id === 'last');
    expect(caller.closedWith).toBeNull();
    for (const message of heard) if (message.type === 'error') expect(message.message).toMatch(/^.+/);
    // Each message is answered, and each unreadable message is refused.
    const refusals = kept.filter(bytes => !codec.decode(bytes).ok).length;
    const refused = heard.filter(message => message.type === 'error' && message.code === 'INVALID_REQUEST').length;
    expect(refused).toBeGreaterThanOrEqual(refusals);
    caller.say({ op: 'snapshot', id: 'still', market: { market, side: null } });
    const after = await heardUpTo(caller, message => message.type === 'snapshotsDone' && message.id === 'still');
    expect(after.some(message => message.type === 'snapshot')).toBe(true);
    caller.close();
  },
});

/** Returns all messages since the last call, once a message `matches` or the connection has ended. */
async function heardUpTo(client: RigClient, matches: (message: ServerMessage) => boolean): Promise<ServerMessage[]> {
  await client.until(() => client.closedWith !== null || client.heard.some(matches));
  return client.heard.splice(0);
}

function isLeaving(read: ReturnType<typeof jsonCodec.decode>): boolean {
  return read.ok && read.value.op === 'unsubscribe';
}
