// Token ids of venue A by protocol (venue-a.md §0.1). Ids of the Conditional Tokens contract are hashes. A position id of Protocol V2 is a
// number made of fields. From high to low these are: module 8 bits, base hash 128, arity 16, reserved 64, resolution chain 16, condition
// index 16, outcome index 8. The reserved bits and the chain are zero, so the two protocols cannot be confused. Pure.

import { WORD_BYTES } from './abi-words.ts';
import { writeHex } from './address.ts';

export type Protocol = 'V1' | 'V2';

const MODULE_AT = 248n;
const MODULES = 3n;
const OUTCOME_BITS = 8n;
/** The position of the 64 reserved bits, which are zero. Below them are the resolution chain, the condition index and the outcome index. */
const ZERO_AT = 40n;
const ZERO_MASK = (1n << 64n) - 1n;

/** Returns the protocol of a token. Only the token's id shows the protocol; orders, balances and redemptions differ between protocols. */
export function protocolOf(tokenId: string): Protocol {
  const id = BigInt(tokenId);
  const module = id >> MODULE_AT;
  return module >= 1n && module <= MODULES && ((id >> ZERO_AT) & ZERO_MASK) === 0n ? 'V2' : 'V1';
}

/** Returns the condition of a position id: 31 bytes, left-aligned in a word of 32. */
export function conditionOfPosition(tokenId: string): Uint8Array {
  const digits = (BigInt(tokenId) >> OUTCOME_BITS).toString(16).padStart(2 * (WORD_BYTES - 1), '0');
  return Buffer.from(`${digits}00`, 'hex');
}

/** Returns the condition id as text of 31 bytes, as in the venue's lists. */
export function conditionIdOfPosition(tokenId: string): string {
  return writeHex(conditionOfPosition(tokenId).subarray(0, WORD_BYTES - 1));
}

/** Returns the token id of the condition's other outcome. */
export function complementOfPosition(tokenId: string): string {
  return String(BigInt(tokenId) ^ 1n);
}

const CONDITION_CHARACTERS = '0x'.length + 2 * WORD_BYTES;

/** Returns a condition id in a form that can be compared. For Protocol V2 some routes write 31 bytes, others 32 of which the last is 0. */
export function conditionKey(conditionId: string): string {
  return conditionId.toLowerCase().padEnd(CONDITION_CHARACTERS, '0');
}

/** Returns 0 for YES and 1 for NO. */
export function outcomeOfPosition(tokenId: string): number {
  return Number(BigInt.asUintN(8, BigInt(tokenId)));
}
