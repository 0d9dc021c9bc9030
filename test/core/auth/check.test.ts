// The checks of a signed request: what passes, which failure is named first, and in what words.

import { hash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { EMPTY_SHA256 } from '../../../src/core/auth/canonical.ts';
import {
  precheck,
  quoteAscii,
  type SignatureCheck,
  type SignedRequest,
  signatureWrong,
} from '../../../src/core/auth/check.ts';
import { verifySignature } from '../../../src/core/auth/ed25519.ts';
import { Keyring } from '../../../src/core/auth/keyring.ts';
import type { UnixMillis } from '../../../src/core/domain/numbers.ts';
import { assert } from '../../../src/core/domain/result.ts';
import { NOW_MS, recordsOf, signedRequest, signingKey } from './signed-requests.ts';

const revoked = signingKey({ keyId: 'old', revokedAt: NOW_MS });
const keyring = new Keyring(recordsOf({ signingKeys: [signingKey(), revoked] }));
const BODY = new TextEncoder().encode('{"count":1}');
const BODY_SHA256 = hash('sha256', BODY);

const messageOf = (request: SignedRequest, nowMs = NOW_MS): string => {
  const result = precheck(request, keyring.signingKey(request.keyId), nowMs);
  assert(!result.ok, 'passed');
  return result.error.message;
};
const checkOf = (request: SignedRequest): SignatureCheck => {
  const result = precheck(request, keyring.signingKey(request.keyId), NOW_MS);
  assert(result.ok, 'failed');
  return result.value.check;
};

describe('a request that is signed well', () => {
  it.each([
    ['GET without body', {}],
    ['POST with a body', { method: 'POST', target: '/v1/venue-b/orders', body: BODY, contentSha256: BODY_SHA256 }],
    ['every signed header', { idempotencyKey: 'a key', notAfter: '1795237202500' }],
    ['its hash in upper case', { contentSha256: EMPTY_SHA256.toUpperCase() }],
    ['text beyond ASCII', { target: '/v1/markets?q=Žalgiris', idempotencyKey: '🏀' }],
  ])('passes: %s', (_name, changes) => {
    expect(verifySignature(checkOf(signedRequest(changes)))).toBe(true);
  });

  it('passes with its signature in base64url', () => {
    const { signature, ...request } = signedRequest();
    const base64url = Buffer.from(signature, 'base64').toString('base64url');
    expect(verifySignature(checkOf({ ...request, signature: base64url }))).toBe(true);
  });

  it('brings its key', () => {
    const result = precheck(signedRequest(), keyring.signingKey('key-1'), NOW_MS);
    expect(result.ok && result.value.key).toBe(keyring.signingKey('key-1'));
  });

  it.each<Partial<SignedRequest>>([
    { method: 'DELETE' },
    { target: '/v1/whoami?' },
    { timestamp: '1795237202' },
    { idempotencyKey: 'other' },
    { notAfter: '1795237202501' },
    { body: BODY, contentSha256: BODY_SHA256 },
  ])('is no longer signed once anything of it is changed: %j', changes => {
    const request = { ...signedRequest({ notAfter: '1795237202500' }), ...changes };
    expect(verifySignature(checkOf(request))).toBe(false);
  });
});

describe('the answer names the first check that fails', () => {
  const faults: readonly [fault: Partial<SignedRequest>, message: RegExp][] = [
    [{ keyId: '' }, /^SVC-Key-Id: missing/],
    [{ timestamp: '' }, /^SVC-Timestamp: missing/],
    [{ signature: '' }, /^SVC-Signature: missing/],
    [{ contentSha256: '' }, /^SVC-Content-Sha256: missing/],
    [{ keyId: 'nobody' }, /^SVC-Key-Id: signing key "nobody" is unknown$/],
    [{ timestamp: 'now' }, /^SVC-Timestamp: must be Unix seconds as a decimal integer, not "now"$/],
    [{ contentSha256: '00' }, /^SVC-Content-Sha256: must be a SHA-256 as 64 hex digits, not "00"$/],
    [{ signature: 'AA==' }, /^SVC-Signature: must be the 64-byte signature in base64 .*, not "AA=="$/],
  ];

  it.each(faults.map(([fault, message], at) => ({ fault, message, at })))('$message', ({ message, at }) => {
    // This request has this fault and every fault that is checked later.
    const later: SignedRequest = Object.assign(
      {},
      signedRequest(),
      ...faults
        .slice(at)
        .reverse()
        .map(([fault]) => fault),
    );
    expect(messageOf(later)).toMatch(message);
  });

  it('a revoked key before the clock, the clock before the body', () => {
    const stale = signedRequest({ keyId: 'old', timestamp: '1795237101', contentSha256: BODY_SHA256 });
    expect(messageOf(stale)).toBe('SVC-Key-Id: signing key "old" is revoked');
    expect(messageOf({ ...stale, keyId: 'key-1' })).toMatch(/^SVC-Timestamp: must be within/);
  });
});

describe('the timestamp', () => {
  it.each([
    '-01',
    '-0',
    '+1795237201',
    '01795237201',
    '1795237201.5',
    '1.795e9',
    '0x6b',
    ' 1795237201',
    '1795237201\n',
    '١',
    '9'.repeat(40),
  ])('is not %j', timestamp => {
    expect(messageOf(signedRequest({ timestamp }))).toMatch(
      /^SVC-Timestamp: must be Unix seconds as a decimal integer, not "/,
    );
  });

  it('may be 30 s off in either direction, to the millisecond', () => {
    const signedAtMs = 1_795_237_201_000;
    for (const offMs of [-30_000, 0, 30_000]) {
      expect(precheck(signedRequest(), keyring.signingKey('key-1'), (signedAtMs + offMs) as UnixMillis).ok).toBe(true);
    }
    for (const offMs of [-30_001, 30_001]) {
      expect(precheck(signedRequest(), keyring.signingKey('key-1'), (signedAtMs + offMs) as UnixMillis).ok).toBe(false);
    }
  });

  it('is answered with both clocks', () => {
    expect(messageOf(signedRequest({ timestamp: '1795237301' }))).toBe(
      "SVC-Timestamp: must be within 30 s (signatureAgeS) of the server clock: yours is 1795237301, the server's 1795237201.25, " +
        'yours is 99750 ms ahead; set your clock by SVC-Server-Time',
    );
    expect(messageOf(signedRequest({ timestamp: '0' }))).toContain('yours is 1795237201250 ms behind');
    expect(messageOf(signedRequest({ timestamp: '-1' }))).toContain('yours is 1795237202250 ms behind; set your clock');
  });

  it.each([
    ['milliseconds', '1795237201250', '1793441964048750'],
    ['nanoseconds', '1795237201250000000', '1795237199454762798750'],
  ])('in %s is answered with both clocks', (_unit, timestamp, aheadMs) => {
    expect(messageOf(signedRequest({ timestamp }))).toBe(
      `SVC-Timestamp: must be within 30 s (signatureAgeS) of the server clock: yours is ${timestamp}, the server's ` +
        `1795237201.25, yours is ${aheadMs} ms ahead; it counts seconds`,
    );
  });
});

describe('the body', () => {
  it('is answered with both hashes', () => {
    expect(messageOf(signedRequest({ body: BODY }))).toBe(
      `SVC-Content-Sha256: must be the SHA-256 of the body as sent: yours is ${EMPTY_SHA256}, ` +
        `that of the 11 bytes received ${BODY_SHA256}`,
    );
    expect(messageOf(signedRequest({ contentSha256: BODY_SHA256 }))).toContain(
      `that of the 0 bytes received ${EMPTY_SHA256}`,
    );
  });
});

describe('a wrong signature', () => {
  it('is answered with the string that the server built, to be compared', () => {
    const check = checkOf(signedRequest({ target: '/v1/markets?q="Ž"', idempotencyKey: 'a\tb' }));
    const message = signatureWrong(check);
    const quoted = message.slice(message.indexOf('"'));
    expect(message).toMatch(/^SVC-Signature: must be this signing key's signature of the string "GET\\n/);
    expect(JSON.parse(quoted)).toBe(check.message);
  });

  it('shows at most the first part of a very long one', () => {
    const check = checkOf(signedRequest({ target: `/v1/markets?q=${'ž'.repeat(16_000)}` }));
    expect(signatureWrong(check)).toMatch(/\\u017e" \(the first 264 of 16096 characters\)$/);
  });
});

describe('any request', () => {
  const right = signedRequest();
  const text = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 40 }),
    fc.string({ unit: 'binary', minLength: 1_000, maxLength: 3_000 }),
    fc.stringMatching(/^[0-9]{1,40}$/),
    fc.constantFrom('', '__proto__', 'NaN', '-0', '1795237201', EMPTY_SHA256, right.signature, 'key-1', 'old'),
  );
  const maybe = (value: string) =>
    fc.oneof({ weight: 3, arbitrary: fc.constant(value) }, { weight: 1, arbitrary: text });
  const request = fc.record<SignedRequest>({
    method: maybe(right.method),
    target: maybe(right.target),
    body: fc.oneof(fc.constant(right.body), fc.uint8Array({ maxLength: 20 })),
    keyId: maybe(right.keyId),
    timestamp: maybe(right.timestamp),
    signature: maybe(right.signature),
    contentSha256: maybe(right.contentSha256),
    idempotencyKey: maybe(right.idempotencyKey),
    notAfter: maybe(right.notAfter),
  });

  it('there is a verdict, in printable ASCII of bounded length', () => {
    fc.assert(
      fc.property(request, it => {
        const result = precheck(it, keyring.signingKey(it.keyId), NOW_MS);
        const message = result.ok ? signatureWrong(result.value.check) : result.error.message;
        expect(message).toMatch(/^SVC-(Key-Id|Timestamp|Signature|Content-Sha256): [\x20-\x7e]+$/);
        expect(message.length).toBeLessThan(2_000);
        if (!result.ok) return;
        const isSigned = (['method', 'target', 'idempotencyKey', 'notAfter'] as const).every(
          field => it[field] === right[field],
        );
        expect(verifySignature(result.value.check)).toBe(isSigned && it.timestamp === right.timestamp);
      }),
      { numRuns: 500 },
    );
  });
});

it.each([
  ['plain', '"plain"'],
  ['', '""'],
  ['two\nlines\t"quoted" \\', '"two\\nlines\\u0009\\"quoted\\" \\\\"'],
  ['\u007f Ž 🏀 \ud800', '"\\u007f \\u017d \\ud83c\\udfc0 \\ud800"'],
])('%j is quoted as %s', (text, quoted) => {
  expect(quoteAscii(text, 100)).toBe(quoted);
});

it('a long text is cut between characters, and shows that it is cut', () => {
  expect(quoteAscii('abcdef', 6)).toBe('"abcdef"');
  expect(quoteAscii('abcdefg', 6)).toBe('"abcdef" (the first 6 of 7 characters)');
  expect(quoteAscii('abŽde', 6)).toBe('"ab" (the first 2 of 5 characters)');
});

it('any text is printable ASCII within the bound, and JSON of itself as far as it goes', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'binary', maxLength: 50 }),
      fc.integer({ min: 0, max: 200 }),
      (text, charactersMax) => {
        const quoted = quoteAscii(text, charactersMax);
        expect(quoted).toMatch(/^[\x20-\x7e]*$/);
        const end = quoted.lastIndexOf('"') + 1;
        expect(end).toBeLessThanOrEqual(charactersMax + 2);
        const back = JSON.parse(quoted.slice(0, end));
        if (end === quoted.length) expect(back).toBe(text);
        else expect(quoted.slice(end)).toBe(` (the first ${back.length} of ${text.length} characters)`);
        expect(text.startsWith(back)).toBe(true);
      },
    ),
  );
});
