// Keys and signed requests for load. Everything that costs a client more than sending is done before timing.

import { generateKeyPairSync } from 'node:crypto';
import { canonicalString, EMPTY_SHA256 } from '../../src/core/auth/canonical.ts';
import { signNatively } from '../../test/support/sign-natively.ts';

export interface BenchKey {
  readonly keyId: string;
  readonly seedHex: string;
  readonly publicKeyHex: string;
}

export function createBenchKeys(count: number): BenchKey[] {
  return Array.from({ length: count }, (_, index) => {
    const { d, x } = generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' });
    return { keyId: `key_${index.toString(16).padStart(16, '0')}`, seedHex: hexOf(d), publicKeyHex: hexOf(x) };
  });
}

/** Returns the headers of a GET without a body. */
export function signedHeaders(key: BenchKey, target: string, timestampS = nowS()): Readonly<Record<string, string>> {
  const timestamp = String(timestampS);
  const parts = { method: 'GET', target, timestamp, contentSha256: EMPTY_SHA256, idempotencyKey: '', notAfter: '' };
  return {
    'SVC-Key-Id': key.keyId,
    'SVC-Timestamp': timestamp,
    'SVC-Signature': Buffer.from(signNatively(canonicalString(parts), key.seedHex)).toString('base64'),
    'SVC-Content-Sha256': EMPTY_SHA256,
  };
}

/** Returns the bytes of a GET with a complete head. */
export function requestBytes(target: string, headers: Readonly<Record<string, string>>): Buffer {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.from(`GET ${target} HTTP/1.1\r\nHost: 127.0.0.1\r\n${lines.join('')}\r\n`);
}

/** Requests are dated this many seconds around now, so that signatures outlive any turn. */
const SECONDS_BEFORE = 12;
const SECONDS_APART = 25;

/** Returns a request for each key and second. Every request is different, and keys take turns. */
export function signedRequests(keys: readonly BenchKey[], target: string): Buffer[] {
  const first = nowS() - SECONDS_BEFORE;
  const seconds = Array.from({ length: SECONDS_APART }, (_, index) => first + index);
  return seconds.flatMap(second => keys.map(key => requestBytes(target, signedHeaders(key, target, second))));
}

function nowS(): number {
  return Math.floor(Date.now() / 1_000);
}

function hexOf(base64url: string | undefined): string {
  return Buffer.from(base64url ?? '', 'base64url').toString('hex');
}
