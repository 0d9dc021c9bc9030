// The text of a signature against a naive twin, which reads it digit by digit into bits.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readSignature } from '../../../src/core/auth/check.ts';

const SIGNATURE = Uint8Array.from({ length: 64 }, (_, at) => (at * 37 + 251) & 0xff);
const BASE64 = Buffer.from(SIGNATURE).toString('base64');
const BASE64URL = Buffer.from(SIGNATURE).toString('base64url');

const COMMON = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/** Returns the bytes of a signature text. Returns null if the standard gives another text for these bytes. */
function naively(text: string): readonly number[] | null {
  const alphabet = `${COMMON}${text.length === 86 ? '-_' : '+/'}`;
  if (text.length !== 86 && !(text.length === 88 && text.endsWith('=='))) return null;
  const digits = [...text.slice(0, 86)].map(character => alphabet.indexOf(character));
  if (digits.length !== 86 || digits.includes(-1)) return null;
  const bits = digits.map(digit => digit.toString(2).padStart(6, '0')).join('');
  if (bits.slice(512) !== '0000') return null;
  return Array.from({ length: 64 }, (_, at) => Number.parseInt(bits.slice(8 * at, 8 * at + 8), 2));
}

describe('a signature', () => {
  it('is read from base64 and from base64url, into memory of its own', () => {
    expect(BASE64).toMatch(/[+/]/);
    expect(readSignature(BASE64)).toEqual(SIGNATURE);
    expect(readSignature(BASE64URL)).toEqual(SIGNATURE);
    expect(readSignature(BASE64)?.buffer.byteLength, 'so that it crosses to the pool alone').toBe(64);
  });

  it.each([
    ['nothing', ''],
    ['base64 without padding', BASE64.slice(0, 86)],
    ['base64url with padding', `${BASE64URL}==`],
    ['half the padding', BASE64.slice(0, 87)],
    ['too much padding', `${BASE64.slice(0, 86)}===`],
    ['63 bytes', Buffer.from(SIGNATURE.subarray(1)).toString('base64')],
    ['65 bytes', Buffer.from([...SIGNATURE, 0]).toString('base64')],
    ['white space before it', ` ${BASE64}`],
    ['a line feed after it', `${BASE64}\n`],
    ['a line feed for a character', `\n${BASE64.slice(1)}`],
    ['hex', Buffer.from(SIGNATURE).toString('hex')],
    ['a character beyond ASCII', `ő${BASE64.slice(1)}`],
    ['a character whose low byte is a letter', `\u0141${BASE64.slice(1)}`],
    ['both alphabets', `-${BASE64.slice(1)}`],
    ['two signatures', `${BASE64}, ${BASE64}`],
  ])('is not read from %s', (_name, text) => {
    expect(readSignature(text)).toBeNull();
  });
});

describe('any', () => {
  it('signature is read back from both texts', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 64, maxLength: 64 }), bytes => {
        const buffer = Buffer.from(bytes);
        expect(readSignature(buffer.toString('base64'))).toEqual(bytes);
        expect(readSignature(buffer.toString('base64url'))).toEqual(bytes);
      }),
    );
  });

  it('digit in any place is read as the naive twin reads it', () => {
    for (const text of [BASE64, BASE64URL]) {
      for (let at = 0; at < text.length; at++) {
        for (let code = 0; code < 0x180; code++) {
          const changed = text.slice(0, at) + String.fromCharCode(code) + text.slice(at + 1);
          const bytes = readSignature(changed);
          if (`${bytes}` !== `${naively(changed)}`) expect.fail(`character ${code} at ${at}`);
        }
      }
    }
  });

  it('text is read as the naive twin reads it, digit by digit', () => {
    const change = fc.record({ at: fc.nat(90), insert: fc.string({ unit: 'binary', maxLength: 2 }), drop: fc.nat(2) });
    const damaged = fc
      .tuple(fc.constantFrom(BASE64, BASE64URL), fc.array(change, { maxLength: 2 }))
      .map(([text, changes]) =>
        changes.reduce((it, { at, insert, drop }) => it.slice(0, at) + insert + it.slice(at + drop), text),
      );
    fc.assert(
      fc.property(fc.oneof(damaged, fc.base64String({ minLength: 84, maxLength: 92 }), fc.string()), text => {
        const bytes = readSignature(text);
        expect(bytes === null ? null : [...bytes]).toEqual(naively(text));
      }),
      { numRuns: 1_000 },
    );
  });
});
