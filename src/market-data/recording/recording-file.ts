// Writes one file of a recording: header, blocks, and at the end its checksum and contents. Written bytes are in the page cache at once and
// survive the process. The file is synced only when it is closed. The kernel writes it back meanwhile, and a power cut takes the last half
// minute. The recorder's thread, and imports.

import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import type { UnixMillis } from '../../core/domain/numbers.ts';
import { type Files, nodeFiles, type OpenFile } from '../../core/store/files.ts';
import { RecordEncoder } from './encode.ts';
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
  type RecordedEvent,
  TAIL,
  TAIL_BYTES,
  TAIL_MAGIC,
} from './format.ts';
import { ContentsCount } from './recorded-file.ts';

/** A block that has so many bytes of records is written. */
const BLOCK_BYTES = 64 * 1024;

interface RecordingFileOptions {
  readonly folder: string;
  readonly startedAt: UnixMillis;
  /** 32 bits that identify the recorder's session, or the import. */
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

  /** Bytes written so far. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Adds an event; a full block is written. Throws a StoreError if that fails: then `abandon` it. */
  add(event: RecordedEvent): void {
    this.#encoder.add(event);
    this.#contents.count(event);
    if (this.#encoder.length >= BLOCK_BYTES) this.flush();
  }

  /** Writes the added records. Throws a StoreError as `add` does. */
  flush(): void {
    const { payload, records, startedAt } = this.#encoder.take();
    if (payload.length > 0) this.#appendBlock(BLOCK_OF_RECORDS, records, startedAt, payload);
  }

  /** Writes the rest, and resolves once all is on disk. Throws or rejects with a StoreError: then `abandon` it. */
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

  /** Cuts off a part of a block after a failure, and leaves the file as it is. Never throws: its disk has failed once. */
  abandon(): void {
    for (const step of [() => this.#files.truncate(this.#file, this.#bytes), () => this.#files.close(this.#file)]) {
      try {
        step();
      } catch {
        // Readers find the end of the sound part by themselves.
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
