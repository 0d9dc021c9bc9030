// The documents agree with the gateway. The test sends each request and each message that they show to a gateway on the paper exchanges. It
// changes only the names of markets and orders. The answer is one that the contract describes, and no refusal. A test runs each program
// that the documents show.

import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SCOPES } from '../../src/core/domain/identity.ts';
import { type PaperGateway, startPaperGateway } from '../clients/paper-gateway.ts';
import {
  answerProblems,
  asyncapiSchemas,
  at,
  openapi,
  operationPointer,
  operations,
} from '../support/contract-schema.ts';
import {
  requestsIn,
  type ShownRequest,
  shownMessages,
  shownPrograms,
  shownRequests,
} from '../support/document-examples.ts';
import { blocksOf } from '../support/documents.ts';
import { eventually } from '../support/eventually.ts';
import { newKey } from '../support/new-key.ts';
import { ask } from '../support/paper-traders.ts';
import { type Answer, send, sendSigned, type TestKey } from '../support/signed-requests.ts';

const SWITCH = '/v1/orders/cancel-after';

let paper: PaperGateway;
/** The key of an actor of its own, with every scope. */
let key: TestKey;
let eventId: string;
/** A token at whose prices an example of a purchase rests. */
let tokenId: string;
/** Tokens of other markets, which nobody has settled yet. */
let unsettled: string[];
/** The id of an action of the wallet that was made. */
let actionId: string;
/** The client id of an order that was made, and rests unless a stop has cancelled it. */
let clientOrderId: string;
let orderId: string;
/** Has the demo identity's key file of a first start. */
let folder: string;

beforeAll(async () => {
  paper = await startPaperGateway(3);
  key = await newKey(paper.gateway.keyStore, { actorId: 'reader', scopes: SCOPES });
  await findTokens();
  await split();
  eventId = await firstEvent();
  await rest();
});
afterAll(() => paper.close());

async function firstEvent(): Promise<string> {
  const { json } = await signed('GET', '/v1/sports/events', '', '');
  return (json as { readonly events: readonly { readonly id: string }[] }).events[0]!.id;
}

async function rest(venue: 'venue-a' | 'venue-b' = 'venue-b'): Promise<void> {
  clientOrderId = randomUUID();
  const order =
    venue === 'venue-a'
      ? { tokenId, side: 'BUY', type: 'LIMIT', size: '5', price: '0.01' }
      : { ticker: paper.ticker, side: 'YES', action: 'BUY', count: 1, priceCents: 1 };
  const placed = await signed('POST', `/v1/${venue}/orders`, JSON.stringify(order), clientOrderId);
  orderId = (placed.json as { readonly orderId: string }).orderId;
}

/** Examples quote 53 cents, some of them `postOnly`. */
async function findTokens(): Promise<void> {
  interface Market {
    readonly bestAsk: number;
    readonly acceptingOrders: boolean;
    /** The protocol's version: in Protocol V2 other ids trade. */
    readonly version: string;
    /** JSON. */
    readonly clobTokenIds: string;
  }
  const { gamma } = paper.gateway.paper!.urls.venueA;
  const { body } = await ask<readonly Market[]>(`${gamma}/markets?limit=500&closed=false`);
  const isDear = ({ bestAsk }: Market) => bestAsk > 0.56 && bestAsk < 0.9;
  const dear = body.filter(it => isDear(it) && it.acceptingOrders && it.version === 'v1');
  [tokenId = '', ...unsettled] = dear.map(({ clobTokenIds }) => JSON.parse(clobTokenIds)[0] as string);
}

/** Shares of both outcomes, for the merges. */
async function split(): Promise<void> {
  const target = `/v1/venue-a/positions/${tokenId}/split`;
  const { json } = await signed('POST', target, '{"amountUsd":"60"}', randomUUID());
  actionId = (json as { readonly actionId: string }).actionId;
  await eventually(async () => {
    expect((await signed('GET', `/v1/venue-a/actions/${actionId}`, '', '')).json).toMatchObject({
      status: 'CONFIRMED',
    });
  });
}

async function buy(token: string): Promise<void> {
  const order = { tokenId: token, side: 'BUY', type: 'MARKET', amount: '5', timeInForce: { type: 'FOK' } };
  const { json } = await signed('POST', '/v1/venue-a/orders', JSON.stringify(order), randomUUID());
  expect(json).toMatchObject({ status: 'FILLED' });
}

/** A token whose market has a result, with shares to redeem. */
async function wonToken(): Promise<string> {
  const token = unsettled.pop()!;
  await buy(token);
  const settle = `${paper.gateway.paper!.urls.control}/venues/venue_a/markets/${token}/settle`;
  const headers = { 'Content-Type': 'application/json' };
  expect((await fetch(settle, { method: 'POST', headers, body: '{"value":"1"}' })).status).toBe(200);
  return token;
}

function signed(method: string, target: string, body: string, idempotencyKey: string): Promise<Answer> {
  const sending = body === '' ? {} : { body, headers: { 'Content-Type': 'application/json' } };
  return sendSigned(paper.gateway.httpUrl + target, key, { method, idempotencyKey, ...sending });
}

/** As the operator's command does: orders follow. */
async function resume(): Promise<void> {
  const { engine } = paper.gateway.trading;
  const caller = { podId: 'demo', actorId: 'demo/demo', keyId: 'test' };
  const operation = { name: 'resume', scope: 'demo', caller } as const;
  await engine.ask(operation);
  await rest();
}

/** With names of markets and orders that are there. */
function withNames(text: string): string {
  const places: readonly (readonly [pattern: RegExp, name: string])[] = [
    [/("ticker": ?)"[^"]+"/g, `$1"${paper.ticker}"`],
    [/("tokenId": ?)"[^"]+"/g, `$1"${tokenId}"`],
    [/("address": ?)"KX[^"]+"/g, `$1"${paper.ticker}"`],
    [/\b(ticker|address)=KX[\w-]+/g, `$1=${paper.ticker}`],
    [/"markets": ?\[…\]/g, `"markets":[{"venue":"venue_b","ticker":"${paper.ticker}"}]`],
    [/"market": ?…/g, `"market":{"venue":"venue_b","ticker":"${paper.ticker}"}`],
    [/"id": ?…/g, '"id":"id"'],
    [/\{orderId\}/g, orderId],
    [/\bafter=N\b/g, 'after=1'],
    [/\{ticker\}/g, paper.ticker],
    [/\{tokenId\}/g, tokenId],
    [/\{actionId\}/g, actionId],
    [/\{eventId\}/g, eventId],
    [/\{key\}|\{clientOrderId\}/g, clientOrderId],
    [/\{marketVenue\}\/\{marketId\}/g, 'venue_d/rain-in-paris-this-month'],
  ];
  return places.reduce((it, [pattern, name]) => it.replace(pattern, name), text);
}

/** The operation of the contract; null: a route of the operator's. */
function operationOf({ method, target }: Pick<ShownRequest, 'method' | 'target'>) {
  const [path = ''] = target.split('?');
  if (!path.startsWith('/v1/')) return null;
  const isOf = (pattern: string) => new RegExp(`^${pattern.replace(/\{\w+\}/g, '[^/]+')}$`).test(path);
  const found = operations().filter(it => it.method === method && isOf(it.path));
  const operation = found.find(it => !it.path.includes('{')) ?? found[0];
  if (operation === undefined) throw new Error(`${method} ${target}: no such operation`);
  return operation;
}

async function run({ method, target: shown, body }: ShownRequest): Promise<{ status: number; problems: string[] }> {
  const target = withNames(shown.endsWith('/redeem') ? shown.replace('{tokenId}', await wonToken()) : shown);
  const operation = operationOf({ method, target });
  const url = paper.gateway.httpUrl + target;
  if (operation === null) return { status: (await fetch(url, { method })).status, problems: [] };
  // Each order of a batch has its own.
  const idempotencyKey = method === 'GET' || body.includes('"idempotencyKey"') ? '' : randomUUID();
  const answer = operation.credentials.includes('apiKey')
    ? await send(url, { method, headers: { 'x-api-key': paper.gateway.apiKey } })
    : await signed(method, target, withNames(body), idempotencyKey);
  const problems = answerProblems(operation.operationId, answer.status, answer.headers, answer.json);
  if (operation.operationId === 'stopPod') await resume();
  actionId = (answer.json as { readonly actionId?: string }).actionId ?? actionId;
  // Else it fires while a later example's order rests, on a slow machine.
  if (target === SWITCH) await signed('POST', SWITCH, '{"timeoutMs":0}', '');
  return { status: answer.status, problems: answer.status < 300 ? problems : [...problems, answer.text] };
}

function takesBody(request: ShownRequest): boolean {
  const operation = operationOf(request);
  return operation !== null && at(openapi, `${operationPointer(operation)}/requestBody`) !== undefined;
}

const UPGRADES = ['/v1/orderbook', '/v1/trade'];

describe('requests of the documents', () => {
  const shown = shownRequests().filter(({ target }) => !UPGRADES.includes(target));
  /** The others name an operation that takes a body, and show none. */
  const requests = shown.filter(request => request.body !== '' || !takesBody(request));

  it('are of operations that there are', () => {
    for (const request of shown) operationOf(request);
  });

  it('are answered as the contract has it', async () => {
    expect(requests.length).toBeGreaterThan(30);
    expect(requests.filter(({ body }) => body !== '').length).toBeGreaterThan(8);
    const wrong: object[] = [];
    for (const request of requests) {
      // An open one, which an earlier example may have cancelled.
      if (/\{(orderId|clientOrderId|key)\}/.test(request.target))
        await rest(request.target.startsWith('/v1/venue-a/') ? 'venue-a' : 'venue-b');
      if (request.target.startsWith('/v1/orders/protection')) await protect(JSON.parse(request.body || '{}'));
      const { status, problems } = await run(request);
      if (status >= 300 || problems.length > 0) wrong.push({ ...request, status, problems });
    }
    expect(wrong).toEqual([]);
  });

  it('would be found wrong', async () => {
    const [wrong] = requestsIn('a.md', '    POST   /v1/orders/cancel-after   {"timeoutMs":\n     "5000"}');
    expect(wrong).toEqual({
      place: 'a.md:1',
      method: 'POST',
      target: '/v1/orders/cancel-after',
      body: '{"timeoutMs":\n     "5000"}',
    });
    expect((await run(wrong!)).problems).not.toEqual([]);
    expect(() => operationOf({ method: 'GET', target: '/v1/nothing' })).toThrow('no such operation');
  });
});

it('requests of the contract document, with its example of each body and parameter, succeed', async () => {
  for (const operation of operations().filter(({ credentials }) => credentials.includes('signed'))) {
    const { operationId, method, path } = operation;
    if (operationId.startsWith('open') || /\{(eventId|orderId|clientOrderId|actionId)\}/.test(path)) continue;
    const pointer = operationPointer(operation);
    const content = at(openapi, `${pointer}/requestBody/content/application~1json`);
    const named = Object.values((content?.examples ?? {}) as object).map(({ value }) => value as object);
    const bodies = content === undefined ? [null] : content.example === undefined ? named : [content.example];
    for (const body of bodies) {
      const required = Object.values((at(openapi, `${pointer}/parameters`) ?? []) as object).filter(it => it.required);
      const query = required.filter(it => it.in === 'query').map(it => `${it.name}=${it.example}`);
      const target = query.length === 0 ? path : `${path}?${query.join('&')}`;
      // A protection must be there before it is reset or ended.
      if (/^(reset|end)Protection$/.test(operationId)) await protect(body as { address?: string } | null);
      const request = { place: operationId, method, target, body: body === null ? '' : JSON.stringify(body) };
      const { status, problems } = await run(request);
      expect({ ...request, status, problems }).toEqual({
        ...request,
        status: expect.toSatisfy(it => it < 300),
        problems: [],
      });
    }
  }
});

async function protect(place: { readonly address?: string } | null): Promise<void> {
  const address = place?.address === undefined ? {} : { address: place.address };
  const body = withNames(JSON.stringify({ venue: 'venue_b', ...address, fillsMax: 9, windowMs: 1_000 }));
  expect((await signed('POST', '/v1/orders/protection', body, randomUUID())).status).toBe(200);
}

describe('messages of the documents', () => {
  const ORDERING = ['submit', 'replace'];
  const SENT: Readonly<Record<string, string>> = {
    ...{ accepted: 'TradeAccepted', result: 'TradeResult', error: 'Error', pong: 'Pong' },
  };

  it('that a client sends are taken', async () => {
    const messages = shownMessages().filter(({ text }) => text.startsWith('{"op"'));
    expect(messages.length).toBeGreaterThan(9);
    for (const path of UPGRADES) {
      const socket = await opened(path);
      for (const { place, text } of messages) {
        const message = JSON.parse(withNames(text)) as { readonly op: string; readonly id?: string };
        if (ORDERING.includes(message.op) !== (path === '/v1/trade')) continue;
        if (message.op === 'replace') await rest();
        const id = `${place} ${text}`.slice(0, 128);
        const keyed = ORDERING.includes(message.op) ? { idempotencyKey: randomUUID() } : {};
        socket.say({ ...message, id, ...keyed, ...(message.op === 'replace' ? { orderId } : {}) });
        const answer = await socket.answer(id);
        expect([id, answer.code, answer.status ?? 200]).toEqual([
          id,
          expect.not.stringMatching(/^INVALID_REQUEST$/),
          expect.toSatisfy(it => it < 300),
        ]);
      }
      socket.close();
    }
  });

  it('that the gateway sends are of the contract', () => {
    const messages = shownMessages().filter(({ text }) => text.startsWith('{"type"'));
    expect(messages.length).toBeGreaterThan(2);
    for (const { place, text } of messages) {
      const message = JSON.parse(text);
      const schema = SENT[message.type];
      const problems = asyncapiSchemas.problems(`#/components/schemas/${schema}`, message);
      expect([place, schema, problems]).toEqual([place, expect.any(String), []]);
    }
  });
});

interface Heard {
  readonly id?: string;
  readonly type: string;
  readonly code?: string;
  readonly status?: number;
}

async function opened(path: string) {
  const { httpUrl } = paper.gateway;
  const ticket = await sendSigned(`${httpUrl}${path}/ticket`, key, { method: 'POST' });
  const url = `${httpUrl.replace('http', 'ws')}${path}?ticket=${(ticket.json as { readonly ticket: string }).ticket}`;
  const socket = new WebSocket(url, 'crossbook.v1.json');
  const heard: Heard[] = [];
  socket.onmessage = ({ data }) => heard.push(JSON.parse(data));
  await eventually(() => expect(socket.readyState).toBe(WebSocket.OPEN));
  return {
    say: (message: object) => socket.send(JSON.stringify(message)),
    /** The code of a message without one is empty. */
    answer: (id: string) =>
      eventually(() => {
        const found = heard.find(it => it.id === id && it.type !== 'accepted');
        expect(found).toBeDefined();
        return { ...found!, code: found!.code ?? '' };
      }),
    close: () => socket.close(),
  };
}

/** The tests that run the programs of a document. */
const RUN_BY: Readonly<Record<string, string>> = {
  'README.md': 'test/docs/readme.test.ts',
  'docs/OPERATIONS.md': 'test/core/alerts/alarm-document.test.ts',
  'docs/PAPER.md': 'test/tools/cli/paper.test.ts',
  'docs/PROTOCOL.md': 'test/docs/examples.test.ts',
  'docs/RECORDING.md': 'test/tools/cli/recording-document.test.ts',
  'docs/SIGNING.md': 'test/core/auth/signing-document.test.ts',
};

describe('the function that signs in a shell', () => {
  const [PROGRAM = ''] = blocksOf(readFileSync('docs/PROTOCOL.md', 'utf8'), '## Requests', 'sh');
  const run = promisify(execFile);
  const typed = async (command: string): Promise<string> => {
    const env = { ...process.env, URL: paper.gateway.httpUrl };
    const { stdout, stderr } = await run('bash', ['-c', `${PROGRAM}\n${command}`], { cwd: folder, env });
    const [own = '', answer = ''] = stdout.trimEnd().split('\n');
    expect([own, stderr]).toEqual([expect.stringMatching(/^\{"keyId":.* 200$/), '']);
    return answer;
  };
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'crossbook-signed-'));
    mkdirSync(join(folder, 'data/demo'), { recursive: true });
    // A subscription of the document has asked for cancelOnDisconnect, which cancels the orders of its key 10 s after it has ended.
    const own = await newKey(paper.gateway.keyStore, { actorId: 'signer', scopes: SCOPES });
    writeFileSync(join(folder, 'data/demo/key.json'), JSON.stringify(own));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  it('signs queries, bodies and idempotency keys', async () => {
    expect(await typed("signed GET '/v1/markets?pageSize=1&q=lakers'")).toMatch(/^\{"markets":.* 200$/);
    const order = JSON.stringify({ ticker: paper.ticker, side: 'YES', action: 'BUY', count: 1, priceCents: 1 });
    const submit = `signed POST /v1/venue-b/orders '${order}' ${randomUUID()}`;
    const answer = await typed(submit);
    expect(answer).toMatch(/"status":"OPEN"\} 201$/);
    expect(await typed(submit)).toBe(answer);
    const [, id = ''] = /"orderId":"([^"]+)"/.exec(answer) ?? [];
    expect(await typed(`signed DELETE /v1/venue-b/orders/${id}`)).toMatch(/"status":"CANCELLED".* 200$/);
    const redeem = `signed POST /v1/venue-a/positions/${tokenId}/redeem '{}' ${randomUUID()}`;
    expect(await typed(redeem)).not.toMatch(/ 401$/);
    expect(await typed('signed POST /v1/orders/cancel-after \'{"timeoutMs":0}\'')).toBe('{"deadline":null} 200');
  });
});

it('programs of the documents are run by a test', () => {
  const pages = [...new Set(shownPrograms().map(({ path }) => path))];
  expect(pages.toSorted()).toEqual(Object.keys(RUN_BY).toSorted());
  for (const page of pages) {
    const test = RUN_BY[page]!;
    expect([test, existsSync(test)]).toEqual([test, true]);
    expect([test, readFileSync(test, 'utf8')]).toEqual([test, expect.stringContaining(page)]);
  }
});
