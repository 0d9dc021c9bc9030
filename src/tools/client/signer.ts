// Signs requests (contract §2), over exactly the target and the bytes that are sent. The signer in this file works in every runtime. The
// signer of node-client.ts is faster. The private key never leaves a signer. Portable.

import { canonicalString, EMPTY_SHA256 } from '../../core/auth/canonical.ts';
import { signPortable } from '../../core/auth/key-pair.ts';
import { assert } from '../../core/domain/result.ts';

export interface Signer {
  readonly keyId: string;
  /** The 64-byte Ed25519 signature of a message. */
  sign(message: Uint8Array): Uint8Array | Promise<Uint8Array>;
  /** The SHA-256 in lower-case hex. If the signer has no such function, WebCrypto is used. */
  readonly sha256Hex?: (bytes: Uint8Array) => string;
}

export interface SigningKeyPair {
  readonly keyId: string;
  /** The 32-byte Ed25519 seed, hex. */
  readonly seedHex: string;
}

/** A signer in plain JavaScript. A signature takes about a millisecond. */
export function portableSigner({ keyId, seedHex }: SigningKeyPair): Signer {
  return { keyId, sign: message => signPortable(message, seedHex) };
}

export interface RequestToSign {
  /** The method in upper case. */
  readonly method: string;
  /** The path and query as they are sent. */
  readonly target: string;
  /** The body. Empty if there is none. */
  readonly body: Uint8Array<ArrayBuffer>;
  /** The idempotency key: 1 to 255 visible ASCII characters. Empty means no key. */
  readonly idempotencyKey: string;
  /** The deadline in Unix milliseconds, after which the gateway must not send the order to the venue. Null means no deadline. */
  readonly notAfterMillis: number | null;
}

const encoder = new TextEncoder();
/** A key has no blanks at its ends. HTTP would strip them, and the signature would not match. */
const IDEMPOTENCY_KEY = /^[\x21-\x7e](?:[\x20-\x7e]{0,253}[\x21-\x7e])?$/;

/**
 * All signed values and the signature as headers: the four of interface §5.1, and those of `idempotencyKey` and `notAfterMillis` if they
 * are given. `nowMs` is an estimate of the gateway's clock.
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

export type QueryValue = string | number | boolean | readonly string[] | undefined;

/** An origin for parsing. Any origin serves, because only the rest of the URL is used. */
const ORIGIN = 'http://gateway';

/** Fills in the `{name}` parts of the path and appends the query. Absent values are left out. Lists are joined by commas. */
export function requestTarget(
  path: string,
  parameters: Readonly<Record<string, string>>,
  query: Readonly<Record<string, QueryValue>>,
): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => segmentOf(name, parameters[name]));
  const pairs = Object.entries(query).filter(([, value]) => value !== undefined);
  const text = pairs.map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`).join('&');
  return asSent(text === '' ? filled : `${filled}?${text}`);
}

/** Whether each order in the body has an idempotency key of its own. The header must then be absent. `path` has no query. */
export function hasItemKeys(method: string, path: string): boolean {
  return method === 'POST' && /^\/v1\/venue-[ab]\/orders\/batch$/.test(path);
}

/** A path with its query, as the URL standard writes it. */
export function asSent(pathAndQuery: string): string {
  const { pathname, search } = new URL(ORIGIN + pathAndQuery);
  return pathname + search;
}

/** A segment of the path. Throws for an empty or dotted segment, which would change the path, for instance to that of all orders. */
function segmentOf(name: string, value: string | undefined): string {
  assert(value !== undefined && !/^\.{0,2}$/.test(value), `${name}: must be an identifier`);
  return encodeURIComponent(value);
}

export class ServerClock {
  readonly #now: () => number;
  /** The bounds of the offset, by all answers that agree. */
  #leastMs = Number.NEGATIVE_INFINITY;
  #mostMs = Number.POSITIVE_INFINITY;

  /** `now` returns our clock in Unix milliseconds. */
  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  /** Whether an answer has stated the offset yet. */
  get isCompared(): boolean {
    return this.#leastMs !== Number.NEGATIVE_INFINITY;
  }

  /** The milliseconds to add to our clock. 0 until the first answer. */
  get offsetMs(): number {
    return this.isCompared ? (this.#leastMs + this.#mostMs) / 2 : 0;
  }

  /** Our clock in Unix milliseconds. */
  ownNow(): number {
    return this.#now();
  }

  /** An estimate of the gateway's clock in Unix milliseconds. */
  now(): number {
    return this.#now() + this.offsetMs;
  }

  /**
   * Takes in an answer that states `serverMs` at some moment between sending and receiving. The first answer puts the offset in the middle.
   * Later answers narrow the bounds, so that slow answers do no harm. If an answer contradicts the bounds, only that answer counts, because
   * clocks drift and are set.
   */
  observe(sentMs: number, receivedMs: number, serverMs: number): void {
    // Our clock was set back in the meantime, so the answer has no information.
    if (receivedMs < sentMs) return;
    const [leastMs, mostMs] = [serverMs - receivedMs, serverMs - sentMs];
    const isContradiction = leastMs > this.#mostMs || mostMs < this.#leastMs;
    this.#leastMs = isContradiction ? leastMs : Math.max(leastMs, this.#leastMs);
    this.#mostMs = isContradiction ? mostMs : Math.min(mostMs, this.#mostMs);
  }
}
