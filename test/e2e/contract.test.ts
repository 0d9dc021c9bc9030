// Every documented operation on a running gateway, with valid and invalid requests. Every answer fits its schema, and the routes are
// exactly those of the document.

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SCOPES } from '../../src/domain/identity.ts';
import type { Operation } from '../../src/gateway/api/operation.ts';
import { OPERATIONS } from '../../src/gateway/api/operations.ts';
import type { ContractOperation } from '../support/contract-operations.ts';
import { answerProblems, operations } from '../support/contract-schema.ts';
import { eventually } from '../support/eventually.ts';
import { newKey } from '../support/new-key.ts';
import type { RunningGateway } from '../support/running-gateway.ts';
import { sharedGateway } from '../support/shared-gateway.ts';
import { type Answer, send, sendSigned, type TestKey } from '../support/signed-requests.ts';

let gateway: RunningGateway;
let key: TestKey;
beforeAll(async () => {
  gateway = await sharedGateway();
  key = await newKey(gateway.keyStore, { scopes: SCOPES });
  await eventually(() => expect(gateway.trading.isReady()).toBe(true));
});
afterAll(() => gateway.close());

const documented = operations();
/** The upgrade of a stream is no operation that a handler answers. */
const requests = documented.filter(({ operationId }) => !operationId.startsWith('open'));

/** As the document has it. */
function described(operation: Operation): ContractOperation {
  const { operationId, method, family } = operation;
  const path = operation.path.replace(/:(\w+)/g, '{$1}');
  const place = { operationId, method, path } as const;
  switch (family) {
    case 'signed':
      return { ...place, scope: operation.scope ?? 'none', bucket: operation.bucket, credentials: ['signed'] };
    case 'older':
      return { ...place, scope: 'none', bucket: 'reads', credentials: ['apiKey'] };
    default:
      return { ...place, scope: 'none', bucket: 'none', credentials: [] };
  }
}

it('the gateway serves what is documented, and nothing else', () => {
  const byId = (left: ContractOperation, right: ContractOperation) => (left.operationId < right.operationId ? -1 : 1);
  expect(OPERATIONS.map(described).sort(byId)).toEqual([...requests].sort(byId));
});

const target = (path: string): string =>
  path
    .replace('{marketVenue}/{marketId}', 'venue_d/rain-in-paris-this-month')
    .replace('{tokenId}', '71')
    .replace('{ticker}', 'KXNONE-1')
    .replace(/\{\w+\}/g, '0198c6f0-5d1e-8a3b-9c4d-2f6e7a8b9c0d');

const hasBody = ({ method, path }: Pick<ContractOperation, 'method' | 'path'>): boolean =>
  (method === 'POST' && !/\/(ticket|stop)$/.test(path)) || (method === 'DELETE' && path.endsWith('/batch'));

/** Sends a request with everything that its operation wants. */
function drive({ method, path, credentials }: ContractOperation, query = ''): Promise<Answer> {
  const url = gateway.httpUrl + target(path) + query;
  if (credentials.includes('apiKey')) return send(url, { method, headers: { 'x-api-key': gateway.apiKey } });
  if (credentials.length === 0) return send(url, { method });
  const sent = hasBody({ method, path }) ? { body: '{}', headers: { 'Content-Type': 'application/json' } } : {};
  return sendSigned(url, key, { method, idempotencyKey: `${method}:${path}${query}`, ...sent });
}

const problemsOf = ({ operationId }: ContractOperation, { status, headers, json }: Answer): string[] =>
  answerProblems(operationId, status, headers as Record<string, string>, json);

describe.each(requests)('$method $path', operation => {
  it('is answered as documented', async () => {
    const answer = await drive(operation);
    expect([answer.status, problemsOf(operation, answer)]).toEqual([answer.status, []]);
    // An empty body asks for nothing, nobody has made the order of the path, and nobody plays its game.
    const { path } = operation;
    const isOfOne = /\{(orderId|clientOrderId|eventId|tokenId|ticker)\}/.test(path);
    const lacksVenue = operation.operationId === 'endProtection';
    const refused = lacksVenue || hasBody(operation) ? 400 : isOfOne ? 404 : null;
    expect(answer.status === refused || answer.status < 300, `status ${answer.status}`).toBe(true);
  });

  it('is refused as documented without credentials, and under an unknown parameter', async () => {
    const anonymous = await send(gateway.httpUrl + target(operation.path), { method: operation.method });
    expect(problemsOf(operation, anonymous)).toEqual([]);
    const [credential] = operation.credentials;
    expect(anonymous.status).toBe(credential === undefined ? 200 : credential === 'signed' ? 401 : 403);
    const unknown = await drive(operation, '?nonsense=1');
    expect([unknown.status, problemsOf(operation, unknown)]).toEqual([400, []]);
  });

  it('refuses a body that is too large, and a method that it has not', async () => {
    const url = gateway.httpUrl + target(operation.path);
    const large = await send(url, { method: operation.method, body: ' '.repeat(65 * 1024) });
    expect([large.status, problemsOf(operation, large)]).toEqual([413, []]);
    const wrong = await send(url, { method: 'PATCH' });
    expect([wrong.status, problemsOf(operation, wrong)]).toEqual([405, []]);
  });
});

it('the gateway refuses a stream as documented', async () => {
  const stream = documented.find(({ operationId }) => operationId === 'openStream')!;
  const plain = await send(gateway.httpUrl + stream.path);
  expect([plain.status, problemsOf(stream, plain)]).toEqual([400, []]);
  const upgrade = {
    Connection: 'Upgrade',
    Upgrade: 'websocket',
    'Sec-WebSocket-Version': '13',
    'Sec-WebSocket-Key': Buffer.alloc(16).toString('base64'),
  };
  const unsigned = await send(gateway.httpUrl + stream.path, { headers: upgrade });
  expect([unsigned.status, problemsOf(stream, unsigned)]).toEqual([401, []]);
});
