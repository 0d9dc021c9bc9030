// Times in queries of lists: only those of the calendar are valid.

import { expect, it } from 'vitest';
import { readTime } from '../../../src/catalog/catalog-lists.ts';

it.each([
  ['2026-11-20T18:30:00Z', '2026-11-20T18:30:00.000Z'],
  ['2024-02-29t00:00:00.5z', '2024-02-29T00:00:00.500Z'],
  ['2026-12-31T23:30:00-05:00', '2027-01-01T04:30:00.000Z'],
])('%s is a time', (text, iso) => {
  expect(readTime('startsAfter', text)).toEqual({ ok: true, value: Date.parse(iso) });
});

it.each([
  '2026-02-31T00:00:00Z',
  '2026-02-29T00:00:00Z',
  '2026-13-01T00:00:00Z',
  '2026-11-20T24:00:00Z',
  '2026-11-20T23:59:60Z',
  '2026-11-20',
  'tomorrow',
])('%s is no filter', text => {
  expect(readTime('startsAfter', text)).toEqual({ ok: false, error: expect.stringMatching(/^startsAfter: /) });
});
