// Found by the fuzz target "client messages, JSON": a cursor of -0 was taken as it is. It read back as another than the 0 of the binary
// form and of readers that compare with Object.is.

import { expect, it } from 'vitest';
import { jsonCodec } from '../../src/wire/json.ts';

it.each(['0', '-0', '-0.0', '-1e-400'])('a cursor of %s is 0', from => {
  const message = jsonCodec.decode(Buffer.from(`{"op":"subscribe","channel":"orders","from":${from}}`));
  expect(message).toEqual({
    ok: true,
    value: { op: 'subscribe', id: null, channel: 'orders', from: 0, cancelOnDisconnect: false },
  });
});
