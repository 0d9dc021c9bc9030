// A stream that sends only PONG, or nothing about one market. Quiet markets are left alone. If REST shows that a stream is frozen, its
// connection is made anew. A market that the venue has dropped is subscribed again.

import { describe, expect, it } from 'vitest';
import { ASK, BID, PRIMARY } from '../../../src/core/domain/market.ts';
import { limits } from '../../../src/limits.ts';
import { FeedRig, liveRig, twinOf } from './feed-rig.ts';
import { SHARE, TwinMarket } from './twin-market.ts';

const { venueAQuietMs, venueAProbeMs: PROBE_MS, venueAFreezeGraceMs: GRACE_MS } = limits;
/** The time after which a look finds a change that happened since the look before. */
const QUIET_MS = venueAQuietMs + PROBE_MS;

/** The markets whose books were requested by REST, as their places in the rig. */
const probes = (rig: FeedRig) =>
  rig.requests
    .filter(url => url.startsWith('rest/book?'))
    .map(url => rig.markets.findIndex(({ tokens }) => url.endsWith(tokens[PRIMARY])));

/** Lets time pass on a connection that answers every PING and may send more. */
async function pass(rig: FeedRig, forMs: number, say: () => void = () => {}): Promise<void> {
  for (let leftMs = forMs; leftMs > 0; leftMs -= PROBE_MS) {
    await rig.timers.settle(Math.min(leftMs, PROBE_MS));
    if (!rig.socket.isOpen) continue;
    rig.socket.sendText('PONG');
    say();
  }
}

/** Opens several markets, all LIVE on one connection. */
async function liveMarkets(count: number): Promise<{ twins: TwinMarket[]; rig: FeedRig }> {
  const twins = Array.from({ length: count }, (_, number) => twinOf(number));
  return { twins, rig: await FeedRig.live(...twins) };
}

/** The number of markets that the feed subscribed anew, and the number of connections that it made anew. */
const found = ({ counters }: FeedRig) => [counters.read('stalls'), counters.read('freezes')];

/** Opens a live market whose latest change the stream has not sent. REST has just shown that change. */
async function suspectRig(): ReturnType<typeof liveRig> {
  const { twin, rig, restUrl } = await liveRig();
  twin.change(BID, 5_200, 7 * SHARE);
  await pass(rig, QUIET_MS);
  expect(probes(rig)).toEqual([0]);
  expect(rig.book()).toMatchObject({ state: 'LIVE', epoch: 1 });
  return { twin, rig, restUrl };
}

describe('a quiet stream', () => {
  it('is left alone while REST shows the same levels, however new', async () => {
    const { twin, rig } = await liveRig();
    twin.time += 5_000;
    await pass(rig, 3 * QUIET_MS);
    expect(rig.counters.read('quietProbes')).toBe(3);
    expect(found(rig)).toEqual([0, 0]);
    expect(rig.states()).toEqual([]);
    expect(rig.sockets).toHaveLength(1);
  });

  it('is left alone while REST shows other levels that are not newer than the last event', async () => {
    const { twin, rig, restUrl } = await liveRig();
    const before = { status: 200, body: JSON.stringify(twin.restBook()) };
    rig.socket.send(twin.change(BID, 5_200, 7 * SHARE));
    rig.answers.set(restUrl, before);
    await pass(rig, QUIET_MS + GRACE_MS);
    expect(rig.counters.read('quietProbes')).toBe(1);
    expect(found(rig)).toEqual([0, 0]);
  });

  it('is probed once per venueAQuietMs and market, one market after the other, the one that was active last first', async () => {
    const { twins, rig } = await liveMarkets(3);
    rig.socket.send(twins[1]!.change(BID, 5_200, 7 * SHARE));
    await pass(rig, venueAQuietMs);
    expect(probes(rig)).toEqual([]);
    await pass(rig, PROBE_MS);
    expect(probes(rig)).toEqual([1]);
    await pass(rig, PROBE_MS);
    expect(probes(rig)).toEqual([1, 0]);
    await pass(rig, venueAQuietMs - 2 * PROBE_MS);
    expect(probes(rig)).toEqual([1, 0, 2]);
    await pass(rig, 3 * PROBE_MS);
    expect(probes(rig)).toEqual([1, 0, 2, 1, 0, 2]);
  });

  it('has a market that has been active meanwhile probed before those that were probed already', async () => {
    const { twins, rig } = await liveMarkets(40);
    await pass(rig, QUIET_MS + 3 * PROBE_MS);
    expect(probes(rig)).toEqual([0, 1, 2, 3]);
    rig.socket.send(twins[1]!.change(ASK, 5_400, SHARE));
    await pass(rig, QUIET_MS + 4 * PROBE_MS);
    expect(probes(rig).slice(30, 37)).toEqual([30, 31, 32, 33, 1, 34, 35]);
  });

  it('has one probe at a time, however long REST takes', async () => {
    const { rig, restUrl } = await liveRig();
    rig.answers.set(restUrl, new Promise<never>(() => {}));
    await pass(rig, 5 * QUIET_MS);
    expect(probes(rig)).toEqual([0]);
  });

  it.each<[string, (twin: TwinMarket) => { status: number; body: string } | Error]>([
    ['REST fails', () => new Error('timed out')],
    ['REST has no such book', () => ({ status: 404, body: '{}' })],
    ['REST shows no book', () => ({ status: 200, body: '{"bids":7}' })],
    [
      'REST shows a book with a wrong hash',
      twin => ({ status: 200, body: JSON.stringify({ ...twin.restBook(), hash: '0'.repeat(40) }) }),
    ],
  ])('tells nothing when %s, and is probed again', async (_what, answer) => {
    const { twin, rig, restUrl } = await liveRig();
    twin.change(BID, 5_200, 7 * SHARE);
    rig.answers.set(restUrl, answer(twin));
    await pass(rig, 2 * QUIET_MS + GRACE_MS);
    expect(probes(rig)).toEqual([0, 0]);
    expect(rig.counters.read('quietProbes')).toBe(0);
    expect(found(rig)).toEqual([0, 0]);
    expect(rig.book()).toMatchObject({ state: 'LIVE', epoch: 1 });
    expect(rig.sockets).toHaveLength(1);
  });
});

describe('a stream is not probed', () => {
  it.each(['price_change', 'book'])('of a market while a %s of it comes now and then', async kind => {
    const { twins, rig } = await liveMarkets(2);
    let shares = 1;
    await pass(rig, 3 * QUIET_MS, () => {
      shares += 1;
      const change = twins[0]!.change(BID, 5_200, shares * SHARE);
      rig.socket.send(kind === 'book' ? twins[0]!.bookEvent(PRIMARY, false) : change);
    });
    expect(probes(rig)).toEqual([1, 1, 1]);
  });

  it('while its markets may still get their books', async () => {
    const twin = new TwinMarket(0);
    const rig = await FeedRig.opened(twin);
    await pass(rig, venueAQuietMs - PROBE_MS);
    expect(probes(rig)).toEqual([]);
    rig.socket.send(twin.bookEvent(PRIMARY));
    await pass(rig, 2 * QUIET_MS);
    expect(probes(rig).length).toBeGreaterThan(0);
  });

  it('for a market that is over', async () => {
    const { twin, rig } = await liveRig();
    rig.socket.send({ event_type: 'market_resolved', assets_ids: twin.tokens });
    await pass(rig, 3 * QUIET_MS);
    expect(rig.book().state).toBe('CLOSED');
    expect(probes(rig)).toEqual([]);
  });
});

describe('a frozen stream', () => {
  it('makes its books stale, and a new connection brings them back as new epochs', async () => {
    const { twins, rig } = await liveMarkets(2);
    twins[0]!.change(BID, 5_200, 7 * SHARE);
    const old = rig.socket;
    await pass(rig, QUIET_MS);
    expect(rig.states()).toEqual([]);
    await rig.timers.settle(GRACE_MS);
    const both = ['STALE SILENCE', 'STALE SILENCE', 'RESYNCING DISCONNECTED', 'RESYNCING DISCONNECTED'];
    expect(rig.states()).toEqual(both);
    expect(old.isOpen).toBe(false);
    await rig.timers.settle(limits.upstreamBackoffMinMs);
    expect(rig.sockets).toHaveLength(2);
    rig.socket.open();
    expect(rig.socket.subscriptions.map(({ assets_ids }) => assets_ids.length)).toEqual([4]);
    rig.socket.send(...twins.map(twin => twin.bookEvent(PRIMARY)));
    for (const twin of twins) rig.expectLive(twin, { epoch: 2 });
    expect(found(rig)).toEqual([0, 1]);
    expect(rig.counters.read('silences')).toBe(0);
    // The feed watches the new connection as it watched the former connection.
    await pass(rig, QUIET_MS);
    expect(rig.counters.read('quietProbes')).toBe(2);
    twins[1]!.change(BID, 5_200, 7 * SHARE);
    await pass(rig, 2 * QUIET_MS + GRACE_MS);
    expect(found(rig)).toEqual([0, 2]);
  });

  it('has its time anew on each connection, also without news', async () => {
    const { twin, rig } = await liveRig();
    const old = twin.bookEvent(PRIMARY);
    twin.change(BID, 5_200, 7 * SHARE);
    await pass(rig, QUIET_MS + GRACE_MS);
    expect(found(rig)).toEqual([0, 1]);
    await rig.timers.settle(limits.upstreamBackoffMinMs);
    rig.socket.open();
    rig.socket.send(old);
    await pass(rig, venueAQuietMs - PROBE_MS);
    expect(probes(rig)).toEqual([0]);
    await pass(rig, PROBE_MS);
    expect(probes(rig)).toEqual([0, 0]);
  });

  it('is noticed though trades still come', async () => {
    const { twin, rig } = await liveRig();
    twin.change(BID, 5_200, 7 * SHARE);
    await pass(rig, QUIET_MS + GRACE_MS, () => rig.socket.send(twin.tradeEvent(PRIMARY, '0.52', '17', 'SELL')));
    expect(found(rig)).toEqual([0, 1]);
  });
});

describe('a market that the stream forgets', () => {
  /** Opens two live markets. The stream sends nothing about the second market, and a change of the first market now and then. */
  async function forgetful(): Promise<{ twins: TwinMarket[]; rig: FeedRig; tell: () => void }> {
    const { twins, rig } = await liveMarkets(2);
    twins[1]!.change(BID, 5_200, 7 * SHARE);
    let shares = 1;
    const tell = () => {
      shares += 1;
      rig.socket.send(twins[0]!.change(BID, 5_200, shares * SHARE));
    };
    await pass(rig, QUIET_MS, tell);
    expect(probes(rig)).toEqual([1]);
    expect(rig.states()).toEqual([]);
    return { twins, rig, tell };
  }

  it('is subscribed anew, while the others go on', async () => {
    const { twins, rig, tell } = await forgetful();
    const before = rig.socket.subscriptions.length;
    await pass(rig, GRACE_MS, tell);
    await rig.timers.settle();
    expect(rig.states()).toEqual(['RESYNCING SILENCE']);
    expect(rig.socket.subscriptions.slice(before)).toEqual([
      { operation: 'unsubscribe', assets_ids: twins[1]!.tokens },
      { operation: 'subscribe', assets_ids: twins[1]!.tokens, custom_feature_enabled: true },
    ]);
    rig.socket.send(twins[1]!.bookEvent(PRIMARY));
    rig.expectLive(twins[1]!, { epoch: 2 });
    expect(rig.book(twins[0])).toMatchObject({ state: 'LIVE', epoch: 1 });
    expect(rig.sockets).toHaveLength(1);
    expect(found(rig)).toEqual([1, 0]);
    // The feed goes on to watch the market.
    twins[1]!.change(BID, 5_200, 8 * SHARE);
    await pass(rig, QUIET_MS + PROBE_MS + GRACE_MS, tell);
    expect(found(rig)).toEqual([2, 0]);
  });

  it('differs from a frozen stream by another that is heard within the grace', async () => {
    const { twins, rig } = await liveMarkets(2);
    twins[1]!.change(BID, 5_200, 7 * SHARE);
    rig.answers.set(`rest/book?token_id=${twins[0]!.tokens[PRIMARY]}`, { status: 503, body: '' });
    await pass(rig, QUIET_MS + PROBE_MS);
    expect(probes(rig)).toEqual([0, 1]);
    await rig.timers.settle(GRACE_MS - 1);
    rig.socket.send(twins[0]!.change(BID, 5_200, 2 * SHARE));
    await rig.timers.settle(1);
    expect(found(rig)).toEqual([1, 0]);
  });

  it('differs from a frozen stream, though another has just been subscribed and heard nothing', async () => {
    const { twins, rig } = await liveMarkets(1);
    twins[0]!.change(BID, 5_200, 7 * SHARE);
    await pass(rig, venueAQuietMs);
    const late = new TwinMarket(1);
    rig.markets.push(late);
    await rig.feed.subscribe(late.tokens[PRIMARY]);
    await pass(rig, PROBE_MS + GRACE_MS);
    expect(found(rig)).toEqual([0, 1]);
  });

  it('is not subscribed anew when it is heard of within the grace', async () => {
    const { twins, rig, tell } = await forgetful();
    rig.socket.send(twins[1]!.bookEvent(PRIMARY, false));
    await pass(rig, GRACE_MS, tell);
    expect(found(rig)).toEqual([0, 0]);
    expect(rig.states()).toEqual([]);
  });
});

describe('a stream that REST is ahead of is not frozen', () => {
  it('when the event arrives within the grace', async () => {
    const { twin, rig } = await suspectRig();
    await rig.timers.settle(GRACE_MS - 1);
    rig.socket.send(twin.bookEvent(PRIMARY, false));
    await pass(rig, GRACE_MS);
    expect(found(rig)).toEqual([0, 0]);
    expect(rig.states()).toEqual([]);
    expect(rig.picture()).toBe(twin.picture());
    // The feed goes on to watch the market.
    await pass(rig, QUIET_MS);
    expect(rig.counters.read('quietProbes')).toBe(1);
  });

  it('when it catches up one event at a time', async () => {
    const { twin, rig } = await liveRig();
    const first = twin.change(BID, 5_200, 7 * SHARE);
    twin.change(BID, 5_200, 8 * SHARE);
    await pass(rig, QUIET_MS);
    rig.socket.send(first);
    await rig.timers.settle(GRACE_MS);
    expect(found(rig)).toEqual([0, 0]);
    expect(rig.book()).toMatchObject({ state: 'LIVE', epoch: 1, seq: 2 });
  });

  it('when an event arrives before the answer of REST', async () => {
    const { twin, rig, restUrl } = await liveRig();
    const first = twin.change(BID, 5_200, 7 * SHARE);
    twin.change(BID, 5_200, 8 * SHARE);
    const answer = Promise.withResolvers<{ status: number; body: string }>();
    rig.answers.set(restUrl, answer.promise);
    await pass(rig, QUIET_MS);
    rig.socket.send(first);
    answer.resolve({ status: 200, body: JSON.stringify(twin.restBook()) });
    await rig.timers.settle();
    await pass(rig, GRACE_MS);
    expect(found(rig)).toEqual([0, 0]);
  });

  it('when the market is no longer wanted', async () => {
    const { twins, rig } = await liveMarkets(2);
    twins[0]!.change(BID, 5_200, 7 * SHARE);
    await pass(rig, QUIET_MS);
    rig.feed.unsubscribe(twins[0]!.tokens[PRIMARY]);
    await pass(rig, GRACE_MS);
    expect(found(rig)).toEqual([0, 0]);
    expect(rig.book(twins[1]).state).toBe('LIVE');
  });

  it('when the market ends meanwhile', async () => {
    const { twin, rig } = await suspectRig();
    rig.socket.send({ event_type: 'market_resolved', assets_ids: twin.tokens });
    await pass(rig, GRACE_MS);
    expect(found(rig)).toEqual([0, 0]);
    expect(rig.socket.isOpen).toBe(true);
  });

  it('when the connection is lost meanwhile: the next one has its own time', async () => {
    const { twin, rig } = await suspectRig();
    rig.socket.close();
    // The only timer left is that of the next attempt to connect.
    expect(rig.timers.pending).toBe(1);
    await rig.timers.settle(limits.upstreamBackoffMinMs);
    rig.socket.open();
    rig.socket.send(twin.bookEvent(PRIMARY));
    await pass(rig, QUIET_MS - 1);
    expect(probes(rig)).toEqual([0]);
    expect(found(rig)).toEqual([0, 0]);
    expect(rig.book()).toMatchObject({ state: 'LIVE', epoch: 2 });
  });

  it('when the answer comes on the next connection', async () => {
    const { twin, rig, restUrl } = await liveRig();
    const answer = Promise.withResolvers<{ status: number; body: string }>();
    rig.answers.set(restUrl, answer.promise);
    await pass(rig, QUIET_MS);
    rig.socket.close();
    await rig.timers.settle(limits.upstreamBackoffMinMs);
    rig.socket.open();
    rig.socket.send(twin.bookEvent(PRIMARY));
    twin.change(BID, 5_200, 7 * SHARE);
    answer.resolve({ status: 200, body: JSON.stringify(twin.restBook()) });
    await rig.timers.settle();
    await pass(rig, GRACE_MS);
    expect(found(rig)).toEqual([0, 0]);
    expect(rig.book()).toMatchObject({ state: 'LIVE', epoch: 2 });
  });

  it('when the feed is closed', async () => {
    const { rig } = await suspectRig();
    rig.feed.close();
    await rig.timers.settle();
    expect(rig.timers.pending).toBe(0);
    expect(found(rig)).toEqual([0, 0]);
  });
});
