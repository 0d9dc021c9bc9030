// A query either has one reading, or gets a refusal that names the parameter.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isObject } from '../../../src/core/domain/json.ts';
import { bareRequest } from '../../../src/core/net/inbound-request.ts';
import { contractDocuments } from '../../../src/gateway/api/contract-documents.ts';
import { Cors } from '../../../src/gateway/api/cors.ts';
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
    ['q=a&q=b', 'q: is given twice in the query'],
    ['%zz=1', '"%zz": unknown query parameter (known are q, venue)'],
    ['Q=1', '"Q": unknown query parameter (known are q, venue)'],
  ])('%s is refused', (query, error) => {
    expect(readQuery(query, NAMES)).toEqual({ ok: false, error });
  });
});

// Before, the client in a browser never followed its pod to another gateway. Now a page may read every header of an answer that the
// contract names.
describe('3160: a header that no page could read', () => {
  const ORIGIN = 'https://desk.example';
  /**
   * Headers that need no permission. Any page may read the first (the Fetch standard, CORS-safelisted response-header name). No page gets
   * the headers of an upgrade.
   */
  const NEEDLESS = ['Cache-Control', 'Sec-WebSocket-Protocol'];

  it('a page of an origin in the setting may read every header of an answer in the contract', () => {
    const request = {
      ...bareRequest('GET', '/v1/whoami'),
      header: (name: string) => (name === 'origin' ? ORIGIN : ''),
    };
    const exposed = new Cors([ORIGIN]).headersFor(request).find(([name]) => name === 'Access-Control-Expose-Headers');
    const { paths, components } = JSON.parse(contractDocuments().openapi);
    const named = new Set([...headersOf(paths), ...headersOf(components.responses)]);
    for (const name of NEEDLESS) named.delete(name);
    expect(exposed?.[1].split(', ').toSorted()).toEqual([...named].toSorted());
  });

  /** Returns the names of the headers of answers, at any depth. */
  function headersOf(value: unknown): readonly string[] {
    if (typeof value !== 'object' || value === null) return [];
    return Object.entries(value).flatMap(([name, part]) =>
      name === 'headers' && isObject(part) ? Object.keys(part) : headersOf(part),
    );
  }
});
