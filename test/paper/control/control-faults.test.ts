// The way from the control API through the faults to a client of a venue: every kind of fault, end to end over real sockets.

import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { isObject, objectsOf, parseJson } from '../../../src/core/domain/json.ts';
import { BID } from '../../../src/core/domain/market.ts';
import type { MicroShares, Ticks } from '../../../src/core/domain/numbers.ts';
import { connectWebSocket } from '../../../src/core/net/websocket.ts';
import { limits } from '../../../src/limits.ts';
import { type ControlRig, headersB, startControlRig, type VenueBAccount } from './control-rig.ts';

let rig: ControlRig;
let alice: VenueBAccount;
let bob: VenueBAccount;
beforeAll(async () => {
  rig = await startControlRig();
  const open = async () => (await rig.call('POST', '/venues/venue_b/accounts', { tier: 'unlimited' })).body;
  [alice, bob] = [(await open()) as never, (await open()) as never];
});
afterAll(() => rig.close());
beforeEach(async () => {
  await rig.call('DELETE', '/faults');
  await rig.call('DELETE', '/conditions');
});

const fault = (body: object) => rig.call('POST', '/faults', body);

function orderOf(clientOrderId: string) {
  return {
    ticker: rig.ticker,
    client_order_id: clientOrderId,
    side: 'bid',
    count: '1.00',
    price: '0.0100',
    time_in_force: 'good_till_canceled',
    self_trade_prevention_type: 'taker_at_cross',
  };
}

describe('an order at venue B', () => {
  const place = async (account: VenueBAccount) => {
    const id = randomUUID();
    const answer = await rig.callB(account, 'POST', '/portfolio/events/orders', orderOf(id)).catch(() => null);
    const listed = await rig.callB(account, 'GET', '/portfolio/orders?status=resting');
    const rests = objectsOf(listed.body.orders).some(order => order.client_order_id === id);
    return { status: answer?.status ?? null, body: answer?.body, rests };
  };
  const POST = 'POST /portfolio/events/orders';

  const rows: [what: string, fault: object, status: number | null, rests: boolean][] = [
    ['whose request is lost', { kind: 'lost', isApplied: false }, null, false],
    ['whose answer is lost', { kind: 'lost', isApplied: true }, null, true],
    ['under a 5xx without effect', { kind: 'status', status: 503, isApplied: false }, 503, false],
    ['under a 5xx with effect', { kind: 'status', status: 500, isApplied: true }, 500, true],
    ['in a storm of 429', { kind: 'rate-limited' }, 429, false],
  ];
  it.each(rows)('%s', async (_what, kind, status, rests) => {
    await fault({ venue: 'venue_b', key: alice.keyId, operation: POST, fault: kind, countMax: 1 });
    expect(await place(bob)).toMatchObject({ status: 201, rests: true });
    expect(await place(alice)).toMatchObject({ status, rests });
    expect(await place(alice)).toMatchObject({ status: 201, rests: true });
  });

  it('while the venue pauses', async () => {
    await rig.call('POST', '/venues/venue_b/pause', { mode: 'trading' });
    expect(await place(alice)).toMatchObject({ status: 409, rests: false });
    await rig.call('POST', '/venues/venue_b/resume');
    expect(await place(alice)).toMatchObject({ status: 201, rests: true });
  });

  it('signed by a clock that the venue does not share', async () => {
    await rig.call('PUT', '/venues/venue_b/clock', { skewMs: 300_000 });
    expect(await place(alice)).toMatchObject({ status: 401, body: { error: { code: 'header_timestamp_expired' } } });
    await rig.call('PUT', '/venues/venue_b/clock', { skewMs: 0 });
    expect(await place(alice)).toMatchObject({ status: 201, rests: true });
  });

  it('that stale reads do not show yet', async () => {
    await rig.call('PUT', `/venues/venue_b/reads/${alice.keyId}`, { staleMs: 2_000 });
    rig.timers.advance(10_000);
    expect(await place(alice)).toMatchObject({ status: 201, rests: false });
    expect(await place(bob)).toMatchObject({ status: 201, rests: true });
  });
});

describe('a result at venue B', () => {
  const settle = async () => {
    const { ticker } = [...rig.exchangeB.markets.values()].findLast(({ status }) => status === 'active')!;
    await rig.call('POST', `/venues/venue_b/markets/${ticker}/settle`, { value: '1' });
    return () => rig.exchangeB.markets.get(ticker)!.status;
  };

  it('settles slowly', async () => {
    await rig.call('PUT', '/venues/venue_b/settlement', { delayMs: 60_000 });
    const status = await settle();
    rig.timers.advance(59_999);
    expect(status()).toBe('determined');
    rig.timers.advance(1);
    expect(status()).toBe('finalized');
  });

  it.each([
    ['settlement-fails', 'determined'],
    ['settlement-retries', 'finalized'],
  ])('under %s ends as %s', async (kind, end) => {
    await rig.call('PUT', '/venues/venue_b/settlement', { delayMs: 1_000 });
    await fault({ venue: 'venue_b', fault: { kind }, countMax: 1 });
    const status = await settle();
    rig.timers.advance(1_000);
    expect(status()).not.toBe('finalized');
    rig.timers.advance(600_000);
    expect(status()).toBe(end);
  });
});

describe('the market stream of venue A', () => {
  /** The test changes three levels; `heard` are the prices of the changes that the client hears. */
  const rows: [kind: string, heard: string[]][] = [
    ['drop', ['0.02', '0.03']],
    ['duplicate', ['0.01', '0.01', '0.02', '0.03']],
    ['swap', ['0.02', '0.01', '0.03']],
    ['disconnect', ['closed']],
  ];
  it.each(rows)('under %s', async (kind, expected) => {
    const stream = await listenTo(freshMarket());
    await fault({ venue: 'venue_a', operation: 'price_change', fault: { kind }, countMax: 1 });
    for (const cents of [1, 2, 3]) stream.quote(cents);
    await stream.until(() => stream.heard.length >= expected.length);
    expect(stream.heard).toEqual(expected);
    stream.close();
  });

  it('is cut by the operator', async () => {
    const stream = await listenTo(freshMarket());
    const disconnect = (body: object) => rig.call('POST', '/venues/venue_a/disconnect', body);
    const { streams } = (await rig.call('GET', '/venues/venue_a')).body;
    expect(streams).toBeGreaterThan(0);
    expect((await disconnect({ key: 'nobody' })).body).toEqual({ streams: 0 });
    expect((await disconnect({})).body).toEqual({ streams });
    await stream.until(() => stream.heard.includes('closed'));
  });
});

describe('the streams of venue B', () => {
  it('are cut by key', async () => {
    const [ofAlice, ofBob] = [await connectTo(alice), await connectTo(bob)];
    const disconnect = (body: object) => rig.call('POST', '/venues/venue_b/disconnect', body);
    expect((await disconnect({ key: alice.keyId })).body).toEqual({ streams: 1 });
    await ofAlice.ended;
    expect((await rig.call('GET', '/venues/venue_b')).body.streams).toBe(1);
    expect((await disconnect({})).body).toEqual({ streams: 1 });
    await ofBob.ended;
  });
});

async function connectTo(account: VenueBAccount) {
  const opened = Promise.withResolvers<void>();
  const ended = Promise.withResolvers<void>();
  connectWebSocket(
    {
      url: rig.urlsB.stream,
      headers: headersB(account, { method: 'GET', path: new URL(rig.urlsB.stream).pathname, nowMs: rig.timers.now() }),
      handshakeTimeoutMs: limits.upstreamHandshakeMs,
      frameBytesMax: limits.upstreamFrameBytesMax,
    },
    { onOpen: opened.resolve, onPing: () => {}, onFrame: () => {}, onClose: () => ended.resolve() },
  );
  await opened.promise;
  return { ended: ended.promise };
}

/** Returns a market that nobody has quoted and that no other test has read. */
function freshMarket() {
  const { desk, markets } = rig.exchangeA;
  const market = desk.markets.find(it => it.isOpen() && markets.get(it.address)!.bestBid === null)!;
  return { market, token: markets.get(market.address)!.listing.tokens[0] };
}

/** Subscribes to one token. `heard` has the price of each bid that has changed since then, and the end of the connection. */
async function listenTo({ market, token }: ReturnType<typeof freshMarket>) {
  const heard: string[] = [];
  const waiting = new Set<() => void>();
  const subscribed = Promise.withResolvers<void>();
  const tell = () => {
    for (const look of [...waiting]) look();
  };
  const socket = connectWebSocket(
    {
      url: rig.urlsA.marketStream,
      headers: {},
      handshakeTimeoutMs: limits.upstreamHandshakeMs,
      frameBytesMax: limits.upstreamFrameBytesMax,
    },
    {
      onOpen: () => socket.send(JSON.stringify({ type: 'market', assets_ids: [token] })),
      onPing: () => {},
      onFrame: data => {
        const event = parseJson(Buffer.from(data).toString());
        if (isObject(event) && event.event_type === 'price_change') {
          const change = objectsOf(event.price_changes).find(({ asset_id }) => asset_id === token);
          heard.push(String(change?.price));
        } else subscribed.resolve();
        tell();
      },
      onClose: () => {
        heard.push('closed');
        tell();
      },
    },
  );
  await subscribed.promise;
  return {
    heard,
    close: () => socket.terminate(),
    quote: (cents: number) =>
      rig.exchangeA.desk.place(market, BID, (cents * 100) as Ticks, 10_000_000 as MicroShares, 'rest'),
    until: (condition: () => boolean) =>
      new Promise<void>(resolve => {
        const look = () => {
          if (condition()) resolve();
        };
        waiting.add(look);
        look();
      }),
  };
}
