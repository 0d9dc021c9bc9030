// EIP-712 as its specification describes it, for any types: the naive twin of the hand-written records of src/venues/venue-a/typed-data.ts.
// It works in hex text and BigInt, and precomputes nothing.

import { keccak_256 } from '@noble/hashes/sha3.js';

/** The fields of each record type: type and name, in order. */
export type NaiveTypes = Readonly<Record<string, readonly (readonly [type: string, name: string])[]>>;
type NaiveValue = bigint | string | { readonly [field: string]: NaiveValue };

const keccakHex = (hex: string): string => Buffer.from(keccak_256(Buffer.from(hex, 'hex'))).toString('hex');
const textHex = (text: string): string => Buffer.from(text).toString('hex');

/** Returns the digest of a record in a domain: 64 hex digits. */
export function naiveDigest(domain: NaiveRecord, record: NaiveRecord): string {
  return keccakHex(`1901${naiveStructHash(domain)}${naiveStructHash(record)}`);
}

export interface NaiveRecord {
  readonly types: NaiveTypes;
  readonly type: string;
  readonly value: { readonly [field: string]: NaiveValue };
}

export function naiveStructHash({ types, type, value }: NaiveRecord): string {
  const fields = types[type]!.map(([fieldType, name]) => encodeField(types, fieldType, value[name]!));
  return keccakHex(keccakHex(textHex(typeText(types, type))) + fields.join(''));
}

/** Returns the type's own text, then the texts of the types that it refers to, by name. */
function typeText(types: NaiveTypes, type: string): string {
  const own = (name: string) => `${name}(${types[name]!.map(field => field.join(' ')).join(',')})`;
  const named = types[type]!.map(([fieldType]) => fieldType).filter(fieldType => fieldType in types);
  return [type, ...named.sort()].map(own).join('');
}

function encodeField(types: NaiveTypes, type: string, value: NaiveValue): string {
  if (typeof value === 'object') return naiveStructHash({ types, type, value });
  if (typeof value === 'bigint') return value.toString(16).padStart(64, '0');
  return type === 'string' ? keccakHex(textHex(value)) : value.slice(2).toLowerCase().padStart(64, '0');
}
