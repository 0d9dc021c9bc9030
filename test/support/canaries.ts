// A secret in every form in which it could lie about: as text, in hex, in both base64s, and as bare bytes.

import { createPrivateKey } from 'node:crypto';

export interface Canary {
  /** What it is, for the report of a find. */
  readonly name: string;
  readonly forms: readonly Buffer[];
}

/** Shorter ones are found by chance. */
const FORM_BYTES_MIN = 12;

/** Something that is a secret as it is written. */
export function textCanary(name: string, text: string): Canary {
  return canary(name, [Buffer.from(text)]);
}

/** Something whose bytes are the secret, in any writing: `texts` are the known ones. */
export function byteCanary(name: string, bytes: Buffer, ...texts: readonly string[]): Canary {
  const hex = bytes.toString('hex');
  const written = [hex, hex.toUpperCase(), bytes.toString('base64').replace(/=+$/, ''), bytes.toString('base64url')];
  return canary(name, [bytes, ...[...written, ...texts].map(text => Buffer.from(text))]);
}

/** The lines of a private key as PEM, and its secret number, which is in none of them as a whole. */
export function pemCanary(name: string, pem: string): Canary {
  const { d = '' } = createPrivateKey(pem).export({ format: 'jwk' });
  const lines = pem.split('\n').filter(line => line !== '' && !line.startsWith('-----'));
  return byteCanary(name, Buffer.from(d, 'base64url'), ...lines);
}

/** Names of those that are somewhere in the bytes. */
export function canariesIn(bytes: Buffer, canaries: readonly Canary[]): string[] {
  return canaries.filter(({ forms }) => forms.some(form => bytes.includes(form))).map(({ name }) => name);
}

function canary(name: string, forms: readonly Buffer[]): Canary {
  const short = forms.some(form => form.length < FORM_BYTES_MIN);
  if (short) throw new Error(`${name}: a form of it is too short to be looked for`);
  return { name, forms };
}
