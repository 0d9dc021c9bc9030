// Found by `npm run fuzz`, in client messages of both forms. Of a binary message with two operations the last one counted, and unknown
// fields of the first passed. A JSON text could begin with a byte order mark, which the body of a request may not.

import { expect, it } from 'vitest';
import { jsonCodec } from '../../src/wire/json.ts';
import { protobufCodec } from '../../src/wire/protobuf.ts';

const refusal = (message: unknown) => ({ ok: false, error: { code: 'INVALID_REQUEST', message } });

it('a binary message with two operations is refused, and none of them is chosen', () => {
  // id "1"; unsubscribe with a field that nobody knows; subscribe to orders from 0.
  const bytes = Uint8Array.of(10, 1, 0x31, 26, 2, 72, 32, 18, 4, 8, 3, 24, 0);
  expect(protobufCodec.decode(bytes)).toMatchObject(refusal('op: is given twice'));
});

it('a JSON text begins with itself', () => {
  const text = '{"op":"ping","id":"1"}';
  expect(jsonCodec.decode(Buffer.from(text))).toMatchObject({ ok: true });
  const marked = jsonCodec.decode(Buffer.from(`\u{feff}${text}`));
  expect(marked).toMatchObject(refusal(expect.stringContaining('JSON')));
});
