// The HMAC of venue A's private requests, against the vector of venue-a.md §1.2 and against a formula of the test's own.

import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isL2Secret, l2Signature, verifyL2 } from '../../../src/venues/venue-a/auth.ts';

const ZERO_SECRET = 'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=';
const EMPTY = new Uint8Array(0);
const known = {
  secret: ZERO_SECRET,
  timestamp: '1000000',
  method: 'test-sign',
  path: '/orders',
  body: Buffer.from('{"hash": "0x123"}'),
};
const SIGNATURE = 'ZwAdJKvoYRlEKDkNMwd5BuwNNtg93kNaR_oU2HrfVvc=';

const anyRequest = fc.record({
  timestamp: fc.nat().map(String),
  method: fc.constantFrom('GET', 'POST', 'DELETE'),
  path: fc.array(fc.string(), { maxLength: 4 }).map(parts => `/${parts.map(encodeURIComponent).join('/')}`),
  body: fc.uint8Array({ maxLength: 200 }),
});
const anySecretBytes = fc.uint8Array({ minLength: 1, maxLength: 64 });
const asUrlSafe = (base64: string): string => base64.replaceAll('+', '-').replaceAll('/', '_');

describe('signing', () => {
  it('makes the signature of the official clients', () => expect(l2Signature(known)).toBe(SIGNATURE));

  it('is the HMAC of timestamp, method, path and body, in url-safe base64 with padding', () =>
    fc.assert(
      fc.property(anyRequest, anySecretBytes, (request, key) => {
        const text = Buffer.concat([Buffer.from(request.timestamp + request.method + request.path), request.body]);
        const expected = asUrlSafe(createHmac('sha256', key).update(text).digest('base64'));
        expect(l2Signature({ ...request, secret: Buffer.from(key).toString('base64') })).toBe(expected);
        expect(expected).toMatch(/^[\w-]{43}=$/);
      }),
    ));

  it('takes the secret in either alphabet, padded or not', () =>
    fc.assert(
      fc.property(anyRequest, anySecretBytes, (request, key) => {
        const padded = Buffer.from(key).toString('base64');
        const texts = [padded, asUrlSafe(padded)].flatMap(text => [text, text.replace(/=+$/, '')]);
        expect(new Set(texts.map(secret => l2Signature({ ...request, secret }))).size).toBe(1);
        expect(texts.every(isL2Secret)).toBe(true);
      }),
    ));

  it('does not cover the query', () => {
    const request = { ...known, method: 'GET', body: EMPTY };
    expect(l2Signature({ ...request, path: '/data/orders?id=1&next_cursor=MA==' })).toBe(
      l2Signature({ ...request, path: '/data/orders' }),
    );
  });

  it.each(['', '=', 'A', 'AAAAA', 'AA=', 'AAA==', 'AAAA=', 'A===', 'SECRET!', 'SEC RET+', 'SECRET\n'])(
    'refuses the secret %j, without showing it',
    secret => {
      expect(isL2Secret(secret)).toBe(false);
      expect(() => l2Signature({ ...known, secret })).toThrow(/^the API secret of venue A is base64$/);
    },
  );
});

describe('checking', () => {
  it('takes the right signature and no other', () =>
    fc.assert(
      fc.property(anyRequest, anySecretBytes, fc.nat(43), fc.nat(), (request, key, at, other) => {
        const signed = { ...request, secret: Buffer.from(key).toString('base64') };
        const signature = l2Signature(signed);
        expect(verifyL2({ ...signed, signature })).toBe(true);
        const digit = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ-_'.replace(signature[at]!, '');
        const changed = signature.slice(0, at) + digit[other % digit.length] + signature.slice(at + 1);
        expect(verifyL2({ ...signed, signature: changed })).toBe(false);
        expect(verifyL2({ ...signed, signature: signature.slice(0, at) })).toBe(false);
        expect(verifyL2({ ...signed, signature: `${signature}=` })).toBe(false);
        expect(verifyL2({ ...signed, timestamp: `${signed.timestamp}0`, signature })).toBe(false);
        expect(verifyL2({ ...signed, method: 'PATCH', signature })).toBe(false);
        expect(verifyL2({ ...signed, path: `${signed.path}x`, signature })).toBe(false);
        expect(verifyL2({ ...signed, body: Buffer.concat([signed.body, Buffer.of(32)]), signature })).toBe(false);
      }),
    ));

  it('is about the bytes, not about the JSON in them', () => {
    expect(verifyL2({ ...known, signature: SIGNATURE })).toBe(true);
    expect(verifyL2({ ...known, body: Buffer.from('{"hash":"0x123"}'), signature: SIGNATURE })).toBe(false);
  });

  it('refuses any text without a throw', () =>
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 60 }), signature => {
        expect(verifyL2({ ...known, signature })).toBe(false);
      }),
    ));
});
