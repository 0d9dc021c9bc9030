// Found by review. In the binary form a cursor of 2^53 or more was refused without the id of its request, and by another name than in JSON.
// So its sender could not tell which request it was.

import { expect, it } from 'vitest';
import { jsonCodec } from '../../src/wire/json.ts';
import type { MessageRefusal } from '../../src/wire/messages.ts';
import { protobufCodec } from '../../src/wire/protobuf.ts';

const REFUSAL: MessageRefusal = {
  id: 'one',
  code: 'INVALID_REQUEST',
  message: 'from: must be an integer from 0 to 2^53 - 1',
};

it.each([2 ** 53, 2 ** 63, 2 ** 64 - 2048])('%d is refused under the id of its request, in both forms', from => {
  const request = { op: 'subscribe', id: 'one', channel: 'orders', from, cancelOnDisconnect: false } as const;
  for (const codec of [protobufCodec, jsonCodec]) {
    expect(codec.decode(codec.encodeClient(request))).toEqual({ ok: false, error: REFUSAL });
  }
});

it('the last one below is taken', () => {
  const request = {
    op: 'subscribe',
    id: 'one',
    channel: 'orders',
    from: 2 ** 53 - 1,
    cancelOnDisconnect: false,
  } as const;
  expect(protobufCodec.decode(protobufCodec.encodeClient(request))).toEqual({ ok: true, value: request });
});
