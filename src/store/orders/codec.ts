// A kind of record ↔ bytes. The first byte is the version of its form: the newest is written, all earlier ones stay readable.
// Invalid bytes give a StoreError that names the record. Pure.

import { StoreError } from '../store-error.ts';
import type { Row } from '../tables.ts';
import { ByteReader, ByteWriter, RecordFault } from './bytes.ts';
import { type Coder, compile, type Form } from './schema.ts';

export interface Codec<T> {
  readonly kind: string;
  encode(value: T): Uint8Array;
  /** Throws a StoreError that names the kind and `key`. */
  decode(bytes: Uint8Array, key: Uint8Array): T;
}

/** Throws a StoreError about a row that cannot be true. */
export type RowCheck = (row: Row) => void;

/** `forms`: of versions 1, 2, … in sequence; the last of them is written. */
export function codec<T>(kind: string, ...forms: readonly [Form<T>, ...Form<T>[]]): Codec<T> {
  const writer = new ByteWriter();
  const coders = forms.map(compile);
  const newest = coders.at(-1)!;
  return {
    kind,
    encode(value) {
      writer.begin();
      writer.byte(coders.length);
      newest.write(writer, value);
      return writer.taken();
    },
    decode(bytes, key) {
      try {
        return read(coders, new ByteReader(bytes));
      } catch (error) {
        if (error instanceof RecordFault) throw damaged(kind, key, error.message);
        throw error;
      }
    },
  };
}

/** Error text for an operator about a row that cannot be true. */
export function damaged(kind: string, key: Uint8Array, fault: string): StoreError {
  return new StoreError(`store: ${kind} record ${readable(key)}: ${fault}`);
}

function read<T>(coders: readonly Coder<T>[], reader: ByteReader): T {
  const version = reader.byte();
  const coder = version === 0 ? undefined : coders[version - 1];
  if (coder === undefined) {
    throw new RecordFault(`has version ${version}, this program reads versions up to ${coders.length}`);
  }
  const value = coder.read(reader);
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
