// A repeated signature gets the first answer, also while that is still being made, for as long as it could be sent again.

import { expect, it } from 'vitest';
import { SignatureMemory } from '../../../src/gateway/api/signature-memory.ts';
import { limits } from '../../../src/limits.ts';
import { jsonReply, type Reply } from '../../../src/net/listen.ts';

const signature = (first: number) => new Uint8Array(64).fill(first);
const reply = (value: number): Reply => jsonReply(200, { value });
const full = () => reply(-1);

it('acts once, and repeats the answer', async () => {
  const memory = new SignatureMemory();
  const gate = Promise.withResolvers<Reply>();
  const first = memory.once(signature(1), 0, () => gate.promise, full);
  const second = memory.once(signature(1), 1, () => Promise.reject(new Error('acted twice')), full);
  gate.resolve(reply(7));
  expect([first.isRepeated, second.isRepeated]).toEqual([false, true]);
  expect(await second.reply).toEqual(await first.reply);
});

it('takes another signature for another request', async () => {
  const memory = new SignatureMemory();
  memory.once(signature(1), 0, async () => reply(1), full);
  expect(await memory.once(signature(2), 0, async () => reply(2), full).reply).toEqual(reply(2));
});

it('forgets after its time, oldest first', () => {
  const memory = new SignatureMemory();
  memory.once(signature(1), 0, async () => reply(1), full);
  memory.once(signature(2), 10, async () => reply(2), full);
  memory.once(signature(3), limits.signatureMemoryMs + 1, async () => reply(3), full);
  expect(memory.size).toBe(2);
});

it('refuses rather than forget early', async () => {
  const memory = new SignatureMemory();
  const name = new Uint8Array(64);
  const numbers = new DataView(name.buffer);
  for (let number = 0; number < limits.signaturesRememberedMax; number++) {
    numbers.setUint32(0, number);
    memory.once(name, 0, async () => reply(1), full);
  }
  expect(await memory.once(signature(255), 0, async () => reply(1), full).reply).toEqual(full());
  numbers.setUint32(0, 0);
  expect(memory.once(name, 0, async () => reply(2), full).isRepeated).toBe(true);
});
