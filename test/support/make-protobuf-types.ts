// Makes types from orderbook.proto and relay.proto: how protobufjs represents each message.

import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import protobuf from 'protobufjs';

const ROOT = join(import.meta.dirname, '../..');
export const PROTOBUF_TYPES_PATH = 'src/core/generated/protobuf-types.ts';

const HEADER = `// Generated from orderbook.proto and relay.proto by test/support/make-protobuf-types.ts: how protobufjs represents each message. Enums and
// 32-bit numbers are numbers, 64-bit numbers two signed halves. Absent messages are null, absent scalars have their default. Absent
// optional scalars are null, except 64-bit numbers: those are zero and no own property. Not to be edited.

/** Any unsigned 32-bit integer; not validated as a price. */
export type WireUint32 = number;

/** Any signed 32-bit integer. */
export type WireInt32 = number;

export interface WireUint64 {
  readonly low: number;
  readonly high: number;
}

/** Raw unknown fields of clients' messages, which are refused. */
export interface WithUnknowns {
  readonly $unknowns?: readonly Uint8Array[];
}

/** A message to be encoded: an absent field has its default, and a 64-bit number is a number. */
export type Written<T> = T extends WireUint64
  ? number
  : T extends readonly (infer Element)[]
    ? readonly Written<Element>[]
    : T extends object
      ? { readonly [Name in keyof T]?: Written<T[Name]> | null }
      : T;
`;

const SCALARS: Readonly<Record<string, string>> = {
  string: 'string',
  bool: 'boolean',
  uint32: 'WireUint32',
  sint32: 'WireInt32',
  fixed32: 'WireUint32',
  uint64: 'WireUint64',
  fixed64: 'WireUint64',
  sint64: 'WireUint64',
};

/** Returns the text of the generated file. */
export function makeProtobufTypes(): string {
  const root = protobuf.loadSync(['orderbook', 'relay'].map(name => join(ROOT, `proto/${name}.proto`))).resolveAll();
  const messages = (root.lookup('crossbook.v1') as protobuf.Namespace).nestedArray.filter(
    it => it instanceof protobuf.Type,
  );
  return formatted([HEADER, ...messages.map(interfaceOf)].join('\n'));
}

function interfaceOf({ name, oneofsArray, fieldsArray }: protobuf.Type): string {
  if (fieldsArray.length === 0) return `export type Wire${name} = WithUnknowns;\n`;
  const choices = oneofsArray.filter(it => !isOptional(it)).map(choiceOf);
  const fields = fieldsArray.map(field => `readonly ${field.name}: ${typeOf(field)};`);
  return `export interface Wire${name} extends WithUnknowns {\n${[...choices, ...fields].join('\n')}\n}\n`;
}

/** Makes the member that says which field of the choice is set. */
function choiceOf({ name, fieldsArray }: protobuf.OneOf): string {
  return `/** Which of them is set. */\nreadonly ${name}?: ${fieldsArray.map(field => `'${field.name}'`).join(' | ')};`;
}

/** Returns whether the choice stands for an \`optional\` field: the parser makes a choice with one field for each such field. */
function isOptional(oneof: protobuf.OneOf): boolean {
  return oneof.fieldsArray.length === 1 && oneof.name === `_${oneof.fieldsArray[0]!.name}`;
}

function typeOf({ type, repeated, resolvedType, partOf }: protobuf.Field): string {
  if (resolvedType instanceof protobuf.Type) {
    return repeated ? `readonly Wire${type}[]` : `Wire${type} | null`;
  }
  const scalar = resolvedType === null ? SCALARS[type] : 'number';
  if (scalar === undefined) throw new Error(`${type}: is not a type that the schema had before`);
  if (repeated) return `readonly ${scalar}[]`;
  return partOf === null || scalar === 'WireUint64' ? scalar : `${scalar} | null`;
}

function formatted(text: string): string {
  const biome = join(ROOT, 'node_modules/.bin/biome');
  const options = { cwd: ROOT, input: text, encoding: 'utf8' } as const;
  return execFileSync(biome, ['format', '--stdin-file-path', PROTOBUF_TYPES_PATH], options);
}
