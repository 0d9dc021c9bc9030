// Venue B's signatures with both key types, checked by other means than those that made them. RSA-PSS is decoded by hand from the raw RSA
// operation (RFC 8017 §9.1.2). Web Crypto verifies Ed25519.

import {
  constants,
  createHash,
  generateKeyPairSync,
  type KeyObject,
  publicDecrypt,
  sign,
  webcrypto,
} from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createVenueBSigner, verifyVenueBRequest } from '../../../src/venues/venue-b/auth.ts';

const KEY_ID = 'a3f2c9d0-0000-4000-8000-000000000001';
const TIME = 1_781_159_348_379;
const URL_WITH_QUERY = 'https://venue.test/trade-api/v2/portfolio/balance?subaccount=0';
/** The signed text of the example in venue-b.md §2. */
const SIGNED_TEXT = '1781159348379GET/trade-api/v2/portfolio/balance';

const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
const ed25519 = generateKeyPairSync('ed25519');
const pem = (key: KeyObject, type: 'pkcs1' | 'pkcs8'): string => key.export({ type, format: 'pem' }).toString();

function signatureOf(privateKeyPem: string): Buffer {
  const headers = createVenueBSigner(KEY_ID, privateKeyPem)('GET', URL_WITH_QUERY, TIME);
  expect(Object.keys(headers).sort()).toEqual([
    'KALSHI-ACCESS-KEY',
    'KALSHI-ACCESS-SIGNATURE',
    'KALSHI-ACCESS-TIMESTAMP',
  ]);
  expect([headers['KALSHI-ACCESS-KEY'], headers['KALSHI-ACCESS-TIMESTAMP']]).toEqual([KEY_ID, String(TIME)]);
  return Buffer.from(headers['KALSHI-ACCESS-SIGNATURE'] ?? '', 'base64');
}

const sha256 = (...parts: Uint8Array[]): Buffer =>
  parts.reduce((hash, part) => hash.update(part), createHash('sha256')).digest();

/** Returns the MGF1 mask with SHA-256. */
function mask(seed: Uint8Array, length: number): Buffer {
  const blocks = Array.from({ length: Math.ceil(length / 32) }, (_, index) =>
    sha256(seed, Buffer.from([0, 0, 0, index])),
  );
  return Buffer.concat(blocks).subarray(0, length);
}

/** Returns the salt of a PSS signature with SHA-256 over `text`. Throws if the signature is not valid. */
function saltOf(signature: Uint8Array, key: KeyObject, text: string): Buffer {
  const encoded = publicDecrypt({ key, padding: constants.RSA_NO_PADDING }, signature);
  expect(encoded.at(-1)).toBe(0xbc);
  const maskedBlock = encoded.subarray(0, encoded.length - 33);
  const hash = encoded.subarray(encoded.length - 33, -1);
  const block = mask(hash, maskedBlock.length).map((byte, index) => byte ^ (maskedBlock[index] ?? 0));
  block[0] = (block[0] ?? 0) & 0x7f;
  const start = block.indexOf(1);
  expect(block.subarray(0, start).every(byte => byte === 0)).toBe(true);
  const salt = Buffer.from(block.subarray(start + 1));
  expect(sha256(Buffer.alloc(8), sha256(Buffer.from(text)), salt)).toEqual(hash);
  return salt;
}

describe('signing', () => {
  it.each(['pkcs1', 'pkcs8'] as const)('makes RSA-PSS-SHA256 with a salt of 32 bytes from a %s key', type => {
    const [first, second] = [signatureOf(pem(rsa.privateKey, type)), signatureOf(pem(rsa.privateKey, type))];
    expect(saltOf(first, rsa.publicKey, SIGNED_TEXT)).toHaveLength(32);
    expect(first.equals(second)).toBe(false);
  });

  it('makes plain Ed25519', async () => {
    const signature = signatureOf(pem(ed25519.privateKey, 'pkcs8'));
    const key = await webcrypto.subtle.importKey('jwk', ed25519.publicKey.export({ format: 'jwk' }), 'Ed25519', false, [
      'verify',
    ]);
    expect(await webcrypto.subtle.verify('Ed25519', key, signature, Buffer.from(SIGNED_TEXT))).toBe(true);
    // A key and a text have only one Ed25519 signature, from any signer.
    expect(signature).toEqual(sign(null, Buffer.from(SIGNED_TEXT), ed25519.privateKey));
  });

  it('refuses at once what is no private key of these types, without showing it', () => {
    const curve = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    expect(() => createVenueBSigner(KEY_ID, pem(curve.privateKey, 'pkcs8'))).toThrow('of type ec');
    expect(() => createVenueBSigner(KEY_ID, 'SECRET-THAT-IS-NO-PEM')).toThrow(
      /^the private key of venue B is not readable PEM of a private key$/,
    );
  });
});

describe('verifying', () => {
  const request = (privateKey: KeyObject) => ({
    method: 'GET',
    path: '/trade-api/v2/portfolio/balance?subaccount=7',
    timestamp: String(TIME),
    signature: signatureOf(pem(privateKey, 'pkcs8')).toString('base64'),
  });

  it.each([
    ['RSA', rsa],
    ['Ed25519', ed25519],
  ] as const)('accepts %s over timestamp, method and path, and nothing else', (_, pair) => {
    const signed = request(pair.privateKey);
    expect(verifyVenueBRequest(signed, pair.publicKey)).toBe(true);
    const others = [
      { method: 'DELETE' },
      { path: '/trade-api/ws/v2' },
      { timestamp: String(TIME + 1) },
      { signature: '' },
      { signature: 'AAAA' },
    ];
    for (const other of others) expect(verifyVenueBRequest({ ...signed, ...other }, pair.publicKey)).toBe(false);
    const stranger = generateKeyPairSync(pair === rsa ? 'rsa' : ('ed25519' as never), {
      modulusLength: 2048,
    }) as unknown as typeof rsa;
    expect(verifyVenueBRequest(signed, stranger.publicKey)).toBe(false);
  });
});
