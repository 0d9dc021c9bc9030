// Bytes of records: varints (LEB128), 16 and 32 bits, text. Whole numbers up to 2^53 − 1, and from −2^52 to 2^52 − 1 where they have a sign. Pure.

/** 0, −1, 1, −2, … as 0, 1, 2, 3, … */
export function zigzag(value: number): number {
  return value >= 0 ? value * 2 : -value * 2 - 1;
}

export function unzigzag(value: number): number {
  return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
}

/** The scale of a varint's eighth byte. */
const SCALE_MAX = 2 ** 49;

/** A writer that grows with its content, and is reused from block to block. */
export class ByteWriter {
  #bytes = Buffer.allocUnsafe(128 * 1024);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  /** The bytes since `clear`; valid until the next write. */
  written(): Buffer {
    return this.#bytes.subarray(0, this.#length);
  }

  clear(): void {
    this.#length = 0;
  }

  u8(value: number): void {
    this.#need(1);
    this.#bytes[this.#length++] = value;
  }

  u16(value: number): void {
    this.#need(2);
    this.#length = this.#bytes.writeUInt16LE(value, this.#length);
  }

  u32(value: number): void {
    this.#need(4);
    this.#length = this.#bytes.writeUInt32LE(value, this.#length);
  }

  /** Throws a RangeError for a number without an encoding. */
  varint(value: number): void {
    if (!Number.isSafeInteger(value) || value < 0) throw new RangeError(`${value} has no varint`);
    this.#need(8);
    let rest = value;
    for (; rest > 0x7fff_ffff; rest = Math.floor(rest / 128)) this.#bytes[this.#length++] = (rest % 128) | 0x80;
    for (; rest > 0x7f; rest >>>= 7) this.#bytes[this.#length++] = (rest & 0x7f) | 0x80;
    this.#bytes[this.#length++] = rest;
  }

  signed(value: number): void {
    this.varint(zigzag(value));
  }

  text(value: string): void {
    const bytes = Buffer.from(value);
    this.varint(bytes.length);
    this.#need(bytes.length);
    this.#length += bytes.copy(this.#bytes, this.#length);
  }

  #need(bytes: number): void {
    if (this.#length + bytes <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafe(2 * (this.#length + bytes));
    this.#bytes.copy(larger, 0, 0, this.#length);
    this.#bytes = larger;
  }
}

/** Throws a RangeError where the bytes end, or are no number. */
export class ByteReader {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  get isAtEnd(): boolean {
    return this.#at === this.#bytes.length;
  }

  get left(): number {
    return this.#bytes.length - this.#at;
  }

  u8(): number {
    return this.#bytes[this.#take(1)]!;
  }

  u16(): number {
    return this.#bytes.readUInt16LE(this.#take(2));
  }

  u32(): number {
    return this.#bytes.readUInt32LE(this.#take(4));
  }

  varint(): number {
    let [value, scale] = [0, 1];
    for (;;) {
      const byte = this.u8();
      value += (byte & 0x7f) * scale;
      if (value > Number.MAX_SAFE_INTEGER) throw new RangeError('a varint above 2^53');
      if (byte < 0x80) return value;
      scale *= 128;
      if (scale > SCALE_MAX) throw new RangeError('a varint of more than eight bytes');
    }
  }

  signed(): number {
    return unzigzag(this.varint());
  }

  text(): string {
    const length = this.varint();
    const start = this.#take(length);
    return this.#bytes.toString('utf8', start, start + length);
  }

  #take(bytes: number): number {
    const start = this.#at;
    if (start + bytes > this.#bytes.length) throw new RangeError('the bytes end too early');
    this.#at += bytes;
    return start;
  }
}
