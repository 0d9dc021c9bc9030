// A codec turns one kind of record into bytes and back. The first byte is the version of the record's form; a record of another version is
// refused. Invalid bytes cause a StoreError that names the record. Pure.

import { StoreError } from '../store-error.ts';
import type { Row } from '../tables.ts';
import { ByteReader, ByteWriter, RecordFault } from './bytes.ts';
import { type Coder, compile, type Form } from './schema.ts';

export interface Codec<T> {
  readonly kind: string;
  write(to: ByteWriter, value: T): void;
  /** Returns the bytes of a record. */
  encode(value: T): Uint8Array;
  /** Returns the record. Throws a StoreError that names the kind and `key`. */
  decode(bytes: Uint8Array, key: Uint8Array): T;
}

/** A check that throws a StoreError about a row that cannot be true. */
export type RowCheck = (row: Row) => void;

/** Makes a codec. Raise `version` with every change of the form. */
export function codec<T>(kind: string, form: Form<T>, version = 1): Codec<T> {
  const writer = new ByteWriter();
  const coder = compile(form);
  const write = (to: ByteWriter, value: T): void => coder.write(to.byte(version), value);
  return {
    kind,
    write,
    encode(value) {
      write(writer.begin(), value);
      return writer.copy();
    },
    decode(bytes, key) {
      try {
        return read(coder, version, new ByteReader(bytes));
      } catch (error) {
        if (error instanceof RecordFault) throw damaged(kind, key, error.message);
        throw error;
      }
    },
  };
}

/** Returns an error for an operator about a row that cannot be true. */
export function damaged(kind: string, key: Uint8Array, fault: string): StoreError {
  return new StoreError(`store: ${kind} record ${printableKey(key)}: ${fault}`);
}

function read<T>(coder: Coder<T>, version: number, reader: ByteReader): T {
  refuseOtherVersion(reader.byte(), version);
  const value = coder.read(reader);
  reader.end();
  return value;
}

/** Throws a RecordFault that tells an operator how to go on with orders that another release has written. */
export function refuseOtherVersion(found: number, version: number): void {
  if (found === version) return;
  const advice =
    found > version
      ? 'start the later release that wrote it, or restore a backup of before'
      : 'start the earlier release that wrote it, cancel or finish its open orders, and begin with a new data directory';
  throw new RecordFault(`has version ${found}, this program reads version ${version}: ${advice}`);
}

/** Returns the key as text: printable ASCII unchanged, every other byte as `\xNN`. */
function printableKey(key: Uint8Array): string {
  const characters = Array.from(key, byte => {
    const isPlain = byte >= 0x20 && byte < 0x7f && byte !== 0x5c;
    return isPlain ? String.fromCharCode(byte) : `\\x${byte.toString(16).padStart(2, '0')}`;
  });
  return `"${characters.join('')}"`;
}
