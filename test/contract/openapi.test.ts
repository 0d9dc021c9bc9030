// proto/openapi.yaml is valid and complete, agrees with the error table, and its examples fit its schemas.

import { Validator } from '@seriousme/openapi-schema-validator';
import { describe, expect, it } from 'vitest';
import { API_ERRORS, ERROR_CODES } from '../../src/core/domain/answer.ts';
import { limits, rateProfiles } from '../../src/limits.ts';
import type { ContractOperation } from '../support/contract-operations.ts';
import {
  answerProblems,
  at,
  objectsIn,
  openapi,
  openapiSchemas,
  operationPointer,
  operations,
  resolve,
} from '../support/contract-schema.ts';
import { describeReferences } from './references.ts';

/** Interface §4, with what contract §4.11, §8, §3 and beyond §9 add: method, path, operationId. */
const INTERFACE = `
  GET    /v1/whoami                             getWhoami
  GET    /v1/time                               getTime
  POST   /v1/venue-a/orders                     submitVenueAOrder
  GET    /v1/venue-a/orders                     listVenueAOrders
  POST   /v1/venue-a/orders/preview             previewVenueAOrder
  DELETE /v1/venue-a/orders                     cancelVenueAOrders
  POST   /v1/venue-a/orders/{orderId}/replace   replaceVenueAOrder
  POST   /v1/venue-a/orders/batch               submitVenueABatch
  DELETE /v1/venue-a/orders/batch               cancelVenueABatch
  GET    /v1/venue-a/orders/{orderId}           getVenueAOrder
  DELETE /v1/venue-a/orders/{orderId}           cancelVenueAOrder
  GET    /v1/venue-a/orders/{orderId}/fills     listVenueAOrderFills
  GET    /v1/venue-a/orders/by-client-id/{clientOrderId} getVenueAOrderByClientId
  DELETE /v1/venue-a/orders/by-client-id/{clientOrderId} cancelVenueAOrderByClientId
  POST   /v1/venue-b/orders                     submitVenueBOrder
  GET    /v1/venue-b/orders                     listVenueBOrders
  POST   /v1/venue-b/orders/preview             previewVenueBOrder
  DELETE /v1/venue-b/orders                     cancelVenueBOrders
  POST   /v1/venue-b/orders/{orderId}/replace   replaceVenueBOrder
  POST   /v1/venue-b/orders/batch               submitVenueBBatch
  DELETE /v1/venue-b/orders/batch               cancelVenueBBatch
  GET    /v1/venue-b/orders/{orderId}           getVenueBOrder
  DELETE /v1/venue-b/orders/{orderId}           cancelVenueBOrder
  GET    /v1/venue-b/orders/{orderId}/fills     listVenueBOrderFills
  GET    /v1/venue-b/orders/by-client-id/{clientOrderId} getVenueBOrderByClientId
  DELETE /v1/venue-b/orders/by-client-id/{clientOrderId} cancelVenueBOrderByClientId
  POST   /v1/orders/cancel-after                cancelAfter
  GET    /v1/orders/protection                  listProtections
  POST   /v1/orders/protection                  setProtection
  DELETE /v1/orders/protection                  endProtection
  POST   /v1/orders/protection/reset            resetProtection
  GET    /v1/venue-a/positions                  getVenueAPositions
  POST   /v1/venue-a/positions/{tokenId}/redeem redeemVenueAPosition
  POST   /v1/venue-a/positions/{tokenId}/split  splitVenueAPosition
  POST   /v1/venue-a/positions/{tokenId}/merge  mergeVenueAPosition
  GET    /v1/venue-a/actions                    listVenueAActions
  GET    /v1/venue-a/actions/{actionId}         getVenueAAction
  GET    /v1/venue-b/positions                  getVenueBPositions
  GET    /v1/venue-a/balance                    getVenueABalance
  GET    /v1/venue-b/balance                    getVenueBBalance
  GET    /v1/sports                             listSports
  GET    /v1/sports/competitions                listCompetitions
  GET    /v1/sports/events                      listEvents
  GET    /v1/sports/events/{eventId}/markets    listEventMarkets
  GET    /v1/sports/events/{eventId}/best       getEventBest
  GET    /v1/markets                            listMarkets
  GET    /v1/venue-a/markets/{tokenId}          getVenueAMarket
  GET    /v1/venue-b/markets/{ticker}           getVenueBMarket
  GET    /v1/orders                             listOlderOrders
  GET    /v1/markets/{marketVenue}/{marketId}   getOlderMarket
  GET    /v1/balances                           getOlderBalances
  GET    /v1/orderbook                          openStream
  POST   /v1/orderbook/ticket                   createStreamTicket
  GET    /v1/trade                              openTrade
  POST   /v1/trade/ticket                       createTradeTicket
  GET    /v1/risk                               getRisk
  GET    /v1/pod                                getPod
  GET    /v1/pod/orders                         listPodOrders
  DELETE /v1/pod/orders                         cancelPodOrders
  DELETE /v1/pod/orders/{orderId}               cancelPodOrder
  POST   /v1/pod/stop                           stopPod
  GET    /v1/pod/positions                      listPodPositions
  GET    /v1/pod/events                         listPodEvents
  GET    /v1/openapi.json                       getOpenapi
  GET    /v1/asyncapi.json                      getAsyncapi
`;

const SIGNED = [400, 401, 403, 404, 405, 413, 429, 500, 503];
const OLDER_FAMILY = ['listOlderOrders', 'getOlderMarket', 'getOlderBalances'];

/** Beyond §7: another gateway may own the pod. */
const OF_POD =
  /Venue[AB](Order|Batch|Position|Action|Balance)|^cancelAfter$|Protection|^(list|cancel)Pod|Trade|^getRisk$|^(listOlderOrders|getOlderBalances)$/;

function errorStatuses(operation: ContractOperation): number[] {
  return [...ownErrorStatuses(operation), ...(OF_POD.test(operation.operationId) ? [421] : [])];
}

function ownErrorStatuses({ operationId, bucket, credentials }: ContractOperation): number[] {
  if (credentials.length === 0) return SIGNED.filter(status => ![401, 403, 429].includes(status));
  if (operationId === 'getOlderMarket') return [...SIGNED.filter(status => status !== 401), 502];
  if (credentials.includes('apiKey')) return SIGNED.filter(status => status !== 401);
  // The answers to its orders are in the results.
  if (operationId.startsWith('submit') && operationId.endsWith('Batch')) return SIGNED.filter(status => status !== 429);
  if (operationId.startsWith('replace')) return [...SIGNED.filter(status => status !== 429), 409, 422, 502, 504];
  if (bucket === 'submissions') return [...SIGNED.filter(status => status !== 429), 422, 502, 504];
  return /^cancel(Venue.|Pod)Order(ByClientId)?$/.test(operationId) ? [...SIGNED, 409, 502, 504] : SIGNED;
}

const SUCCESS: Readonly<Record<string, number>> = {
  ...{ submitVenueAOrder: 201, submitVenueBOrder: 201, replaceVenueAOrder: 201, replaceVenueBOrder: 201 },
  createStreamTicket: 201,
  createTradeTicket: 201,
  ...{ redeemVenueAPosition: 201, splitVenueAPosition: 201, mergeVenueAPosition: 201 },
  openStream: 101,
  openTrade: 101,
};

const each = operations().map(operation => [operation.operationId, operation] as const);
const statusesOf = (operation: ContractOperation) =>
  Object.keys(at(openapi, `${operationPointer(operation)}/responses`)!).map(Number);

describe('proto/openapi.yaml', () => {
  it('is OpenAPI 3.1, version 1.0.0', async () => {
    const validator = new Validator();
    const { valid, errors } = await validator.validate(structuredClone(openapi) as never);
    expect({ valid, errors, version: validator.version }).toMatchObject({ valid: true, version: '3.1' });
    expect(openapi.info!.version).toBe('1.0.0');
  });

  it('documents the interface, the whole of it and nothing else', () => {
    const documented = operations().map(({ method, path, operationId }) => `${method} ${path} ${operationId}`);
    const wanted = INTERFACE.trim()
      .split('\n')
      .map(line => line.trim().replace(/ +/g, ' '));
    expect(documented.toSorted()).toEqual(wanted.toSorted());
  });

  it('states the bounds that are enforced', () => {
    const text = JSON.stringify(openapi);
    expect(text).toContain(`${limits.bodyBytesMax / 1024} KiB`);
    expect(text).toContain(`within ${limits.signatureAgeS} seconds`);
    const whoami = at(openapi, '#/paths/~1v1~1whoami/get/responses/200/content/application~1json/example')!;
    for (const bucket of ['reads', 'submissions', 'cancels'] as const) {
      const { perS, burstMax } = rateProfiles.default[bucket];
      expect(whoami.limits![bucket]).toEqual({ perSecond: perS, burst: burstMax });
    }
  });

  describeReferences(openapi);
});

describe('an operation', () => {
  it.each(each)('%s says who may call it and what counts it', (operationId, { method, scope, bucket, credentials }) => {
    const isOlder = OLDER_FAMILY.includes(operationId);
    const isOpen = ['getOpenapi', 'getAsyncapi'].includes(operationId);
    const changes = method !== 'GET' && !operationId.endsWith('Ticket') && !operationId.startsWith('preview');
    if (isOpen) expect({ scope, bucket, credentials }).toEqual({ scope: 'none', bucket: 'none', credentials: [] });
    else if (isOlder)
      expect({ scope, bucket, credentials }).toEqual({ scope: 'none', bucket: 'reads', credentials: ['apiKey'] });
    else {
      const isOfPod = operationId.includes('Pod');
      const ownScope = /^get(Whoami|Time|Risk)$/.test(operationId) ? 'none' : isOfPod ? 'observe' : 'read';
      expect(scope).toBe(changes || operationId.includes('Trade') ? (isOfPod ? 'cancel' : 'trade') : ownScope);
      const ofChange = /^(submit|replace|redeem|split|merge)/.test(operationId) ? 'submissions' : 'cancels';
      expect(bucket).toBe(changes ? ofChange : 'reads');
      expect(credentials).toEqual(operationId.startsWith('open') ? ['signed', 'ticket'] : ['signed']);
    }
  });

  it.each(each)('%s documents success and every refusal of contract §3', (operationId, operation) => {
    const wanted = [SUCCESS[operationId] ?? 200, ...errorStatuses(operation)];
    expect(statusesOf(operation).toSorted()).toEqual(wanted.toSorted());
  });

  it.each(each)('%s has the parameters of its path, each once', (operationId, operation) => {
    const parameters = Object.keys(at(openapi, `${operationPointer(operation)}/parameters`) ?? []).map(
      index => at(openapi, resolve(`${operationPointer(operation)}/parameters/${index}`))!,
    );
    const names = parameters.map(parameter => `${parameter.in}:${parameter.name}`);
    expect(new Set(names).size).toBe(names.length);
    const inPath = [...operation.path.matchAll(/\{(\w+)\}/g)].map(match => match[1]);
    expect(parameters.filter(it => (it.in as unknown) === 'path').map(it => it.name)).toEqual(inPath);
    expect(names.includes('header:Idempotency-Key')).toBe(
      operation.bucket === 'submissions' && !operationId.endsWith('Batch'),
    );
  });
});

it.each([
  [{ venue: 'VENUE_A', tokenId: '1', executable: true }, true],
  [{ venue: 'VENUE_B', ticker: 'KX-A', side: 'NO', executable: true }, true],
  [{ venue: 'VENUE_C', strikeId: 'x', executable: false }, true],
  [{ venue: 'VENUE_B', ticker: 'KX-A', executable: true }, false],
  [{ venue: 'VENUE_C', strikeId: 'x', side: 'YES', executable: false }, false],
  [{ venue: 'VENUE_D', slug: 'x', executable: true }, false],
])('%j is a listing: %j', (listing, isOne) => {
  expect(openapiSchemas.problems('#/components/schemas/Listing', listing).length === 0).toBe(isOne);
});

describe('errors', () => {
  it('have the codes of the error table', () => {
    expect(at(openapi, '#/components/schemas/ErrorCode/enum')).toEqual(ERROR_CODES);
  });

  it('carry with each status the codes that the error table gives it', () => {
    const admitted = new Set<string>();
    for (const operation of operations().filter(({ credentials }) => !credentials.includes('apiKey'))) {
      for (const status of statusesOf(operation).filter(it => it >= 400)) {
        const pointer = `${resolve(`${operationPointer(operation)}/responses/${status}`)}/content/application~1json/schema`;
        for (const code of ERROR_CODES) {
          const orderId = code === 'ORDER_RECONCILIATION_REQUIRED' ? { orderId: ORDER_ID } : {};
          const body = { error: { code, message: 'words', ...orderId } };
          if (openapiSchemas.problems(pointer, body).length === 0) admitted.add(`${status} ${code}`);
        }
      }
    }
    // This version serves all that it documents.
    const possible = Object.values(API_ERRORS).filter(it => it !== API_ERRORS.notServed);
    expect([...admitted].toSorted()).toEqual(
      [...new Set(possible.map(({ status, code }) => `${status} ${code}`))].toSorted(),
    );
  });

  it('say Retry-After where the same request may succeed later, and Allow where the method is wrong', () => {
    const later = Object.values(API_ERRORS).flatMap(({ status, retry }) => (retry === 'later' ? [status] : []));
    for (const operation of operations()) {
      for (const status of statusesOf(operation).filter(it => it >= 400)) {
        const answer = at(openapi, resolve(`${operationPointer(operation)}/responses/${status}`))!;
        const names = Object.keys(answer.headers!);
        expect([status, names.includes('Retry-After')]).toEqual([status, later.includes(status as never)]);
        expect([status, names.includes('Allow')]).toEqual([status, status === API_ERRORS.methodNotAllowed.status]);
      }
    }
  });
});

const ORDER_ID = '5f0c8a52-3b1e-8c47-9d2a-6e1f0b7c4d38';

describe('every example is what it is an example of', () => {
  const media = objectsIn(openapi).filter(({ pointer }) => /\/content\/application~1json$/.test(pointer));
  const others = objectsIn(openapi).filter(
    ({ value, pointer }) => 'schema' in value && 'example' in value && !pointer.includes('/content/'),
  );
  const header = /^#\/components\/headers|\/headers\//;

  it.each(media.map(({ pointer, value }) => [pointer, value] as const))('%s', (pointer, value) => {
    const examples = 'example' in value ? [value.example] : Object.values(value.examples ?? {}).map(it => it.value);
    expect(examples.length).toBeGreaterThan(0);
    for (const example of examples) expect(openapiSchemas.problems(`${pointer}/schema`, example)).toEqual([]);
  });

  it.each(others.map(({ pointer, value }) => [pointer, value] as const))('%s', (pointer, value) => {
    expect(openapiSchemas.problems(`${pointer}/schema`, value.example)).toEqual([]);
  });

  it('of parameters and headers too: none is without', () => {
    const without = objectsIn(openapi).filter(
      ({ pointer, value }) =>
        'schema' in value && !('example' in value) && (header.test(pointer) || ('in' in value && 'name' in value)),
    );
    expect(without.map(({ pointer }) => pointer)).toEqual([]);
  });
});

describe('an answer', () => {
  const headers = {
    'cache-control': 'no-store',
    'content-type': 'application/json',
    'svc-request-id': 'req_1',
    'svc-server-time': '1795197601234',
    ratelimit: '"reads";r=1999;t=1',
    'ratelimit-policy': '"reads";q=2000;w=2',
  };
  const time = { unixSeconds: 1_795_197_601, unixMillis: 1_795_197_601_234, iso: '2026-11-20T18:00:01.234Z' };

  it('that is as documented has no problems', () => {
    expect(answerProblems('getTime', 200, headers, time)).toEqual([]);
    const { ratelimit: _, ...uncounted } = headers;
    const refused = { error: { code: 'INVALID_REQUEST', message: 'SVC-Key-Id: is missing' } };
    expect(answerProblems('getTime', 401, uncounted, refused)).toEqual([]);
    expect(answerProblems('openStream', 101, headers, undefined)).toEqual([]);
  });

  const { 'svc-request-id': _, ...nameless } = headers;
  const error = (code: string, more = {}) => ({ error: { code, message: 'words', ...more } });
  it.each<[what: string, operationId: string, status: number, headers: Record<string, string>, body: unknown]>([
    ['of an unknown operation', 'getWeather', 200, headers, time],
    ['whose status is not documented', 'getTime', 204, headers, time],
    ['without a header', 'getTime', 200, nameless, time],
    ['with a header of another form', 'getTime', 200, { ...headers, 'svc-server-time': 'noon' }, time],
    ['of another content type', 'getTime', 200, { ...headers, 'content-type': 'text/html' }, time],
    ['without a member', 'getTime', 200, headers, { ...time, iso: undefined }],
    ['with a member more', 'getTime', 200, headers, { ...time, zone: 'UTC' }],
    ['that is no JSON', 'getTime', 200, headers, undefined],
    ['with a code of another status', 'getTime', 401, headers, error('NOT_FOUND')],
    [
      'with an order id that it must not have',
      'getTime',
      401,
      headers,
      error('INVALID_REQUEST', { orderId: ORDER_ID }),
    ],
    [
      'without the order id that it must have',
      'submitVenueBOrder',
      504,
      headers,
      error('ORDER_RECONCILIATION_REQUIRED'),
    ],
    ['without a time to wait', 'getTime', 429, headers, error('INVALID_REQUEST')],
    ['in the words of the other family', 'getOlderBalances', 404, headers, error('NOT_FOUND')],
  ])('%s has a problem', (_what, operationId, status, sent, body) => {
    expect(answerProblems(operationId, status, sent, body)).not.toEqual([]);
  });
});

describe('a request body', () => {
  const limitOrder = { tokenId: '1', side: 'BUY', type: 'LIMIT', size: '10', price: '0.53' };
  const marketOrder = { tokenId: '1', side: 'SELL', type: 'MARKET', amount: '10' };
  const venueB = { ticker: 'KXNBASPREAD-26NOV21BOSLAL-LAL4.5', side: 'NO', action: 'SELL', count: 1, priceCents: 99 };
  const { priceCents: _, ...exactB } = venueB;
  const problems = (name: string, body: unknown) => openapiSchemas.problems(`#/components/schemas/${name}`, body);

  it.each<[name: string, body: object]>([
    ['VenueAOrderRequest', limitOrder],
    ['VenueAOrderRequest', { ...limitOrder, price: '0.5000', size: '0.01', postOnly: false }],
    ['VenueAOrderRequest', { ...limitOrder, size: '1000000000.00' }],
    ['VenueAOrderRequest', marketOrder],
    ['VenueAOrderRequest', { ...marketOrder, timeInForce: { type: 'FAK' }, worstPrice: '0.01' }],
    ['VenueBOrderRequest', venueB],
    ['VenueBOrderRequest', { ...venueB, timeInForce: { type: 'IOC' } }],
    ['VenueBOrderRequest', { ...exactB, price: '0.3165' }],
    ['CancelAfterRequest', { timeoutMs: 0 }],
    ['CancelAfterRequest', { timeoutMs: 600_000 }],
  ])('%s: %j', (name, body) => {
    expect(problems(name, body)).toEqual([]);
  });

  it.each<[name: string, body: object]>([
    ['VenueAOrderRequest', { ...limitOrder, price: 0.53 }],
    ['VenueAOrderRequest', { ...limitOrder, price: '0' }],
    ['VenueAOrderRequest', { ...limitOrder, price: '0.0000' }],
    ['VenueAOrderRequest', { ...limitOrder, price: '1' }],
    ['VenueAOrderRequest', { ...limitOrder, price: '0.53001' }],
    ['VenueAOrderRequest', { ...limitOrder, size: '0.0' }],
    ['VenueAOrderRequest', { ...limitOrder, size: '1e3' }],
    ['VenueAOrderRequest', { ...limitOrder, size: '+1' }],
    ['VenueAOrderRequest', { ...limitOrder, size: '1.' }],
    ['VenueAOrderRequest', { ...limitOrder, size: '0.000001' }],
    ['VenueAOrderRequest', { ...limitOrder, size: '1000000000.01' }],
    ['VenueAOrderRequest', { ...limitOrder, tokenId: '1'.repeat(129) }],
    ['VenueAOrderRequest', { ...limitOrder, amount: '10' }],
    ['VenueAOrderRequest', { ...limitOrder, postonly: true }],
    ['VenueAOrderRequest', { ...limitOrder, timeInForce: { type: 'FOK' } }],
    ['VenueAOrderRequest', { ...marketOrder, timeInForce: { type: 'GTC' } }],
    ['VenueAOrderRequest', { ...marketOrder, postOnly: true }],
    ['VenueBOrderRequest', { ...venueB, ticker: 'kxnbagame' }],
    ['VenueBOrderRequest', { ...venueB, ticker: 'KXNBA--GAME' }],
    ['VenueBOrderRequest', { ...venueB, priceCents: 0 }],
    ['VenueBOrderRequest', { ...venueB, price: '0.99' }],
    ['VenueBOrderRequest', exactB],
    ['VenueBOrderRequest', { ...exactB, price: 0.5 }],
    ['VenueBOrderRequest', { ...venueB, priceCents: 100 }],
    ['VenueBOrderRequest', { ...venueB, priceCents: 1.5 }],
    ['VenueBOrderRequest', { ...venueB, count: 0 }],
    ['VenueBOrderRequest', { ...venueB, count: 1_000_000_001 }],
    ['VenueBOrderRequest', { ...venueB, count: '1' }],
    ['VenueBOrderRequest', { ...venueB, side: 'yes' }],
    ['VenueBOrderRequest', { ...venueB, timeInForce: 'GTC' }],
    ['CancelAfterRequest', { timeoutMs: 999 }],
    ['CancelAfterRequest', { timeoutMs: 600_001 }],
    ['CancelAfterRequest', {}],
  ])('%s is not: %j', (name, body) => {
    expect(problems(name, body)).not.toEqual([]);
  });
});

describe('schemas', () => {
  it('of objects are closed, but for the documents themselves', () => {
    const open = objectsIn(openapi).filter(
      ({ pointer, value }) =>
        pointer.startsWith('#/components/schemas/') &&
        // A `not` is a part of an object that is closed.
        !pointer.includes('/not/') &&
        'properties' in value &&
        'required' in value &&
        (value.additionalProperties as unknown) !== false,
    );
    expect(open.map(({ pointer }) => pointer)).toEqual([
      '#/components/schemas/OpenApiDocument',
      '#/components/schemas/AsyncApiDocument',
    ]);
  });

  it.each(Object.keys(at(openapi, '#/components/schemas')!))('%s compiles, every keyword known', name => {
    expect(openapiSchemas.problems(`#/components/schemas/${name}`, Symbol('nothing'))).not.toEqual([]);
  });
});
