// Registration of public keys, compared with the strict decoding of @noble/ed25519 and its own test for small order.

import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { publicKeyOf } from '../../../src/core/auth/key-pair.ts';
import { validatePublicKey } from '../../../src/core/auth/public-key.ts';
import { basePointTimes, decode, NON_CANONICAL_POINTS, SMALL_ORDER_POINTS } from './crafted-signatures.ts';

const hexOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');
const PUBLIC_KEY = 'd75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a';

describe('a public key', () => {
  it('is accepted in hex of either case and kept in lower case', async () => {
    expect(validatePublicKey(PUBLIC_KEY.toUpperCase())).toEqual({ ok: true, value: PUBLIC_KEY });
    for (let count = 0; count < 20; count++) {
      const publicKeyHex = await publicKeyOf(randomBytes(32).toString('hex'));
      expect(validatePublicKey(publicKeyHex)).toEqual({ ok: true, value: publicKeyHex });
    }
  });

  it.each([
    ['nothing', ''],
    ['31 bytes', PUBLIC_KEY.slice(2)],
    ['33 bytes', `${PUBLIC_KEY}00`],
    ['base64', '11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo='],
    ['a digit that is none', PUBLIC_KEY.replace('d', 'g')],
    ['white space', ` ${PUBLIC_KEY.slice(1)}`],
    ['0x', `0x${PUBLIC_KEY.slice(2)}`],
    ['a line feed at its end', `${PUBLIC_KEY}\n`],
  ])('is refused as %s', (_name, text) => {
    expect(validatePublicKey(text)).toEqual({ ok: false, error: 'must be 32 bytes as 64 hex digits' });
  });

  it.each(NON_CANONICAL_POINTS)('is refused in another encoding: %s', (_name, encoding) => {
    expect(validatePublicKey(hexOf(encoding))).toEqual({ ok: false, error: 'is not in its canonical encoding' });
  });

  it('is refused if it is one of the eight points of small order', () => {
    const keys = SMALL_ORDER_POINTS.map(point => point.toHex());
    expect(new Set(keys).size).toBe(8);
    for (const key of keys) expect(validatePublicKey(key)).toEqual({ ok: false, error: 'is a point of small order' });
  });

  it('is accepted with a part of small order: contract §2 asks for no more', () => {
    for (const point of SMALL_ORDER_POINTS) {
      expect(validatePublicKey(basePointTimes(7n).add(point).toHex()).ok).toBe(true);
    }
  });

  it('is refused off the curve', () => {
    const offCurve = `02${'00'.repeat(31)}`;
    expect(decode(Buffer.from(offCurve, 'hex'))).toBeNull();
    expect(validatePublicKey(offCurve)).toEqual({ ok: false, error: 'is not a point of the curve' });
  });
});

it('any 32 bytes are judged as by an independent implementation', () => {
  const nearTheEdges = fc.bigInt(-40n, 40n).map(near => BigInt.asUintN(256, near));
  const nearThePrime = fc.bigInt(2n ** 255n - 60n, 2n ** 255n + 40n);
  const anything = fc.oneof(fc.bigInt(0n, 2n ** 256n - 1n), nearTheEdges, nearThePrime);
  fc.assert(
    fc.property(anything, value => {
      const hex = value.toString(16).padStart(64, '0').match(/../g)!.reverse().join('');
      const point = decode(Buffer.from(hex, 'hex'));
      expect(validatePublicKey(hex).ok).toBe(point !== null && !point.isSmallOrder());
    }),
    { numRuns: 500 },
  );
});
