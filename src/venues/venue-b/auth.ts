// Venue B's signatures (venue-b.md §2): three headers over timestamp, method and path, the same for REST and the WebSocket handshake. The
// feed signs; the local servers that simulate the venue verify. No I/O, no clock.

import { constants, createPrivateKey, type KeyObject, sign, verify } from 'node:crypto';
import { fail, ok, type Result } from '../../core/domain/result.ts';
import { isEd25519Signature, signEd25519 } from '../../core/runtime/libsodium.ts';

const ED25519_BYTES = 64;

/** The padding of RSA signatures. A signer uses a salt as long as the digest; the venue refuses other lengths. */
const PSS = { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: 32 } as const;

/** Builds the headers of one request. `url` may have a query, which is not signed. A URL that was parsed before saves time. */
export type VenueBSign = (
  method: 'GET' | 'POST' | 'PUT' | 'DELETE',
  url: string | URL,
  timestampMs: number,
) => Readonly<Record<string, string>>;

export type VenueBHeaders = ReturnType<VenueBSign>;

/**
 * Like `VenueBSign`, with a callback. An Ed25519 signature is made at once, because a hand-over to another thread takes longer. An RSA
 * signature is made on libuv's threads, and the callback comes later. The callback gets null if signing failed.
 */
export type VenueBSignAhead = (
  ...request: [...Parameters<VenueBSign>, done: (headers: VenueBHeaders | null) => void]
) => void;

/**
 * Returns a signer for an RSA key (PKCS#1 or PKCS#8) or an Ed25519 key (PKCS#8). Throws at once if the PEM does not hold such a key. No
 * error contains the text of the key.
 */
export function createVenueBSigner(keyId: string, privateKeyPem: string): VenueBSign {
  const signatureOf = signatureBy(readPrivateKey(privateKeyPem));
  return (method, url, timestampMs) =>
    headersOf(keyId, timestampMs, signatureOf(requestText(method, url, timestampMs)));
}

/** Returns a signer for signatures that are made in advance. Throws as `createVenueBSigner` does. */
export function createVenueBAheadSigner(keyId: string, privateKeyPem: string): VenueBSignAhead {
  const key = readPrivateKey(privateKeyPem);
  if (key.asymmetricKeyType !== 'rsa') {
    const signNow = createVenueBSigner(keyId, privateKeyPem);
    return (method, url, timestampMs, done) => done(signNow(method, url, timestampMs));
  }
  return (method, url, timestampMs, done) =>
    sign('sha256', requestText(method, url, timestampMs), { key, ...PSS }, (error, signature) =>
      done(error === null ? headersOf(keyId, timestampMs, signature) : null),
    );
}

function headersOf(keyId: string, timestampMs: number, signature: Buffer): VenueBHeaders {
  return {
    'KALSHI-ACCESS-KEY': keyId,
    'KALSHI-ACCESS-TIMESTAMP': String(timestampMs),
    'KALSHI-ACCESS-SIGNATURE': signature.toString('base64'),
  };
}

function requestText(...[method, url, timestampMs]: Parameters<VenueBSign>): Buffer {
  return signedText(String(timestampMs), method, (typeof url === 'string' ? new URL(url) : url).pathname);
}

interface VenueBSignedRequest {
  readonly method: string;
  /** The path as sent, from the host's root; a query is cut off. */
  readonly path: string;
  /** The value of `KALSHI-ACCESS-TIMESTAMP`. */
  readonly timestamp: string;
  /** The value of `KALSHI-ACCESS-SIGNATURE`. */
  readonly signature: string;
}

/** Whether the signature matches this request and key. The caller checks the timestamp's age and the key id. */
export function verifyVenueBRequest(request: VenueBSignedRequest, key: KeyObject): boolean {
  const text = signedText(request.timestamp, request.method, request.path.split('?', 1)[0] ?? '');
  const signature = Buffer.from(request.signature, 'base64');
  if (key.asymmetricKeyType === 'rsa') return verify('sha256', text, { key, ...PSS }, signature);
  return signature.length === ED25519_BYTES && isEd25519Signature(signature, text, publicBytesOf(key));
}

/** The raw public bytes of Ed25519 keys that have verified a signature. */
const publicBytes = new WeakMap<KeyObject, Buffer>();

function publicBytesOf(key: KeyObject): Buffer {
  const known = publicBytes.get(key);
  if (known !== undefined) return known;
  const bytes = Buffer.from(key.export({ format: 'jwk' }).x ?? '', 'base64url');
  publicBytes.set(key, bytes);
  return bytes;
}

/** Returns a signer whose signature is valid until the next. */
function signatureBy(key: KeyObject): (text: Buffer) => Buffer {
  if (key.asymmetricKeyType === 'rsa') return text => sign('sha256', text, { key, ...PSS });
  const { d: seed = '', x: publicKey = '' } = key.export({ format: 'jwk' });
  const secretKey = Buffer.concat([Buffer.from(seed, 'base64url'), Buffer.from(publicKey, 'base64url')]);
  const signature = Buffer.alloc(ED25519_BYTES);
  return text => {
    signEd25519(signature, text, secretKey);
    return signature;
  };
}

function signedText(timestamp: string, method: string, path: string): Buffer {
  return Buffer.from(timestamp + method.toUpperCase() + path);
}

/**
 * Returns why the key cannot sign, or null if it can. The text continues a sentence that begins with the key's name, and never contains the
 * key.
 */
export function venueBKeyFault(privateKeyPem: string): string | null {
  const key = parseKey(privateKeyPem);
  if (!key.ok) return key.error;
  try {
    // A signature is tried, because an RSA key of 512 bits is too short for the digest.
    signatureBy(key.value)(Buffer.alloc(0));
    return null;
  } catch {
    return 'cannot sign: is it too short?';
  }
}

function readPrivateKey(pem: string): KeyObject {
  const key = parseKey(pem);
  if (key.ok) return key.value;
  throw new Error(`the private key of venue B ${key.error}`);
}

function parseKey(pem: string): Result<KeyObject, string> {
  let key: KeyObject;
  try {
    key = createPrivateKey(pem);
  } catch {
    return fail('is not readable PEM of a private key');
  }
  if (key.asymmetricKeyType === 'rsa' || key.asymmetricKeyType === 'ed25519') return ok(key);
  return fail(`is of type ${key.asymmetricKeyType}, not RSA or Ed25519`);
}
