// The schemas in proto/, and the work that protobufjs leaves to its users. The only importer of protobufjs, which has 64-bit integers only
// as pairs of 32-bit halves. Main thread, the engine's (src/gateway/door), clients, and threads of src/market-data/relay.

import { join } from 'node:path';
import protobuf from 'protobufjs';
import type { WithUnknowns } from '../generated/protobuf-types.ts';
import { FieldError } from './fields.ts';

export type MessageType = protobuf.Type;

const FOLDER = join(import.meta.dirname, '../../../proto');
const schema = protobuf
  .loadSync(['orderbook.proto', 'trade.proto', 'relay.proto'].map(name => join(FOLDER, name)))
  .resolveAll();

/** Returns the message type with a name in the package crossbook.v1. */
export function messageType(name: string): MessageType {
  return schema.lookupType(`crossbook.v1.${name}`);
}

/** Decodes a message, with its unknown fields. Throws a FieldError if the bytes are no message of this type. */
export function decodeWhole(type: MessageType, bytes: Uint8Array): object {
  const reader = protobuf.Reader.create(bytes);
  reader.discardUnknown = false;
  try {
    return type.decode(reader);
  } catch {
    throw new FieldError('message', `must be a crossbook.v1.${type.name}`);
  }
}

/** Refuses a message with a second `op`, as a JSON text with a second key is refused. The encoding would silently take the last `op`. */
export function refuseSecondChoice(type: MessageType, bytes: Uint8Array): void {
  const numbers = new Set(type.oneofs.op!.fieldsArray.map(({ id }) => id));
  const reader = protobuf.Reader.create(bytes);
  let chosen = 0;
  while (reader.pos < reader.len) {
    const tag = reader.uint32();
    if (numbers.has(tag >>> 3)) chosen += 1;
    reader.skipType(tag & 7);
  }
  if (chosen > 1) throw new FieldError('op', 'is given twice');
}

/** Returns the unknown fields under names that no message has, so that the parser refuses them as it does in JSON. */
export function unknownFields(message: WithUnknowns): object {
  const unknowns = message.$unknowns ?? [];
  return Object.fromEntries(unknowns.map(raw => [describeTag(protobuf.Reader.create(raw).uint32()), true]));
}

function describeTag(tag: number): string {
  return `field ${tag >>> 3} of wire type ${tag & 7}`;
}
