// Converts messages of proto/ to the plain values of the JSON form, and back, by their schema. A field of the schema is a member with its
// name in camel case. `…_micros` and `…_ticks` are decimal texts in JSON, enums are words, and absent fields are left out. Main thread, the
// engine's (src/gateway/door), and clients.

import {
  formatMicroShares,
  formatTicks,
  type MicroShares,
  parseMicroShares,
  parseTicks,
  type Ticks,
} from '../domain/numbers.ts';
import {
  FieldError,
  fieldPath,
  readArray,
  readBoolean,
  readCount,
  readObject,
  readString,
  uint64Of,
} from './fields.ts';
import { type MessageType, unknownFields } from './protobuf-schema.ts';

type Plain = Record<string, unknown>;

interface Member {
  /** The name of the field in protobufjs. */
  readonly field: string;
  /** The name of the member in the plain value. */
  readonly name: string;
  readonly isRepeated: boolean;
  readonly isMap: boolean;
  /** Whether the default is not on the wire, so that an absent field has it. */
  readonly isImplicit: boolean;
  /** The type of a message field; null for other fields. */
  readonly type: MessageType | null;
  toPlain(value: unknown): unknown;
  /** Converts a member to its field. Throws a FieldError. */
  toField(value: unknown, place: Place): unknown;
}

/** The place of a value, and whether members that its message lacks are left out. */
interface Place {
  readonly path: string;
  readonly isLenient: boolean;
}

const shapes = new Map<MessageType, readonly Member[]>();

/** Members in the order of their numbers. */
export function membersOf(type: MessageType): readonly Member[] {
  const known = shapes.get(type);
  if (known !== undefined) return known;
  const members = type.fieldsArray.toSorted((a, b) => a.id - b.id).map(memberOf);
  shapes.set(type, members);
  return members;
}

/** The plain value of a decoded message, without empty lists. An unknown field becomes a member that no message has. */
export function plainOf(type: MessageType, message: object): Plain {
  const wire = message as Plain;
  const plain: Plain = {};
  for (const { field, name, isRepeated, isMap, isImplicit, toPlain } of membersOf(type)) {
    if (!isImplicit && !Object.hasOwn(wire, field)) continue;
    const value = wire[field];
    if (isMap) {
      if (Object.keys(value as object).length > 0) plain[name] = { ...(value as object) };
    } else if (isRepeated) {
      const items = value as readonly unknown[];
      if (items.length > 0) plain[name] = items.map(toPlain);
    } else plain[name] = toPlain(value);
  }
  return Object.assign(plain, unknownFields(message));
}

/**
 * The fields to be encoded. Null and undefined are left out. Throws a FieldError for a value that the message cannot hold, and for a member
 * that it lacks. `isLenient` leaves such a member out.
 */
export function fieldsOf(type: MessageType, plain: object, isLenient = false, path = ''): Plain {
  const members = membersOf(type);
  const fields: Plain = {};
  for (const [name, value] of Object.entries(plain)) {
    if (value === undefined || value === null) continue;
    const at = fieldPath(path, name);
    const member = members.find(it => it.name === name);
    if (member !== undefined) fields[member.field] = fieldOf(member, value, { isLenient, path: at });
    else if (!isLenient) throw new FieldError(at, `is not in crossbook.v1.${type.name}`);
  }
  return fields;
}

function fieldOf({ isMap, isRepeated, toField }: Member, value: unknown, { isLenient, path }: Place): unknown {
  if (isMap) return readObject(value, path);
  if (!isRepeated) return toField(value, { isLenient, path });
  return readArray(value, path).map((item, index) => toField(item, { isLenient, path: `${path}[${index}]` }));
}

const MICROS = /Micros$/;
const TICKS = /Ticks$/;
const UINT32_MAX = 0xffff_ffff;

function memberOf(field: MessageType['fieldsArray'][number]): Member {
  const { name, repeated, map, partOf, resolvedType } = field;
  const isImplicit = partOf === null && !repeated && !map && resolvedType === null;
  const type = resolvedType !== null && 'fieldsArray' in resolvedType ? resolvedType : null;
  const common = { field: name, isRepeated: repeated, isMap: map, isImplicit, type };
  return { ...common, name: name.replace(MICROS, '').replace(TICKS, ''), ...conversionOf(field) };
}

function conversionOf(field: MessageType['fieldsArray'][number]): Pick<Member, 'toPlain' | 'toField'> {
  const { name, type, resolvedType } = field;
  if (resolvedType !== null && 'fieldsArray' in resolvedType) {
    return {
      toPlain: value => plainOf(resolvedType, value as object),
      toField: (value, { path, isLenient }) => fieldsOf(resolvedType, readObject(value, path), isLenient, path),
    };
  }
  if (resolvedType !== null) {
    return {
      // A number that the schema does not have stays: no word is like it.
      toPlain: value => resolvedType.valuesById[value as number]?.toLowerCase() ?? value,
      toField: (value, { path }) => wordNumber(resolvedType.values, value, path),
    };
  }
  if (MICROS.test(name)) {
    return {
      toPlain: microsText,
      toField: (value, { path }) => decimalOf(parseMicroShares, value, path),
    };
  }
  if (TICKS.test(name)) {
    return {
      toPlain: value => formatTicks(value as Ticks),
      toField: (value, { path }) => decimalOf(parseTicks, value, path),
    };
  }
  const isWide = type === 'uint64' || type === 'fixed64';
  const read = READERS[type] ?? readString;
  return { toPlain: isWide ? uint64Of : value => value, toField: (value, { path }) => read(value, path) };
}

/** From 2^53 on the result is a number instead of a decimal, so that its reader refuses it. */
function microsText(value: unknown): unknown {
  const micros = uint64Of(value);
  return Number.isSafeInteger(micros) ? formatMicroShares(micros as MicroShares) : micros;
}

const READERS: Readonly<Record<string, (value: unknown, path: string) => unknown>> = {
  bool: readBoolean,
  uint32: readUint32,
  double: readNumber,
  uint64: readCount,
  fixed64: readCount,
};

function readNumber(value: unknown, path: string): number {
  if (typeof value !== 'number') throw new FieldError(path, 'must be a number');
  return value;
}

function readUint32(value: unknown, path: string): number {
  const count = readCount(value, path);
  if (count > UINT32_MAX) throw new FieldError(path, `must be at most ${UINT32_MAX}`);
  return count;
}

function wordNumber(values: Readonly<Record<string, number>>, value: unknown, path: string): number {
  const found = values[readString(value, path).toUpperCase()];
  if (found === undefined) throw new FieldError(path, 'is not a word of this field');
  return found;
}

function decimalOf(parse: (text: string) => number | null, value: unknown, path: string): number {
  const parsed = parse(readString(value, path));
  if (parsed === null) throw new FieldError(path, 'must be a decimal that the binary form can hold');
  return parsed;
}
