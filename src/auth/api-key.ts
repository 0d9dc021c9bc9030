// API keys of the older family (interface §5.2, contract §2): 32 random bytes, shown once, stored only as SHA-256.

import { hash } from 'node:crypto';

/** Cryptographically secure random bytes; a parameter, so that a seed can simulate a whole run. */
export type RandomBytes = (bytes: number) => Uint8Array;

const API_KEY_BYTES = 32;
/** Secret scanners and people recognise a leaked key by it. */
const PREFIX = 'cbk_';

interface NewApiKey {
  /** The secret: shown to its owner once, never stored or logged. */
  readonly text: string;
  readonly hashHex: string;
}

export function createApiKey(randomBytes: RandomBytes): NewApiKey {
  const text = PREFIX + Buffer.from(randomBytes(API_KEY_BYTES)).toString('base64url');
  return { text, hashHex: hashApiKey(text) };
}

/** SHA-256 of the key's text, lower-case hex. Fast on purpose: 256 random bits need no slow hash. */
export function hashApiKey(text: string): string {
  return hash('sha256', text);
}
