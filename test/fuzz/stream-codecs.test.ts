// Messages of the stream as bytes, in both forms. A client's message is read as the naive twin reads it, or refused with the field and the rule. A
// server's message that can be read is equal after it is written and read again.

import fc from 'fast-check';
import { expect } from 'vitest';
import { fail, ok, type Result } from '../../src/core/domain/result.ts';
import { jsonCodec } from '../../src/core/wire/json.ts';
import { protobufCodec } from '../../src/core/wire/protobuf.ts';
import { writeDelta, writeTrade } from '../contract/stream-codec.ts';
import { clientMessage, delta, serverMessage, trade } from '../core/wire/arbitraries.ts';
import { corpus, jsonCorpus } from './corpus.ts';
import { damagedBytes } from './damaged-bytes.ts';
import { damagedJson } from './damaged-json.ts';
import { fuzz } from './fuzz.ts';

const clientBytes = clientMessage.map(message => protobufCodec.encodeClient(message));
const clientTexts = fc.oneof(
  fc.constantFrom(...corpus('client-messages')).map(text => Buffer.from(text)),
  clientMessage.map(message => jsonCodec.encodeClient(message)),
);
const structure = damagedJson(jsonCorpus('client-messages')).map(text => Buffer.from(text));

fuzz({
  name: 'client messages, protobuf',
  inputs: damagedBytes(clientBytes, [
    '\x0a\x011',
    '\x12\x00',
    '\x22\x00',
    '\x2a\x00',
    '\x08\x01',
    '\x18\x80',
    '\x20\x01',
  ]),
  runs: 300,
  check(bytes) {
    const read = refusalsNamed(protobufCodec.decode(bytes));
    const plain = naiveClientMessage(bytes);
    const twin = plain === null ? fail('no message') : jsonCodec.decode(Buffer.from(JSON.stringify(plain)));
    expect(read.ok).toBe(twin.ok);
    if (read.ok) expect(read).toEqual(twin);
    if (read.ok) expect(protobufCodec.decode(protobufCodec.encodeClient(read.value))).toEqual(read);
  },
});

fuzz({
  name: 'client messages, JSON',
  inputs: fc.oneof(
    structure,
    damagedBytes(fc.oneof(clientTexts, structure), ['"op":"ping"', '"id":""', '"side":"no"']),
  ),
  runs: 300,
  check(bytes) {
    const read = refusalsNamed(jsonCodec.decode(bytes));
    if (!read.ok) return;
    expect(jsonCodec.decode(jsonCodec.encodeClient(read.value))).toEqual(read);
    // The text has exactly the values that were read, since any other value would have been refused.
    expect(new Set(leavesOf(JSON.parse(bytes.toString())))).toEqual(new Set(leavesOf(written(read.value))));
  },
});

fuzz({
  name: 'server messages',
  inputs: fc.constantFrom(protobufCodec, jsonCodec).chain(codec => {
    return fc.tuple(
      fc.constant(codec),
      damagedBytes(
        serverMessage.map(message => codec.encode(message)),
        ['"seq":2'],
      ),
    );
  }),
  runs: 300,
  check([codec, bytes]) {
    const read = attempt(() => codec.decodeServer(bytes));
    if (read.ok) expect(codec.decodeServer(codec.encode(read.value))).toEqual(read.value);
    else expect(read.error).not.toBe('');
  },
});

fuzz({
  name: 'templates',
  inputs: fc.tuple(fc.constantFrom(protobufCodec, jsonCodec), delta, trade),
  runs: 150,
  check([codec, change, sale]) {
    const template = codec.template(change.market);
    const sold = { ...sale, market: change.market };
    expect(Buffer.from(writeDelta(template, change))).toEqual(Buffer.from(codec.encode(change)));
    expect(Buffer.from(writeTrade(template, sold))).toEqual(Buffer.from(codec.encode(sold)));
  },
});

function refusalsNamed<T>(read: Result<T, { readonly message: string }>): typeof read {
  if (!read.ok) expect(read.error.message).toMatch(/^[!-~][ -~]*…?: [ -~]+$/);
  return read;
}

function attempt<T>(work: () => T): Result<T, string> {
  try {
    return ok(work());
  } catch (error) {
    return fail(String(error));
  }
}

function written(message: Parameters<typeof jsonCodec.encodeClient>[0]): unknown {
  return JSON.parse(Buffer.from(jsonCodec.encodeClient(message)).toString());
}

/** Returns the values that are not objects, with their paths. Values that mean the same as their absence are left out. */
function leavesOf(value: unknown, path = ''): string[] {
  if (typeof value === 'object' && value !== null) {
    return Object.entries(value).flatMap(([key, inner]) => leavesOf(inner, `${path}.${key}`));
  }
  return path === '.cancelOnDisconnect' && value === false ? [] : [`${path}=${JSON.stringify(value)}`];
}

// The binary form of clients' messages read by the encoding's own description (protobuf.dev/programming-guides/encoding), field by
// field, into the plain value of the JSON form. The twin of protobufjs and of what src/core/wire/protobuf.ts makes of it.

type Kind = 'text' | 'enum' | 'uint32' | 'uint64' | 'shares' | 'bool' | Schema;
interface Field {
  readonly name: string;
  readonly kind: Kind;
  readonly isRepeated?: boolean;
  /** The group of exclusive fields. If several fields of a group are present, the last one counts. */
  readonly oneOf?: string;
}
type Schema = Readonly<Record<number, Field>>;
type Message = Record<string, unknown>;

const MARKET: Schema = {
  1: { name: 'venue', kind: 'enum' },
  2: { name: 'tokenId', kind: 'text', oneOf: 'address' },
  3: { name: 'ticker', kind: 'text', oneOf: 'address' },
};
const REQUEST: Schema = { 1: { name: 'market', kind: MARKET }, 2: { name: 'side', kind: 'text' } };
const SUBSCRIPTION: Schema = {
  1: { name: 'channel', kind: 'enum' },
  2: { name: 'markets', kind: REQUEST, isRepeated: true },
  3: { name: 'from', kind: 'uint64' },
  4: { name: 'cancelOnDisconnect', kind: 'bool' },
  5: { name: 'depth', kind: 'uint32' },
  6: { name: 'minIntervalMs', kind: 'uint32' },
  7: { name: 'catalogMarkets', kind: 'text', isRepeated: true },
  8: { name: 'queueStep', kind: 'shares' },
};
const CLIENT: Schema = {
  1: { name: 'id', kind: 'text' },
  2: { name: 'subscribe', kind: SUBSCRIPTION, oneOf: 'op' },
  3: { name: 'unsubscribe', kind: SUBSCRIPTION, oneOf: 'op' },
  4: { name: 'snapshot', kind: REQUEST, oneOf: 'op' },
  5: { name: 'ping', kind: {}, oneOf: 'op' },
};

const VENUES: readonly (string | undefined)[] = [undefined, 'venue_a', 'venue_b'];
const CHANNELS: readonly (string | undefined)[] = [undefined, 'book', 'trade', 'orders', 'quote', 'outcome'];
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Returns the plain value. Null means that the bytes are not a message, or have something that is not in the schema. */
function naiveClientMessage(bytes: Uint8Array): object | null {
  try {
    return plainOf(read(bytes, CLIENT, {}));
  } catch (error) {
    if (error instanceof NoMessage) return null;
    throw error;
  }
}

class NoMessage extends Error {}

function plainOf(message: Message): object {
  const id = message.id ?? '';
  const op = ['subscribe', 'unsubscribe', 'snapshot', 'ping'].find(name => name in message);
  if (op === undefined) throw new NoMessage();
  if (op === 'ping') return { op, id };
  const body = message[op] as Message;
  if (op === 'snapshot') return { op, id, market: requestOf(body) };
  const channel = CHANNELS[Number(body.channel ?? 0)];
  const markets = ((body.markets ?? []) as Message[]).map(requestOf);
  const { from, cancelOnDisconnect, depth, minIntervalMs, catalogMarkets, queueStep } = body;
  const given = { from, cancelOnDisconnect, depth, minIntervalMs, catalogMarkets, queueStep };
  const rest = Object.fromEntries(Object.entries(given).filter(([name]) => name in body));
  const named = channel === 'outcome' && markets.length === 0 ? {} : { markets };
  if (channel !== 'orders') return { op, id, channel, ...named, ...rest };
  return { op, ...(id === '' ? {} : { id }), channel, ...(markets.length === 0 ? {} : { markets }), ...rest };
}

function requestOf({ market, ...side }: Message): object {
  const { venue, ...address } = (market ?? {}) as Message;
  return { venue: VENUES[Number(venue ?? 0)], ...address, ...side };
}

const MICRO = 1_000_000n;
const VARINTS: ReadonlySet<Kind | undefined> = new Set<Kind>(['enum', 'uint32', 'uint64', 'shares', 'bool']);

function read(bytes: Uint8Array, schema: Schema, message: Message): Message {
  let at = 0;
  const varint = (): bigint => {
    let value = 0n;
    for (let index = 0; index < 10; index++) {
      const byte = bytes[at++];
      if (byte === undefined) throw new NoMessage();
      value |= BigInt(byte & 0x7f) << BigInt(7 * index);
      if (byte < 0x80) return value & ((1n << 64n) - 1n);
    }
    throw new NoMessage();
  };
  while (at < bytes.length) {
    const tag = Number(varint() & 0xffff_ffffn);
    const field = schema[tag >>> 3];
    const wanted = VARINTS.has(field?.kind) ? 0 : 2;
    if (field === undefined || (tag & 7) !== wanted) throw new NoMessage();
    if (wanted === 0) put(schema, message, field, scalarOf(field.kind, varint()));
    else {
      const length = Number(varint());
      if (length > bytes.length - at) throw new NoMessage();
      const value = bytes.subarray(at, at + length);
      at += length;
      put(schema, message, field, field.kind === 'text' ? textOf(value) : value);
    }
  }
  return message;
}

/** Sets a field. A repeated scalar replaces the earlier value, while a repeated message is merged into it. A message has only one `op`. */
function put(schema: Schema, message: Message, { name, kind, isRepeated, oneOf }: Field, value: unknown): void {
  if (oneOf !== undefined) {
    for (const other of Object.values(schema)) {
      if (other.oneOf !== oneOf || !(other.name in message)) continue;
      if (oneOf === 'op') throw new NoMessage();
      if (other.name !== name) delete message[other.name];
    }
  }
  if (typeof kind === 'string') message[name] = isRepeated ? [...((message[name] ?? []) as unknown[]), value] : value;
  else if (isRepeated === true) {
    message[name] = [...((message[name] ?? []) as unknown[]), read(value as Uint8Array, kind, {})];
  } else message[name] = read(value as Uint8Array, kind, (message[name] ?? {}) as Message);
}

function scalarOf(kind: Kind, value: bigint): unknown {
  if (kind === 'bool') return value !== 0n;
  if (kind === 'uint32') return Number(value & 0xffff_ffffn);
  if (kind === 'shares') return `${value / MICRO}.${String(value % MICRO).padStart(6, '0')}`;
  return kind === 'enum' ? Number(BigInt.asIntN(32, value)) : Number(value);
}

function textOf(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw new NoMessage();
  }
}
