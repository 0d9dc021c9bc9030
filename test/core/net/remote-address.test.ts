// One spelling per address, beside the WHATWG URL parser's.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { remoteAddressText } from '../../../src/core/net/remote-address.ts';

const group = fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 0xffff }));

describe('the text of an address', () => {
  it('is that of a URL', () => {
    fc.assert(
      fc.property(fc.array(group, { minLength: 8, maxLength: 8 }), groups => {
        fc.pre(!(groups.slice(0, 5).every(it => it === 0) && groups[5] === 0xffff));
        const bytes = Uint8Array.from(groups.flatMap(it => [it >> 8, it & 0xff]));
        const long = groups.map(it => it.toString(16)).join(':');
        expect(`[${remoteAddressText(bytes)}]`).toBe(new URL(`http://[${long}]`).hostname);
      }),
      { numRuns: 1_000 },
    );
  });

  it.each([
    [[127, 0, 0, 1], '127.0.0.1'],
    [[...new Array(10).fill(0), 0xff, 0xff, 10, 0, 0, 255], '10.0.0.255'],
    [[...new Array(15).fill(0), 1], '::1'],
    [new Array(16).fill(0), '::'],
    [[], ''],
  ])('of %j is %s', (bytes, text) => {
    expect(remoteAddressText(Uint8Array.from(bytes))).toBe(text);
  });

  it('is that of the bytes as they are, though their memory had another address before', () => {
    const bytes = Uint8Array.of(10, 0, 0, 1);
    expect(remoteAddressText(bytes)).toBe('10.0.0.1');
    bytes[3] = 2;
    expect(remoteAddressText(bytes)).toBe('10.0.0.2');
    expect(remoteAddressText(bytes.subarray(0, 0))).toBe('');
  });
});
