// Found by review: a bot called `subscribeOrders` twice, and the gateway ended the first subscription before it had begun. The clients reported that
// as a refusal, as if the bot followed no orders. In Python, a first subscription that was refused for now was asked for once more beside the
// second. The gateway refused that, and the client gave up the one that it had. clients/python/tests/test_stream_session.py has the Python client.

import { expect, it } from 'vitest';
import { OrderbookStream } from '../../src/client/orderbook-stream.ts';
import { limits } from '../../src/limits.ts';
import { jsonCodec } from '../../src/wire/json.ts';
import type { ServerMessage } from '../../src/wire/messages.ts';
import { MemoryServer } from '../client/memory-server.ts';
import { VirtualTimers } from '../support/virtual-timers.ts';

const error = (id: string, code: string, message: string): ServerMessage => {
  return { type: 'error', id, code, message, rejected: [] };
};
const subscribed = (id: string): ServerMessage => {
  return { type: 'subscribed', id, channel: 'orders', accepted: [], rejected: [], cursor: 7 };
};
const unsubscribed = (id: string): ServerMessage => {
  return { type: 'unsubscribed', id, channel: 'orders', accepted: [], rejected: [], cursor: null };
};

function following() {
  const [server, timers] = [new MemoryServer(jsonCodec), new VirtualTimers()];
  const url = 'ws://localhost/v1/orderbook';
  const stream = new OrderbookStream({ url, connect: server.connect, timers, random: () => 0.5 });
  const refused: string[] = [];
  stream.on('refused', ({ code }) => refused.push(code));
  stream.start();
  server.accept();
  stream.subscribeOrders();
  return { server, timers, stream, refused };
}

it('a subscription that another one replaced is not reported as refused', () => {
  const { server, stream, refused } = following();
  stream.subscribeOrders();
  server.say(error('1', 'NOT_SUBSCRIBED', 'it ended before it began'), unsubscribed('2'), subscribed('3'));
  expect(refused).toEqual([]);
  expect(stream.orderCursor).toBe(7);
  stream.close();
});

it('the end of a subscription that was refused before is not reported as refused, and the next one is asked for once', () => {
  const { server, timers, stream, refused } = following();
  server.say(error('1', 'INVALID_REQUEST', 'too many reads (reads of the rate profile)'));
  stream.subscribeOrders();
  server.say(error('2', 'NOT_SUBSCRIBED', 'not subscribed'), subscribed('3'));
  timers.advance(limits.streamRetryMs);
  expect(server.heard.map(({ op }) => op)).toEqual(['subscribe', 'unsubscribe', 'subscribe']);
  expect(refused).toEqual(['INVALID_REQUEST']);
  stream.close();
});

it('an end that the gateway does not make is reported', () => {
  const { server, stream, refused } = following();
  server.say(subscribed('1'));
  stream.unsubscribeOrders();
  server.say(error('2', 'INVALID_REQUEST', 'too many reads (reads of the rate profile)'));
  expect(refused).toEqual(['INVALID_REQUEST']);
  stream.close();
});
