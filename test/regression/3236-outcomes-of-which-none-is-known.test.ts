// Found by review: a subscription to outcomes of which the gateway knew none was answered `subscribed`. Those to books are answered `error`
// (contract §8), and docs/PROTOCOL.md says so of every request of which nothing is accepted.

import { describe, expect, it } from 'vitest';
import { OrderbookStream } from '../../src/client/orderbook-stream.ts';
import { limits } from '../../src/limits.ts';
import type { StreamCodec } from '../../src/wire/codec.ts';
import { jsonCodec } from '../../src/wire/json.ts';
import type { ServerMessage } from '../../src/wire/messages.ts';
import { protobufCodec } from '../../src/wire/protobuf.ts';
import { MemoryServer } from '../client/memory-server.ts';
import { MemoryStream } from '../support/memory-stream.ts';
import { VirtualTimers } from '../support/virtual-timers.ts';

const MARKET = 'a:moneyline';

function refusal(id: string, code: 'UNKNOWN_MARKET' | 'SUBSCRIPTION_LIMIT'): ServerMessage {
  const rejectedCatalogMarkets = [{ catalogMarket: MARKET, code, message: 'no' }];
  return { type: 'error', id, code, message: 'no', rejected: [], rejectedCatalogMarkets };
}

it('the gateway answers with an error, also to an end of what was not followed', async () => {
  const rig = new MemoryStream();
  const client = rig.connect();
  for (const [op, code] of [
    ['subscribe', 'UNKNOWN_MARKET'],
    ['unsubscribe', 'NOT_SUBSCRIBED'],
  ] as const) {
    await client.say({ op, id: '1', channel: 'outcome', catalogMarkets: [MARKET] });
    const rejectedCatalogMarkets = [{ catalogMarket: MARKET, code, message: expect.any(String) }];
    expect(client.take()).toEqual([
      { type: 'error', id: '1', code, message: expect.any(String), rejected: [], rejectedCatalogMarkets },
    ]);
  }
  rig.close();
});

describe.each<[string, StreamCodec]>([
  ['JSON', jsonCodec],
  ['protobuf', protobufCodec],
])('our client in %s', (_form, codec) => {
  function following() {
    const [server, timers] = [new MemoryServer(codec), new VirtualTimers()];
    const url = 'ws://localhost/v1/orderbook';
    const stream = new OrderbookStream({ url, codec, connect: server.connect, timers, random: () => 0.5 });
    const refused: unknown[] = [];
    stream.on('refused', ({ code, asksAgainInMs }) => refused.push([code, asksAgainInMs]));
    stream.start();
    server.accept();
    stream.subscribeOutcomes([MARKET]);
    return { server, timers, stream, refused };
  }

  it('asks no more for a market that is not known', () => {
    const { server, timers, stream, refused } = following();
    server.say(refusal('1', 'UNKNOWN_MARKET'));
    timers.advance(limits.streamRetryMs);
    expect(refused).toEqual([['UNKNOWN_MARKET', null]]);
    expect(server.heard.filter(({ op }) => op === 'subscribe')).toHaveLength(1);
    stream.close();
  });

  it('asks again where there was no room', () => {
    const { server, timers, stream, refused } = following();
    server.say(refusal('1', 'SUBSCRIPTION_LIMIT'));
    timers.advance(limits.streamRetryMs);
    expect(refused).toEqual([['SUBSCRIPTION_LIMIT', limits.streamRetryMs]]);
    expect(server.heard.filter(({ op }) => op === 'subscribe')).toHaveLength(2);
    stream.close();
  });

  it('does not report an end of what it did not follow', () => {
    const { server, stream, refused } = following();
    stream.unsubscribeOutcomes([MARKET]);
    server.say(refusal('2', 'UNKNOWN_MARKET'));
    expect(refused).toEqual([]);
    stream.close();
  });
});
