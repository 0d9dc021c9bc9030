// The binary form of /v1/trade, subprotocol crossbook.v1.proto, as in proto/trade.proto: one message per binary frame. A new operation
// takes a message in proto/trade.proto, and a line in its TradeRequest. Main thread, the engine's (src/gateway/door), and clients.

import { isObject, type JsonObject } from '../domain/json.ts';
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
import { decodeWhole, type MessageType, messageType, refuseSecondChoice, unknownFields } from './protobuf-schema.ts';
import { type PlainRequest, readTradeRequest, type TradeCodec, tradeJsonCodec } from './trade-messages.ts';

const requestType = messageType('TradeRequest');
const answerType = messageType('TradeMessage');
const resultType = messageType('TradeResult');

/**
 * The members of a result whose form depends on the request, with the fields that can hold them. A value is held by the field whose message
 * has the value's members.
 */
const FORMS: Readonly<Record<string, readonly string[]>> = {
  order: ['submitted', 'cancelledVenueA', 'cancelledVenueB', 'replaced', 'queue'],
  results: ['cancelledAll', 'batch'],
};

export const tradeProtobufCodec: TradeCodec = {
  subprotocol: 'crossbook.v1.proto',
  isBinary: true,
  decode: bytes => readTradeRequest(() => readRequest(bytes)),
  encode: message => encodeAnswer(JSON.parse(String(tradeJsonCodec.encode(message)))),
  encodeRequest: ({ op, id, ...body }) => {
    const choice = camelCase(String(op));
    return requestType.encode(fieldsOf(requestType, { id, [choice]: body })).finish();
  },
  decodeMessage: bytes => readAnswer(bytes),
};

function readRequest(bytes: Uint8Array): PlainRequest {
  const message = decodeWhole(requestType, bytes) as { readonly op?: string };
  refuseSecondChoice(requestType, bytes);
  const { op } = message;
  const plain = plainOf(requestType, message);
  if (op === undefined) return { value: plain, textOf: () => '' };
  const { [op]: body, ...rest } = plain;
  const fields = body as JsonObject;
  // The members are in the sequence of their numbers, as the schema says.
  return { value: { ...rest, op: kebabCase(op), ...fields }, textOf: member => JSON.stringify(fields[member]) };
}

/**
 * Encodes an answer from its JSON form, which is a plain value of every answer. Members that the binary form lacks are left out: an order
 * is not lost by this.
 */
function encodeAnswer({ type, ...members }: JsonObject): Uint8Array {
  const kind = String(type);
  const body = kind === 'result' ? toBinaryForm(members) : members;
  return answerType.encode(fieldsOf(answerType, { [kind]: body }, true)).finish();
}

function toBinaryForm(members: JsonObject): JsonObject {
  const name = Object.keys(FORMS).find(it => members[it] !== undefined);
  if (name === undefined) return members;
  const { [name]: value, ...rest } = members;
  const fields = FORMS[name]!;
  const field = fields.find(it => fitsForm(formOf(it), name, value)) ?? fields[0]!;
  return { ...rest, [field]: wrapsList(formOf(field), name) ? { [name]: value } : value };
}

/**
 * Whether the member `name` of this form is a list. The list is then wrapped in a message, because a message has no list among its choices.
 */
function wrapsList(form: MessageType, name: string): boolean {
  return membersOf(form).some(member => member.name === name && member.isRepeated);
}

function fitsForm(form: MessageType, name: string, value: unknown): boolean {
  const members = membersOf(form);
  const list = members.find(member => member.name === name && member.isRepeated);
  if (list !== undefined) return (value as readonly object[]).every(item => hasAll(membersOf(list.type!), item));
  return hasAll(members, value as object);
}

function hasAll(members: ReturnType<typeof membersOf>, value: object): boolean {
  return Object.keys(value).every(name => members.some(member => member.name === name));
}

function readAnswer(bytes: Uint8Array): JsonObject {
  const message = decodeWhole(answerType, bytes) as { readonly message?: string };
  const kind = message.message;
  if (kind === undefined) throw new FieldError('message', 'is of a kind that proto/trade.proto does not have');
  const members = plainOf(answerType, message)[kind] as JsonObject;
  return { type: kind, ...(kind === 'result' ? toJsonForm(members) : members) };
}

function toJsonForm(members: JsonObject): JsonObject {
  if (members.rateLimits !== undefined) return { ...members, venueBudgets: budgetsOf(members.venueBudgets) };
  for (const [name, fields] of Object.entries(FORMS)) {
    const field = fields.find(it => members[it] !== undefined);
    if (field === undefined) continue;
    const { [field]: held, ...rest } = members;
    const form = formOf(field);
    const value = wrapsList(form, name) ? ((held as JsonObject)[name] ?? []) : withNulls(form, held as JsonObject);
    return { ...rest, [name]: value };
  }
  return members;
}

function budgetsOf(budgets: unknown): unknown {
  if (!Array.isArray(budgets)) return null;
  return budgets.map((budget: JsonObject) => ({ ...budget, reads: budget.reads ?? null }));
}

/**
 * The members that are null in JSON if they are absent here. They are the filled quantity of a cancelled order, a queue, and unknown values
 * of a queue.
 */
const NULLABLE = /^(filled.*|queueAhead|high|book)$/;

function withNulls(form: MessageType, value: JsonObject): JsonObject {
  const members = membersOf(form).flatMap(({ name, type }) => {
    const member = value[name] ?? (NULLABLE.test(name) ? null : undefined);
    if (member === undefined) return [];
    return [[name, type !== null && isObject(member) ? withNulls(type, member) : member] as const];
  });
  return Object.fromEntries(members);
}

function formOf(field: string): MessageType {
  return resultType.fields[field]!.resolvedType as MessageType;
}

/** Converts `cancel-all` to `cancelAll`. */
function camelCase(op: string): string {
  return op.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
}

function kebabCase(field: string): string {
  return field.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`);
}

// Converts messages of proto/ to the plain values of the JSON form, and back, by their schema. A field of the schema is a member with its
// name in camel case. `…_micros` and `…_ticks` are decimal texts in JSON, enums are words, and absent fields are left out. Main thread, the
// engine's (src/gateway/door), and clients.

type Plain = Record<string, unknown>;

interface Member {
  /** The name of the field in protobufjs. */
  readonly field: string;
  /** The name of the member in the plain value. */
  readonly name: string;
  readonly isRepeated: boolean;
  readonly isMap: boolean;
  /** Whether the default value is not on the wire, so that an absent field means the default value. */
  readonly isImplicit: boolean;
  /** The type of a message field; null for other fields. */
  readonly type: MessageType | null;
  toPlain(value: unknown): unknown;
  /** Converts a member to its field. Throws a FieldError. */
  toField(value: unknown, place: Place): unknown;
}

/** The place of a value in its message. Also says whether members that the message lacks are left out. */
interface Place {
  readonly path: string;
  readonly isLenient: boolean;
}

const shapes = new Map<MessageType, readonly Member[]>();

/** Returns the members in the sequence of their numbers. */
export function membersOf(type: MessageType): readonly Member[] {
  const known = shapes.get(type);
  if (known !== undefined) return known;
  const members = type.fieldsArray.toSorted((a, b) => a.id - b.id).map(memberOf);
  shapes.set(type, members);
  return members;
}

/** Returns the plain value of a decoded message, without empty lists. An unknown field becomes a member that no message has. */
function plainOf(type: MessageType, message: object): Plain {
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
 * Returns the fields to be encoded. Null and undefined are left out. Throws a FieldError for a value that the message cannot hold, and for
 * a member that the message lacks. With `isLenient`, such a member is left out instead.
 */
function fieldsOf(type: MessageType, plain: object, isLenient = false, path = ''): Plain {
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
      // A number that the schema does not have stays a number, which equals no word.
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

/** Returns the decimal text of a number of micros. From 2^53 on, the result is a number, so that its reader refuses it. */
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
