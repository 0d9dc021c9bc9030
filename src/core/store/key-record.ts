// Turns a record of the key store into bytes and back. The bytes are versioned JSON, checked field by field on both writing and reading, so
// that every stored record is readable. A CRC-32 guards the record, since a changed digit would be another limit or another public key.
// Pure.

import { crc32 } from 'node:zlib';
import { limits } from '../../limits.ts';
import {
  type Actor,
  type ApiKey,
  IDENTITY_PATTERN,
  LIMIT_NAMES,
  NO_LIMITS,
  type Pod,
  SCOPES,
  type SigningKey,
} from '../domain/identity.ts';
import { countOf, isObject, type JsonObject, parseJson } from '../domain/json.ts';
import { isPlainText } from '../domain/plain-text.ts';
import { fail, ok, type Result, unreachable } from '../domain/result.ts';

export type KeyRecord =
  | { readonly kind: 'pod'; readonly value: Pod }
  | { readonly kind: 'actor'; readonly value: Actor }
  | { readonly kind: 'signing-key'; readonly value: SigningKey }
  | { readonly kind: 'api-key'; readonly value: ApiKey };
type Kind = KeyRecord['kind'];

/** The kinds of records, in a sequence in which owners come before the records that refer to them. */
export const KINDS: readonly Kind[] = ['pod', 'actor', 'signing-key', 'api-key'];

/** The version of the form. Raise it with every change of the fields. */
const VERSION = 3;
const VALUE_AT = '"value":';
const KEY_ID_BYTES = 8;

interface Rule {
  readonly rule: string;
  isValid(value: unknown): boolean;
}

const matches = (pattern: RegExp): Rule => ({
  rule: `must match ${pattern.source}`,
  isValid: value => typeof value === 'string' && pattern.test(value),
});
const id = matches(IDENTITY_PATTERN);
const keyId = matches(/^key_[0-9a-f]{16}$/);
const hex32 = matches(/^[0-9a-f]{64}$/);
const time: Rule = { rule: 'must be whole milliseconds since 1970', isValid: value => countOf(value) !== null };
const timeOrNull: Rule = {
  rule: `${time.rule}, or null`,
  isValid: value => value === null || time.isValid(value),
};
const countOrNull: Rule = {
  rule: 'must be a whole number, or null',
  isValid: value => value === null || countOf(value) !== null,
};
/** Control characters in a label could forge a list in a terminal. */
const isPrintable = (value: unknown): value is string =>
  typeof value === 'string' && value.length <= limits.identityCharactersMax && isPlainText(value);
const label: Rule = {
  rule: `must be at most identityCharactersMax (${limits.identityCharactersMax}) printable characters`,
  isValid: isPrintable,
};
const addresses: Rule = {
  rule: `must be at most addressesPerKeyMax (${limits.addressesPerKeyMax}) addresses of at most identityCharactersMax (${limits.identityCharactersMax}) printable characters`,
  isValid: value =>
    Array.isArray(value) &&
    value.length <= limits.addressesPerKeyMax &&
    value.every(it => it !== '' && isPrintable(it)),
};
const scopes: Rule = {
  rule: `must be one or more of ${SCOPES.join(', ')}, each once`,
  isValid: value =>
    Array.isArray(value) &&
    value.length > 0 &&
    new Set(value).size === value.length &&
    value.every(it => (SCOPES as readonly unknown[]).includes(it)),
};

const limitsOfActor: Rule = {
  rule: `must hold limits of ${LIMIT_NAMES.join(', ')}, each a whole number or null; collarWithoutBook is PASS or null`,
  isValid: value =>
    isObject(value) && Object.entries(value).every(([name, limit]) => limit === null || isLimit(name, limit)),
};

function isLimit(name: string, value: unknown): boolean {
  if (name === 'collarWithoutBook') return value === 'PASS';
  return (LIMIT_NAMES as readonly string[]).includes(name) && countOf(value) !== null;
}

/** Adds the limits that a record of an earlier program lacks: that program knew fewer limits. */
function withAllLimits(kind: Kind, value: JsonObject): JsonObject {
  if (kind === 'pod') return { exposureMax: null, ...value };
  return isObject(value.limits) ? { ...value, limits: { ...NO_LIMITS, ...value.limits } } : value;
}

type Rules<T> = { readonly [Field in keyof T]: Rule };
const RULES: {
  readonly [K in Kind]: Rules<Extract<KeyRecord, { kind: K }>['value']>;
} = {
  pod: { podId: id, exposureMax: countOrNull, createdAt: time },
  actor: { actorId: id, podId: id, limits: limitsOfActor, createdAt: time },
  'signing-key': {
    keyId,
    actorId: id,
    podId: id,
    publicKeyHex: hex32,
    scopes,
    addresses,
    label,
    createdAt: time,
    revokedAt: timeOrNull,
  },
  'api-key': {
    apiKeyId: matches(/^apikey_[0-9a-f]{16}$/),
    actorId: id,
    podId: id,
    hashHex: hex32,
    label,
    createdAt: time,
    revokedAt: timeOrNull,
  },
};

type RandomBytes = (bytes: number) => Uint8Array;

export function createKeyId(randomBytes: RandomBytes): string {
  return `key_${Buffer.from(randomBytes(KEY_ID_BYTES)).toString('hex')}`;
}

export function createApiKeyId(randomBytes: RandomBytes): string {
  return `apikey_${Buffer.from(randomBytes(KEY_ID_BYTES)).toString('hex')}`;
}

export function isKeyId(text: string): boolean {
  return keyId.isValid(text);
}

/** Returns the name of the record in the store. The name of an actor is within its pod. */
export function recordName(record: KeyRecord): string {
  const { kind, value } = record;
  switch (kind) {
    case 'pod':
      return `${kind}/${value.podId}`;
    case 'actor':
      return `${kind}/${value.podId}/${value.actorId}`;
    case 'signing-key':
      return `${kind}/${value.keyId}`;
    case 'api-key':
      return `${kind}/${value.apiKeyId}`;
    default:
      return unreachable(kind);
  }
}

/** Returns the fault of the record's fields, as `field: rule`, or null if the fields are right. */
export function recordFault({ kind, value }: KeyRecord): string | null {
  return fieldsFault(kind, value as unknown as JsonObject);
}

function fieldsFault(kind: Kind, value: JsonObject): string | null {
  const rules = Object.entries<Rule>(RULES[kind]);
  for (const [field, rule] of rules) {
    if (!Object.hasOwn(value, field)) return `${field}: is missing`;
    if (!rule.isValid(value[field])) return `${field}: ${rule.rule}`;
  }
  const unknown = Object.keys(value).find(field => !Object.hasOwn(RULES[kind], field));
  return unknown === undefined ? null : `${JSON.stringify(unknown)}: is not a field of this record`;
}

export function encodeRecord(record: KeyRecord): Uint8Array {
  const json = JSON.stringify(record.value);
  return Buffer.from(`{"v":${VERSION},"sum":${sumOf(recordName(record), json)},${VALUE_AT}${json}}`);
}

function sumOf(name: string, json: string): number {
  return crc32(json, crc32(name));
}

/** Returns the checksum of the record's value as it is written. */
function sumIn(name: string, text: string): number {
  return sumOf(name, text.slice(text.indexOf(VALUE_AT) + VALUE_AT.length, -1));
}

/** Decodes a record. The error describes the fault; the caller adds the record's name. */
export function decodeRecord(name: string, bytes: Uint8Array): Result<KeyRecord, string> {
  const kind = KINDS.find(candidate => name.startsWith(`${candidate}/`));
  if (kind === undefined) return fail('has a kind that this program does not know');
  const text = textOf(bytes);
  const content = parseJson(text);
  if (!isObject(content)) return fail('is not a JSON object in UTF-8');
  const { v, sum, value } = content;
  if (v !== VERSION) return fail(`has version ${JSON.stringify(v) ?? 'none'}, this program reads version ${VERSION}`);
  if (!isObject(value) || Object.keys(content).length !== 3) return fail('must be {v, sum, value}');
  if (sum !== sumIn(name, text)) return fail('has a wrong checksum: restore a backup (docs/OPERATIONS.md, Backups)');
  const whole = withAllLimits(kind, value);
  const fault = fieldsFault(kind, whole);
  if (fault !== null) return fail(fault);
  const record = { kind, value: whole } as unknown as KeyRecord;
  return recordName(record) === name ? ok(record) : fail(`holds ${recordName(record)}`);
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Returns the text of the bytes. For bytes that are no UTF-8, returns the empty text, which is no JSON. */
function textOf(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes);
  } catch {
    return '';
  }
}
