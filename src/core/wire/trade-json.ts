// The JSON form of /v1/trade, subprotocol crossbook.v1.json: one message per text frame. Main
// thread, the engine's (src/gateway/door), and clients.

import { isObject, parseJson } from '../domain/json.ts';
import { unreachable } from '../domain/result.ts';
import { FieldError } from './fields.ts';
import { memberText, refuseDoubledKey } from './json-text.ts';
import { replyMembers } from './reply-members.ts';
import { readTradeRequest, type TradeCodec, type TradeMessage } from './trade-messages.ts';

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

export const tradeJsonCodec: TradeCodec = {
  subprotocol: 'crossbook.v1.json',
  isBinary: false,
  decode: bytes =>
    readTradeRequest(() => {
      const text = textOf(bytes);
      return { value: parseOnce(text), textOf: name => memberText(text, name) };
    }),
  encode: messageText,
  encodeRequest: request => JSON.stringify(request),
  decodeMessage: bytes => {
    const message = parseJson(textOf(bytes));
    if (!isObject(message)) throw new FieldError('message', 'must be an object');
    return message;
  },
};

function textOf(bytes: Uint8Array): string {
  try {
    return decoder.decode(bytes);
  } catch {
    throw notJson();
  }
}

function parseOnce(text: string): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw notJson();
  }
  refuseDoubledKey(text);
  return value;
}

function notJson(): FieldError {
  return new FieldError('message', 'must be JSON text in UTF-8');
}

function messageText(message: TradeMessage): string {
  switch (message.type) {
    case 'accepted':
    case 'pong':
      return JSON.stringify(message);
    case 'error': {
      const { type, id, code, message: words } = message;
      return JSON.stringify({ type, ...(id === null ? {} : { id }), code, message: words });
    }
    case 'result':
      return `{"type":"result","id":${JSON.stringify(message.id)},${replyMembers(message, message.isOrder)}}`;
    default:
      return unreachable(message);
  }
}
