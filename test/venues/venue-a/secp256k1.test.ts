// secp256k1 of the native library against node:crypto, which signs and verifies by itself, and against a recovery in BigInt.

import { createECDH, createHash, createPrivateKey, type KeyObject, sign as opensslSign, verify } from 'node:crypto';
import { inspect } from 'node:util';
import { keccak_256 } from '@noble/hashes/sha3.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addressOf, readPrivateKey, recoverAddress, sign } from '../../../src/venues/venue-a/secp256k1.ts';
import { N, naiveRecover, toHex, toNumber } from '../../support/naive-secp256k1.ts';
import { privateKeyOf, TEST_ADDRESS, TEST_KEY, TEST_KEY_TEXT } from '../../support/venue-a-orders.ts';

const anyKeyText = fc.oneof(fc.bigInt(1n, N - 1n), fc.constantFrom(1n, 2n, N - 1n)).map(toHex);
const anyDigest = fc.uint8Array({ minLength: 32, maxLength: 32 });
const sha256 = (message: Uint8Array): Buffer => createHash('sha256').update(message).digest();

/** Returns the same key in OpenSSL, and its address computed from OpenSSL's public key. */
function openssl(keyText: string): { key: KeyObject; address: string } {
  const ecdh = createECDH('secp256k1');
  ecdh.setPrivateKey(keyText, 'hex');
  const point = ecdh.getPublicKey();
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map(part => part.toString('base64url'));
  const d = Buffer.from(keyText, 'hex').toString('base64url');
  const key = createPrivateKey({ key: { kty: 'EC', crv: 'secp256k1', d, x: x!, y: y! }, format: 'jwk' });
  const hash = Buffer.from(keccak_256(point.subarray(1)));
  return { key, address: `0x${hash.toString('hex').slice(24)}` };
}

/** Joins r and s, given as numbers, and v, given as a byte. */
function signatureOf(r: bigint, s: bigint, v: number): Uint8Array {
  return Buffer.from(toHex(r) + toHex(s) + v.toString(16).padStart(2, '0'), 'hex');
}

const partsOf = (signature: Uint8Array) => ({
  r: toNumber(signature.subarray(0, 32)),
  s: toNumber(signature.subarray(32, 64)),
  v: signature[64]!,
});

describe('signing', () => {
  it('makes what OpenSSL verifies, with a low s, from which the address of the key is recovered', () =>
    fc.assert(
      fc.property(anyKeyText, fc.uint8Array({ maxLength: 100 }), (keyText, message) => {
        const { key, address } = openssl(keyText);
        const privateKey = privateKeyOf(keyText);
        const digest = sha256(message);
        const signature = sign(digest, privateKey);
        const { s, v } = partsOf(signature);
        expect(signature).toHaveLength(65);
        expect(verify('sha256', message, { key, dsaEncoding: 'ieee-p1363' }, signature.subarray(0, 64))).toBe(true);
        expect(s <= N / 2n && (v === 27 || v === 28)).toBe(true);
        expect(addressOf(privateKey)).toBe(address);
        expect(recoverAddress(digest, signature)).toBe(address);
        expect(sign(digest, privateKey)).toEqual(signature);
      }),
      { numRuns: 200 },
    ));

  it('knows the address of the test key', () => expect(addressOf(TEST_KEY)).toBe(TEST_ADDRESS));
});

describe('recovering', () => {
  it('finds the signer of what OpenSSL has signed, whether its s is low or high', () => {
    const { key, address } = openssl(TEST_KEY_TEXT.slice(2));
    const halves = new Set<boolean>();
    for (let index = 0; index < 40; index++) {
      const message = Buffer.from(`message ${index}`);
      const rs = opensslSign('sha256', message, { key, dsaEncoding: 'ieee-p1363' });
      halves.add(toNumber(rs.subarray(32)) > N / 2n);
      const recovered = [27, 28].map(v => recoverAddress(sha256(message), Buffer.concat([rs, Buffer.from([v])])));
      expect(recovered).toContain(address);
    }
    // Both halves occur. The chance that one half never occurs is 2^-39.
    expect([...halves].sort()).toEqual([false, true]);
  });

  it('takes the mirrored s with the other v: the same signer', () => {
    const digest = sha256(Buffer.from('malleable'));
    const { r, s, v } = partsOf(sign(digest, TEST_KEY));
    expect(recoverAddress(digest, signatureOf(r, N - s, 55 - v))).toBe(TEST_ADDRESS);
    expect(recoverAddress(digest, signatureOf(r, N - s, v))).not.toBe(TEST_ADDRESS);
  });

  it('agrees with recovery by the book on any numbers', () => {
    const anyScalar = fc.oneof(fc.bigInt(1n, N - 1n), fc.constantFrom(0n, 1n, 2n, N / 2n, N - 1n, N, 2n ** 256n - 1n));
    fc.assert(
      fc.property(anyDigest, anyScalar, anyScalar, fc.boolean(), (digest, r, s, isOdd) => {
        const recovered = recoverAddress(digest, signatureOf(r, s, isOdd ? 28 : 27));
        expect(recovered).toBe(naiveRecover(digest, r, s, isOdd));
      }),
      { numRuns: 60 },
    );
  });

  const digest = sha256(Buffer.from('a digest'));
  const { r, s, v } = partsOf(sign(digest, TEST_KEY));
  it.each([
    ['r is zero', signatureOf(0n, s, v)],
    ['s is zero', signatureOf(r, 0n, v)],
    ['r is the order', signatureOf(N, s, v)],
    ['s is the order', signatureOf(r, N, v)],
    ['r is beyond', signatureOf(2n ** 256n - 1n, s, v)],
    ['s is beyond', signatureOf(r, 2n ** 256n - 1n, v)],
    ['r is no x of the curve', signatureOf(5n, s, v)],
    ['v is 0', signatureOf(r, s, 0)],
    ['v is 1', signatureOf(r, s, 1)],
    ['v is 26', signatureOf(r, s, 26)],
    ['v is 29', signatureOf(r, s, 29)],
    ['it is empty', new Uint8Array(0)],
    ['v is missing', signatureOf(r, s, v).subarray(0, 64)],
    ['a byte follows', Buffer.concat([signatureOf(r, s, v), Buffer.alloc(1)])],
  ])('has nobody where %s', (_what, signature) => expect(recoverAddress(digest, signature)).toBeNull());

  it('never throws on any bytes', () =>
    fc.assert(
      fc.property(anyDigest, fc.uint8Array({ maxLength: 80 }), (anyOf32, bytes) => {
        const recovered = recoverAddress(anyOf32, bytes);
        if (bytes.length !== 65) expect(recovered).toBeNull();
      }),
      { numRuns: 500 },
    ));

  it('never throws on any 65 bytes', () =>
    fc.assert(
      fc.property(anyDigest, fc.uint8Array({ minLength: 64, maxLength: 64 }), fc.nat(30), (anyOf32, rs, end) => {
        const recovered = recoverAddress(anyOf32, Buffer.concat([rs, Buffer.from([end])]));
        expect(recovered === null || /^0x[0-9a-f]{40}$/.test(recovered)).toBe(true);
      }),
      { numRuns: 500 },
    ));
});

describe('private keys', () => {
  it.each([
    ['', 'nothing'],
    ['0x', 'no digits'],
    [toHex(0n), 'zero'],
    [toHex(N), 'the order of the curve'],
    [toHex(2n ** 256n - 1n), 'beyond it'],
    [`${TEST_KEY_TEXT}00`, 'a byte too many'],
    [TEST_KEY_TEXT.slice(0, -2), 'a byte too few'],
    [TEST_KEY_TEXT.replace('ac', 'zz'), 'not hex'],
    [` ${TEST_KEY_TEXT}`, 'a blank before it'],
  ])('%j is no private key: %s', text => {
    const key = readPrivateKey(text);
    expect(key.ok).toBe(false);
    if (!key.ok)
      expect(key.error).toBe('a private key of venue A is 64 hex digits, above zero and below the order of secp256k1');
  });

  it('are read with 0x or without, and in either case', () => {
    for (const text of [TEST_KEY_TEXT, TEST_KEY_TEXT.slice(2), TEST_KEY_TEXT.slice(2).toUpperCase()])
      expect(addressOf(privateKeyOf(text))).toBe(TEST_ADDRESS);
  });

  it('show themselves neither in a log, nor in JSON, nor in the error of a misuse', () => {
    const shown = inspect(TEST_KEY, { depth: 10, showHidden: true }) + JSON.stringify(TEST_KEY) + String(TEST_KEY);
    let error = '';
    try {
      sign(new Uint8Array(31), TEST_KEY);
    } catch (thrown) {
      error = inspect(thrown);
    }
    expect(error).toContain('a digest has 32 bytes');
    expect(shown + error).not.toMatch(/ac0974bec|172,\s*9,\s*116/);
  });
});
