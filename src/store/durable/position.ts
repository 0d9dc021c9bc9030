// A place in the journal: where its last record ends (tip.ts), or the last one that is in the state. The latter is a row of the state, written
// with what follows from those records, so that the two cannot part unnoticed.

import type { UnsyncedEnvironment } from '../lmdb.ts';
import { StoreError } from '../store-error.ts';

export interface Position {
  /** Number of the last transaction; 0 before the first. */
  readonly sequence: number;
  /** Sequence number that names the segment with its record, and the offset at which that ends; 0 and 0: not known yet. */
  readonly segment: number;
  readonly bytes: number;
  readonly condition: Condition;
}

export const CONDITIONS = ['open', 'closed', 'doubtful'] as const;
/** Closed by its owner; doubtful after the disk failed, until an owner has opened it anew. */
export type Condition = (typeof CONDITIONS)[number];

/**
 * First byte of the store's own rows, between the tables 1 and 2 (tables.ts): where the keys of table 1 grow, as ids by time
 * do, the position lies on the very page that most transactions write anyway.
 */
const OWN_TABLE_BYTE = 3;
export const SCHEMA_KEY = Uint8Array.of(OWN_TABLE_BYTE, 1);
/** Never in the journal, which it describes. */
export const POSITION_KEY = Uint8Array.of(OWN_TABLE_BYTE, 0);
/**
 * There while what was committed may be lost and nobody has drawn the consequences. Never in the journal either: doing again what
 * followed an earlier loss would take away the news of this one.
 */
export const LOSS_KEY = Uint8Array.of(OWN_TABLE_BYTE, 2);

const FORM = 1;
const BYTES = 20;

export function encodePosition({ sequence, segment, bytes, condition }: Position): Uint8Array {
  const row = Buffer.allocUnsafe(BYTES);
  row.writeUInt8(FORM, 0);
  row.writeUInt8(CONDITIONS.indexOf(condition), 1);
  row.writeUIntLE(sequence, 2, 6);
  row.writeUIntLE(segment, 8, 6);
  row.writeUIntLE(bytes, 14, 6);
  return row;
}

/** Null if the bytes are no position that this program knows. */
export function decodePosition(bytes: Uint8Array | undefined): Position | null {
  if (bytes?.length !== BYTES || bytes[0] !== FORM) return null;
  const condition = CONDITIONS[bytes[1]!];
  if (condition === undefined) return null;
  const row = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  return {
    sequence: row.readUIntLE(2, 6),
    segment: row.readUIntLE(8, 6),
    bytes: row.readUIntLE(14, 6),
    condition,
  };
}

/** Of the last transaction that is in the state of a store. */
export function positionIn(state: Pick<UnsyncedEnvironment, 'get'>, folder: string): Position {
  const position = decodePosition(state.get(POSITION_KEY));
  if (position === null) throw new StoreError(`store ${folder}: its state lacks the position in the journal`);
  return position;
}
