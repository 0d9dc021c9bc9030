// Events that are told in one go are one message, in their order, before whoever waits for the change goes on.

import { expect, it } from 'vitest';
import type { OrderEventRecord } from '../../src/store/order-records.ts';
import { toldTogether } from '../../src/threads/told-together.ts';

const eventOf = (cursor: number) => ({ cursor }) as OrderEventRecord;

it('posts once what is told in one go, and anew what is told later', async () => {
  const posted: number[][] = [];
  const tell = toldTogether(events => posted.push(events.map(({ cursor }) => cursor)));
  tell([eventOf(1), eventOf(2)]);
  tell([eventOf(3)]);
  expect(posted).toEqual([]);
  await Promise.resolve();
  expect(posted).toEqual([[1, 2, 3]]);
  tell([eventOf(4)]);
  await Promise.resolve();
  expect(posted).toEqual([[1, 2, 3], [4]]);
});

it('posts what several tell whose commits were made together, before their answers', async () => {
  const said: string[] = [];
  const tell = toldTogether(events => said.push(`events ${events.map(({ cursor }) => cursor)}`));
  const made = Promise.withResolvers<void>();
  const commit = async (cursor: number) => {
    await made.promise;
    tell([eventOf(cursor)]);
  };
  const answer = async (cursor: number) => {
    await commit(cursor);
    said.push(`answer ${cursor}`);
  };
  const answers = [answer(1), answer(2)];
  made.resolve();
  await Promise.all(answers);
  expect(said).toEqual(['events 1,2', 'answer 1', 'answer 2']);
});
