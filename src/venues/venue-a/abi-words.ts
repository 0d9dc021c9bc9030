// ABI encoding of fixed-size values (Solidity's `abi.encode`): one 32-byte word for each value, big-endian. Each kind of record reuses one
// buffer, so that hashing an order allocates no encoding.

import { ADDRESS_BYTES, type Address } from './address.ts';
import { keccak256 } from './keccak.ts';

export const WORD_BYTES = 32;
/** `0x` and 64 hex digits in lower case. */
export type Bytes32 = string & { readonly of: 'bytes32' };
export const ZERO_BYTES32 = `0x${'00'.repeat(WORD_BYTES)}` as Bytes32;

const TWO_TO_64 = 2n ** 64n;
const ADDRESS_AT = WORD_BYTES - ADDRESS_BYTES;

export class AbiWords {
  readonly #bytes: Buffer;
  readonly #view: DataView;
  /**
   * The text to which each word was set last. A word of an account's records is mostly the same as before, and is then not encoded again.
   */
  readonly #texts: (string | undefined)[] = [];

  constructor(words: number) {
    this.#view = new DataView(new ArrayBuffer(words * WORD_BYTES));
    this.#bytes = Buffer.from(this.#view.buffer);
  }

  /** Sets a word to a `uint256` or a narrower type; the value must fit. */
  setUint(word: number, value: bigint): void {
    const at = word * WORD_BYTES;
    this.#view.setBigUint64(at + 24, value);
    if (value < TWO_TO_64) {
      this.#bytes.fill(0, at, at + 24);
      return;
    }
    const high = value >> 64n;
    this.#view.setBigUint64(at + 16, high);
    this.#view.setBigUint64(at + 8, high >> 64n);
    this.#view.setBigUint64(at, high >> 128n);
  }

  setAddress(word: number, address: Address): void {
    if (this.#isSet(word, address)) return;
    const at = word * WORD_BYTES;
    this.#bytes.fill(0, at, at + ADDRESS_AT);
    this.#bytes.write(address.slice(2), at + ADDRESS_AT, 'hex');
  }

  setBytes32(word: number, value: Bytes32): void {
    if (this.#isSet(word, value)) return;
    if (value === ZERO_BYTES32) this.#bytes.fill(0, word * WORD_BYTES, (word + 1) * WORD_BYTES);
    else this.#bytes.write(value.slice(2), word * WORD_BYTES, 'hex');
  }

  /** Sets a word to a hash, which stands for a value of variable size. */
  setHash(word: number, hash: Uint8Array): void {
    this.#bytes.set(hash, word * WORD_BYTES);
  }

  /** Whether the word is set to this text already. Each word of a record is always set by the same method. */
  #isSet(word: number, text: string): boolean {
    const isSame = this.#texts[word] === text;
    this.#texts[word] = text;
    return isSame;
  }

  keccak(): Uint8Array {
    return keccak256(this.#bytes);
  }
}
