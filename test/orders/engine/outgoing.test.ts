// What one turn sends to another thread.

import { expect, test } from 'vitest';
import { Outgoing } from '../../../src/orders/engine/engine-messages.ts';

test('a turn makes one message, with its events behind its replies', async () => {
  const posted: (readonly string[])[] = [];
  const outgoing = new Outgoing<string>(messages => posted.push(messages));
  outgoing.sendBehind('event');
  outgoing.send('reply 1');
  outgoing.send('reply 2');
  await new Promise<void>(resolve => process.nextTick(resolve));
  expect(posted).toEqual([['reply 1', 'reply 2', 'event']]);
});
