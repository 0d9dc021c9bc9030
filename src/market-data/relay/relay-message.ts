// The envelope of a market's messages on NATS: RelayMessage of proto/relay.proto. Feed threads and the publisher's thread.

import type { Ticks } from '../../core/domain/numbers.ts';
import { FieldError, readUint64 } from '../../core/wire/fields.ts';
import type { ServerMessage } from '../../core/wire/messages.ts';
import { readServer } from '../../core/wire/protobuf.ts';
import { messageType } from '../../core/wire/protobuf-schema.ts';
import { writeVarint } from '../../core/wire/protobuf-template.ts';
import type { WireRelayMessage } from '../../core/wire/protobuf-types.generated.ts';

const relayType = messageType('RelayMessage');

/** Tags of the fields 1 to 3: varint, varint, bytes. */
const NUMBER = 0x08;
const LAST_TRADE = 0x10;
const MESSAGE = 0x1a;
/** Three tags, and numbers of at most 8, 2 and 5 bytes. */
const HEAD_BYTES_MAX = 24;

export interface Relayed {
  readonly number: number;
  /** 0: none, or not said. */
  readonly lastTrade: Ticks;
  readonly message: ServerMessage;
}

/** Fresh bytes. `frame`: an encoded ServerMessage; it may be reused afterwards. */
export function encodeRelayed(number: number, lastTrade: number, frame: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(HEAD_BYTES_MAX + frame.length);
  bytes[0] = NUMBER;
  let at = writeVarint(bytes, 1, number);
  if (lastTrade !== 0) {
    bytes[at] = LAST_TRADE;
    at = writeVarint(bytes, at + 1, lastTrade);
  }
  bytes[at] = MESSAGE;
  at = writeVarint(bytes, at + 1, frame.length);
  bytes.set(frame, at);
  return bytes.subarray(0, at + frame.length);
}

/** Throws on bytes that no publisher has written. */
export function decodeRelayed(bytes: Uint8Array): Relayed {
  const { number, lastTradeTicks, message } = relayType.decode(bytes) as unknown as WireRelayMessage;
  if (message === null) throw new FieldError('message', 'is missing');
  return { number: readUint64(number), lastTrade: lastTradeTicks as Ticks, message: readServer(message) };
}
