// Checks the signed upgrade of venue B's stream (venue-b.md §2); refusals use the venue's own words. Replay thread.

import { createPublicKey } from 'node:crypto';
import { type InboundRequest, jsonReply, type Reply } from '../net/listen.ts';
import { verifyVenueBRequest } from '../venues/venue-b/auth.ts';

export interface VenueBKey {
  readonly id: string;
  readonly publicKeyPem: string;
}

/**
 * Maximum age of a timestamp in milliseconds, by the venue's clock: older is refused; a client may be ahead by more.
 */
const BEHIND_MS_MAX = 10_000;
const AHEAD_MS_MAX = 30_000;

/** Makes a check for one key; it returns the refusal, or null. */
export function accessJudge(key: VenueBKey, now: () => number): (request: InboundRequest) => Reply | null {
  const publicKey = createPublicKey(key.publicKeyPem);
  return request => {
    const timestamp = request.header('kalshi-access-timestamp');
    const signature = request.header('kalshi-access-signature');
    if (signature === '') return refusal('signature_is_missing_from_headers', 'signature is missing from headers');
    const aheadMs = Number(timestamp) - now();
    if (!/^\d{1,16}$/.test(timestamp) || aheadMs < -BEHIND_MS_MAX || aheadMs > AHEAD_MS_MAX) {
      return refusal('header_timestamp_expired', 'header timestamp expired');
    }
    if (request.header('kalshi-access-key') !== key.id) return authenticationError('NOT_FOUND');
    const isValid = verifyVenueBRequest({ method: 'GET', path: request.path, timestamp, signature }, publicKey);
    return isValid ? null : authenticationError('INCORRECT_API_KEY_SIGNATURE');
  };
}

function authenticationError(details: string): Reply {
  return jsonReply(401, { error: { code: 'authentication_error', message: 'authentication_error', details } });
}

function refusal(code: string, message: string): Reply {
  return jsonReply(401, { error: { code, message } });
}
