// Records of the key store as bytes: each record comes back unchanged, and no other bytes are taken for a record.

import { crc32 } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { NO_LIMITS, type SigningKey } from '../../../src/core/domain/identity.ts';
import { decodeRecord, encodeRecord, recordFault, recordName } from '../../../src/core/store/key-record.ts';
import { keyRecord, signingKey } from './identities.ts';

const bytesOf = (value: unknown): Uint8Array => Buffer.from(typeof value === 'string' ? value : JSON.stringify(value));
const NAME = `signing-key/${signingKey(1).keyId}`;
const KEY: SigningKey = { ...signingKey(1), revokedAt: null };

function stored(changes: object, v: unknown = 3, value: object = KEY, name = NAME): string {
  const json = JSON.stringify({ ...value, ...changes });
  return `{"v":${JSON.stringify(v)},"sum":${crc32(json, crc32(name))},"value":${json}}`;
}

describe('a record', () => {
  it('comes out as it went in', () => {
    fc.assert(
      fc.property(keyRecord, record => {
        expect(recordFault(record)).toBeNull();
        expect(decodeRecord(recordName(record), encodeRecord(record))).toEqual({ ok: true, value: record });
      }),
    );
  });

  it.each<[what: string, value: unknown, error: RegExp]>([
    ['is cut short', stored({}).slice(0, -1), /not a JSON object/],
    ['is empty', '', /not a JSON object/],
    ['is no object', [stored({})], /not a JSON object/],
    ['has no version', { value: KEY }, /has version none, this program reads version 3/],
    ['has an earlier version', stored({}, 2), /has version 2, this program reads version 3/],
    ['has a later version', stored({}, 4), /has version 4, this program reads version 3/],
    ['has no content', { v: 3 }, /^must be \{v, sum, value\}$/],
    ['has more beside its content', { ...JSON.parse(stored({})), w: 1 }, /^must be \{v, sum, value\}$/],
    ['has no checksum', { v: 3, value: KEY }, /^must be \{v, sum, value\}$/],
    ['has another checksum', { ...JSON.parse(stored({})), sum: 1 }, /^has a wrong checksum/],
    ['lacks a field', stored({ revokedAt: undefined }), /^revokedAt: is missing/],
    ['has a field more', stored({ admin: true }), /^"admin": is not a field/],
    ['has a prototype', stored(JSON.parse('{"__proto__":{}}')), /^"__proto__": is not a field/],
    ['is another than its name says', stored({ keyId: signingKey(2).keyId }), /^holds signing-key\/key_0+2$/],
    ['has a public key in upper case', stored({ publicKeyHex: 'A'.repeat(64) }), /^publicKeyHex: must match/],
    ['has no scope', stored({ scopes: [] }), /^scopes: must be/],
    ['has a scope twice', stored({ scopes: ['read', 'read'] }), /^scopes: must be/],
    ['has an unknown scope', stored({ scopes: ['admin'] }), /^scopes: must be/],
    ['has too many addresses', stored({ addresses: Array(65).fill('unix') }), /addressesPerKeyMax \(64\)/],
    ['has an empty address', stored({ addresses: [''] }), /^addresses: /],
    ['has a long label', stored({ label: 'x'.repeat(129) }), /identityCharactersMax \(128\)/],
    ['has a label of two lines', stored({ label: 'a\nb' }), /^label: /],
    ['has a label that turns text around', stored({ label: 'a\u202eb' }), /^label: /],
    ['was made at no time', stored({ createdAt: 1.5 }), /^createdAt: /],
    ['is revoked at no time', stored({ revokedAt: -1 }), /^revokedAt: /],
  ])('that %s is refused', (_what, value, error) => {
    const decoded = decodeRecord(NAME, bytesOf(value));
    expect(decoded).toEqual({ ok: false, error: expect.stringMatching(error) });
  });

  it.each([
    undefined,
    null,
    [],
    { ...NO_LIMITS, more: 1 },
    { ...NO_LIMITS, collarWithoutBook: 1 },
    { ...NO_LIMITS, collarTicks: 'PASS' },
    { ...NO_LIMITS, openOrdersMax: -1 },
    { ...NO_LIMITS, notionalMax: '5' },
  ])('of an actor with the limits %j is refused', limits => {
    const value = { actorId: 'maker', podId: 'desk', limits, createdAt: 1 };
    const name = 'actor/desk/maker';
    const decoded = decodeRecord(name, bytesOf(stored({}, 3, value, name)));
    expect(decoded).toEqual({ ok: false, error: expect.stringMatching(/^limits: /) });
  });

  it('of an earlier program has no limits but those that it names', () => {
    const earlier = { notionalMax: 5, openOrdersMax: null, positionMax: null };
    const value = { actorId: 'maker', podId: 'desk', limits: earlier, createdAt: 1 };
    const name = 'actor/desk/maker';
    const decoded = decodeRecord(name, bytesOf(stored({}, 3, value, name)));
    expect(decoded).toMatchObject({ ok: true, value: { value: { limits: { ...NO_LIMITS, ...earlier } } } });
  });

  it('of an unknown kind is refused', () => {
    expect(decodeRecord('tenant/x', bytesOf(stored({})))).toEqual({ ok: false, error: expect.stringMatching(/kind/) });
  });

  it('in anything but UTF-8 is refused', () => {
    const bytes = Buffer.from(JSON.stringify(stored({ label: '?' })));
    bytes[bytes.indexOf('"?"') + 1] = 0xff;
    expect(decodeRecord(NAME, bytes).ok).toBe(false);
  });
});

describe('any bytes', () => {
  const name = fc.oneof(fc.string(), fc.constantFrom(NAME, 'pod/desk', 'actor/desk/maker', 'api-key/x', 'pod/'));
  const someBytes = fc.oneof(
    fc.uint8Array({ maxLength: 64 }),
    fc.json().map(bytesOf),
    fc.record({ v: fc.constant(3) }, { requiredKeys: ['v'] }).map(bytesOf),
    fc.dictionary(fc.constantFrom(...Object.keys(KEY)), fc.jsonValue()).map(part => bytesOf(stored({ ...part }))),
  );

  it('a record is either whole or refused with a reason', () => {
    fc.assert(
      fc.property(name, someBytes, (text, bytes) => {
        const decoded = decodeRecord(text, bytes);
        if (!decoded.ok) expect(decoded.error).not.toBe('');
        else {
          expect(recordName(decoded.value)).toBe(text);
          expect(decodeRecord(text, encodeRecord(decoded.value))).toEqual(decoded);
        }
      }),
      { numRuns: 1_000 },
    );
  });

  it('a damaged byte makes it unreadable', () => {
    const whole = bytesOf(stored({}));
    fc.assert(
      fc.property(fc.nat(whole.length - 1), fc.integer({ min: 1, max: 255 }), (position, flip) => {
        const damaged = Uint8Array.from(whole);
        damaged[position]! ^= flip;
        expect(decodeRecord(NAME, damaged).ok).toBe(false);
      }),
      { numRuns: 1_000 },
    );
  });
});
