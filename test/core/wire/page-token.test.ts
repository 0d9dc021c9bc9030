// Page tokens: they come back as they went, for the same caller and path, and no other text passes for one.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { jsonCodec } from '../../../src/core/wire/json.ts';
import type { MessageRefusal } from '../../../src/core/wire/messages.ts';
import { type PageScope, pageToken, readPage } from '../../../src/core/wire/page-token.ts';
import { protobufCodec } from '../../../src/core/wire/protobuf.ts';

const scope: PageScope = { secret: Buffer.alloc(32, 7), actorId: 'mm', path: '/v1/venue-b/orders' };
const page = { rows: 7, filters: { ticker: 'KX-A' }, after: '5.x' };
const withToken = (token: string, more: object = {}) => new Map(Object.entries({ pageToken: token, ...more }));
const NAMES = ['ticker', 'status'];

describe('a page token', () => {
  it('says what it was made of, and its size and filters count', () => {
    const token = pageToken(scope, page);
    expect(readPage(scope, withToken(token), NAMES)).toEqual({ ok: true, value: page });
    expect(readPage(scope, withToken(token, { pageSize: 'any' }), NAMES)).toEqual({ ok: true, value: page });
    expect(readPage(scope, withToken(token, { ticker: 'KX-A' }), NAMES).ok).toBe(true);
    expect(readPage(scope, withToken(token, { ticker: 'KX-B' }), NAMES)).toEqual({
      ok: false,
      error: expect.stringMatching(/^ticker: must be as/),
    });
    expect(readPage(scope, withToken(token, { status: 'OPEN' }), NAMES).ok).toBe(false);
  });

  it.each<[string, Partial<PageScope>]>([
    ['actor', { actorId: 'other' }],
    ['path', { path: '/v1/venue-a/orders' }],
    ['secret', { secret: Buffer.alloc(32, 8) }],
  ])('is no good for another %s', (_what, change) => {
    expect(readPage({ ...scope, ...change }, withToken(pageToken(scope, page)), NAMES).ok).toBe(false);
  });

  it('cannot be made up or changed', () => {
    const token = pageToken(scope, page);
    fc.assert(
      fc.property(fc.nat(token.length - 1), fc.constantFrom(...'Ab0_-='), (at, character) => {
        const changed = token.slice(0, at) + character + token.slice(at + 1);
        expect(readPage(scope, withToken(changed), NAMES).ok).toBe(changed === token);
      }),
    );
    fc.assert(fc.property(fc.string(), text => void expect(readPage(scope, withToken(text), NAMES).ok).toBe(false)));
  });
});

describe('a first page', () => {
  it.each([
    [undefined, 20],
    ['1', 1],
    ['100', 100],
  ])('of size %s has %i rows', (size, rows) => {
    const query = new Map(size === undefined ? [] : [['pageSize', size]]);
    expect(readPage(scope, query, NAMES)).toEqual({ ok: true, value: { rows, filters: {}, after: null } });
  });

  it.each(['0', '007', '101', '1.5', '-1', '', 'x', '1e1'])('of size %j is refused', size => {
    expect(readPage(scope, new Map([['pageSize', size]]), NAMES)).toEqual({
      ok: false,
      error: 'pageSize: must be an integer from 1 to 100 (pageRowsMax)',
    });
  });

  it('refuses an empty filter', () => {
    expect(readPage(scope, new Map([['ticker', '']]), NAMES)).toEqual({
      ok: false,
      error: 'ticker: must not be empty',
    });
  });
});

// A cursor of -0 read back as another value than 0, for the binary form and for readers that compare with Object.is.
describe('0002: cursor of minus nothing', () => {
  it.each(['0', '-0', '-0.0', '-1e-400'])('a cursor of %s is 0', from => {
    const message = jsonCodec.decode(Buffer.from(`{"op":"subscribe","channel":"orders","from":${from}}`));
    expect(message).toEqual({
      ok: true,
      value: { op: 'subscribe', id: null, channel: 'orders', from: 0, cancelOnDisconnect: false },
    });
  });
});

// In the binary form a cursor of 2^53 or more was refused without the id of its request, and by another name than in JSON. So the sender
// could not tell which request was refused.
describe('0136: a cursor beyond the numbers', () => {
  const REFUSAL: MessageRefusal = {
    id: 'one',
    code: 'INVALID_REQUEST',
    message: 'from: must be an integer from 0 to 2^53 - 1',
  };

  it.each([2 ** 53, 2 ** 63, 2 ** 64 - 2048])('%d is refused under the id of its request, in both forms', from => {
    const request = { op: 'subscribe', id: 'one', channel: 'orders', from, cancelOnDisconnect: false } as const;
    for (const codec of [protobufCodec, jsonCodec]) {
      expect(codec.decode(codec.encodeClient(request))).toEqual({ ok: false, error: REFUSAL });
    }
  });

  it('the last one below is taken', () => {
    const request = {
      op: 'subscribe',
      id: 'one',
      channel: 'orders',
      from: 2 ** 53 - 1,
      cancelOnDisconnect: false,
    } as const;
    expect(protobufCodec.decode(protobufCodec.encodeClient(request))).toEqual({ ok: true, value: request });
  });
});
