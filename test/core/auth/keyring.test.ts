// Keys are found by id, by an API key's text, from an address. A new API key is found.

import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createAllowList, createApiKey, hashApiKey, Keyring, parseAddress } from '../../../src/core/auth/keyring.ts';
import { type ApiKey, NO_LIMITS } from '../../../src/core/domain/identity.ts';
import type { UnixMillis } from '../../../src/core/domain/numbers.ts';
import { NOW_MS, recordsOf, signingKey } from './signed-requests.ts';

const apiKey = (hashHex: string, changes: Partial<ApiKey> = {}): ApiKey => ({
  apiKeyId: 'api-1',
  actorId: 'actor-1',
  podId: 'pod-1',
  hashHex,
  label: '',
  createdAt: NOW_MS,
  revokedAt: null,
  ...changes,
});

describe('a signing key', () => {
  const live = signingKey({ keyId: 'live', addresses: ['192.0.2.0/24'] });
  const revoked = signingKey({ keyId: 'revoked', revokedAt: NOW_MS });
  const keyring = new Keyring(recordsOf({ signingKeys: [live, revoked] }));

  it('is found by its id, a revoked one too, and no other', () => {
    const caller = { podId: 'pod-1', actorId: 'pod-1/actor-1', keyId: 'live' };
    expect(keyring.signingKey('live')).toMatchObject({ ...live, caller, limits: NO_LIMITS });
    expect(keyring.signingKey('revoked')).toMatchObject(revoked);
    for (const keyId of ['', 'LIVE', 'live ', '__proto__', 'constructor'])
      expect(keyring.signingKey(keyId)).toBeUndefined();
  });

  it('admits the addresses on its list', () => {
    expect(keyring.signingKey('live')?.admits('192.0.2.200')).toBe(true);
    expect(keyring.signingKey('live')?.admits('192.0.3.1')).toBe(false);
    expect(keyring.signingKey('revoked')?.admits('192.0.3.1')).toBe(true);
  });
});

describe('an API key', () => {
  it('has 32 random bytes, a prefix to know it by, and is kept as a hash', () => {
    const asked: number[] = [];
    const { text, hashHex } = createApiKey(bytes => {
      asked.push(bytes);
      return new Uint8Array(bytes).fill(0xfb);
    });
    expect(asked).toEqual([32]);
    expect(text).toBe(`cbk_${Buffer.alloc(32, 0xfb).toString('base64url')}`);
    expect(hashHex).toBe(hashApiKey(text));
    expect(hashHex).toMatch(/^[0-9a-f]{64}$/);
  });

  it('is found by its text, to the last character', () => {
    const [mine, other] = [createApiKey(randomBytes), createApiKey(randomBytes)];
    const records = [apiKey(mine.hashHex), apiKey(other.hashHex, { apiKeyId: 'api-2' })];
    const keyring = new Keyring(recordsOf({ apiKeys: records }));
    expect(keyring.apiKey(mine.text)).toBe(records[0]);
    expect(keyring.apiKey(other.text)).toBe(records[1]);
    for (const text of ['', mine.hashHex, mine.text.slice(0, -1), `${mine.text} `, mine.text.toUpperCase(), '🏀']) {
      expect(keyring.apiKey(text), text).toBeUndefined();
    }
  });

  it('is unknown once it is revoked', () => {
    const { text, hashHex } = createApiKey(randomBytes);
    const keyring = new Keyring(recordsOf({ apiKeys: [apiKey(hashHex, { revokedAt: 1 as UnixMillis })] }));
    expect(keyring.apiKey(text)).toBeUndefined();
  });
});

describe('an entry', () => {
  it.each([
    ['192.0.2.7', { family: 'ipv4', address: '192.0.2.7', prefixBits: 32 }],
    ['192.0.2.0/24', { family: 'ipv4', address: '192.0.2.0', prefixBits: 24 }],
    ['0.0.0.0/0', { family: 'ipv4', address: '0.0.0.0', prefixBits: 0 }],
    ['2001:db8::1', { family: 'ipv6', address: '2001:db8::1', prefixBits: 128 }],
    ['2001:DB8::/32', { family: 'ipv6', address: '2001:DB8::', prefixBits: 32 }],
    ['unix', { family: 'unix' }],
  ])('may be %s', (text, value) => {
    expect(parseAddress(text)).toEqual({ ok: true, value });
  });

  it.each([
    '',
    'localhost',
    'UNIX',
    'unix/8',
    '192.0.2',
    '192.0.2.256',
    '192.0.2.07',
    ' 192.0.2.7',
    '192.0.2.7\n',
    '192.0.2.0/24/8',
    '192.0.2.7:443',
    '[2001:db8::1]',
    'fe80::1%eth0',
    '/24',
  ])('may not be %j', text => {
    const error = 'must be an IPv4 or IPv6 address, a CIDR range such as 192.0.2.0/24, or unix';
    expect(parseAddress(text)).toEqual({ ok: false, error });
  });

  it.each(['', '33', '-1', '08', '8 ', '1e1', '255.255.255.0'])('may not have the prefix length %j', prefix => {
    const error = 'the prefix length must be an integer from 0 to 32';
    expect(parseAddress(`192.0.2.0/${prefix}`)).toEqual({ ok: false, error });
  });

  it('may be anything at all without throwing, and what it accepts can be listed', () => {
    const near = fc.tuple(
      fc.oneof(fc.ipV4(), fc.ipV6()),
      fc.constantFrom('', '/', '/%'),
      fc.integer({ min: -1, max: 200 }),
    );
    const text = fc.oneof(
      near.map(([address, slash, bits]) => `${address}${slash}${slash === '' ? '' : bits}`),
      fc.string(),
    );
    fc.assert(
      fc.property(text, entry => {
        const range = parseAddress(entry);
        const admits = createAllowList([entry]);
        if (range.ok && range.value.family !== 'unix') expect(admits(range.value.address)).toBe(true);
        if (!range.ok) expect(admits(entry)).toBe(false);
      }),
    );
  });
});

describe('a list', () => {
  it('that is empty admits everybody', () => {
    for (const address of ['192.0.2.7', '2001:db8::1', 'unix']) expect(createAllowList([])(address)).toBe(true);
  });

  it('admits its addresses, its ranges, and nobody else', () => {
    const admits = createAllowList(['192.0.2.7', '198.51.100.0/25', '2001:db8:1::/48', '2001:db8:2::5']);
    for (const address of ['192.0.2.7', '198.51.100.0', '198.51.100.127', '2001:db8:1:ffff::1', '2001:db8:2::5']) {
      expect(admits(address), address).toBe(true);
    }
    for (const address of ['192.0.2.8', '198.51.100.128', '2001:db8:2::6', '::1', 'unix', '', 'localhost']) {
      expect(admits(address), address).toBe(false);
    }
  });

  it('reads a range from any address within it', () => {
    expect(createAllowList(['192.0.2.77/24'])('192.0.2.1')).toBe(true);
  });

  it('admits the Unix socket by name only', () => {
    expect(createAllowList(['unix'])('unix')).toBe(true);
    expect(createAllowList(['unix'])('127.0.0.1')).toBe(false);
    expect(createAllowList(['0.0.0.0/0', '::/0'])('unix')).toBe(false);
  });

  it('admits nobody by an entry that cannot be read', () => {
    expect(createAllowList(['anywhere'])('192.0.2.7')).toBe(false);
    expect(createAllowList(['anywhere', '192.0.2.7'])('192.0.2.7')).toBe(true);
  });

  it('takes an IPv4 range as an unsigned integer would', () => {
    const word = fc.integer({ min: 0, max: 0xffff_ffff });
    const text = (value: number) => [24, 16, 8, 0].map(shift => (value >>> shift) & 0xff).join('.');
    fc.assert(
      fc.property(word, word, fc.integer({ min: 0, max: 32 }), fc.boolean(), (network, other, bits, near) => {
        const mask = bits === 0 ? 0 : (-1 << (32 - bits)) >>> 0;
        const address = near
          ? (((network & mask) | (other & ~mask)) >>> 0) ^ (other % 7 === 0 ? 1 << (32 - bits) : 0)
          : other;
        const isInside = ((address ^ network) & mask) === 0;
        expect(createAllowList([`${text(network)}/${bits}`])(text(address >>> 0))).toBe(isInside);
      }),
    );
  });
});
