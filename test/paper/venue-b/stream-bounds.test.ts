// Bounds of a stream of venue B: clients that do not read or that send too much, faults on demand, and connections that end.

import { setImmediate as othersTurn } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { limits } from '../../../src/limits.ts';
import type { Faults, MessageFault } from '../../../src/paper/faults/faults.ts';
import type { VenueBMarket } from '../../../src/paper/venue-b/market.ts';
import { deltaMessage } from '../../../src/paper/venue-b/stream/market-messages.ts';
import { Outbox, Session } from '../../../src/paper/venue-b/stream/session.ts';
import { StreamHub } from '../../../src/paper/venue-b/stream/stream-route.ts';
import { NO_FAULTS } from '../../support/no-faults.ts';
import { BOSTON, CALLERS, LAKERS, MarketRig, ownerOf } from './market-rig.ts';
import { type Frame, frameOf, type StreamClient } from './stream-client.ts';

let rig: MarketRig;
afterEach(() => rig.close());

/** A connection for which the test sets the number of unsent bytes. */
class Pipe {
  readonly frames: Frame[] = [];
  writes = 0;
  unsentBytes = 0;
  send(frame: Uint8Array | string): boolean {
    this.frames.push(frameOf(String(frame)));
    return true;
  }
  batch(task: () => void): void {
    this.writes += 1;
    task();
  }
  bufferedBytes(): number {
    return this.unsentBytes;
  }
  terminate(): void {}
}

async function pipedSession(): Promise<{ pipe: Pipe; session: Session; turn: () => Promise<unknown> }> {
  rig = await MarketRig.start();
  const pipe = new Pipe();
  const hub = new StreamHub(rig.exchange);
  const outbox = new Outbox(pipe, 'alice', NO_FAULTS, rig.timers);
  const session = new Session({ caller: CALLERS.alice!, markets: hub, outbox, timers: rig.timers });
  hub.join(session);
  return { pipe, session, turn: othersTurn };
}

describe('a client that does not read', () => {
  it('loses the subscription that has more to say, with error 25, and can begin it again', async () => {
    const { pipe, session, turn } = await pipedSession();
    const subscribe = JSON.stringify({
      id: 1,
      cmd: 'subscribe',
      params: { channels: ['orderbook_delta'], market_ticker: BOSTON },
    });
    session.receive(subscribe);
    pipe.unsentBytes = limits.paperStreamLagBytes + 1;
    await turn();
    rig.place({ side: 'buy', price: '0.40', count: '1' });
    rig.place({ side: 'buy', price: '0.41', count: '1' });
    await turn();
    expect(pipe.frames.slice(2)).toEqual([
      { type: 'error', sid: 1, msg: { code: 25, msg: 'Subscription buffer overflow' } },
    ]);
    pipe.unsentBytes = 0;
    session.receive(subscribe);
    rig.place({ side: 'buy', price: '0.42', count: '1' });
    await turn();
    expect(pipe.frames.slice(3).map(({ type, sid, seq, msg }) => [type, sid ?? msg.sid, seq])).toEqual([
      ['subscribed', 2, undefined],
      ['orderbook_snapshot', 2, 1],
      ['orderbook_delta', 2, 2],
    ]);
  });

  it('keeps what it has if it catches up before there is more', async () => {
    const { pipe, session, turn } = await pipedSession();
    session.receive(JSON.stringify({ id: 1, cmd: 'subscribe', params: { channels: ['trade'] } }));
    pipe.unsentBytes = limits.paperStreamLagBytes + 1;
    await turn();
    pipe.unsentBytes = 0;
    rig.place({ side: 'buy', price: '0.40', count: '1' });
    rig.place({ who: ownerOf('bob'), side: 'sell', price: '0.40', count: '1' });
    await turn();
    expect(pipe.frames.map(({ type }) => type)).toEqual(['subscribed', 'trade']);
  });
});

describe('a turn of the exchange', () => {
  it('is one write', async () => {
    const { pipe, session, turn } = await pipedSession();
    session.receive(
      JSON.stringify({
        id: 1,
        cmd: 'subscribe',
        params: { channels: ['orderbook_delta', 'trade', 'ticker', 'fill', 'user_orders'], market_ticker: BOSTON },
      }),
    );
    await turn();
    pipe.writes = 0;
    for (const price of ['0.40', '0.41', '0.42']) rig.place({ side: 'buy', price, count: '1' });
    await turn();
    pipe.frames.length = 0;
    pipe.writes = 0;
    rig.place({ who: ownerOf('bob'), side: 'sell', price: '0.40', count: '3' });
    await turn();
    expect(pipe.writes).toBe(1);
    expect(pipe.frames.filter(({ type }) => type === 'orderbook_delta')).toHaveLength(3);
    expect(pipe.frames.filter(({ type }) => type === 'trade')).toHaveLength(3);
    expect(pipe.frames.at(-1)!.type).toBe('ticker');
  });

  it('writes a delta once for everybody but the order’s owner', async () => {
    rig = await MarketRig.start();
    const { order } = rig.place({ side: 'buy', price: '0.40', count: '1' });
    const market = rig.market(BOSTON);
    const [level] = market.levels(0);
    const message = deltaMessage({
      type: 'level',
      market,
      side: 0,
      price: level!.price,
      size: level!.size,
      change: level!.size,
      order,
      at: rig.timers.now(),
    });
    const text = message.text({ caller: CALLERS.bob!, usesYesPrice: true });
    expect(message.text({ caller: CALLERS.writer!, usesYesPrice: false })).toBe(text);
    expect(message.text({ caller: CALLERS.alice!, usesYesPrice: false })).not.toBe(text);
  });
});

describe('a client that asks too much', () => {
  it('gets error 27 for the rest of the second', async () => {
    const { pipe, session, turn } = await pipedSession();
    const list = JSON.stringify({ id: 5, cmd: 'list_subscriptions' });
    for (let count = 0; count < limits.paperStreamCommandsPerS; count += 1) session.receive(list);
    session.receive(list);
    await turn();
    expect(pipe.frames.at(-2)).toEqual({ type: 'ok', id: 5, msg: [] });
    expect(pipe.frames.at(-1)).toEqual({ type: 'error', id: 5, msg: { code: 27, msg: 'Too many requests' } });
    rig.timers.advance(1_000);
    session.receive(list);
    await turn();
    expect(pipe.frames.at(-1)!.type).toBe('ok');
  });

  it('gets error 26 for more markets than one stream carries, and gets none of them', async () => {
    rig = await MarketRig.start();
    const pipe = new Pipe();
    // These fake listings have any number of markets.
    const markets = {
      get: () => Object.create(rig.market(BOSTON)) as VenueBMarket,
      all: () => [],
      ticker: () => {
        throw new Error('no ticker was asked for');
      },
    };
    const outbox = new Outbox(pipe, 'alice', NO_FAULTS, rig.timers);
    const session = new Session({ caller: CALLERS.alice!, markets, outbox, timers: rig.timers });
    const tickers = Array.from({ length: limits.paperStreamMarketsMax / 2 }, (_, index) => `KX${index}`);
    const params = { channels: ['ticker', 'trade'], market_tickers: [...tickers, 'KXMORE'] };
    session.receive(JSON.stringify({ id: 1, cmd: 'subscribe', params }));
    session.receive(JSON.stringify({ id: 2, cmd: 'subscribe', params: { ...params, market_tickers: tickers } }));
    const update = { sid: 1, market_ticker: 'KXMORE', action: 'add_markets' };
    session.receive(JSON.stringify({ id: 3, cmd: 'update_subscription', params: update }));
    await othersTurn();
    expect(pipe.frames.map(({ type, id, msg }) => [type, id, msg.code])).toEqual([
      ['error', 1, 26],
      ['subscribed', 2, undefined],
      ['subscribed', 2, undefined],
      ['error', 3, 26],
    ]);
  });

  it('has a bounded number of streams, and gets 429 beyond', async () => {
    rig = await MarketRig.start();
    const streams = await Promise.all(Array.from({ length: limits.paperStreamsPerUserMax }, () => rig.connect('bob')));
    await streams.at(-1)!.drain();
    await expect(rig.connect('bob')).rejects.toThrow('429');
    await (await rig.connect('alice')).drain();
  });
});

/** Returns faults in which each delta in turn meets the next fault of the list. */
function faulty(...plan: (MessageFault | null)[]): Faults {
  return {
    ...NO_FAULTS,
    ofMessage: ({ operation }) => (operation === 'orderbook_delta' ? (plan.shift() ?? null) : null),
  };
}

async function numbersUnder(...plan: (MessageFault | null)[]): Promise<{ client: StreamClient; numbers: unknown[] }> {
  rig = await MarketRig.start(faulty(...plan));
  const client = await rig.connect('alice');
  await client.ask({ id: 1, cmd: 'subscribe', params: { channels: ['orderbook_delta'], market_ticker: LAKERS } });
  for (const price of ['0.40', '0.41', '0.42', '0.43']) rig.place({ side: 'buy', price, count: '1', ticker: LAKERS });
  const frames = await client.drain();
  return { client, numbers: frames.map(({ seq }) => seq) };
}

describe('faults', () => {
  it('drop a message after it has its number', async () => {
    expect((await numbersUnder(null, 'drop')).numbers).toEqual([2, 4, 5]);
  });

  it('send it twice', async () => {
    expect((await numbersUnder('duplicate')).numbers).toEqual([2, 2, 3, 4, 5]);
  });

  it('swap it with the next', async () => {
    expect((await numbersUnder(null, 'swap')).numbers).toEqual([2, 4, 3, 5]);
  });

  it('drop the connection', async () => {
    const { client, numbers } = await numbersUnder(null, 'disconnect');
    expect(client.isClosed).toBe(true);
    expect(numbers.length).toBeLessThanOrEqual(1);
    await (await rig.connect('alice')).drain();
  });
});

it('5001: pings each client every ten seconds of the exchange’s time, with the venue’s payload', async () => {
  rig = await MarketRig.start();
  const client = await rig.listen('bob', ['trade']);
  rig.timers.advance(limits.paperStreamPingMs - 1);
  await client.drain();
  expect(client.pings).toEqual([]);
  rig.timers.advance(1 + limits.paperStreamPingMs);
  await client.drain();
  expect(client.pings).toEqual(['heartbeat', 'heartbeat']);
});

describe('a connection that ends', () => {
  it('leaves nothing behind that listens to the exchange', async () => {
    rig = await MarketRig.start();
    const [first, second] = [await rig.connect('alice'), await rig.connect('alice')];
    await second.ask({ id: 1, cmd: 'subscribe', params: { channels: ['orderbook_delta'], market_ticker: BOSTON } });
    first.close();
    rig.place({ side: 'buy', price: '0.40', count: '1' });
    expect(await second.drain()).toHaveLength(1);
    second.close();
    rig.place({ side: 'buy', price: '0.41', count: '1' });
    const third = await rig.connect('alice');
    const [, snapshot] = await third.ask({
      id: 1,
      cmd: 'subscribe',
      params: { channels: ['orderbook_delta'], market_ticker: BOSTON },
    });
    expect(snapshot!.msg.yes_dollars_fp).toEqual([
      ['0.4000', '1.00'],
      ['0.4100', '1.00'],
    ]);
  });
});
