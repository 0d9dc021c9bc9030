// A wallet's attestation to venue A, against the vector of venue-a.md §1.1, and every other value that its four headers may have.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checksumAddress } from '../../../src/venues/venue-a/address.ts';
import { type L1Headers, verifyL1 } from '../../../src/venues/venue-a/auth.ts';
import { AMOY, POLYGON } from '../../../src/venues/venue-a/exchanges.ts';
import { addressOf } from '../../../src/venues/venue-a/secp256k1.ts';
import { privateKeyOf, signL1, TEST_ADDRESS, TEST_KEY } from '../../support/venue-a-orders.ts';

const SIGNATURE =
  '0xf62319a987514da40e57e2f4d7529f7bac38f0355bd88bb5adbb3768d80de6c1682518e0af677d5260366425f4361e7b70c25ae232aff0ab2331e2b164a1aedc1b';
const known: L1Headers = { address: TEST_ADDRESS, signature: SIGNATURE, timestamp: '10000000', nonce: '23' };
const claim = { ok: true, value: { address: TEST_ADDRESS, timestampS: 10_000_000, nonce: 23n } };

describe('an attestation', () => {
  it('is signed as the official clients do it', () => expect(signL1(TEST_KEY, AMOY, 10_000_000, 23n)).toEqual(known));

  it('is taken with the address in any case', () => {
    expect(verifyL1(known, AMOY)).toEqual(claim);
    expect(verifyL1({ ...known, address: checksumAddress(TEST_ADDRESS) }, AMOY)).toEqual(claim);
    expect(verifyL1({ ...known, signature: `0x${SIGNATURE.slice(2).toUpperCase()}` }, AMOY)).toEqual(claim);
  });

  it.each<[string, Partial<L1Headers>, string]>([
    ['another address', { address: addressOf(privateKeyOf('1'.repeat(64))) }, 'POLY_SIGNATURE: must be made by'],
    ['another time', { timestamp: '10000001' }, 'POLY_SIGNATURE: must be made by'],
    ['the same time written otherwise', { timestamp: '010000000' }, 'POLY_SIGNATURE: must be made by'],
    ['another nonce', { nonce: '24' }, 'POLY_SIGNATURE: must be made by'],
    ['a cut signature', { signature: SIGNATURE.slice(0, -2) }, 'POLY_SIGNATURE: must be made by'],
    ['half a byte', { signature: SIGNATURE.slice(0, -1) }, 'POLY_SIGNATURE: must be 0x and 65 bytes'],
    ['a longer signature', { signature: `${SIGNATURE}00` }, 'POLY_SIGNATURE: must be 0x and 65 bytes'],
    ['no address', { address: '' }, 'POLY_ADDRESS'],
    ['no signature', { signature: '' }, 'POLY_SIGNATURE'],
    ['no time', { timestamp: '' }, 'POLY_TIMESTAMP'],
    ['a time that is none', { timestamp: '1e7' }, 'POLY_TIMESTAMP'],
    ['no nonce', { nonce: '' }, 'POLY_NONCE'],
    ['a nonce that is none', { nonce: '-1' }, 'POLY_NONCE'],
    ['a nonce beyond a uint256', { nonce: '9'.repeat(78) }, 'POLY_NONCE'],
  ])('with %s is refused', (_what, change, error) => {
    const verdict = verifyL1({ ...known, ...change }, AMOY);
    expect(verdict).toEqual({ ok: false, error: expect.stringContaining(error) });
  });

  it('is of one chain', () => expect(verifyL1(known, POLYGON).ok).toBe(false));

  it('is refused without a throw, for any headers', () =>
    fc.assert(
      fc.property(
        fc.record({ address: fc.string(), signature: fc.string(), timestamp: fc.string(), nonce: fc.string() }),
        headers => {
          for (const [name, text] of Object.entries(headers)) {
            const changed = { ...known, [name]: text };
            if (text !== known[name as keyof L1Headers]) expect(verifyL1(changed, AMOY).ok).toBe(false);
          }
          expect(verifyL1(headers, AMOY).ok).toBe(false);
        },
      ),
    ));
});
