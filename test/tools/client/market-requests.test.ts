// Which requests the client repeats, and which it gives up, after each refusal. A server in memory, virtual time.

import { describe, expect, it } from 'vitest';
import { type MarketKey, marketKey } from '../../../src/core/domain/market.ts';
import { jsonCodec } from '../../../src/core/wire/json.ts';
import type { ClientMessage, Rejection, RejectionCode, ServerMessage } from '../../../src/core/wire/messages.ts';
import { limits } from '../../../src/limits.ts';
import { OrderbookStream } from '../../../src/tools/client/orderbook-stream.ts';
import { retryPauseMs } from '../../../src/tools/client/subscription-requests.ts';
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
  const heard = (): string[] =>
    server.heard
      .splice(0)
      .filter(({ op }) => op !== 'ping')
      .map(textOf);
  return { server, timers, stream, refused, heard };
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
