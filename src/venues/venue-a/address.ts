// Ethereum addresses. Clients write them in lower case or with the EIP-55 checksum. Inside they are lower case, so that equal
// text means the same address.

import { keccak256 } from './keccak.ts';

/** `0x` and 40 hex digits in lower case. */
export type Address = string & { readonly of: 'address' };

export const ADDRESS_BYTES = 20;

/**
 * An address in any case; null if it is none. The checksum of mixed case is not verified, since the venue compares without
 * regard to case.
 */
export function readAddress(text: string): Address | null {
  return /^0x[0-9a-fA-F]{40}$/.test(text) ? (text.toLowerCase() as Address) : null;
}

/** As the venue and its clients show it: a letter is upper case if the digit of the text's hash is 8 or more (EIP-55). */
export function checksumAddress(address: Address): string {
  const digits = address.slice(2);
  const hash = Buffer.from(keccak256(digits)).toString('hex');
  return `0x${[...digits].map((digit, index) => (hash[index]! >= '8' ? digit.toUpperCase() : digit)).join('')}`;
}
