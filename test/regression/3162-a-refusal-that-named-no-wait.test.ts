// Found by reading: the 429 of a cancel-all for which the engine could remember no further signature had no `Retry-After` (contract §3). Main
// refuses most of them before, with the header, but a key that uses both doors fills the engine’s memory first.

import { expect, it } from 'vitest';
import type { CancelAllOperation } from '../../src/domain/operation.ts';
import { limits } from '../../src/limits.ts';
import { SignedOperations } from '../../src/orders/signature-memory.ts';
import { replyOf } from '../../src/wire/replies.ts';

const done = replyOf(200, { results: [] });

function cancelAll(number: number): CancelAllOperation {
  const signature = new Uint8Array(64);
  new DataView(signature.buffer).setUint32(0, number);
  const caller = { podId: 'desk', actorId: 'desk/maker', keyId: 'key_1' };
  return { name: 'cancel-all', venue: 'venue_b', caller, address: null, keyId: null, signature };
}

it('a mutation that cannot be remembered is refused with Retry-After', async () => {
  const signed = new SignedOperations(() => {});
  const answers = Array.from({ length: limits.signaturesPerKeyMax }, (_, number) =>
    signed.once(cancelAll(number), async () => done),
  );
  expect(new Set(await Promise.all(answers))).toEqual(new Set([done]));
  const refused = await signed.once(cancelAll(limits.signaturesPerKeyMax), async () => done);
  expect(refused).toMatchObject({ status: 429, headers: [['Retry-After', '1']] });
});
