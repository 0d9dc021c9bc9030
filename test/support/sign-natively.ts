// A signature over any message, as a bot on Node makes it. Tests and load generators use it to sign messages other than a client's
// requests.

import { nodeSigner } from '../../src/tools/client/node-client.ts';

/** Returns the 64 bytes of the seed's signature. A string is signed as its UTF-8 bytes. */
export function signNatively(message: string | Uint8Array, seedHex: string): Uint8Array {
  const bytes = typeof message === 'string' ? Buffer.from(message) : message;
  return nodeSigner({ keyId: 'any', seedHex }).sign(bytes) as Uint8Array;
}
