// Identifies the signer of a request to one of our servers of venue B (venue-b.md §2); refusals use the venue's own words. Replay and paper
// threads.

import { createPublicKey, type KeyObject } from 'node:crypto';
import { fail, ok, type Result } from '../../core/domain/result.ts';
import { type InboundRequest, jsonReply, type Reply } from '../../core/net/listen.ts';
import { verifyVenueBRequest } from '../../venues/venue-b/auth.ts';

export interface VenueBKey {
  readonly id: string;
  readonly publicKeyPem: string;
}

/** Maximum age of a timestamp by the venue's clock: older is refused; a client may be ahead by more. */
const BEHIND_MS_MAX = 10_000;
const AHEAD_MS_MAX = 30_000;
const MILLISECONDS = /^\d{1,16}$/;
/** Standard alphabet, padded: the venue does not accept the other forms that Node reads. */
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;

/** The entry of `keyOf` under the request's key id, or the 401 with the reason. `now` is in milliseconds. */
export function signerOf<Key extends { readonly publicKey: KeyObject }>(
  request: InboundRequest,
  keyOf: (id: string) => Key | undefined,
  now: number,
): Result<Key, Reply> {
  const signature = request.header('kalshi-access-signature');
  if (signature === '')
    return refusal({ code: 'signature_is_missing_from_headers', message: 'signature is missing from headers' });
  const timestamp = request.header('kalshi-access-timestamp');
  const aheadMs = Number(timestamp) - now;
  if (!MILLISECONDS.test(timestamp) || aheadMs < -BEHIND_MS_MAX || aheadMs > AHEAD_MS_MAX) {
    return refusal({ code: 'header_timestamp_expired', message: 'header timestamp expired' });
  }
  const key = keyOf(request.header('kalshi-access-key'));
  if (key === undefined) return refusal({ ...UNKNOWN_SIGNER, details: 'NOT_FOUND' });
  const { method, path } = request;
  const isReadable = signature.length % 4 === 0 && BASE64.test(signature);
  return isReadable && verifyVenueBRequest({ method, path, timestamp, signature }, key.publicKey)
    ? ok(key)
    : refusal({ ...UNKNOWN_SIGNER, details: 'INCORRECT_API_KEY_SIGNATURE' });
}

/** Makes a check for one key; it returns the refusal, or null. */
export function accessJudge(key: VenueBKey, now: () => number): (request: InboundRequest) => Reply | null {
  const known = { publicKey: createPublicKey(key.publicKeyPem) };
  return request => {
    const signer = signerOf(request, id => (id === key.id ? known : undefined), now());
    return signer.ok ? null : signer.error;
  };
}

const UNKNOWN_SIGNER = { code: 'authentication_error', message: 'authentication_error' };

function refusal(error: object): { readonly ok: false; readonly error: Reply } {
  return fail(jsonReply(401, { error }));
}
