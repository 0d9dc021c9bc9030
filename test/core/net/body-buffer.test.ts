// Bodies collected from borrowed chunks, beside Buffer.concat.

import fc from 'fast-check';
import { expect, it } from 'vitest';
import { BodyBuffer } from '../../../src/core/net/body-buffer.ts';

it('holds what was appended, up to its bound', () => {
  const chunks = fc.array(fc.uint8Array({ maxLength: 700 }), { maxLength: 12 });
  fc.assert(
    fc.property(chunks, fc.nat(5_000), (parts, bytesMax) => {
      const body = new BodyBuffer(bytesMax);
      let twin = Buffer.alloc(0);
      for (const part of parts) {
        const borrowed = Uint8Array.from(part);
        const longer = Buffer.concat([twin, part]);
        expect(body.append(borrowed)).toBe(longer.length <= bytesMax);
        if (longer.length <= bytesMax) twin = longer;
        borrowed.fill(0xee);
        expect(Buffer.compare(body.view(), twin)).toBe(0);
      }
    }),
  );
});

it('sets nothing aside for what has not come', () => {
  const body = new BodyBuffer(1024 * 1024);
  expect(body.view().buffer.byteLength).toBe(0);
  body.append(new Uint8Array(100));
  expect(body.view().buffer.byteLength).toBe(100);
  for (let sent = 0; sent < 3_000; sent++) body.append(new Uint8Array(1));
  expect(body.view().length).toBe(3_100);
  expect(body.view().buffer.byteLength).toBeLessThanOrEqual(2 * 3_100);
});
