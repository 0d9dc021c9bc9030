// Keys and requests for the tests of this folder: one key pair, and valid requests that a test changes.

import { canonicalString, EMPTY_SHA256 } from '../../../src/core/auth/canonical.ts';
import type { SignedRequest } from '../../../src/core/auth/check.ts';
import { type KeyRecords, NO_LIMITS, type SigningKey } from '../../../src/core/domain/identity.ts';
import type { UnixMillis } from '../../../src/core/domain/numbers.ts';
import { signNatively } from '../../support/sign-natively.ts';

export const NOW_MS = 1_795_237_201_250 as UnixMillis;
/** The seed of the key in the first vector of RFC 8032 §7.1. */
const SEED = '9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60';
const PUBLIC_KEY = 'd75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a';

export function signingKey(changes: Partial<SigningKey> = {}): SigningKey {
  return {
    keyId: 'key-1',
    actorId: 'actor-1',
    podId: 'pod-1',
    publicKeyHex: PUBLIC_KEY,
    scopes: ['read', 'trade'],
    addresses: [],
    label: '',
    createdAt: NOW_MS,
    revokedAt: null,
    ...changes,
  };
}

/** The owner of `signingKey`. */
const ACTOR = { podId: 'pod-1', actorId: 'actor-1', limits: NO_LIMITS, createdAt: NOW_MS };

export function recordsOf(records: Partial<KeyRecords>): KeyRecords {
  return { pods: [], actors: [ACTOR], signingKeys: [], apiKeys: [], ...records };
}

const REQUEST: SignedRequest = {
  method: 'GET',
  target: '/v1/whoami',
  body: new Uint8Array(0),
  keyId: 'key-1',
  timestamp: '1795237201',
  signature: '',
  contentSha256: EMPTY_SHA256,
  idempotencyKey: '',
  notAfter: '',
};

/** A request with these parts, signed with `SEED` unless it brings a signature. */
export function signedRequest(changes: Partial<SignedRequest> = {}): SignedRequest {
  const request = { ...REQUEST, ...changes };
  const text = canonicalString({ ...request, contentSha256: request.contentSha256.toLowerCase() });
  const signature = Buffer.from(signNatively(text, SEED)).toString('base64');
  return { ...request, signature: changes.signature ?? signature };
}
