// The checksum of a book against text built by hand, a bit-by-bit CRC and zlib's.

import { crc32 } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Level } from '../../../src/core/domain/market.ts';
import { checksumLevels } from '../../../src/market-data/book/checksum.ts';
import { naiveChecksum, naiveChecksumText, naiveCrc32 } from '../../support/naive-checksum.ts';

/** Sizes in which every count of digits before and after the point is likely. */
const micros = fc.oneof(
  fc.integer({ min: 1, max: 999 }),
  fc
    .tuple(fc.integer({ min: 1, max: 999_999 }), fc.integer({ min: 0, max: 10 }))
    .map(([digits, zeros]) => Math.min(digits * 10 ** zeros, Number.MAX_SAFE_INTEGER)),
  fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }),
);
const level = fc.record({ price: fc.integer({ min: 0, max: 10_000 }), size: micros }) as unknown as fc.Arbitrary<Level>;
const side = fc.array(level, { maxLength: 13 });

describe('checksum', () => {
  it('is the CRC-32 of the text that the contract describes', () => {
    fc.assert(
      fc.property(side, side, (bids, asks) => {
        expect(checksumLevels(bids, asks)).toBe(naiveChecksum(bids, asks));
        expect(checksumLevels(bids, asks)).toBe(crc32(naiveChecksumText(bids, asks)));
      }),
      { numRuns: 500 },
    );
  });

  it.each([
    [10, 1],
    [9_999, 999_999],
    [5_300, 1_000_000],
    [1, 9_999_990_000],
    [100, 10_000_000_000],
    [2_500, 99_999_999_000_000],
    [2_500, 100_000_000_000_000],
    [9_999, Number.MAX_SAFE_INTEGER],
  ])('has no trouble at the edges of its digit groups: %i:%i', (price, size) => {
    const levels = Array(10).fill({ price, size }) as Level[];
    expect(checksumLevels(levels, levels)).toBe(naiveChecksum(levels, levels));
  });

  it('of an empty book is 0', () => {
    expect(checksumLevels([], [])).toBe(0);
  });

  it('of the worked example', () => {
    const bids = [
      { price: 5_300, size: 100_000_000 },
      { price: 5_200, size: 24_370_000 },
    ] as Level[];
    const asks = [{ price: 5_500, size: 10_000 }] as Level[];
    expect(naiveChecksumText(bids, asks)).toBe('0.53:100|0.52:24.37|0.55:0.01');
    expect(checksumLevels(bids, asks)).toBe(crc32('0.53:100|0.52:24.37|0.55:0.01'));
  });
});

describe('the naive CRC', () => {
  it('has the check value of the standard', () => {
    expect(naiveCrc32('123456789')).toBe(0xcbf43926);
  });
});
