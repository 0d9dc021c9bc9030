// Keccak-256 against known hashes and against another implementation, at every length around the blocks.

import { keccak_256 } from '@noble/hashes/sha3.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { writeHex } from '../../../src/venues/venue-a/address.ts';
import { keccak256 } from '../../../src/venues/venue-a/keccak.ts';

const BLOCK_BYTES = 136;

describe('the hash', () => {
  it.each([
    ['', '0xc5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470'],
    ['abc', '0x4e03657aea45a94fc7d47ba826c8d667c0d1e6e33a64a036ec44f58fa12d6c45'],
    [
      'EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)',
      '0x8b73c3c69bb8fe3d512ecc4cf759cc79239f7b179b0ffacaa9a75d522b39400f',
    ],
  ])('of %j differs from that of SHA-3', (text, hash) => {
    expect(writeHex(keccak256(text))).toBe(hash);
    expect(writeHex(keccak256(Buffer.from(text)))).toBe(hash);
  });

  it('is right at every length up to four blocks', () => {
    const bytes = Uint8Array.from({ length: 4 * BLOCK_BYTES + 1 }, (_, index) => (index * 167 + 13) & 0xff);
    for (let length = 0; length <= bytes.length; length++) {
      const message = bytes.subarray(bytes.length - length);
      expect(writeHex(keccak256(message))).toBe(writeHex(keccak_256(message)));
    }
  });

  it('is right of any bytes, and of any text in UTF-8', () =>
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 1_000 }), fc.string({ unit: 'grapheme' }), (bytes, text) => {
        expect(writeHex(keccak256(bytes))).toBe(writeHex(keccak_256(bytes)));
        expect(writeHex(keccak256(text))).toBe(writeHex(keccak_256(Buffer.from(text))));
      }),
    ));

  it('has memory of its own', () => {
    const first = keccak256('first');
    const copy = writeHex(first);
    keccak256('second');
    expect(writeHex(first)).toBe(copy);
  });
});
