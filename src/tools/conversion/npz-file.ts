// Events in NumPy's formats. An archive with one array: a zip file (APPNOTE 6.3.10) with one compressed entry, whose sizes are patched into its
// header at the end. The array: version 1.0, with the structure that hftbacktest documents (`event_dtype`): 64 bytes an event. Its header states
// how many there are, so it is written last. The command line's process.

import { closeSync, createReadStream, createWriteStream, openSync, writeSync } from 'node:fs';
import { open, stat, writeFile } from 'node:fs/promises';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { crc32, createDeflateRaw } from 'node:zlib';

/** hftbacktest looks for an array of this name. */
const ENTRY = Buffer.from('data.npy');
const VERSION_NEEDED = 20;
const DEFLATED = 8;
/** 1980-01-01: the same recording gives the same bytes. */
const DOS_DATE = 0x21;
/** Beyond, a zip file needs another format. */
const BYTES_MAX = 0xffff_ffff;
const LOCAL_HEADER_BYTES = 30 + ENTRY.length;

/** Packs `from`, a `.npy` file, into the archive `to`. Rejects where it is too long, or the disk refuses. */
export async function packNpz(from: string, to: string): Promise<void> {
  const { size } = await stat(from);
  if (size > BYTES_MAX)
    throw new Error(`${to}: ${size} bytes of events, and a zip file takes ${BYTES_MAX}: export a shorter time`);
  let checksum = 0;
  const sums = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      checksum = crc32(chunk, checksum);
      done(null, chunk);
    },
  });
  await writeFile(to, Buffer.alloc(LOCAL_HEADER_BYTES));
  await pipeline(createReadStream(from), sums, createDeflateRaw(), createWriteStream(to, { flags: 'a' }));
  const packed = (await stat(to)).size - LOCAL_HEADER_BYTES;
  const file = await open(to, 'r+');
  try {
    const facts = factsOf(checksum, packed, size);
    await file.write(Buffer.concat([Buffer.from('PK\x03\x04'), facts, ENTRY]), 0, LOCAL_HEADER_BYTES, 0);
    const end = directoryOf(facts, LOCAL_HEADER_BYTES + packed);
    await file.write(end, 0, end.length, LOCAL_HEADER_BYTES + packed);
  } finally {
    await file.close();
  }
}

/** Of the entry, as both of its headers have them: from "version needed" to "extra field length". */
function factsOf(checksum: number, packed: number, unpacked: number): Buffer {
  const facts = Buffer.alloc(26);
  facts.writeUInt16LE(VERSION_NEEDED, 0);
  facts.writeUInt16LE(DEFLATED, 4);
  facts.writeUInt16LE(DOS_DATE, 8);
  facts.writeUInt32LE(checksum, 10);
  facts.writeUInt32LE(packed, 14);
  facts.writeUInt32LE(unpacked, 18);
  facts.writeUInt16LE(ENTRY.length, 22);
  return facts;
}

/** The directory of one entry, and the end of the file. `at`: its offset. */
function directoryOf(facts: Buffer, at: number): Buffer {
  const madeBy = Buffer.from([VERSION_NEEDED, 0]);
  const entry = Buffer.concat([Buffer.from('PK\x01\x02'), madeBy, facts, Buffer.alloc(14), ENTRY]);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(1, 8);
  end.writeUInt16LE(1, 10);
  end.writeUInt32LE(entry.length, 12);
  end.writeUInt32LE(at, 16);
  return Buffer.concat([entry, end]);
}

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
