// HMAC-SHA-256 (RFC 2104) by two one-shot hashes, which take less time than an Hmac object. Any thread.

import { hash } from 'node:crypto';

const BLOCK_BYTES = 64;
const HASH_BYTES = 32;

/**
 * The message of the inner hash: the padded key, then the bytes to sign. Each thread has one buffer. A signature is made without a pause,
 * so no other signature can overwrite the buffer meanwhile.
 */
let message = Buffer.allocUnsafeSlow(2 * 1024);
/** The view of the latest message. The next message often has the same length. */
let view = message;

export class HmacKey {
  readonly #inner = Buffer.alloc(BLOCK_BYTES, 0x36);
  /** The padded key of the outer hash, with room for the inner hash. */
  readonly #outer = Buffer.alloc(BLOCK_BYTES + HASH_BYTES, 0x5c);

  constructor(secret: Uint8Array) {
    const key = secret.length > BLOCK_BYTES ? Buffer.from(hash('sha256', secret, 'hex'), 'hex') : secret;
    for (const [index, byte] of key.entries()) {
      this.#inner[index]! ^= byte;
      this.#outer[index]! ^= byte;
    }
  }

  /**
   * Signs the text and the bytes behind it. Each character of a `binary` signature is a byte: such a text takes less memory than a buffer.
   */
  sign(text: string, bytes: Uint8Array, encoding: 'binary' | 'base64url'): string {
    const bytesAt = BLOCK_BYTES + Buffer.byteLength(text);
    const end = bytesAt + bytes.length;
    if (end > message.length) message = Buffer.allocUnsafeSlow(end);
    message.set(this.#inner);
    message.write(text, BLOCK_BYTES);
    message.set(bytes, bytesAt);
    if (view.length !== end || view.buffer !== message.buffer) view = message.subarray(0, end);
    this.#outer.write(hash('sha256', view, 'binary'), BLOCK_BYTES, 'latin1');
    return hash('sha256', this.#outer, encoding);
  }
}
