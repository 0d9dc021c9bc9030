// The primitives of records as bytes: varints, exact big integers, text, order ids. Every value has exactly one form, and the reader
// refuses any other form. So a value that is read is written back unchanged. A record has some fifty primitives, so each calls no other
// function in the usual case. Pure.

import { isUtf8 } from 'node:buffer';
import type { OrderId } from '../../domain/order.ts';
import { AssertionFailure } from '../../domain/result.ts';

const FIRST_BUFFER_BYTES = 4_096;
/** The number of bytes of 2^53 − 1. */
const COUNT_BYTES_MAX = 8;
const TIME_BYTES = 6;
const UINT32_BYTES = 4;
/**
 * The longest text that is written by a loop. Its length is one byte. For ids, tickers and tokens a loop is faster than a call of the
 * runtime.
 */
const SHORT_TEXT_MAX = 80;
const TOO_SHORT = 'it ends too early';
const ORDER_ID_BYTES = 16;
const ORDER_ID_CHARACTERS = 36;
/** The place of each byte's digits in the text of an order id. Dashes stand between them. */
const ORDER_ID_DIGITS_AT = [0, 2, 4, 6, 9, 11, 14, 16, 19, 21, 24, 26, 28, 30, 32, 34] as const;
const ORDER_ID_DASHES_AT = [8, 13, 18, 23] as const;
const DASH = 0x2d;
const HEX_DIGITS = '0123456789abcdef';
/** A value that makes no byte together with any other digit. */
const NO_DIGIT = 0x100;
/** The values of hex digits, by character code. */
const DIGIT_VALUES = Uint16Array.from({ length: 256 }, (_, code) => {
  const value = HEX_DIGITS.indexOf(String.fromCharCode(code));
  return value < 0 ? NO_DIGIT : value;
});

const HEX_CODES = Uint8Array.from(HEX_DIGITS, digit => digit.charCodeAt(0));
/** The buffer in which the text of an order id is built. */
const orderIdText = Buffer.alloc(ORDER_ID_CHARACTERS, DASH);
/** The number of names kept, a power of two. */
const NAMES_MAX = 16_384;
/** The names that were read recently, by a hash of their bytes. */
const names = new Array<string | undefined>(NAMES_MAX);

/** The error for bytes that do not have the expected form. */
export class RecordFault extends Error {
  override readonly name = 'RecordFault';
}

/** The order id that was read last: consecutive records and keys of one order read the id only once. */
const latestId = { text: null as string | null, bytes: new Uint8Array(ORDER_ID_BYTES) };

/**
 * Whether a text is an order id; then its bytes are in `latestId`. This loops, because an id is checked a dozen times on its way, and a
 * regular expression is slower.
 */
export function isOrderId(text: string): text is OrderId {
  if (text.length !== ORDER_ID_CHARACTERS) return false;
  if (text === latestId.text) return true;
  latestId.text = null;
  for (const at of ORDER_ID_DASHES_AT) if (text.charCodeAt(at) !== DASH) return false;
  // A loop by index is used, because `entries()` would make 3 KB of garbage for each id.
  for (let index = 0; index < ORDER_ID_BYTES; index++) {
    const at = ORDER_ID_DIGITS_AT[index]!;
    const high = DIGIT_VALUES[text.charCodeAt(at)];
    const low = DIGIT_VALUES[text.charCodeAt(at + 1)];
    const byte = (high ?? NO_DIGIT) * 16 + (low ?? NO_DIGIT);
    if (byte > 0xff) return false;
    latestId.bytes[index] = byte;
  }
  latestId.text = text;
  return true;
}

/** The size up to which a view is kept. */
export const KEPT_VIEW_MAX = 1_024;

/** A writer with a buffer that grows from its first size to the largest record, and is reused. */
export class ByteWriter {
  /** The buffer. The compiled code of a form writes single bytes here in the usual case (`schema.ts`). */
  bytes: Buffer;
  /** The number of bytes since `begin`. */
  end = 0;
  /** The views of the buffer from its start, by their length. Each view is made once, since a view takes 170 bytes. */
  #views: (Buffer | undefined)[] = [];

  constructor(bytes = FIRST_BUFFER_BYTES) {
    this.bytes = Buffer.allocUnsafe(bytes);
  }

  begin(): this {
    this.end = 0;
    return this;
  }

  /** Begins a record with this byte. */
  beginWith(byte: number): this {
    this.bytes[0] = byte;
    this.end = 1;
    return this;
  }

  /** Returns a view of the bytes since `begin`, or of the first `to` bytes. The view is valid until more is written. */
  view(to = this.end): Buffer {
    if (to > KEPT_VIEW_MAX) return this.bytes.subarray(0, to);
    this.#views[to] ??= this.bytes.subarray(0, to);
    return this.#views[to]!;
  }

  /** Returns a copy of the bytes since `begin`. The copy is from the pool, where small arrays cost half. */
  copy(): Uint8Array {
    const taken = Buffer.allocUnsafe(this.end);
    this.bytes.copy(taken, 0, 0, this.end);
    return taken;
  }

  byte(value: number): this {
    if (this.end === this.bytes.length) this.#grow(1);
    this.bytes[this.end++] = value;
    return this;
  }

  /** Writes a whole number from 0 to 2^53 − 1, seven bits per byte, lowest bits first. */
  count(value: number): this {
    if (!Number.isSafeInteger(value) || value < 0) throw new AssertionFailure('a count is a whole number');
    if (this.bytes.length - this.end < COUNT_BYTES_MAX) this.#grow(COUNT_BYTES_MAX);
    const bytes = this.bytes;
    let end = this.end;
    let rest = value;
    for (; rest >= 0x80; rest = Math.floor(rest / 0x80)) bytes[end++] = (rest % 0x80) | 0x80;
    bytes[end++] = rest;
    this.end = end;
    return this;
  }

  integer(value: number): this {
    return this.byte(value < 0 ? 1 : 0).count(Math.abs(value));
  }

  /** Writes the number of bytes of the magnitude × 2 + the sign, then the magnitude, highest byte first. */
  bigInteger(value: bigint): this {
    const sign = value < 0n ? 1 : 0;
    const digits = value === 0n ? '' : (sign === 1 ? -value : value).toString(16);
    const bytes = Math.ceil(digits.length / 2);
    this.count(bytes * 2 + sign);
    if (this.bytes.length - this.end < bytes) this.#grow(bytes);
    this.end += this.bytes.write(digits.padStart(bytes * 2, '0'), this.end, 'hex');
    return this;
  }

  /** Writes four bytes, lowest first. */
  uint32(value: number): this {
    if (this.bytes.length - this.end < UINT32_BYTES) this.#grow(UINT32_BYTES);
    this.end = this.bytes.writeUInt32LE(value, this.end);
    return this;
  }

  /** Writes six bytes, highest first, so that keys sort by time. */
  time(value: number): this {
    if (this.bytes.length - this.end < TIME_BYTES) this.#grow(TIME_BYTES);
    this.end = this.bytes.writeUIntBE(value, this.end, TIME_BYTES);
    return this;
  }

  orderId(orderId: OrderId): this {
    if (orderId !== latestId.text && !isOrderId(orderId))
      throw new AssertionFailure('an order id is a UUID in lower case');
    if (this.bytes.length - this.end < ORDER_ID_BYTES) this.#grow(ORDER_ID_BYTES);
    this.bytes.set(latestId.bytes, this.end);
    this.end += ORDER_ID_BYTES;
    return this;
  }

  /** Writes the length in bytes, then UTF-8; halves of surrogate pairs become U+FFFD. */
  text(value: string): this {
    const { length } = value;
    if (length > SHORT_TEXT_MAX) return this.count(Buffer.byteLength(value)).rawText(value);
    if (this.bytes.length - this.end <= length) this.#grow(length + 1);
    const bytes = this.bytes;
    const start = this.end + 1;
    let all = 0;
    for (let at = 0; at < length; at++) {
      const code = value.charCodeAt(at);
      all |= code;
      bytes[start + at] = code;
    }
    if (all >= 0x80) return this.count(Buffer.byteLength(value)).rawText(value);
    bytes[this.end] = length;
    this.end = start + length;
    return this;
  }

  /** Writes a text without its length, as the last part of a key. */
  rawText(value: string): this {
    const bytesMax = value.length * 3;
    if (this.bytes.length - this.end < bytesMax) this.#grow(bytesMax);
    this.end += this.bytes.write(value, this.end, 'utf8');
    return this;
  }

  /** Writes the number of bytes, then the bytes. */
  sized(value: Uint8Array): this {
    return this.count(value.length).raw(value);
  }

  raw(value: Uint8Array): this {
    if (this.bytes.length - this.end < value.length) this.#grow(value.length);
    this.bytes.set(value, this.end);
    this.end += value.length;
    return this;
  }

  /** Writes the bytes that pairs of hex digits stand for. */
  hex(digits: string): this {
    const bytes = digits.length / 2;
    if (this.bytes.length - this.end < bytes) this.#grow(bytes);
    if (this.bytes.write(digits, this.end, 'hex') !== bytes)
      throw new AssertionFailure('bytes are pairs of hex digits');
    this.end += bytes;
    return this;
  }

  /** Makes room for `bytes` more bytes. */
  #grow(bytes: number): void {
    const grown = Buffer.allocUnsafe(Math.max(this.bytes.length * 2, this.end + bytes));
    this.bytes.copy(grown, 0, 0, this.end);
    this.bytes = grown;
    this.#views = [];
  }
}

/** A reader whose methods throw a RecordFault if the bytes have another form. */
export class ByteReader {
  /** The bytes. The compiled code of a form reads from here in the usual case (`schema.ts`). */
  readonly bytes: Buffer;
  /** The place of the next byte. */
  at = 0;

  constructor(bytes: Uint8Array) {
    this.bytes = Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  }

  byte(): number {
    const byte = this.bytes[this.at];
    if (byte === undefined) throw new RecordFault(TOO_SHORT);
    this.at += 1;
    return byte;
  }

  count(): number {
    let value = 0;
    for (let scale = 1; ; scale *= 0x80) {
      const byte = this.bytes[this.at];
      if (byte === undefined) throw new RecordFault(TOO_SHORT);
      this.at += 1;
      value += (byte & 0x7f) * scale;
      if (!Number.isSafeInteger(value)) throw new RecordFault('a count is beyond 2^53');
      if (byte >= 0x80) continue;
      if (byte === 0 && scale > 1) throw new RecordFault('a count is longer than it need be');
      return value;
    }
  }

  integer(): number {
    const isNegative = this.flag();
    const magnitude = this.count();
    if (isNegative && magnitude === 0) throw new RecordFault('an integer is minus nothing');
    return isNegative ? -magnitude : magnitude;
  }

  bigInteger(): bigint {
    const head = this.count();
    const bytes = Math.floor(head / 2);
    const isNegative = head % 2 === 1;
    if (bytes === 0) {
      if (isNegative) throw new RecordFault('an integer is minus nothing');
      return 0n;
    }
    const at = this.#take(bytes);
    if (this.bytes[at] === 0) throw new RecordFault('an integer is longer than it need be');
    const magnitude = BigInt(`0x${this.bytes.toString('hex', at, at + bytes)}`);
    return isNegative ? -magnitude : magnitude;
  }

  time(): number {
    const at = this.at;
    if (this.bytes.length - at < TIME_BYTES) throw new RecordFault(TOO_SHORT);
    this.at = at + TIME_BYTES;
    return this.bytes.readUIntBE(at, TIME_BYTES);
  }

  flag(): boolean {
    const byte = this.bytes[this.at];
    if (byte === undefined) throw new RecordFault(TOO_SHORT);
    if (byte > 1) throw new RecordFault(`a flag is ${byte}`);
    this.at += 1;
    return byte === 1;
  }

  orderId(): OrderId {
    const at = this.#take(ORDER_ID_BYTES);
    const bytes = this.bytes;
    const latest = latestId.bytes;
    let same = 0;
    while (same < ORDER_ID_BYTES && bytes[at + same] === latest[same]) same += 1;
    if (same === ORDER_ID_BYTES && latestId.text !== null) return latestId.text as OrderId;
    for (let index = 0; index < ORDER_ID_BYTES; index++) {
      const byte = bytes[at + index]!;
      const digit = ORDER_ID_DIGITS_AT[index]!;
      latest[index] = byte;
      orderIdText[digit] = HEX_CODES[byte >>> 4]!;
      orderIdText[digit + 1] = HEX_CODES[byte & 0xf]!;
    }
    // latin1 makes a flat string. A concatenation of five parts would keep all parts in memory.
    latestId.text = orderIdText.toString('latin1');
    return latestId.text as OrderId;
  }

  text(): string {
    // The length is usually one byte.
    return this.#textOf(this.bytes[this.at]! < 0x80 ? this.bytes[this.at++]! : this.count());
  }

  /** Reads a text that many records share, such as an actor or a market. Usually returns the same string object for the same text. */
  name(): string {
    const bytes = this.bytes;
    const length = bytes[this.at]! < 0x80 ? bytes[this.at++]! : this.count();
    const at = this.at;
    if (length > bytes.length - at) throw new RecordFault(TOO_SHORT);
    let hash = length;
    let all = 0;
    for (let index = at; index < at + length; index++) {
      hash = Math.imul(hash, 31) + bytes[index]!;
      all |= bytes[index]!;
    }
    const place = hash & (NAMES_MAX - 1);
    const known = names[place];
    if (all < 0x80 && known?.length === length) {
      let same = 0;
      while (same < length && known.charCodeAt(same) === bytes[at + same]) same += 1;
      if (same === length) {
        this.at = at + length;
        return known;
      }
    }
    const name = this.#textOf(length);
    if (length <= SHORT_TEXT_MAX) names[place] = name;
    return name;
  }

  /** Reads a text up to the end. */
  rawText(): string {
    return this.#textOf(this.bytes.length - this.at);
  }

  sized(): Uint8Array {
    return this.raw(this.count());
  }

  /** Reads a copy of the bytes. A copy by Node would make a view of the source. */
  raw(length: number): Uint8Array {
    const at = this.#take(length);
    const raw = new Uint8Array(length);
    for (let index = 0; index < length; index++) raw[index] = this.bytes[at + index]!;
    return raw;
  }

  /** Reads bytes as hex digits in lower case. */
  hex(length: number): string {
    const at = this.#take(length);
    return this.bytes.toString('hex', at, at + length);
  }

  get hasMore(): boolean {
    return this.at < this.bytes.length;
  }

  end(): void {
    const left = this.bytes.length - this.at;
    if (left > 0) throw new RecordFault(`${left} bytes follow its end`);
  }

  #textOf(length: number): string {
    const { at, bytes } = this;
    const end = at + length;
    if (end > bytes.length) throw new RecordFault(TOO_SHORT);
    this.at = end;
    for (let index = at; index < end; index++) {
      if (bytes[index]! < 0x80) continue;
      if (!isUtf8(bytes.subarray(at, end))) throw new RecordFault('a text is not UTF-8');
      return bytes.toString('utf8', at, end);
    }
    return bytes.toString('latin1', at, end);
  }

  #take(bytes: number): number {
    const at = this.at;
    if (bytes > this.bytes.length - at) throw new RecordFault(TOO_SHORT);
    this.at += bytes;
    return at;
  }
}
