// The string that is signed (contract §2): six lines with everything that makes a request. So no part can be changed, and the request
// cannot be replayed under another idempotency key. Portable: gateway, client and browser build the string here.

/** The lower-case names of the headers that carry the signature, or that the signature covers. */
export const SIGNING_HEADERS = {
  keyId: 'svc-key-id',
  timestamp: 'svc-timestamp',
  signature: 'svc-signature',
  contentSha256: 'svc-content-sha256',
  idempotencyKey: 'idempotency-key',
  notAfter: 'svc-not-after-millis',
} as const;

/** The SHA-256 of no bytes, for requests without a body. */
export const EMPTY_SHA256 = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';

export interface SignedParts {
  /** The method in upper case. */
  readonly method: string;
  /** Path and query, exactly as sent. */
  readonly target: string;
  /** The text of `SVC-Timestamp`. */
  readonly timestamp: string;
  /** The hash in lower-case hex. */
  readonly contentSha256: string;
  /** The text of `Idempotency-Key`. Empty if the request has no such header. */
  readonly idempotencyKey: string;
  /** The text of `SVC-Not-After-Millis`. Empty if the request has no such header. */
  readonly notAfter: string;
}

/** Returns the string to sign; the signature covers its UTF-8 bytes. No header and no request target can contain a line feed. */
export function canonicalString(parts: SignedParts): string {
  const { method, target, timestamp, contentSha256, idempotencyKey, notAfter } = parts;
  // join makes one flat text; a template would first make a tree of its parts.
  return [method, target, timestamp, contentSha256, idempotencyKey, notAfter].join('\n');
}
