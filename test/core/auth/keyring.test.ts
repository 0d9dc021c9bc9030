// Keys are found by id, by an API key's text, from an address. A new API key is found.

import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createApiKey, hashApiKey, Keyring } from '../../../src/core/auth/keyring.ts';
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
