// Found by sending half of a body, and ending the gateway. It waited for the rest for ten seconds and more, since any bytes prolonged the
// wait. It was then ended by force, without a word to the streams. An incomplete request is not in flight now; it is answered if its rest
// comes.

import { afterEach, beforeEach, expect, it } from 'vitest';
import { jsonReply, type Listener, listen } from '../../src/net/listen.ts';
import { RawHttp } from '../support/raw-http.ts';

let listener: Listener;
let sender: RawHttp;
beforeEach(async () => {
  listener = await listen({
    host: '127.0.0.1',
    port: 0,
    http: [{ method: 'post', pattern: '/', handle: async ({ body }) => jsonReply(201, body.length) }],
    sockets: [],
  });
  const [one, other] = [await RawHttp.connect(listener), await RawHttp.connect(listener)];
  sender = one.send('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 8\r\n\r\nhalf');
  // What was sent before has been read by then.
  for (const answers of [1, 2])
    await other.send('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\n\r\n.').hear(answers);
});
afterEach(() => listener.close());

it('the end does not wait for the rest of the body', async () => {
  await listener.drain();
  // Both, which their idleness would have ended before the rest was given up.
  expect(listener.connections).toBe(2);
  listener.close();
  expect(await sender.end()).toEqual([]);
  expect([listener.requestsInFlight, listener.connections]).toEqual([0, 0]);
});

it('answers it if it comes, and waits for that', async () => {
  await listener.drain();
  sender.send('rest');
  const [answer, ...more] = await sender.end();
  expect([answer?.status, answer?.body, answer?.headers.get('connection'), more]).toEqual([201, '8', 'close', []]);
  expect(listener.requestsInFlight).toBe(0);
});
