// The signing headers of one request (contract §2), over exactly the bytes that are sent. Portable.

import { canonicalString, EMPTY_SHA256 } from '../auth/canonical.ts';
import { assert } from '../domain/result.ts';
import type { Signer } from './signer.ts';

export interface RequestToSign {
  /** Upper case. */
  readonly method: string;
  /** Path and query as they are sent. */
  readonly target: string;
  /** Empty without a body. */
  readonly body: Uint8Array<ArrayBuffer>;
  /** 1 to 255 visible ASCII characters; empty without a key. */
  readonly idempotencyKey: string;
  /** Unix milliseconds after which the gateway must not send the order to the venue; null: no such time. */
  readonly notAfterMillis: number | null;
}

const encoder = new TextEncoder();
/** No spaces at the ends: HTTP strips them, and the signature would not match. */
const IDEMPOTENCY_KEY = /^[\x21-\x7e](?:[\x20-\x7e]{0,253}[\x21-\x7e])?$/;

/**
 * All signed values and the signature as headers: the four of interface §5.1, and those of `idempotencyKey` and
 * `notAfterMillis` if given. `nowMs`: estimate of the gateway's clock.
 */
export async function signRequest(
  signer: Signer,
  request: RequestToSign,
  nowMs: number,
): Promise<Readonly<Record<string, string>>> {
  const { method, target, body, idempotencyKey, notAfterMillis } = request;
  assert(idempotencyKey === '' || IDEMPOTENCY_KEY.test(idempotencyKey), 'idempotency key: 1 to 255 visible ASCII');
  assert(notAfterMillis === null || Number.isSafeInteger(notAfterMillis), 'notAfterMillis: whole Unix milliseconds');
  const timestamp = String(Math.floor(nowMs / 1_000));
  const contentSha256 = body.length === 0 ? EMPTY_SHA256 : await sha256Of(signer, body);
  const notAfter = notAfterMillis === null ? '' : String(notAfterMillis);
  const text = canonicalString({ method, target, timestamp, contentSha256, idempotencyKey, notAfter });
  const signature = await signer.sign(encoder.encode(text));
  return {
    'SVC-Key-Id': signer.keyId,
    'SVC-Timestamp': timestamp,
    'SVC-Content-Sha256': contentSha256,
    'SVC-Signature': btoa(String.fromCharCode(...signature)),
    ...(idempotencyKey === '' ? {} : { 'Idempotency-Key': idempotencyKey }),
    ...(notAfter === '' ? {} : { 'SVC-Not-After-Millis': notAfter }),
  };
}

async function sha256Of(signer: Signer, bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  if (signer.sha256Hex !== undefined) return signer.sha256Hex(bytes);
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  return Array.from(digest, byte => byte.toString(16).padStart(2, '0')).join('');
}
