// Found by review: a client that returned while its key's reads were used up asked for outcomes once. The gateway refused the message with
// an error, and the client asked again for books, trades and quotes, but never for outcomes. They stayed silent until the next connection.

import { expect, it } from 'vitest';
import { OrderbookStream } from '../../src/client/orderbook-stream.ts';
import { limits } from '../../src/limits.ts';
import { jsonCodec } from '../../src/wire/json.ts';
import type { ServerMessage } from '../../src/wire/messages.ts';
import { MemoryServer } from '../client/memory-server.ts';
import { VirtualTimers } from '../support/virtual-timers.ts';

const WHY = 'too many reads under this signing key (reads of the rate profile): ask again later';

function tooManyReads(id: string): ServerMessage {
  return { type: 'error', id, code: 'INVALID_REQUEST', message: WHY, rejected: [] };
}

function connected() {
  const [server, timers] = [new MemoryServer(jsonCodec), new VirtualTimers()];
  const url = 'ws://localhost/v1/orderbook';
  const stream = new OrderbookStream({ url, connect: server.connect, timers, random: () => 0.5 });
  const refused: (number | null)[] = [];
  stream.on('refused', ({ asksAgainInMs }) => refused.push(asksAgainInMs));
  stream.start();
  server.accept();
  const heard = () => server.heard.splice(0).filter(({ op }) => op !== 'ping');
  return { server, timers, stream, refused, heard };
}

it('a client asks again for outcomes that were refused as a whole, ever less often', () => {
  const { server, timers, stream, refused, heard } = connected();
  stream.subscribeOutcomes(['a:moneyline', 'b:moneyline'], { minIntervalMs: 250 });
  server.say(tooManyReads('1'));
  timers.advance(limits.streamRetryMs);
  server.say(tooManyReads('2'));
  stream.unsubscribeOutcomes(['a:moneyline']);
  timers.advance(2 * limits.streamRetryMs);
  const both = { op: 'subscribe', minIntervalMs: 250, catalogMarkets: ['a:moneyline', 'b:moneyline'] };
  expect(heard()).toMatchObject([
    { ...both, id: '1' },
    { ...both, id: '2' },
    { op: 'unsubscribe', id: '3' },
    { ...both, id: '4', catalogMarkets: ['b:moneyline'] },
  ]);
  expect(refused).toEqual([limits.streamRetryMs, 2 * limits.streamRetryMs]);
  const acknowledgement = { type: 'subscribed', channel: 'outcome', accepted: ['b:moneyline'], rejected: [] } as const;
  server.say({ ...acknowledgement, id: '4' });
  timers.advance(limits.streamRetryMsMax);
  expect(heard()).toEqual([]);
  stream.close();
});
