// Checks whether a request is signed as contract §2 requires, in the sequence of the contract, with a message for each failure. Everything
// except the signature is checked here on the main thread. The signature costs more than all other checks; ed25519.ts checks it.

import { hash } from 'node:crypto';
import { limits } from '../../limits.ts';
import type { UnixMillis } from '../domain/numbers.ts';
import { fail, ok, type Result } from '../domain/result.ts';
import { canonicalString, EMPTY_SHA256, SIGNING_HEADERS, type SignedParts } from './canonical.ts';
import type { KeyEntry } from './keyring.ts';

/** A request as it came; an absent header is the empty string. */
export interface SignedRequest extends SignedParts {
  readonly body: Uint8Array;
  readonly keyId: string;
  /** The text of `SVC-Content-Sha256`, hex of either case. */
  readonly contentSha256: string;
  /** The text of `SVC-Signature`. */
  readonly signature: string;
}

/**
 * Returns the parts of a request that its signature concerns. `header` takes a lower-case name, and returns the empty text if the header is
 * absent.
 */
export function signedRequestOf(request: {
  readonly method: string;
  readonly target: string;
  readonly body: Uint8Array;
  header(name: (typeof SIGNING_HEADERS)[keyof typeof SIGNING_HEADERS]): string;
}): SignedRequest {
  return {
    method: request.method,
    target: request.target,
    body: request.body,
    keyId: request.header(SIGNING_HEADERS.keyId),
    timestamp: request.header(SIGNING_HEADERS.timestamp),
    signature: request.header(SIGNING_HEADERS.signature),
    contentSha256: request.header(SIGNING_HEADERS.contentSha256),
    idempotencyKey: request.header(SIGNING_HEADERS.idempotencyKey),
    notAfter: request.header(SIGNING_HEADERS.notAfter),
  };
}

/** The record that the pool checks. It has everything that the check needs, so the pool looks nothing up. */
export interface SignatureCheck {
  readonly publicKeyHex: string;
  /** The string that must have been signed. */
  readonly message: string;
  /** The text of `SVC-Signature`: base64 or base64url of 64 bytes. */
  readonly signature: string;
}

/** A request that has passed all checks except that of its signature. */
export interface Prechecked {
  readonly key: KeyEntry;
  readonly check: SignatureCheck;
}

/** The first check that failed, with the message to the sender: a 401. */
interface CheckFailure {
  readonly reason: 'header' | 'key' | 'timestamp' | 'clock' | 'body' | 'signature';
  readonly message: string;
}

const SHA256_HEX = /^[0-9a-f]{64}$/;
const TIMESTAMP = /^(0|-?[1-9]\d{0,18})$/;
/** The number of digits of Unix seconds that is enough for about a thousand years. */
const SECONDS_DIGITS_MAX = 11;
/** The number of characters of a caller's header that a message shows. */
const ECHO_CHARACTERS_MAX = 160;
/** The number of characters of the signed string that a message shows: all characters, unless the target is very long. */
const CANONICAL_CHARACTERS_MAX = 1_500;

/** Makes all checks before the signature. `key` is the key that the request names. */
export function precheck(
  request: SignedRequest,
  key: KeyEntry | undefined,
  nowMs: UnixMillis,
): Result<Prechecked, CheckFailure> {
  const missing = missingHeader(request);
  if (missing !== null) return failed('header', `${missing}: missing; every request must be signed`);
  if (key === undefined) return failed('key', `SVC-Key-Id: signing key ${echo(request.keyId)} is unknown`);
  if (key.revokedAt !== null) return failed('key', revokedKey(request.keyId));

  const contentSha256 = inLowerCase(request.contentSha256);
  const wrong = timestampWrong(request.timestamp, nowMs) ?? contentWrong(contentSha256, request.body);
  if (wrong !== null) return fail(wrong);

  const { signature } = request;
  if (!isSignature(signature)) {
    const rule = 'must be the 64-byte signature in base64 or unpadded base64url';
    return failed('signature', `SVC-Signature: ${rule}, not ${echo(signature)}`);
  }
  const message = canonicalString(contentSha256 === request.contentSha256 ? request : { ...request, contentSha256 });
  return ok({ key, check: { publicKeyHex: key.publicKeyHex, message, signature } });
}

/** The text of `SVC-Content-Sha256` in lower case. Most callers send it so, and `toLowerCase` makes a copy in any case. */
export function inLowerCase(contentSha256: string): string {
  return SHA256_HEX.test(contentSha256) ? contentSha256 : contentSha256.toLowerCase();
}

/** Returns the first header that the request lacks. */
function missingHeader({ keyId, timestamp, signature, contentSha256 }: SignedRequest): string | null {
  if (keyId === '') return 'SVC-Key-Id';
  if (timestamp === '') return 'SVC-Timestamp';
  if (signature === '') return 'SVC-Signature';
  return contentSha256 === '' ? 'SVC-Content-Sha256' : null;
}

/** Returns the message to the sender of a request under a revoked key. */
export function revokedKey(keyId: string): string {
  return `SVC-Key-Id: signing key ${echo(keyId)} is revoked`;
}

/** Returns the message of the last check, a 401. The message shows only facts that the caller sent. */
export function signatureWrong({ message }: SignatureCheck): string {
  const signed = quoteAscii(message, CANONICAL_CHARACTERS_MAX);
  return `SVC-Signature: must be this signing key's signature of the string ${signed}`;
}

/**
 * Checks the timestamp. It must have digits only, no leading zeros, and at most as many digits as nanoseconds have. A timestamp in a unit
 * other than seconds fails below, and the message shows both clocks. Clocks are compared in milliseconds: in whole seconds a signature
 * would live up to a second longer than `signatureMemoryMs`.
 */
function timestampWrong(timestamp: string, nowMs: UnixMillis): CheckFailure | null {
  if (!TIMESTAMP.test(timestamp)) {
    const message = `SVC-Timestamp: must be Unix seconds as a decimal integer, not ${echo(timestamp)}`;
    return { reason: 'timestamp', message };
  }
  const aheadMs = Number(timestamp) * 1_000 - nowMs;
  if (Math.abs(aheadMs) <= limits.signatureAgeS * 1_000) return null;
  const rule = `SVC-Timestamp: must be within ${limits.signatureAgeS} s (signatureAgeS) of the server clock`;
  const exactMs = BigInt(timestamp) * 1_000n - BigInt(nowMs);
  const difference = aheadMs > 0 ? `${exactMs} ms ahead` : `${-exactMs} ms behind`;
  const clocks = `yours is ${timestamp}, the server's ${nowMs / 1_000}, yours is ${difference}`;
  const advice = timestamp.length > SECONDS_DIGITS_MAX ? 'it counts seconds' : 'set your clock by SVC-Server-Time';
  return { reason: 'clock', message: `${rule}: ${clocks}; ${advice}` };
}

function contentWrong(contentSha256: string, body: Uint8Array): CheckFailure | null {
  const expected = body.length === 0 ? EMPTY_SHA256 : hash('sha256', body);
  if (contentSha256 === expected) return null;
  const rule = 'SVC-Content-Sha256: must be';
  const message = SHA256_HEX.test(contentSha256)
    ? `the SHA-256 of the body as sent: yours is ${contentSha256}, that of the ${body.length} bytes received ${expected}`
    : `a SHA-256 as 64 hex digits, not ${echo(contentSha256)}`;
  return { reason: 'body', message: `${rule} ${message}` };
}

function failed(reason: CheckFailure['reason'], message: string): Result<never, CheckFailure> {
  return fail({ reason, message });
}

function echo(header: string): string {
  return quoteAscii(header, ECHO_CHARACTERS_MAX);
}

/**
 * Returns the text as a quoted JSON string in which everything but printable ASCII is escaped. A text longer than `charactersMax` (escapes
 * counted) is cut, with a note.
 */
export function quoteAscii(text: string, charactersMax: number): string {
  let quoted = '';
  for (let at = 0; at < text.length; at++) {
    const next = escapeUnit(text.charCodeAt(at));
    if (quoted.length + next.length > charactersMax)
      return `"${quoted}" (the first ${at} of ${text.length} characters)`;
    quoted += next;
  }
  return `"${quoted}"`;
}

/** Escapes one UTF-16 code unit. */
function escapeUnit(unit: number): string {
  if (unit === 0x0a) return '\\n';
  if (unit === 0x22) return '\\"';
  if (unit === 0x5c) return '\\\\';
  if (unit >= 0x20 && unit <= 0x7e) return String.fromCharCode(unit);
  return `\\u${unit.toString(16).padStart(4, '0')}`;
}

// The text of `SVC-Signature` (contract §2): base64 (RFC 4648 §4, padded) or base64url (§5, unpadded) of exactly 64 bytes. The reader is
// strict, so that each alphabet gives a signature only one text: no white space, mixed alphabets or stray bits.

/** The form in base64url. 85 characters have all bits of 64 bytes but the last two, which are followed by four zeros. */
const BASE64URL = /^[A-Za-z0-9_-]{85}[AQgw]$/;
const BASE64 = /^[A-Za-z0-9+/]{85}[AQgw]==$/;

function isSignature(text: string): boolean {
  return BASE64URL.test(text) || BASE64.test(text);
}

/** Returns the 64 bytes of a signature in a buffer of their own, or null if the text is malformed. */
export function readSignature(text: string): Uint8Array | null {
  // This decoder takes both alphabets.
  return isSignature(text) ? new Uint8Array(Buffer.from(text, 'base64')) : null;
}
