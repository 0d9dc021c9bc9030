// Our HMAC, held against Node's own on anything.

import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { HmacKey } from '../../../src/core/runtime/hmac.ts';

it('a signature is that of Node for keys and messages of any length, one after the other', () => {
  const bytes = fc.uint8Array({ maxLength: 200 });
  const long = fc.nat(5_000).map(length => new Uint8Array(length).fill(7));
  fc.assert(
    fc.property(bytes, fc.array(fc.tuple(fc.string({ unit: 'binary' }), fc.oneof(bytes, long))), (secret, messages) => {
      const key = new HmacKey(secret);
      for (const [text, more] of messages) {
        const nodes = createHmac('sha256', secret).update(text).update(more).digest();
        expect(key.sign(text, more, 'binary')).toBe(nodes.toString('latin1'));
        expect(key.sign(text, more, 'base64url')).toBe(nodes.toString('base64url'));
      }
    }),
    { numRuns: 500 },
  );
});
