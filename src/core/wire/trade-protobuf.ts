// The binary form of /v1/trade, subprotocol crossbook.v1.proto, as in proto/trade.proto: one message per binary frame. A new operation is
// a message and a line of TradeRequest there. Main thread, the engine's (src/gateway/door), and clients.

import type { JsonObject } from '../domain/json.ts';
import { FieldError } from './fields.ts';
import { fieldsOf, membersOf, plainOf } from './protobuf-plain.ts';
import { decodeWhole, type MessageType, messageType, refuseSecondChoice } from './protobuf-schema.ts';
import { tradeJsonCodec } from './trade-json.ts';
import { type PlainRequest, readTradeRequest, type TradeCodec } from './trade-messages.ts';

const requestType = messageType('TradeRequest');
const answerType = messageType('TradeMessage');
const resultType = messageType('TradeResult');

/**
 * Members of a result whose form depends on the request, with the fields that can hold them. The field whose message has a value's members
 * holds the value.
 */
const FORMS: Readonly<Record<string, readonly string[]>> = {
  order: ['submitted', 'cancelledVenueA', 'cancelledVenueB', 'replaced'],
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
  // Members are in the order of their numbers, as the schema says.
  return { value: { ...rest, op: kebabCase(op), ...fields }, textOf: member => JSON.stringify(fields[member]) };
}

/**
 * Encodes an answer from its JSON form, which is a plain value of every answer. Members that the binary form lacks are left out; no order
 * is lost by that.
 */
function encodeAnswer({ type, ...members }: JsonObject): Uint8Array {
  const kind = String(type);
  const body = kind === 'result' ? formed(members) : members;
  return answerType.encode(fieldsOf(answerType, { [kind]: body }, true)).finish();
}

function formed(members: JsonObject): JsonObject {
  const name = Object.keys(FORMS).find(it => members[it] !== undefined);
  if (name === undefined) return members;
  const { [name]: value, ...rest } = members;
  const fields = FORMS[name]!;
  const field = fields.find(it => holds(formOf(it), name, value)) ?? fields[0]!;
  return { ...rest, [field]: wraps(formOf(field), name) ? { [name]: value } : value };
}

/** Answers that are a list are wrapped: a message has no list among its choices. */
function wraps(form: MessageType, name: string): boolean {
  return membersOf(form).some(member => member.name === name && member.isRepeated);
}

function holds(form: MessageType, name: string, value: unknown): boolean {
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
  return { type: kind, ...(kind === 'result' ? unformed(members) : members) };
}

function unformed(members: JsonObject): JsonObject {
  if (members.rateLimits !== undefined) return { ...members, venueBudgets: budgetsOf(members.venueBudgets) };
  for (const [name, fields] of Object.entries(FORMS)) {
    const field = fields.find(it => members[it] !== undefined);
    if (field === undefined) continue;
    const { [field]: held, ...rest } = members;
    const form = formOf(field);
    const value = wraps(form, name) ? ((held as JsonObject)[name] ?? []) : withNulls(form, held as JsonObject);
    return { ...rest, [name]: value };
  }
  return members;
}

function budgetsOf(budgets: unknown): unknown {
  if (!Array.isArray(budgets)) return null;
  return budgets.map((budget: JsonObject) => ({ ...budget, reads: budget.reads ?? null }));
}

/** The filled quantity of a cancelled order is null in JSON if it is absent here. */
function withNulls(form: MessageType, order: JsonObject): JsonObject {
  const absent = membersOf(form).filter(({ name }) => name.startsWith('filled') && order[name] === undefined);
  return { ...order, ...Object.fromEntries(absent.map(({ name }) => [name, null])) };
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
