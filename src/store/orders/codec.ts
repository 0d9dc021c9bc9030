// A kind of record ↔ bytes. The first byte is the version of its form: the newest is written, all earlier ones stay readable.
// Invalid bytes give a StoreError that names the record. Pure.

import { assert } from '../../domain/result.ts';
import { StoreError } from '../store-error.ts';
import type { Row } from '../tables.ts';
import { ByteReader, ByteWriter, RecordFault } from './bytes.ts';

export interface Codec<T> {
  readonly kind: string;
  encode(value: T): Uint8Array;
  /** Throws a StoreError that names the kind and `key`. */
  decode(bytes: Uint8Array, key: Uint8Array): T;
}

/** Throws a StoreError about a row that cannot be true. */
export type RowCheck = (row: Row) => void;

type Read<T> = (reader: ByteReader) => T;

/** `readers`: of versions 1, 2, … in sequence; `write` writes the last of them. */
export function codec<T>(
  kind: string,
  write: (writer: ByteWriter, value: T) => void,
  readers: readonly [Read<T>, ...Read<T>[]],
): Codec<T> {
  const writer = new ByteWriter();
  return {
    kind,
    encode(value) {
      writer.begin();
      writer.byte(readers.length);
      write(writer, value);
      return writer.taken();
    },
    decode(bytes, key) {
      try {
        return read(readers, new ByteReader(bytes));
      } catch (error) {
        if (error instanceof RecordFault) throw damaged(kind, key, error.message);
        throw error;
      }
    },
  };
}

/** Skips decoding of byte arrays that this thread itself has encoded. */
export function remembering<T extends object>(inner: Codec<T>): Codec<T> {
  const written = new WeakMap<Uint8Array, T>();
  return {
    kind: inner.kind,
    encode(value) {
      const bytes = inner.encode(value);
      written.set(bytes, value);
      return bytes;
    },
    decode: (bytes, key) => written.get(bytes) ?? inner.decode(bytes, key),
  };
}

/** Error text for an operator about a row that cannot be true. */
export function damaged(kind: string, key: Uint8Array, fault: string): StoreError {
  return new StoreError(`store: ${kind} record ${readable(key)}: ${fault}`);
}

/** Words and their numbers in records. Numbers never change: a new word gets a new number. */
interface Words<Word extends string> {
  code(word: Word): number;
  read(reader: ByteReader): Word;
}

/** Numbers run from 0 without a gap; the compiler ensures that no word is missing. */
export function words<Word extends string>(what: string, codes: Readonly<Record<Word, number>>): Words<Word> {
  const byCode: Word[] = [];
  for (const word of Object.keys(codes) as Word[]) byCode[codes[word]] = word;
  assert(byCode.length === Object.keys(codes).length, 'each word has a number of its own');
  return {
    code: word => codes[word],
    read(reader) {
      const code = reader.byte();
      const word = byCode[code];
      if (word === undefined) throw new RecordFault(`${what} ${code} is not known`);
      return word;
    },
  };
}

/** A byte that says whether there is a value, then the value. */
export function writeOptional<T>(writer: ByteWriter, value: T | null, write: (value: T) => void): void {
  writer.byte(value === null ? 0 : 1);
  if (value !== null) write(value);
}

export function readOptional<T>(reader: ByteReader, read: () => T): T | null {
  return reader.flag() ? read() : null;
}

function read<T>(readers: readonly Read<T>[], reader: ByteReader): T {
  const version = reader.byte();
  const readVersion = version === 0 ? undefined : readers[version - 1];
  if (readVersion === undefined) {
    throw new RecordFault(`has version ${version}, this program reads versions up to ${readers.length}`);
  }
  const value = readVersion(reader);
  reader.end();
  return value;
}

/** Printable ASCII unchanged, every other byte as `\xNN`. */
function readable(key: Uint8Array): string {
  const characters = Array.from(key, byte => {
    const isPlain = byte >= 0x20 && byte < 0x7f && byte !== 0x5c;
    return isPlain ? String.fromCharCode(byte) : `\\x${byte.toString(16).padStart(2, '0')}`;
  });
  return `"${characters.join('')}"`;
}
