// Reads untrusted values field by field: a value has the expected type, or a FieldError names the field and the rule. Both codecs and the
// readers of operators' files use these functions. The caller turns the error into its own answer. Any thread.

import { limits } from '../../limits.ts';
import { type StateReason, VENUES, type Venue, venueNamed } from '../domain/market.ts';
import { fail, ok, type Result } from '../domain/result.ts';

/** The error of a value that breaks the rule of its field. The message may be shown to the sender: `markets[2].ticker: …`. */
export class FieldError extends Error {
  override readonly name = 'FieldError';

  constructor(path: string, rule: string) {
    super(`${path}: ${rule}`);
  }
}

/** The limits that bound the length of a name. */
type NameLimit =
  | 'marketAddressCharactersMax'
  | 'streamIdCharactersMax'
  | 'catalogTextCharactersMax'
  | 'podsFileBytesMax';

export type Fields = Readonly<Record<string, unknown>>;

/** Returns the result of `read`, or the message of the FieldError that `read` throws. */
export function resultOf<T>(read: () => T): Result<T, string> {
  try {
    return ok(read());
  } catch (error) {
    if (error instanceof FieldError) return fail(error.message);
    throw error;
  }
}

export function readObject(value: unknown, path: string): Fields {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw wrongType(path, 'an object', value);
  return value as Fields;
}

export function readArray(value: unknown, path: string): readonly unknown[] {
  if (!Array.isArray(value)) throw wrongType(path, 'an array', value);
  return value;
}

export function readString(value: unknown, path: string): string {
  if (typeof value !== 'string') throw wrongType(path, 'a string', value);
  return value;
}

export function readBoolean(value: unknown, path: string): boolean {
  if (typeof value !== 'boolean') throw wrongType(path, 'true or false', value);
  return value;
}

/** Reads a string of 1 to `limit` UTF-16 units. */
export function readName(value: unknown, path: string, limit: NameLimit): string {
  const rule = `a string of 1 to ${limits[limit]} characters (${limit})`;
  if (typeof value !== 'string') throw wrongType(path, rule, value);
  if (value.length === 0 || value.length > limits[limit]) {
    throw new FieldError(path, `must be ${rule}, has ${value.length}`);
  }
  return value;
}

export function readOneOf<const Choice extends string>(
  value: unknown,
  path: string,
  choices: readonly Choice[],
): Choice {
  if (choices.includes(value as Choice)) return value as Choice;
  const rule = choices.map(quoted).join(' or ');
  throw typeof value === 'string' ? new FieldError(path, `must be ${rule}`) : wrongType(path, rule, value);
}

export function readVenue(value: unknown, path: string): Venue {
  const venue = typeof value === 'string' ? venueNamed(value, VENUES) : undefined;
  return venue ?? readOneOf(value, path, VENUES);
}

/** Reads a reason. Reasons that this version does not know are accepted: the state matters more. */
export function readReason(value: unknown): StateReason {
  return readString(value, 'reason') as StateReason;
}

/** Reads a decimal text. `text` is an example for the error. */
export function readDecimalText(value: unknown, path: string, text: string): string {
  if (typeof value !== 'string') throw wrongType(path, `decimal text, like ${quoted(text)}`, value);
  return value;
}

/** Reads an integer from 0 to 2^53 − 1. */
export function readCount(value: unknown, path: string): number {
  if (typeof value !== 'number') throw wrongType(path, 'an integer', value);
  if (!Number.isSafeInteger(value) || value < 0) throw new FieldError(path, 'must be an integer from 0 to 2^53 - 1');
  // JSON allows -0, which is no cursor.
  return value === 0 ? 0 : value;
}

interface IntegerRange {
  readonly min: number;
  readonly max: number;
  /** The words for a form that is allowed in addition to the range. */
  readonly besides?: string;
  /** The limits that set the range, in brackets. */
  readonly named?: string;
}

export function readInteger(value: unknown, path: string, range: IntegerRange): number {
  const { min, max, besides = '', named = '' } = range;
  if (typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max) return value;
  const wanted = `${besides}an integer from ${min} to ${max}${named}`;
  throw typeof value === 'number' ? new FieldError(path, `must be ${wanted}`) : wrongType(path, wanted, value);
}

/** Refuses unknown fields, because a mistyped field must not be ignored silently. */
export function refuseUnknown(fields: Fields, path: string, known: readonly string[]): void {
  for (const name of Object.keys(fields)) {
    if (known.includes(name)) continue;
    throw new FieldError(fieldPath(path, shown(name)), `is not a field here; the fields are ${known.join(', ')}`);
  }
}

/** Returns the name of a foreign field: as it is if printable, else quoted. */
export function shown(name: string): string {
  const start = name.length > SHOWN_CHARACTERS_MAX ? `${name.slice(0, SHOWN_CHARACTERS_MAX)}…` : name;
  return /^[!-~][ -~]*…?$/.test(start) ? start : JSON.stringify(start).replace(/[^ -~]/g, '?');
}

/** Returns the path of a field in the value at `path`. `path` is empty for the message itself. */
export function fieldPath(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`;
}

/** The number of characters of a foreign field name that an error shows. */
const SHOWN_CHARACTERS_MAX = 64;

function wrongType(path: string, wanted: string, value: unknown): FieldError {
  return new FieldError(
    path,
    value === undefined ? `is missing; must be ${wanted}` : `must be ${wanted}, is ${kind(value)}`,
  );
}

function kind(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}

function quoted(text: string): string {
  return `"${text}"`;
}

/** Returns a 64-bit integer of protobufjs, which is two signed halves, as a number. The number is rounded from 2^53 on. */
export function uint64Of(value: unknown): number {
  const { low, high } = readObject(value, 'uint64');
  return (Number(high) >>> 0) * 2 ** 32 + (Number(low) >>> 0);
}

/** Reads a 64-bit integer with a sign, exactly. From 2^53 on, the integer is refused. */
export function readInt64(value: unknown): number {
  const { low, high } = readObject(value, 'int64');
  const whole = (Number(high) | 0) * 2 ** 32 + (Number(low) >>> 0);
  if (!Number.isSafeInteger(whole)) throw new FieldError('int64', 'must be below 2^53');
  return whole;
}

/** Reads a 64-bit integer without a sign, exactly. From 2^53 on, the integer is refused. */
export function readUint64(value: unknown): number {
  const whole = uint64Of(value);
  if (!Number.isSafeInteger(whole)) throw new FieldError('uint64', 'must be below 2^53');
  return whole;
}
