// Reads one file of a recording, block by block. No data is used before its checksum was compared. The readable part ends at the first
// block that is incomplete or damaged. Any thread.

import { createHash, type Hash } from 'node:crypto';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { isObject, objectsOf, parseJson } from '../../core/domain/json.ts';
import { VENUES, type Venue } from '../../core/domain/market.ts';
import type { UnixMillis } from '../../core/domain/numbers.ts';
import { type Files, nodeFiles, type OpenFile } from '../../core/store/files.ts';
import {
  BLOCK,
  BLOCK_HEAD_BYTES,
  BLOCK_OF_CONTENTS,
  BLOCK_OF_RECORDS,
  type FileContents,
  FORMAT_VERSION,
  fileName,
  HEADER,
  HEADER_BYTES,
  MAGIC,
  type MarketContents,
  PAYLOAD_BYTES_MAX,
  type RecordedEvent,
  type RecordedMarket,
  SHA256_BYTES,
  TAIL,
  TAIL_BYTES,
  TAIL_MAGIC,
} from './format.ts';
import { RecordDecoder, RecordEncoder } from './record-codec.ts';

export interface FileFault {
  readonly path: string;
  /** `cut` means that the file was not closed, and ends within a block or after one. `damaged` means that its bytes have changed. */
  readonly what: 'cut' | 'damaged';
  /** The number of bytes before the fault, which are readable. */
  readonly soundBytes: number;
  /** A text with the path, the fault and its place. */
  readonly words: string;
}

interface Block {
  readonly type: number;
  readonly at: number;
  readonly payload: Buffer;
  /** All bytes of the block, including its head. */
  readonly bytes: Buffer;
}

type MarketOf = (venue: Venue, address: string) => RecordedMarket;

export class RecordedFile {
  readonly path: string;
  readonly startedAt: UnixMillis;
  readonly session: number;
  readonly number: number;

  private constructor(path: string, header: Buffer) {
    this.path = path;
    this.session = header.readUInt32LE(HEADER.session);
    this.number = header.readUInt32LE(HEADER.number);
    this.startedAt = Number(header.readBigUInt64LE(HEADER.startedAt)) as UnixMillis;
  }

  /**
   * Opens a file. Returns a fault if the file is not part of a recording, or if its header is damaged. Throws a StoreError if the file
   * cannot be read.
   */
  static open(path: string): RecordedFile | FileFault {
    const header = opened(path, file => bufferOf(nodeFiles.read(file, 0, HEADER_BYTES)));
    const fault = headerFault(header);
    if (fault === null) return new RecordedFile(path, header);
    return { path, what: header.length < HEADER_BYTES ? 'cut' : 'damaged', soundBytes: 0, words: `${path}: ${fault}` };
  }

  get bytes(): number {
    return nodeFiles.sizeOf(this.path) ?? 0;
  }

  /** Whether this file continues the file `before`, with nothing missing between the two. */
  follows(before: RecordedFile): boolean {
    return this.session === before.session && this.number === before.number + 1;
  }

  /**
   * Returns the contents of the file. Reads only its last block, or the whole file if it was not closed. `isClosed` says whether the file
   * was closed.
   */
  contents(): FileContents & { readonly isClosed: boolean } {
    const stated = opened(this.path, file => this.#statedContents(file));
    return stated === null ? { ...this.#countedContents(), isClosed: false } : { ...stated, isClosed: true };
  }

  /** Returns the events of the file up to the first fault. `onFault` gets the fault. */
  *events(marketOf: MarketOf, onFault: (fault: FileFault) => void): Generator<RecordedEvent> {
    const file = nodeFiles.open(this.path, 'read');
    try {
      const fault = yield* this.#read(file, marketOf);
      if (fault !== null) onFault(fault);
    } finally {
      nodeFiles.close(file);
    }
  }

  *#read(file: OpenFile, marketOf: MarketOf): Generator<RecordedEvent, FileFault | null> {
    const size = nodeFiles.size(file);
    const decoder = new RecordDecoder(marketOf);
    const sum = createHash('sha256').update(nodeFiles.read(file, 0, HEADER_BYTES));
    let offset = HEADER_BYTES;
    for (;;) {
      const block = this.#blockAt(file, offset, size);
      if (typeof block === 'string') return this.#fault('cut', offset, block);
      if (block === null) return this.#fault('damaged', offset, 'a block does not match its checksum');
      if (block.type === BLOCK_OF_CONTENTS) return this.#endFault(file, block, sum, offset);
      if (block.type !== BLOCK_OF_RECORDS) return this.#fault('damaged', offset, `no block has the type ${block.type}`);
      try {
        yield* decoder.events(block.payload, block.at);
      } catch (error) {
        if (!(error instanceof RangeError)) throw error;
        return this.#fault('damaged', offset, `a block holds no records: ${error.message}`);
      }
      sum.update(block.bytes);
      offset += block.bytes.length;
    }
  }

  /** Returns null if the block is damaged. Returns a text if the file ends here without a whole block; the text says how. */
  #blockAt(file: OpenFile, offset: number, end: number): Block | string | null {
    if (offset === end) return 'the file was not closed';
    const left = end - offset;
    if (left < BLOCK_HEAD_BYTES) return `the file ends with ${left} bytes of a block`;
    const head = bufferOf(nodeFiles.read(file, offset, BLOCK_HEAD_BYTES));
    const payloadBytes = head.readUInt32LE(BLOCK.payloadBytes);
    // After a power cut, bytes that never reached the disk are zeros.
    if (head.every(byte => byte === 0) && this.#isZero(file, offset, end)) return `the file ends with ${left} zeros`;
    if (payloadBytes > PAYLOAD_BYTES_MAX) return null;
    if (BLOCK_HEAD_BYTES + payloadBytes > left) return `the file ends with ${left} bytes of a block`;
    const bytes = bufferOf(nodeFiles.read(file, offset, BLOCK_HEAD_BYTES + payloadBytes));
    if (crc32(bytes.subarray(BLOCK.type)) !== bytes.readUInt32LE(BLOCK.checksum)) return null;
    return {
      type: bytes.readUInt32LE(BLOCK.type),
      at: Number(bytes.readBigUInt64LE(BLOCK.at)),
      payload: bytes.subarray(BLOCK_HEAD_BYTES),
      bytes,
    };
  }

  #isZero(file: OpenFile, offset: number, end: number): boolean {
    const step = 1024 * 1024;
    for (let at = offset; at < end; at += step) {
      if (!nodeFiles.read(file, at, Math.min(step, end - at)).every(byte => byte === 0)) return false;
    }
    return true;
  }

  /** Returns the fault in the end of a closed file, or null if the end is sound. */
  #endFault(file: OpenFile, block: Block, sum: Hash, offset: number): FileFault | null {
    const tailAt = offset + block.bytes.length;
    // One byte more than the tail is read, to see whether the file goes on after its tail.
    const tail = bufferOf(nodeFiles.read(file, tailAt, TAIL_BYTES + 1));
    if (!block.payload.subarray(0, SHA256_BYTES).equals(sum.digest())) {
      return this.#fault('damaged', offset, 'its blocks do not make the checksum of the file');
    }
    if (tail.length < TAIL_BYTES) return this.#fault('cut', tailAt, 'the file was not closed');
    const isWhole =
      tail.length === TAIL_BYTES &&
      tail.readUInt32LE(TAIL.blockBytes) === block.bytes.length &&
      tail.readUInt32LE(TAIL.magic) === TAIL_MAGIC;
    return isWhole ? null : this.#fault('damaged', tailAt, 'its end is damaged');
  }

  #fault(what: FileFault['what'], soundBytes: number, words: string): FileFault {
    return { path: this.path, what, soundBytes, words: `${this.path}: ${words}, at byte ${soundBytes}` };
  }

  #statedContents(file: OpenFile): FileContents | null {
    const size = nodeFiles.size(file);
    if (size < HEADER_BYTES + BLOCK_HEAD_BYTES + TAIL_BYTES) return null;
    const tail = bufferOf(nodeFiles.read(file, size - TAIL_BYTES, TAIL_BYTES));
    if (tail.readUInt32LE(TAIL.magic) !== TAIL_MAGIC) return null;
    const end = size - TAIL_BYTES;
    const block = this.#blockAt(file, Math.max(HEADER_BYTES, end - tail.readUInt32LE(TAIL.blockBytes)), end);
    if (block === null || typeof block === 'string' || block.type !== BLOCK_OF_CONTENTS) return null;
    return contentsOf(parseJson(block.payload.toString('utf8', SHA256_BYTES)));
  }

  #countedContents(): FileContents {
    const count = new ContentsCount();
    const names = new Map<string, RecordedMarket>();
    let endedAt: number = this.startedAt;
    const marketOf: MarketOf = (venue, address) => {
      const market = names.get(`${venue} ${address}`) ?? { venue, address };
      names.set(`${venue} ${address}`, market);
      return market;
    };
    for (const event of this.events(marketOf, () => {})) {
      count.count(event);
      endedAt = event.at;
    }
    return { endedAt, markets: count.markets };
  }
}

function headerFault(header: Buffer): string | null {
  if (header.length < HEADER_BYTES) return 'the file ends within its header';
  if (header.toString('latin1', HEADER.magic, MAGIC.length) !== MAGIC) return 'it is not a file of a recording';
  const version = header.readUInt32LE(HEADER.version);
  if (crc32(header.subarray(0, HEADER.checksum)) !== header.readUInt32LE(HEADER.checksum))
    return 'its header is damaged';
  return version === FORMAT_VERSION
    ? null
    : `its format has the version ${version}; this program reads ${FORMAT_VERSION}`;
}

function opened<T>(path: string, work: (file: OpenFile) => T): T {
  const file = nodeFiles.open(path, 'read');
  try {
    return work(file);
  } finally {
    nodeFiles.close(file);
  }
}

function bufferOf(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
}

type Counts = { -readonly [Name in keyof MarketContents]: MarketContents[Name] };

const COUNTED = { book: 'books', changes: 'changes', trade: 'trades', gap: 'gaps' } as const;

/** Counts the contents of a file while it is written or read. */
class ContentsCount {
  readonly #byMarket = new Map<RecordedMarket, Counts>();

  count({ market, kind }: RecordedEvent): void {
    let counts = this.#byMarket.get(market);
    if (counts === undefined) {
      counts = { venue: market.venue, address: market.address, books: 0, changes: 0, trades: 0, gaps: 0 };
      this.#byMarket.set(market, counts);
    }
    if (kind in COUNTED) counts[COUNTED[kind as keyof typeof COUNTED]] += 1;
  }

  get markets(): readonly MarketContents[] {
    return [...this.#byMarket.values()];
  }
}

/** Returns null if the value does not have the shape of a file's contents. */
function contentsOf(value: unknown): FileContents | null {
  if (!isObject(value) || typeof value.endedAt !== 'number') return null;
  const markets = objectsOf(value.markets) as unknown as readonly MarketContents[];
  return markets.every(({ venue }) => VENUES.includes(venue)) ? { endedAt: value.endedAt, markets } : null;
}

// Writes one file of a recording: header, blocks, and at the end its checksum and contents. Written bytes are in the page cache at once and
// survive the process. The file is synced only when it is closed. Until then the kernel writes the pages back by itself, and a power cut
// may take the last half minute. The recorder's thread, and imports.

/** A block is written as soon as its records have this many bytes. */
const BLOCK_BYTES = 64 * 1024;

interface RecordingFileOptions {
  readonly folder: string;
  readonly startedAt: UnixMillis;
  /** The 32-bit number that identifies the recorder's session, or the import. */
  readonly session: number;
  /** The number of the file within its session, from 1. */
  readonly number: number;
  /** The default is `nodeFiles`. */
  readonly files?: Files;
}

export class RecordingFile {
  readonly path: string;
  readonly #files: Files;
  readonly #file: OpenFile;
  readonly #encoder = new RecordEncoder();
  readonly #sum = createHash('sha256');
  readonly #contents = new ContentsCount();
  #bytes = 0;

  /** Makes the folder if it is missing. Throws a StoreError if the file cannot be made. */
  constructor({ folder, startedAt, session, number, files = nodeFiles }: RecordingFileOptions) {
    if (files.sizeOf(folder) === null) files.makeFolder(folder);
    let name = startedAt;
    while (files.sizeOf(join(folder, fileName(name))) !== null) name = (name + 1) as UnixMillis;
    this.#files = files;
    this.path = join(folder, fileName(name));
    this.#file = files.create(this.path);
    const header = Buffer.alloc(HEADER_BYTES);
    header.write(MAGIC, HEADER.magic, 'latin1');
    header.writeUInt32LE(FORMAT_VERSION, HEADER.version);
    header.writeUInt32LE(session, HEADER.session);
    header.writeBigUInt64LE(BigInt(startedAt), HEADER.startedAt);
    header.writeUInt32LE(number, HEADER.number);
    header.writeUInt32LE(crc32(header.subarray(0, HEADER.checksum)), HEADER.checksum);
    this.#append(header);
  }

  /** The number of bytes written so far. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Adds an event, and writes the block if it is full. Throws a StoreError if the write fails: then call `abandon`. */
  add(event: RecordedEvent): void {
    this.#encoder.add(event);
    this.#contents.count(event);
    if (this.#encoder.length >= BLOCK_BYTES) this.flush();
  }

  /** Writes the added records as a block. Throws a StoreError as `add` does. */
  flush(): void {
    const { payload, records, startedAt } = this.#encoder.take();
    if (payload.length > 0) this.#appendBlock(BLOCK_OF_RECORDS, records, startedAt, payload);
  }

  /** Writes the rest, and resolves once all bytes are on disk. Throws or rejects with a StoreError: then call `abandon`. */
  async close(endedAt: UnixMillis): Promise<void> {
    this.flush();
    const contents: FileContents = { endedAt, markets: this.#contents.markets };
    const payload = Buffer.concat([this.#sum.digest(), Buffer.from(JSON.stringify(contents))]);
    const before = this.#bytes;
    this.#appendBlock(BLOCK_OF_CONTENTS, 0, endedAt, payload);
    const tail = Buffer.alloc(TAIL_BYTES);
    tail.writeUInt32LE(this.#bytes - before, TAIL.blockBytes);
    tail.writeUInt32LE(TAIL_MAGIC, TAIL.magic);
    this.#write(tail);
    await this.#files.syncSoon(this.#file);
    this.#files.close(this.#file);
  }

  /**
   * Closes the file after a failed write, and cuts off a block that was written in part. Never throws, because the disk has failed before
   * and may fail again.
   */
  abandon(): void {
    for (const step of [() => this.#files.truncate(this.#file, this.#bytes), () => this.#files.close(this.#file)]) {
      try {
        step();
      } catch {
        // A failure here does no harm: readers find the end of the sound part by themselves.
      }
    }
  }

  #appendBlock(type: number, records: number, at: number, payload: Buffer): void {
    const block = Buffer.allocUnsafe(BLOCK_HEAD_BYTES + payload.length);
    block.writeUInt32LE(payload.length, BLOCK.payloadBytes);
    block.writeUInt32LE(type, BLOCK.type);
    block.writeUInt32LE(records, BLOCK.records);
    block.writeBigUInt64LE(BigInt(at), BLOCK.at);
    payload.copy(block, BLOCK_HEAD_BYTES);
    block.writeUInt32LE(crc32(block.subarray(BLOCK.type)), BLOCK.checksum);
    if (type === BLOCK_OF_RECORDS) this.#append(block);
    else this.#write(block);
  }

  #append(bytes: Buffer): void {
    this.#write(bytes);
    this.#sum.update(bytes);
  }

  #write(bytes: Buffer): void {
    this.#files.append(this.#file, bytes);
    this.#bytes += bytes.length;
  }
}
