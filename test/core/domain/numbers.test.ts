// Decimal text to integers and back: exact, canonical, and never a silent rounding (contract §1).

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  complementTicks,
  formatMicroDollars,
  formatMicroShares,
  formatTicks,
  type MicroDollars,
  type MicroShares,
  parseMicroShares,
  parseTicks,
  TICKS_PER_DOLLAR,
  type Ticks,
} from '../../../src/core/domain/numbers.ts';

const anyTicks = fc.integer({ min: 0, max: TICKS_PER_DOLLAR }) as fc.Arbitrary<Ticks>;
const anyMicros = fc.oneof(
  fc.maxSafeNat(),
  fc.integer({ min: 0, max: 2_000_000 }),
  fc.integer({ min: 0, max: 1_000 }).map(below => Number.MAX_SAFE_INTEGER - below),
) as fc.Arbitrary<MicroShares>;
const canonical = /^(0|[1-9]\d*)(\.\d*[1-9])?$/;

describe('prices', () => {
  it.each([
    ['0.5300', 5_300, '0.53'],
    ['0.530000', 5_300, '0.53'],
    ['.5', null, null],
    ['0.0001', 1, '0.0001'],
    ['1', 10_000, '1'],
    ['1.0000', 10_000, '1'],
    ['00.5', 5_000, '0.5'],
    ['0', 0, '0'],
    ['0.53001', null, null],
    ['1.0001', null, null],
    ['-0.5', null, null],
    ['+0.5', null, null],
    ['5e-1', null, null],
    ['0.5.', null, null],
    ['0.', null, null],
    ['', null, null],
    [' 0.5', null, null],
    ['0x1', null, null],
    ['NaN', null, null],
  ])('reads %j as %j ticks', (text, ticks, formatted) => {
    expect(parseTicks(text)).toBe(ticks);
    if (ticks !== null) expect(formatTicks(ticks as Ticks)).toBe(formatted);
  });

  it('come back from their own text', () => {
    fc.assert(
      fc.property(anyTicks, ticks => {
        expect(formatTicks(ticks)).toMatch(canonical);
        expect(parseTicks(formatTicks(ticks))).toBe(ticks);
      }),
    );
  });

  it('have a complement that is its own inverse and sums to a dollar', () => {
    fc.assert(
      fc.property(anyTicks, ticks => {
        expect(complementTicks(complementTicks(ticks))).toBe(ticks);
        expect(ticks + complementTicks(ticks)).toBe(TICKS_PER_DOLLAR);
      }),
    );
  });
});

describe('sizes', () => {
  it('come back from their own text, up to 2^53', () => {
    fc.assert(
      fc.property(anyMicros, micros => {
        expect(formatMicroShares(micros)).toMatch(canonical);
        expect(parseMicroShares(formatMicroShares(micros))).toBe(micros);
      }),
    );
  });

  it('say what arithmetic without bounds says', () => {
    fc.assert(
      fc.property(anyMicros, micros => {
        const exact = BigInt(micros);
        const text = `${exact / 1_000_000n}.${String(exact % 1_000_000n).padStart(6, '0')}`;
        expect(parseMicroShares(text)).toBe(micros);
        expect(parseMicroShares(`${text}000`)).toBe(micros);
      }),
    );
  });

  it('beyond 2^53 micro-shares are unreadable, not rounded', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 2n ** 53n, max: 10n ** 24n }), micros => {
        const text = `${micros / 1_000_000n}.${String(micros % 1_000_000n).padStart(6, '0')}`;
        expect(parseMicroShares(text)).toBeNull();
      }),
    );
    expect(parseMicroShares('9007199254.740991')).toBe(Number.MAX_SAFE_INTEGER);
    expect(parseMicroShares('9007199254.740992')).toBeNull();
    expect(parseMicroShares('9007199254.740993')).toBeNull();
  });

  it('with a digit beyond the sixth decimal are unreadable', () => {
    fc.assert(
      fc.property(fc.nat(999_999), fc.nat(5), fc.integer({ min: 1, max: 9 }), (whole, zeros, digit) => {
        expect(parseMicroShares(`${whole}.000000${'0'.repeat(zeros)}${digit}`)).toBeNull();
      }),
    );
  });

  it('read any text into a safe integer or null, and agree with Number where that is exact', () => {
    const numberish = fc.string({ unit: fc.constantFrom(...'0123456789.-+eE '), maxLength: 24 });
    fc.assert(
      fc.property(fc.oneof(fc.string(), numberish), text => {
        const micros = parseMicroShares(text);
        if (micros === null) return;
        expect(Number.isSafeInteger(micros) && micros >= 0).toBe(true);
        if (micros < 1e9) expect(micros).toBe(Math.round(Number(text) * 1e6));
      }),
    );
  });
});

describe('money', () => {
  it('is written as sizes are, with its sign', () => {
    fc.assert(
      fc.property(anyMicros, micros => {
        expect(formatMicroDollars(micros as number as MicroDollars)).toBe(formatMicroShares(micros));
        if (micros === 0) return;
        expect(formatMicroDollars(-micros as MicroDollars)).toBe(`-${formatMicroShares(micros)}`);
      }),
    );
  });
});
