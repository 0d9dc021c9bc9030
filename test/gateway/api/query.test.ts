// A query has one reading, or a refusal that names the parameter.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readQuery } from '../../../src/gateway/api/query.ts';

const NAMES = ['q', 'venue'];

describe('a query', () => {
  it('is read as browsers write it', () => {
    const value = fc.string({ unit: 'grapheme' });
    fc.assert(
      fc.property(value, value, (q, venue) => {
        const text = new URLSearchParams({ q, venue }).toString();
        expect(readQuery(text, NAMES)).toEqual({ ok: true, value: new Map(Object.entries({ q, venue })) });
      }),
    );
    expect(readQuery('&q=a=b&&venue', NAMES)).toEqual({
      ok: true,
      value: new Map([
        ['q', 'a=b'],
        ['venue', ''],
      ]),
    });
  });

  it.each([
    ['q=%zz', 'q: must be UTF-8, percent-encoded'],
    ['q=50%', 'q: must be UTF-8, percent-encoded'],
    ['venue=a&q=%ff', 'q: must be UTF-8, percent-encoded'],
    ['q=%ed%a0%80', 'q: must be UTF-8, percent-encoded'],
    ['q=a&q=b', 'q: given twice in the query'],
    ['%zz=1', '"%zz": unknown query parameter (known are q, venue)'],
    ['Q=1', '"Q": unknown query parameter (known are q, venue)'],
  ])('%s is refused', (query, error) => {
    expect(readQuery(query, NAMES)).toEqual({ ok: false, error });
  });
});
