// A signature as a bot on Node makes it, of any message: for tests and load that sign more than requests of a client.

import { nodeSigner } from '../../src/tools/client/node-client.ts';

/** The 64 bytes of the seed's signature. Of a string its UTF-8 bytes are meant. */
export function signNatively(message: string | Uint8Array, seedHex: string): Uint8Array {
  const bytes = typeof message === 'string' ? Buffer.from(message) : message;
  return nodeSigner({ keyId: 'any', seedHex }).sign(bytes) as Uint8Array;
}
