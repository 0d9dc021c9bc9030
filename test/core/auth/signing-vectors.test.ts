// noble and OpenSSL make the published vectors; libsodium and noble verify them.

import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { precheck } from '../../../src/core/auth/check.ts';
import { verifySignature } from '../../../src/core/auth/ed25519.ts';
import { Keyring } from '../../../src/core/auth/keyring.ts';
import type { UnixMillis } from '../../../src/core/domain/numbers.ts';
import { assert } from '../../../src/core/domain/result.ts';
import { makeSigningVectors, type SigningVector, VECTORS_FILE } from '../../support/make-signing-vectors.ts';
import { signNatively } from '../../support/sign-natively.ts';
import { verifyPortably } from '../../support/verify-portably.ts';
import { recordsOf, signingKey } from './signed-requests.ts';

const published: readonly SigningVector[] = JSON.parse(readFileSync(VECTORS_FILE, 'utf8'));

it('the published vectors are what the generator makes', async () => {
  expect(published).toEqual(await makeSigningVectors());
});

it('the vectors cover what a caller may send', () => {
  expect(published.length).toBeGreaterThanOrEqual(8);
  expect(new Set(published.map(it => it.name)).size).toBe(published.length);
  expect(new Set(published.map(it => it.method))).toEqual(new Set(['GET', 'POST', 'DELETE']));
  for (const field of ['body', 'idempotencyKey', 'notAfter'] as const) {
    expect(
      published.some(it => it[field] === ''),
      field,
    ).toBe(true);
    expect(
      published.some(it => it[field] !== ''),
      field,
    ).toBe(true);
  }
  expect(
    published.some(it => /[+/]/.test(it.signatureBase64)),
    'the alphabets differ',
  ).toBe(true);
});

describe.each(published)('$name', vector => {
  const { seedHex, publicKeyHex, stringToSign: message } = vector;

  it('has the signature that OpenSSL makes', () => {
    const signature = Buffer.from(signNatively(message, seedHex));
    expect(signature.toString('base64')).toBe(vector.signatureBase64);
    expect(signature.toString('base64url')).toBe(vector.signatureBase64url);
  });

  it('is verified by both implementations', async () => {
    const signature = new Uint8Array(Buffer.from(vector.signatureBase64, 'base64'));
    expect(verifySignature({ publicKeyHex, message, signature })).toBe(true);
    expect(await verifyPortably({ publicKeyHex, message: new TextEncoder().encode(message), signature })).toBe(true);
  });

  it.each(['signatureBase64', 'signatureBase64url'] as const)(
    'is a request that passes every check, by its %s',
    text => {
      const keyring = new Keyring(recordsOf({ signingKeys: [signingKey({ publicKeyHex })] }));
      const body = new TextEncoder().encode(vector.body);
      const request = { ...vector, body, keyId: 'key-1', signature: vector[text] };
      const result = precheck(
        request,
        keyring.signingKey(request.keyId),
        (Number(vector.timestamp) * 1_000) as UnixMillis,
      );
      assert(result.ok, 'failed');
      expect(result.value.check.message).toBe(vector.stringToSign);
      expect(verifySignature(result.value.check)).toBe(true);
    },
  );
});
