// Signed submissions in the form that the gateway checks (header texts and body bytes), and the same prepared for a bare
// verification.

import { createHash, createPublicKey, type KeyObject, randomUUID } from 'node:crypto';
import { canonicalString } from '../../src/core/auth/canonical.ts';
import type { SignedRequest } from '../../src/core/auth/check.ts';
import type { UnixMillis } from '../../src/core/domain/numbers.ts';
import { signNatively } from '../../test/support/sign-natively.ts';
import { type BenchKey, createBenchKeys } from './http-signing.ts';

export interface SignedOrders {
  readonly keys: readonly BenchKey[];
  readonly requests: readonly SignedRequest[];
  /** The time of the signatures. The checks use this time as now. */
  readonly nowMs: UnixMillis;
}

export interface ReadyCheck {
  readonly message: Buffer;
  readonly key: KeyObject;
  readonly publicKey: Buffer;
  readonly publicKeyHex: string;
  readonly signature: Buffer;
}

/** Returns submissions that are all different. The keys take turns. */
export function signedOrders(keyCount: number, count: number): SignedOrders {
  const keys = createBenchKeys(keyCount);
  const nowMs = Date.now() as UnixMillis;
  const requests = Array.from({ length: count }, (_, index) => signedOrder(keys[index % keyCount]!, index, nowMs));
  return { keys, requests, nowMs };
}

/** Prepares everything but the verification. */
export function readyChecks({ keys, requests }: SignedOrders): ReadyCheck[] {
  const ready = keys.map(({ publicKeyHex }) => {
    const publicKey = Buffer.from(publicKeyHex, 'hex');
    const jwk = { kty: 'OKP', crv: 'Ed25519', x: publicKey.toString('base64url') };
    return { publicKey, publicKeyHex, key: createPublicKey({ key: jwk, format: 'jwk' }) };
  });
  return requests.map((request, index) => ({
    ...ready[index % keys.length]!,
    message: Buffer.from(canonicalString(request)),
    signature: Buffer.from(request.signature, 'base64'),
  }));
}

function signedOrder(key: BenchKey, index: number, nowMs: UnixMillis): SignedRequest {
  const price = (0.01 * (1 + (index % 99))).toFixed(2);
  const order = { ticker: 'KXNBAGAME-26NOV21BOSLAL-BOS', side: 'buy', type: 'limit', price, size: `${1 + index}` };
  const body = Buffer.from(JSON.stringify(order));
  const parts = {
    method: 'POST',
    target: '/v1/venue-b/orders',
    timestamp: String(Math.floor(nowMs / 1_000)),
    contentSha256: createHash('sha256').update(body).digest('hex'),
    idempotencyKey: randomUUID(),
    notAfter: String(nowMs + 2_000),
  };
  const signature = Buffer.from(signNatively(canonicalString(parts), key.seedHex)).toString('base64');
  return { ...parts, body, keyId: key.keyId, signature };
}
