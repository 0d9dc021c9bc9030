// Readers of untrusted JSON. Each returns a value of our own types, or a text with the field and the rule that it breaks. Readers of fields
// combine into readers of objects. An unknown field is refused, so that no typo goes unnoticed. Pure.

import { isObject, type JsonObject } from '../../core/domain/json.ts';
import { MICROS_PER_DOLLAR, type MicroDollars } from '../../core/domain/numbers.ts';
import { fail, ok, type Result } from '../../core/domain/result.ts';

/** Reads a value. Undefined means that the field is absent. `field` is its name; it is empty for the whole document. */
export type Reader<T> = (value: unknown, field: string) => Result<T, string>;

/** Makes a reader of an object from readers of its fields. */
export function objectOf<T extends object>(fields: { readonly [Name in keyof T]: Reader<T[Name]> }): Reader<T> {
  const readers = Object.entries(fields) as [string, Reader<unknown>][];
  const names = new Set(Object.keys(fields));
  return (value, field) => {
    if (!isObject(value)) return broken(field, 'must be a JSON object');
    const unknown = Object.keys(value).find(name => !names.has(name));
    if (unknown !== undefined) return broken(inside(field, shown(unknown)), 'is not known here');
    const read: Record<string, unknown> = {};
    for (const [name, reader] of readers) {
      const result = reader(fieldOf(value, name), inside(field, name));
      if (!result.ok) return result;
      read[name] = result.value;
    }
    return ok(read as T);
  };
}

/** Makes a reader of an object whose field `kind` determines its other fields. */
export function variantOf<T extends { readonly kind: string }>(
  variants: {
    readonly [Kind in T['kind']]: { readonly [Name in keyof Fields<T, Kind>]: Reader<Fields<T, Kind>[Name]> };
  },
): Reader<T> {
  const kinds = Object.keys(variants) as T['kind'][];
  const readKind = oneOf(kinds);
  const readers = new Map(kinds.map(kind => [kind, objectOf({ kind: readKind, ...variants[kind] } as never)]));
  return (value, field) => {
    if (!isObject(value)) return broken(field, 'must be a JSON object');
    const kind = readKind(fieldOf(value, 'kind'), inside(field, 'kind'));
    return kind.ok ? (readers.get(kind.value)! as Reader<T>)(value, field) : kind;
  };
}

type Fields<T, Kind> = Omit<Extract<T, { readonly kind: Kind }>, 'kind'>;

/** Makes a reader of a field that may be absent or null. */
export function optional<T, const Default>(reader: Reader<T>, absent: Default): Reader<T | Default> {
  return (value, field) => (value === undefined || value === null ? ok(absent) : reader(value, field));
}

export function arrayOf<T>(reader: Reader<T>, itemsMax: number): Reader<T[]> {
  return (value, field) => {
    if (!Array.isArray(value) || value.length > itemsMax)
      return broken(field, `must be an array of at most ${itemsMax}`);
    const items: T[] = [];
    for (const [index, item] of value.entries()) {
      const result = reader(item, `${field}[${index}]`);
      if (!result.ok) return result;
      items.push(result.value);
    }
    return ok(items);
  };
}

/** Makes a reader of an object with any field names. */
export function recordOf<T>(reader: Reader<T>, fieldsMax: number): Reader<Readonly<Record<string, T>>> {
  return (value, field) => {
    if (!isObject(value) || Object.keys(value).length > fieldsMax)
      return broken(field, `must be a JSON object of at most ${fieldsMax} fields`);
    const read = new Map<string, T>();
    for (const [name, item] of Object.entries(value)) {
      const result = reader(item, inside(field, shown(name)));
      if (!result.ok) return result;
      read.set(name, result.value);
    }
    return ok(Object.fromEntries(read));
  };
}

export const anyValue: Reader<unknown> = value => ok(value);

export function wholeNumber(min: number, max: number): Reader<number> {
  return (value, field) =>
    Number.isSafeInteger(value) && (value as number) >= min && (value as number) <= max
      ? ok(value as number)
      : broken(field, `must be a whole number from ${min} to ${max}`);
}

export const probability: Reader<number> = (value, field) =>
  typeof value === 'number' && value >= 0 && value <= 1 ? ok(value) : broken(field, 'must be a number from 0 to 1');

export const flag: Reader<boolean> = (value, field) =>
  typeof value === 'boolean' ? ok(value) : broken(field, 'must be true or false');

/** Makes a reader of printable ASCII. */
export function text(charactersMin: number, charactersMax: number): Reader<string> {
  return (value, field) =>
    typeof value === 'string' &&
    value.length >= charactersMin &&
    value.length <= charactersMax &&
    /^[\x20-\x7e]*$/.test(value)
      ? ok(value)
      : broken(field, `must be text of ${charactersMin} to ${charactersMax} printable ASCII characters`);
}

export function oneOf<const T extends string>(values: readonly T[]): Reader<T> {
  return (value, field) => {
    const found = values.find(it => it === value);
    return found === undefined ? broken(field, `must be one of ${values.join(', ')}`) : ok(found);
  };
}

/** Makes a reader of text that `parse` accepts. */
export function textAs<T>(parse: (text: string) => T | null, rule: string): Reader<T> {
  return (value, field) => {
    const parsed = typeof value === 'string' ? parse(value) : null;
    return parsed === null ? broken(field, rule) : ok(parsed);
  };
}

/** Makes a reader of dollars below a billion, as decimal text with at most 6 decimals. `signed` allows `-`, where money may be removed. */
export function dollars(sign: 'unsigned' | 'signed'): Reader<MicroDollars> {
  const pattern = sign === 'signed' ? /^-?\d{1,9}(\.\d{1,6})?$/ : /^\d{1,9}(\.\d{1,6})?$/;
  const rule = `must be ${sign === 'signed' ? '' : 'unsigned '}dollars as decimal text, such as "10000.00"`;
  return textAs(written => {
    if (!pattern.test(written)) return null;
    const [whole = '', decimals = ''] = written.replace('-', '').split('.');
    const micros = Number(whole) * MICROS_PER_DOLLAR + Number(decimals.padEnd(6, '0'));
    return (written.startsWith('-') ? -micros : micros) as MicroDollars;
  }, rule);
}

function broken(field: string, rule: string): { readonly ok: false; readonly error: string } {
  return fail(`${field === '' ? 'body' : field}: ${rule}`);
}

/** Returns the field as an own property. Inherited properties do not count. */
function fieldOf(value: JsonObject, name: string): unknown {
  return Object.hasOwn(value, name) ? value[name] : undefined;
}

function inside(field: string, name: string): string {
  return field === '' ? name : `${field}.${name}`;
}

const NAME_CHARACTERS_SHOWN_MAX = 64;

/** Returns an untrusted field name in a form that is safe to print. */
function shown(name: string): string {
  return name.slice(0, NAME_CHARACTERS_SHOWN_MAX).replace(/[^\x21-\x7e]/g, '?');
}

/** The default balance of a new account: $10 000. */
export const OPENING_BALANCE = 10_000_000_000 as MicroDollars;

/** A change of an account's money. A negative amount withdraws. */
export interface Deposit {
  readonly subaccount: number;
  readonly shard: number;
  readonly amount: MicroDollars;
}

/** The reason why nothing was done: an HTTP status, and `field: rule`. */
interface Refusal {
  readonly status: 400 | 404 | 409;
  readonly error: string;
}

export type Outcome<T> = Result<T, Refusal>;

export function refused(status: Refusal['status'], error: string): { readonly ok: false; readonly error: Refusal } {
  return fail({ status, error });
}
