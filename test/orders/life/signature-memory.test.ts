// A repeated signature gets the first answer, also while that is pending, for as long as it could be sent again.

import { describe, expect, it } from 'vitest';
import { jsonReply, type Reply } from '../../../src/core/net/listen.ts';
import { replyOf } from '../../../src/core/wire/replies.ts';
import { limits } from '../../../src/limits.ts';
import { SignatureMemory, type Signed, SignedOperations } from '../../../src/orders/life/signature-memory.ts';

const signature = (first: number, keyId = 'key-1') => ({ keyId, signature: new Uint8Array(64).fill(first) });
const reply = (value: number): Reply => jsonReply(200, { value });
const full = () => reply(-1);

it('a signature acts once, and its repetition gets the answer', async () => {
  const memory = new SignatureMemory<Reply>();
  const gate = Promise.withResolvers<Reply>();
  const first = memory.answerOnce(signature(1), 0, () => gate.promise, full);
  const second = memory.answerOnce(signature(1), 1, () => Promise.reject(new Error('acted twice')), full);
  gate.resolve(reply(7));
  expect([first.isRepeated, second.isRepeated]).toEqual([false, true]);
  expect(await second.reply).toEqual(await first.reply);
});

it('the memory takes another signature for another request', async () => {
  const memory = new SignatureMemory<Reply>();
  memory.answerOnce(signature(1), 0, async () => reply(1), full);
  expect(await memory.answerOnce(signature(2), 0, async () => reply(2), full).reply).toEqual(reply(2));
});

it('the memory forgets after its time, oldest first', () => {
  const memory = new SignatureMemory<Reply>();
  memory.answerOnce(signature(1), 0, async () => reply(1), full);
  memory.answerOnce(signature(2), 10, async () => reply(2), full);
  memory.answerOnce(signature(3), limits.signatureMemoryMs + 1, async () => reply(3), full);
  expect(memory.size).toBe(2);
});

it('the memory refuses rather than forget early', async () => {
  const memory = new SignatureMemory<Reply>();
  const name = new Uint8Array(64);
  const numbers = new DataView(name.buffer);
  for (let number = 0; number < limits.signaturesRememberedMax; number++) {
    numbers.setUint32(0, number);
    memory.answerOnce({ keyId: `key-${number % 100}`, signature: name }, 0, async () => reply(1), full);
  }
  expect(await memory.answerOnce(signature(255), 0, async () => reply(1), full).reply).toEqual(full());
  numbers.setUint32(0, 0);
  expect(memory.answerOnce({ keyId: 'key-0', signature: name }, 0, async () => reply(2), full).isRepeated).toBe(true);
});

it('the memory leaves other keys their part when one has filled its own, and makes room as it forgets', async () => {
  const memory = new SignatureMemory<Reply>();
  const name = new Uint8Array(64);
  for (let number = 0; number < limits.signaturesPerKeyMax; number++) {
    new DataView(name.buffer).setUint32(0, number);
    memory.answerOnce({ keyId: 'key-1', signature: name }, 0, async () => reply(1), full);
  }
  expect(await memory.answerOnce(signature(255), 0, async () => reply(2), full).reply).toEqual(full());
  expect(await memory.answerOnce(signature(255, 'key-2'), 0, async () => reply(2), full).reply).toEqual(reply(2));
  const later = limits.signatureMemoryMs + 1;
  expect(await memory.answerOnce(signature(254), later, async () => reply(3), full).reply).toEqual(reply(3));
});

// The main thread refuses most of these requests earlier, with the header. But a key that uses both doors fills the engine’s memory first.
describe('3162: a refusal that named no wait', () => {
  const done = replyOf(200, { results: [] });

  function signedAs(number: number): Signed {
    const signature = new Uint8Array(64);
    new DataView(signature.buffer).setUint32(0, number);
    return { keyId: 'key_1', signature };
  }

  it('a mutation that cannot be remembered is refused with Retry-After', async () => {
    const signed = new SignedOperations(() => {});
    const answers = Array.from({ length: limits.signaturesPerKeyMax }, (_, number) =>
      signed.performOnce(signedAs(number), async () => done),
    );
    expect(new Set(await Promise.all(answers))).toEqual(new Set([done]));
    const refused = await signed.performOnce(signedAs(limits.signaturesPerKeyMax), async () => done);
    expect(refused).toMatchObject({ status: 429, headers: [['Retry-After', '1']] });
  });
});
