// Venue A's second level of authentication (venue-a.md §1.2): an HMAC over each private request with the secret of an API key. Clients
// sign; the local servers that simulate the venue verify. No I/O, no clock.

import { createHmac, timingSafeEqual } from 'node:crypto';
import { assert } from '../../domain/result.ts';

export interface L2Request {
  /** Value of `POLY_TIMESTAMP`: Unix seconds. */
  readonly timestamp: string;
  /** Upper case, as sent. */
  readonly method: string;
  /** From the host's root; a query is cut off and not signed. */
  readonly path: string;
  /** The bytes as sent; empty if the request has no body. */
  readonly body: Uint8Array;
}

/** Whether the text can be a secret: base64 of either alphabet, padded or not. Call it where a secret enters. */
export function isL2Secret(text: string): boolean {
  const digits = text.replace(/={1,2}$/, '');
  const isPadded = digits.length < text.length;
  return /^[\w+/-]+$/.test(digits) && digits.length % 4 !== 1 && (!isPadded || text.length % 4 === 0);
}

/** Value of `POLY_SIGNATURE`: 44 characters of url-safe base64, padded. No error contains the secret. */
export function l2Signature(request: L2Request & { readonly secret: string }): string {
  assert(isL2Secret(request.secret), 'the API secret of venue A is base64');
  // Node reads both alphabets, padded or not.
  const hmac = createHmac('sha256', Buffer.from(request.secret, 'base64'));
  hmac.update(request.timestamp + request.method + request.path.split('?', 1)[0]);
  const digest = hmac.update(request.body).digest('base64');
  return digest.replaceAll('+', '-').replaceAll('/', '_');
}

/**
 * Whether `signature`, as the header's text, matches this request and secret. Takes constant time. The caller checks the timestamp's
 * age, the key and the passphrase.
 */
export function verifyL2(request: L2Request & { readonly secret: string; readonly signature: string }): boolean {
  const expected = Buffer.from(l2Signature(request));
  const signature = Buffer.from(request.signature);
  return signature.length === expected.length && timingSafeEqual(signature, expected);
}
