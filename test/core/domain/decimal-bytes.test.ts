// Digits and times written as bytes, compared with those of strings.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  literal,
  SPILL_BYTES,
  writeInteger,
  writeLiteral,
  writePrice,
  writeSize,
  writeUint32,
} from '../../../src/core/domain/decimal-bytes.ts';
import {
  formatMicroShares,
  formatTicks,
  type MicroShares,
  TICKS_PER_DOLLAR,
  type Ticks,
  type UnixMillis,
} from '../../../src/core/domain/numbers.ts';
import { TimesText } from '../../../src/core/wire/time-text.ts';
import { count, size, time } from '../wire/arbitraries.ts';

const BEFORE = 3;
const TEXT_BYTES_MAX = 24;
const UNTOUCHED = 0x7e;

/** Returns the text that `write` writes. Checks that `write` changes no byte before its start or beyond its permitted spill. */
function written(write: (view: DataView, at: number) => number): string {
  const bytes = new Uint8Array(BEFORE + TEXT_BYTES_MAX + SPILL_BYTES + 8).fill(UNTOUCHED);
  const end = write(new DataView(bytes.buffer), BEFORE);
  expect(bytes.subarray(0, BEFORE)).toEqual(new Uint8Array(BEFORE).fill(UNTOUCHED));
  const beyond = bytes.subarray(end + SPILL_BYTES);
  expect(beyond).toEqual(new Uint8Array(beyond.length).fill(UNTOUCHED));
  return Buffer.from(bytes.subarray(BEFORE, end)).toString();
}

describe('numbers written as bytes', () => {
  it('every price', () => {
    const prices = Array.from({ length: TICKS_PER_DOLLAR + 1 }, (_, ticks) => ticks as Ticks);
    const wrong = prices.filter(ticks => written((view, at) => writePrice(view, at, ticks)) !== formatTicks(ticks));
    expect(wrong).toEqual([]);
  });

  it('sizes', () => {
    const check = (micros: MicroShares) => {
      expect(written((view, at) => writeSize(view, at, micros))).toBe(formatMicroShares(micros));
    };
    check(0 as MicroShares);
    fc.assert(fc.property(size, check), { numRuns: 2_000 });
  });

  it('integers below 2^53', () => {
    const check = (value: number) => {
      expect(written((view, at) => writeInteger(view, at, value))).toBe(String(value));
    };
    check(0);
    fc.assert(fc.property(count, check), { numRuns: 2_000 });
  });

  it('integers below 2^32', () => {
    const check = (value: number) => {
      expect(written((view, at) => writeUint32(view, at, value))).toBe(String(value));
    };
    for (let power = 1; power < 32; power++) check(2 ** power - 1);
    fc.assert(fc.property(fc.integer({ min: 0, max: 0xffff_ffff }), check), { numRuns: 2_000 });
  });

  it('literals', () => {
    for (let length = 1; length <= 16; length++) {
      const text = '["bid","0.9999",'.slice(0, length);
      expect(written((view, at) => writeLiteral(view, at, literal(text)))).toBe(text);
    }
  });

  it.each(['', 'seventeen letters', 'é', '\n'])('%j is no literal', text => {
    expect(() => literal(text)).toThrow();
  });
});

describe('times written as bytes', () => {
  const textOf = (times: TimesText, venueTime: number, receivedAt: number) => {
    const bytes = new Uint8Array(100);
    const end = times.write(bytes, 0, venueTime as UnixMillis, receivedAt as UnixMillis);
    return Buffer.from(bytes.subarray(0, end)).toString();
  };
  const iso = (at: number) => new Date(at).toISOString();

  it('over any earlier text', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(time, time), { minLength: 1, maxLength: 10 }), pairs => {
        const times = new TimesText();
        for (const [venueTime, receivedAt] of pairs) {
          expect(textOf(times, venueTime, receivedAt)).toBe(
            `,"venueTime":"${iso(venueTime)}","receivedAt":"${iso(receivedAt)}"}`,
          );
          expect(textOf(times, 0, receivedAt)).toBe(`,"venueTime":null,"receivedAt":"${iso(receivedAt)}"}`);
        }
      }),
      { numRuns: 500 },
    );
  });

  it('over the turn of a minute, a day and a year', () => {
    const times = new TimesText();
    const newYear = Date.UTC(2027, 0, 1);
    for (let at = newYear - 3; at < newYear + 3; at++) {
      expect(textOf(times, at, at + 1)).toBe(`,"venueTime":"${iso(at)}","receivedAt":"${iso(at + 1)}"}`);
    }
  });

  it('a time beyond the year 9999 has no such text', () => {
    expect(textOf(new TimesText(), Number.MAX_SAFE_INTEGER, 1)).toContain('"9999-12-31T23:59:59.999Z"');
  });
});
