// API keys of the older family (interface §5.2, contract §2): 32 random bytes, shown once, kept as their SHA-256 only.

import { hash } from 'node:crypto';

/** Cryptographically secure random bytes: passed in, so that a whole run can be simulated from a seed. */
export type RandomBytes = (bytes: number) => Uint8Array;

const API_KEY_BYTES = 32;
/** Lets secret scanners, and people, recognise one that leaked. */
const PREFIX = 'cbk_';

export interface NewApiKey {
  /** The secret: shown to its owner once, stored and logged nowhere. */
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
