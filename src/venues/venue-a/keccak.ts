// Keccak-256, the hash of Ethereum. It has the padding of the original submission, not of SHA-3, which Node's OpenSSL has.

import { keccakState, permuteState } from './keccak-permutation.ts';

const HASH_BYTES = 32;
/** Bytes of the state that absorb the message; the rest is twice the hash's length. */
const BLOCK_BYTES = 200 - 2 * HASH_BYTES;

/** 32 bytes in new memory. A string stands for its UTF-8 bytes. */
export function keccak256(message: Uint8Array | string): Uint8Array {
  const bytes = typeof message === 'string' ? Buffer.from(message) : message;
  const state = keccakState.fill(0);
  let at = 0;
  for (let index = 0; index < bytes.length; index += 1) {
    state[at] = state[at]! ^ bytes[index]!;
    at += 1;
    if (at < BLOCK_BYTES) continue;
    permuteState();
    at = 0;
  }
  state[at] = state[at]! ^ 0x01;
  state[BLOCK_BYTES - 1] = state[BLOCK_BYTES - 1]! ^ 0x80;
  permuteState();
  return state.slice(0, HASH_BYTES);
}
