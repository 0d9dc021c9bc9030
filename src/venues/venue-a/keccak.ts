// Keccak-256, the hash of Ethereum, by hash-wasm. It has the padding of the original submission, not of SHA-3, which Node's OpenSSL
// has. The only importer of hash-wasm. Any thread.

import { createRequire } from 'node:module';

// CommonJS: `import` would make each thread scan its text for export names first (docs/PERFORMANCE.md, Starting). The package's own
// entry holds all of its hashes.
const { createKeccak } = createRequire(import.meta.url)(
  'hash-wasm/dist/keccak.umd.min.js',
) as typeof import('hash-wasm');

/** Compiled while the thread loads, so that hashing is synchronous. */
const hasher = await createKeccak(256);

/** 32 bytes in new memory. A string stands for its UTF-8 bytes. */
export function keccak256(message: Uint8Array | string): Uint8Array {
  return hasher.init().update(message).digest('binary');
}
