// Reads a zip file and the NumPy array in it by their documents alone (APPNOTE 6.3.10, NEP 1). It makes the same demands as hftbacktest's reader.

import { crc32, inflateRawSync } from 'node:zlib';

export interface NpzEvent {
  readonly ev: number;
  readonly exchTs: bigint;
  readonly localTs: bigint;
  readonly px: number;
  readonly qty: number;
}

/** Returns the array `data` of an archive. */
export function readNpz(file: Buffer): NpzEvent[] {
  return readNpy(entryOf(file, 'data.npy'));
}

function entryOf(file: Buffer, wanted: string): Buffer {
  const end = file.lastIndexOf('PK\x05\x06');
  if (end < 0 || end + 22 !== file.length) throw new Error('no end of a zip file');
  const [entries, bytes, start] = [
    file.readUInt16LE(end + 10),
    file.readUInt32LE(end + 12),
    file.readUInt32LE(end + 16),
  ];
  if (entries !== 1 || start + bytes !== end) throw new Error('the directory is not before the end');
  if (file.readUInt32BE(start) !== 0x504b0102) throw new Error('no directory');
  const name = file.toString('latin1', start + 46, start + 46 + file.readUInt16LE(start + 28));
  if (name !== wanted) throw new Error(`no ${wanted}`);
  const header = file.readUInt32LE(start + 42);
  if (file.readUInt32BE(header) !== 0x504b0304) throw new Error('no entry');
  if (!file.subarray(header + 4, header + 30).equals(file.subarray(start + 6, start + 32)))
    throw new Error('headers differ');
  const from = header + 30 + file.readUInt16LE(header + 26) + file.readUInt16LE(header + 28);
  const content = inflateRawSync(file.subarray(from, from + file.readUInt32LE(start + 20)));
  if (crc32(content) !== file.readUInt32LE(start + 16)) throw new Error('the checksum does not match');
  if (content.length !== file.readUInt32LE(start + 24)) throw new Error('the length does not match');
  return content;
}

const DTYPE =
  "[('ev', '<u8'), ('exch_ts', '<i8'), ('local_ts', '<i8'), ('px', '<f8'), ('qty', '<f8'), ('order_id', '<u8'), ('ival', '<i8'), ('fval', '<f8')]";

function readNpy(file: Buffer): NpzEvent[] {
  if (file.toString('latin1', 0, 8) !== '\x93NUMPY\x01\x00') throw new Error('no array of version 1.0');
  const start = 10 + file.readUInt16LE(8);
  if (start % 64 !== 0) throw new Error('the data is not aligned');
  const header = file.toString('latin1', 10, start);
  const [, dtype, count] =
    /^\{'descr': (\[.*\]), 'fortran_order': False, 'shape': \((\d+),\), \} *\n$/.exec(header) ?? [];
  if (dtype !== DTYPE) throw new Error(`the structure is ${dtype}`);
  if (file.length !== start + 64 * Number(count)) throw new Error('the shape does not match');
  return Array.from({ length: Number(count) }, (_, index) => {
    const at = start + 64 * index;
    const rest = file.subarray(at + 40, at + 64);
    if (rest.some(byte => byte !== 0)) throw new Error('an event has more');
    return {
      ev: Number(file.readBigUInt64LE(at)),
      exchTs: file.readBigInt64LE(at + 8),
      localTs: file.readBigInt64LE(at + 16),
      px: file.readDoubleLE(at + 24),
      qty: file.readDoubleLE(at + 32),
    };
  });
}
