// Times as text: the result of `Date.parse` where that is reliable, UTC without a zone, and no day outside the calendar.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isoDayMillisOf, isoMillisOf } from '../../../src/core/domain/iso-time.ts';

const AT = Date.UTC(2026, 9, 8, 2, 5, 6, 789);

describe('a time', () => {
  it.each([
    ['2026-10-08T02:05:06.789Z', AT],
    ['2026-10-08T02:05:06.789', AT],
    ['2026-10-08 02:05:06.789', AT],
    ['2026-10-08t02:05:06.789z', AT],
    ['2026-10-08T02:05:06.789999999Z', AT],
    ['2026-10-08T04:05:06.789+02:00', AT],
    ['2026-10-08 04:05:06.789+02', AT],
    ['2026-10-07T20:35:06.789-0530', AT],
    ['2026-10-08T02:05:06.7Z', AT - 89],
    ['2026-10-08T02:05:06', AT - 789],
    ['2026-10-08T02:05Z', AT - 6_789],
    ['2024-02-29T00:00:00Z', Date.UTC(2024, 1, 29)],
    ['1970-01-01T00:00:00Z', 0],
  ])('%s', (text, at) => {
    expect(isoMillisOf(text)).toBe(at);
  });

  it.each([
    '',
    '5',
    '2026',
    '2026-10-08',
    '2026-10-08T',
    '2026-10-08T02',
    '2026-02-30T00:00:00Z',
    '2025-02-29T00:00:00Z',
    '2100-02-29T00:00:00Z',
    '2026-04-31T00:00:00Z',
    '2026-13-01T00:00:00Z',
    '2026-00-10T00:00:00Z',
    '2026-10-00T00:00:00Z',
    '2026-10-08T24:00:00Z',
    '2026-10-08T02:60:00Z',
    '2026-10-08T02:05:60Z',
    '2026-10-08T02:05:06,7Z',
    '2026-10-08T02:05:06.Z',
    '2026-10-08T02:05:06+24:00',
    '2026-10-08T02:05:06+02:60',
    '2026-10-08T02:05:06 EST',
    '2026-10-08T02:05:06Z ',
    ' 2026-10-08T02:05:06Z',
    '+020000-01-01T00:00:00Z',
    'Thu, 08 Oct 2026 02:05:06 GMT',
  ])('is not “%s”', text => {
    expect(isoMillisOf(text)).toBeNull();
  });
});

describe('a day', () => {
  it('begins in UTC', () => {
    expect(isoDayMillisOf('2026-10-08')).toBe(Date.UTC(2026, 9, 8));
  });

  it.each(['2026-02-30', '2026-1-1', '2026-10-08T00:00:00Z', '20261008', ''])('is not “%s”', text => {
    expect(isoDayMillisOf(text)).toBeNull();
  });
});

it('every possible time says the same as in its text', () => {
  fc.assert(
    fc.property(fc.integer({ min: -62_135_596_800_000, max: 253_402_300_799_999 }), at => {
      const text = new Date(at).toISOString();
      expect([isoMillisOf(text), isoMillisOf(text.slice(0, -1))]).toEqual([at, at]);
    }),
    { numRuns: 2_000 },
  );
});

it('a day of numbers is a day if the calendar has it', () => {
  const two = (number: number): string => String(number).padStart(2, '0');
  fc.assert(
    fc.property(fc.integer({ min: 1_000, max: 9_999 }), fc.nat(13), fc.nat(32), (year, month, day) => {
      const at = Date.UTC(year, month - 1, day);
      const isThere = new Date(at).getUTCMonth() === month - 1 && new Date(at).getUTCDate() === day && month > 0;
      expect(isoDayMillisOf(`${year}-${two(month)}-${two(day)}`)).toBe(isThere ? at : null);
    }),
    { numRuns: 2_000 },
  );
});
