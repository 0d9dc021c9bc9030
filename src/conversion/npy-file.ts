// Arrays of events in NumPy's file format, version 1.0, with the structure that hftbacktest documents (`event_dtype`): 64 bytes an event. Its
// header states how many there are, so it is written last. Pure, but for `NpyEvents`.

import { closeSync, openSync, writeSync } from 'node:fs';

/** Names and types, little-endian, in their order. */
const FIELDS = [
  ['ev', '<u8'],
  ['exch_ts', '<i8'],
  ['local_ts', '<i8'],
  ['px', '<f8'],
  ['qty', '<f8'],
  ['order_id', '<u8'],
  ['ival', '<i8'],
  ['fval', '<f8'],
] as const;
const EVENT_BYTES = 8 * FIELDS.length;
/** A multiple of 64, as hftbacktest's reader demands. */
const HEADER_BYTES = 256;
const BUFFER_BYTES = 64 * EVENT_BYTES;
const NANOS_PER_MS = 1_000_000n;

/** Header of an array of `count` events. */
function npyHeader(count: number): Buffer {
  const types = FIELDS.map(([name, type]) => `('${name}', '${type}')`).join(', ');
  const text = `{'descr': [${types}], 'fortran_order': False, 'shape': (${count},), }`;
  const start = Buffer.from([0x93, ...Buffer.from('NUMPY'), 1, 0, 0, 0]);
  start.writeUInt16LE(HEADER_BYTES - start.length, start.length - 2);
  return Buffer.concat([start, Buffer.from(`${text.padEnd(HEADER_BYTES - start.length - 1)}\n`)]);
}

/** One file of events. It keeps no file open between two writes: a recording may have thousands of markets. */
export class NpyEvents {
  readonly path: string;
  #count = 0;
  #buffer = Buffer.alloc(BUFFER_BYTES);
  #used = 0;
  #written = HEADER_BYTES;

  /** Makes the file, or empties it. */
  constructor(path: string) {
    this.path = path;
    this.#put(npyHeader(0), 0, 'w');
  }

  get bytes(): number {
    return HEADER_BYTES + this.#count * EVENT_BYTES;
  }

  /** `ev`: kind and flags. Times in Unix milliseconds; price in dollars, size in shares. */
  add(ev: number, venueMs: number, receivedMs: number, dollars: number, shares: number): void {
    if (this.#used === this.#buffer.length) this.flush();
    const buffer = this.#buffer;
    const at = this.#used;
    buffer.writeBigUInt64LE(BigInt(ev), at);
    buffer.writeBigInt64LE(BigInt(venueMs) * NANOS_PER_MS, at + 8);
    buffer.writeBigInt64LE(BigInt(receivedMs) * NANOS_PER_MS, at + 16);
    buffer.writeDoubleLE(dollars, at + 24);
    buffer.writeDoubleLE(shares, at + 32);
    // The rest is for orders and for users: 0.
    this.#used += EVENT_BYTES;
    this.#count += 1;
  }

  flush(): void {
    if (this.#used === 0) return;
    this.#put(this.#buffer.subarray(0, this.#used), this.#written);
    this.#written += this.#used;
    this.#used = 0;
  }

  finish(): void {
    this.flush();
    this.#put(npyHeader(this.#count), 0);
  }

  #put(bytes: Buffer, position: number, flags = 'r+'): void {
    const file = openSync(this.path, flags);
    try {
      for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at, bytes.length - at, position + at);
    } finally {
      closeSync(file);
    }
  }
}
