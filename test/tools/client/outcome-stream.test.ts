// The channel outcome as a client of the stream has it.

import { describe, expect, it } from 'vitest';
import { jsonCodec } from '../../../src/core/wire/json.ts';
import type { ServerMessage, StreamCodec } from '../../../src/core/wire/messages.ts';
import { protobufCodec } from '../../../src/core/wire/protobuf.ts';
import { limits } from '../../../src/limits.ts';
import { OrderbookStream } from '../../../src/tools/client/orderbook-stream.ts';
import { MemoryStream } from '../../support/memory-stream.ts';
import { VirtualTimers } from '../../support/virtual-timers.ts';
import { MemoryServer } from './memory-server.ts';

// The gateway refused the message with an error, and the client asked again for books, trades and quotes, but never for outcomes. They
// stayed silent until the next connection.
describe('3171: outcomes refused as a whole', () => {
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
    const acknowledgement = {
      type: 'subscribed',
      channel: 'outcome',
      accepted: ['b:moneyline'],
      rejected: [],
    } as const;
    server.say({ ...acknowledgement, id: '4' });
    timers.advance(limits.streamRetryMsMax);
    expect(heard()).toEqual([]);
    stream.close();
  });
});

// Those to books are answered `error` (contract §8), and docs/PROTOCOL.md says so of every request of which nothing is accepted.
describe('3236: outcomes of which none is known', () => {
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
});
