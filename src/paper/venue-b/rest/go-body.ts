// Reads a request's body as the venue does (venue-b.md §7, shape B): as a struct of Go with typed fields. Unknown fields are ignored.
// Refusals have Go's texts. Thread of the paper exchanges.

import { isObject, type JsonObject, parseJson } from '../../../core/domain/json.ts';
import { fail, ok, type Result, unreachable } from '../../../core/domain/result.ts';
import type { Reply } from '../../../core/net/listen.ts';
import { badRequest } from './errors.ts';

type FieldType = 'string' | 'int' | 'bool' | 'array';

interface Field {
  readonly type: FieldType;
  readonly isRequired?: true;
  readonly oneOf?: readonly string[];
  readonly charactersMax?: number;
  /** The struct of each item, if the field is an array. */
  readonly items?: Struct;
}

/** The struct of a body, and the venue's name of it. */
export interface Struct {
  readonly name: string;
  readonly fields: Readonly<Record<string, Field>>;
  /** True if the body may be missing. A missing body has no fields. */
  readonly isOptional?: true;
}

/** Returns the object of a body. Null as a body counts as an empty object. */
export function parseBody(bytes: Uint8Array): Result<JsonObject, Reply> {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString();
  const value = parseJson(text);
  if (isObject(value)) return ok(value);
  // Go reads null as a struct of which no field is set.
  if (value === null) return ok({});
  if (value === undefined) return fail(badRequest(syntaxComplaint(text)));
  return fail(badRequest(`json: cannot unmarshal ${goKind(value)} into Go value of type struct`));
}

/** Returns the first error of `body` in Go's words. Null means that every field is valid. */
export function bodyError(body: JsonObject, struct: Struct): string | null {
  // Go decodes the fields in the order of the body, and looks for missing fields afterwards.
  for (const name in body) {
    const value = body[name];
    // Only own fields count, because a caller may name a field `constructor`.
    const field = Object.hasOwn(struct.fields, name) ? struct.fields[name] : undefined;
    if (field === undefined || value === null || isOfType(value, field.type)) continue;
    return `json: cannot unmarshal ${goKind(value)} into Go struct field ${struct.name}.${name} of type ${GO_TYPES[field.type]}`;
  }
  for (const name in struct.fields) {
    const complaint = ruleBroken(body[name] ?? null, struct.fields[name]!);
    if (complaint !== null) return validationComplaint(struct.name, name, complaint);
  }
  for (const name in struct.fields) {
    const objection = itemsError(body[name], struct, name);
    if (objection !== null) return objection;
  }
  return null;
}

/** Returns the first error of an item. One item that cannot be decoded makes the whole body invalid. */
function itemsError(items: unknown, struct: Struct, field: string): string | null {
  const item = struct.fields[field]!.items;
  if (item === undefined || !Array.isArray(items)) return null;
  for (const value of items) {
    const objection = isObject(value)
      ? bodyError(value, item)
      : `json: cannot unmarshal ${goKind(value)} into Go struct field ${struct.name}.${field} of type struct`;
    if (objection !== null) return objection;
  }
  return null;
}

/** Returns the text of the venue's validator for a broken rule. The validator treats query parameters as fields, too. */
export function validationComplaint(struct: string, field: string, rule: string): string {
  const name = goName(field);
  return `Key: '${struct}.${name}' Error:Field validation for '${name}' failed on the '${rule}' tag`;
}

const GO_TYPES: Readonly<Record<FieldType, string>> = {
  string: 'string',
  int: 'int',
  bool: 'bool',
  array: '[]interface {}',
};

function ruleBroken(value: unknown, field: Field): string | null {
  if (value === null || value === '') return field.isRequired === true ? 'required' : null;
  if (field.oneOf !== undefined && !field.oneOf.some(allowed => allowed === value)) return 'oneof';
  if (field.charactersMax !== undefined && String(value).length > field.charactersMax) return 'max';
  return null;
}

function isOfType(value: unknown, type: FieldType): boolean {
  switch (type) {
    case 'string':
      return typeof value === 'string';
    case 'int':
      return Number.isSafeInteger(value);
    case 'bool':
      return typeof value === 'boolean';
    case 'array':
      return Array.isArray(value);
    default:
      return unreachable(type);
  }
}

function goKind(value: unknown): string {
  if (value === null) return 'null';
  if (typeof value === 'boolean') return 'bool';
  if (typeof value === 'number') return Number.isSafeInteger(value) ? 'number' : `number ${value}`;
  return Array.isArray(value) ? 'array' : typeof value;
}

/** Returns Go's name of a field: `SelfTradePreventionType` for `self_trade_prevention_type`. */
function goName(name: string): string {
  return name.replace(/(?:^|_)([a-z])/g, (_match, letter: string) => letter.toUpperCase());
}

function syntaxComplaint(text: string): string {
  const [first] = text.trimStart();
  if (first === undefined || first === '{' || first === '[' || first === '"') return 'unexpected end of JSON input';
  return `invalid character '${first}' looking for beginning of value`;
}
