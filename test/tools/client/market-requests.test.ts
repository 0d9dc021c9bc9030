// The requests that the client repeats or gives up, after each refusal, with a server in memory and virtual time. Also the channel `outcome` as a
// client of the stream sees it.

import { describe, expect, it } from 'vitest';
import { type MarketKey, marketKey } from '../../../src/core/domain/market.ts';
import { jsonCodec } from '../../../src/core/wire/json.ts';
import type {
  ClientMessage,
  Rejection,
  RejectionCode,
  ServerMessage,
  StreamCodec,
} from '../../../src/core/wire/messages.ts';
import { protobufCodec } from '../../../src/core/wire/protobuf.ts';
import { limits } from '../../../src/limits.ts';
import { OrderbookStream } from '../../../src/tools/client/orderbook-stream.ts';
import { retryPauseMs } from '../../../src/tools/client/subscription-requests.ts';
import { MemoryStream } from '../../support/memory-stream.ts';
import { VirtualTimers } from '../../support/virtual-timers.ts';
import { MemoryServer } from './memory-server.ts';

const [first, second] = [marketKey('venue_b', 'KXA'), marketKey('venue_b', 'KXB')];

function connected() {
  const [server, timers] = [new MemoryServer(jsonCodec), new VirtualTimers()];
  const url = 'ws://localhost/v1/orderbook';
  const stream = new OrderbookStream({ url, connect: server.connect, timers, random: () => 0.5 });
  const refused: (number | null)[] = [];
  stream.on('refused', ({ asksAgainInMs }) => refused.push(asksAgainInMs));
  stream.start();
  server.accept();
  const sent = () => server.heard.splice(0).filter(({ op }) => op !== 'ping');
  return { server, timers, stream, refused, sent, heard: () => sent().map(textOf) };
}

function textOf(message: ClientMessage): string {
  if (message.op === 'ping') return 'ping';
  const requests = 'markets' in message ? message.markets : 'market' in message ? [message.market] : [];
  return [message.op, message.id, ...requests.map(({ market }) => ('ticker' in market ? market.ticker : ''))].join(' ');
}

const rejection = (market: MarketKey, code: RejectionCode): Rejection => ({ market, code, message: 'no' });

function refusal(id: string, code: RejectionCode, ...markets: readonly MarketKey[]): ServerMessage {
  return { type: 'error', id, code, message: 'no', rejected: markets.map(market => rejection(market, code)) };
}

describe('a market that is refused', () => {
  it.each(['VENUE_UNAVAILABLE', 'BOOK_LIMIT', 'SUBSCRIPTION_LIMIT'] as const)(
    'for now, with %s, is asked for again at growing intervals, until it is accepted',
    code => {
      const { server, timers, stream, refused, heard } = connected();
      stream.subscribe('book', [first, second]);
      const rejected = [rejection(first, code)];
      server.say({ type: 'subscribed', id: '1', channel: 'book', accepted: [second], rejected });
      expect(heard()).toEqual(['subscribe 1 KXA KXB']);
      timers.advance(limits.streamRetryMs - 1);
      expect(heard()).toEqual([]);
      timers.advance(1);
      expect(heard()).toEqual(['subscribe 2 KXA']);
      server.say(refusal('2', code, first));
      timers.advance(2 * limits.streamRetryMs);
      expect(heard()).toEqual(['subscribe 3 KXA']);
      expect(refused).toEqual([limits.streamRetryMs, 2 * limits.streamRetryMs]);
      expect(stream.book(first)).toBeDefined();
      server.say({ type: 'subscribed', id: '3', channel: 'book', accepted: [first], rejected: [] });
      timers.advance(limits.streamRetryMsMax);
      expect(heard()).toEqual([]);
    },
  );

  it('is asked for no less often than every streamRetryMsMax', () => {
    expect([1, 2, 3, 100].map(retryPauseMs)).toEqual([1_000, 2_000, 4_000, limits.streamRetryMsMax]);
  });

  it('is not asked for again once it was given up, nor twice after a reconnection', () => {
    const { server, timers, stream, heard } = connected();
    stream.subscribe('book', [first, second]);
    server.say(refusal('1', 'VENUE_UNAVAILABLE', first, second));
    stream.unsubscribe('book', [first]);
    heard();
    server.drop('');
    timers.advance(limits.upstreamBackoffMaxMs);
    server.accept();
    timers.advance(limits.streamRetryMs);
    expect(heard()).toEqual(['subscribe 3 KXB']);
  });

  it('under an earlier request stays wanted by the later one', () => {
    const { server, timers, stream, refused, heard } = connected();
    stream.subscribe('book', [first]);
    stream.unsubscribe('book', [first]);
    stream.subscribe('book', [first]);
    server.say(refusal('1', 'UNKNOWN_MARKET', first), refusal('2', 'NOT_SUBSCRIBED', first));
    expect([refused, stream.book(first) === undefined]).toEqual([[null], false]);
    heard();
    server.drop('');
    timers.advance(limits.upstreamBackoffMaxMs);
    server.accept();
    expect(heard()).toEqual(['subscribe 4 KXA']);
  });
});

describe('a message that is not taken', () => {
  const tooMany = (id: string): ServerMessage => ({
    ...{ type: 'error', id, code: 'INVALID_REQUEST', rejected: [] },
    message: 'too many requests are waiting (streamRequestsWaitingMax): wait for answers',
  });

  it('is made again later: a subscription, a snapshot, and what was given up', () => {
    const { server, timers, stream, refused, heard } = connected();
    stream.subscribe('book', [first]);
    stream.snapshot(first);
    stream.unsubscribe('trade', [second]);
    heard();
    server.say(tooMany('1'), tooMany('2'), tooMany('3'));
    expect(refused).toEqual([limits.streamRetryMs, limits.streamRetryMs, limits.streamRetryMs]);
    timers.advance(limits.streamRetryMs);
    expect(heard()).toEqual(['subscribe 4 KXA', 'snapshot 5 KXA', 'unsubscribe 6 KXB']);
  });

  it('is not made again if it has become pointless', () => {
    const { server, timers, stream, heard } = connected();
    stream.subscribe('book', [first]);
    stream.snapshot(first);
    stream.unsubscribe('book', [first]);
    stream.subscribe('book', [first]);
    stream.unsubscribe('book', [first]);
    heard();
    server.say(tooMany('1'), tooMany('2'));
    timers.advance(limits.streamRetryMs);
    expect(heard()).toEqual([]);
  });

  it.each([
    'too many requests are waiting (streamRequestsWaitingMax): wait for answers',
    'too many reads under this signing key (reads of the rate profile): ask again later',
  ])('is made again where it asks for our own orders: %s', message => {
    const { server, timers, stream, heard } = connected();
    stream.subscribeOrders();
    server.say({ ...tooMany('1'), message } as ServerMessage);
    timers.advance(limits.streamRetryMs);
    expect(heard()).toEqual(['subscribe 1', 'subscribe 2']);
  });
});

// After the gateway had refused the message with an error, the client asked again for books, trades and quotes, but never for outcomes. Outcomes
// stayed silent until the next connection.
describe('3171: outcomes refused as a whole', () => {
  const WHY = 'too many reads under this signing key (reads of the rate profile): ask again later';

  function tooManyReads(id: string): ServerMessage {
    return { type: 'error', id, code: 'INVALID_REQUEST', message: WHY, rejected: [] };
  }

  it('a client asks again for outcomes that were refused as a whole, ever less often', () => {
    const { server, timers, stream, refused, sent: heard } = connected();
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

// A request for books of which nothing is accepted is answered with `error` (contract §8). docs/PROTOCOL.md says the same of every request.
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
