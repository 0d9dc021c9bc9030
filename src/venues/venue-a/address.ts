// Ethereum's hex text: bytes as `0x` and two digits each, and addresses. The text is read in either case and written in lower case, so that
// equal text means equal addresses.

import { keccak256 } from './keccak.ts';

/** `0x` and 40 hex digits in lower case. */
export type Address = string & { readonly of: 'address' };

export const ADDRESS_BYTES = 20;

/**
 * Reads an address in any case, or returns null if the text is not an address. The checksum of mixed case is not verified, because the
 * venue compares without regard to case.
 */
export function readAddress(text: string): Address | null {
  return /^0x[0-9a-fA-F]{40}$/.test(text) ? (text.toLowerCase() as Address) : null;
}

/** Returns the address as the venue shows it: a letter is upper case if the digit of the text's hash is 8 or more (EIP-55). */
export function checksumAddress(address: Address): string {
  const digits = address.slice(2);
  const hash = Buffer.from(keccak256(digits)).toString('hex');
  return `0x${[...digits].map((digit, index) => (hash[index]! >= '8' ? digit.toUpperCase() : digit)).join('')}`;
}

/** Returns the bytes, or null unless the text is `0x` and a bounded number of whole bytes. */
export function readHex(text: string, bytesMax: number): Uint8Array | null {
  if (text.length > 2 + bytesMax * 2 || !/^0x(?:[0-9a-f]{2})*$/i.test(text)) return null;
  return Buffer.from(text.slice(2), 'hex');
}

export function writeHex(bytes: Uint8Array): string {
  return `0x${Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('hex')}`;
}
