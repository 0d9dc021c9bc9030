// Which messages to another thread travel together.

import { expect, test } from 'vitest';
import { Outgoing } from '../../src/engine/engine-messages.ts';

/** `next`: resolves with the next message that is posted. */
function collected() {
  const posted: (readonly string[])[] = [];
  let heard = Promise.withResolvers<readonly string[]>();
  const outgoing = new Outgoing<string>(messages => {
    posted.push(messages);
    heard.resolve(messages);
    heard = Promise.withResolvers();
  });
  return { outgoing, posted, next: () => heard.promise };
}

/** All that is due in this turn is posted. */
const turn = () => new Promise<void>(resolve => process.nextTick(resolve));

test('a turn makes one message, and events follow in a second one', async () => {
  const { outgoing, posted } = collected();
  outgoing.sendBehind('event');
  outgoing.send('reply 1');
  outgoing.send('reply 2');
  await turn();
  expect(posted).toEqual([['reply 1', 'reply 2'], ['event']]);
});

test('an event that may wait travels with the next turn that sends, ahead of its reply', async () => {
  const { outgoing, posted } = collected();
  outgoing.sendWithNext('sent');
  await turn();
  expect(posted).toEqual([]);
  outgoing.sendBehind('settled');
  outgoing.send('reply');
  await turn();
  expect(posted).toEqual([['sent', 'reply'], ['settled']]);
});

test('an event that may wait is sent alone if no other turn sends', async () => {
  const { outgoing, next } = collected();
  outgoing.sendWithNext('sent');
  expect(await next()).toEqual(['sent']);
  outgoing.sendWithNext('sent again');
  expect(await next()).toEqual(['sent again']);
});

test('no event waits once orders come by a way that the main thread does not see', async () => {
  const { outgoing, posted } = collected();
  outgoing.waits = false;
  outgoing.sendWithNext('sent');
  await turn();
  expect(posted).toEqual([['sent']]);
});
