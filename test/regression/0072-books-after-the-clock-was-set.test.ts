// The machine's clock was an hour ahead for a moment. Markets of venue B that would close within the hour were closed, and nothing opened
// them again. Timers of a second that were set in that moment waited for an hour.

import { describe, expect, it } from 'vitest';
import { ASK, BID, PRIMARY } from '../../src/domain/market.ts';
import { limits } from '../../src/limits.ts';
import { liveRig as venueARig } from '../venues/venue-a/feed-rig.ts';
import { SHARE } from '../venues/venue-a/twin-market.ts';
import { BOOK, FeedRig, LIVE, liveRig, MARKET, OTHER, stateOf } from '../venues/venue-b/feed-rig.ts';

const HOUR_MS = 3_600_000;

/** A delta that cannot be: the book is recovered by a snapshot. */
const damage = (rig: FeedRig): void => rig.venue.delta(MARKET, 'yes', '0.4700', '-99.00');

async function closingWithinTheHour(): Promise<FeedRig> {
  const rig = new FeedRig();
  const close_time = new Date(rig.timers.now() + HOUR_MS / 2).toISOString();
  for (const ticker of [MARKET, OTHER]) rig.venue.addMarket(ticker, BOOK, { close_time });
  rig.connect();
  await rig.want(MARKET, OTHER);
  return rig;
}

describe('venue B', () => {
  it('a market that the clock alone has closed is open again when the clock is right', async () => {
    const rig = await closingWithinTheHour();
    rig.timers.setClock(HOUR_MS);
    await rig.timers.settle(limits.venueBSweepMs);
    expect(stateOf(rig)).toBe('CLOSED MARKET_CLOSED');
    rig.timers.setClock(-HOUR_MS);
    await rig.timers.settle(limits.venueBSweepMs);
    expect([stateOf(rig, 0), stateOf(rig, 1), rig.levels()]).toEqual(['LIVE SNAPSHOT', 'LIVE SNAPSHOT', LIVE]);
  });

  it('a market that the venue says is over stays closed', async () => {
    const rig = await closingWithinTheHour();
    rig.timers.setClock(HOUR_MS);
    await rig.timers.settle(limits.venueBSweepMs);
    rig.venue.lifecycle(MARKET, 'determined');
    rig.timers.setClock(-HOUR_MS);
    await rig.timers.settle(2 * limits.venueBSweepMs);
    expect([stateOf(rig, 0), stateOf(rig, 1)]).toEqual(['CLOSED MARKET_RESOLVED', 'LIVE SNAPSHOT']);
  });

  it('a book is recovered as soon as ever', async () => {
    const rig = await liveRig();
    rig.timers.setClock(HOUR_MS);
    damage(rig);
    await rig.timers.settle();
    expect(stateOf(rig)).toBe('LIVE SNAPSHOT');
    rig.timers.setClock(-HOUR_MS);
    damage(rig);
    await rig.timers.settle(limits.venueBRecoveryPauseMs + limits.venueBSweepMs);
    expect([stateOf(rig), rig.levels()]).toEqual(['LIVE SNAPSHOT', LIVE]);
  });

  it('a missing snapshot is requested again', async () => {
    const rig = await liveRig();
    rig.timers.setClock(HOUR_MS);
    rig.venue.withoutSnapshot.add('get_snapshot');
    damage(rig);
    rig.timers.setClock(-HOUR_MS);
    await rig.timers.settle(limits.upstreamSnapshotMs + 2 * limits.venueBSweepMs);
    expect([stateOf(rig), rig.levels()]).toEqual(['LIVE SNAPSHOT', LIVE]);
  });

  it('a refused command is sent again', async () => {
    const rig = await liveRig();
    rig.timers.setClock(HOUR_MS);
    rig.venue.isAnswering = false;
    rig.venue.addMarket('KXNEW', BOOK);
    await rig.want('KXNEW');
    for (const { id } of [...rig.venue.commandsOf('add_markets')]) rig.venue.error(8, { id });
    rig.venue.isAnswering = true;
    rig.timers.setClock(-HOUR_MS);
    await rig.timers.settle(limits.venueBCommandRetryMs + limits.venueBSweepMs);
    expect(stateOf(rig, 2)).toBe('LIVE SNAPSHOT');
  });
});

describe('venue A', () => {
  it('a market is subscribed anew as soon as ever', async () => {
    const { rig } = await venueARig();
    const subscriptions = () => rig.socket.subscriptions.filter(({ operation }) => operation === 'subscribe').length;
    rig.timers.setClock(HOUR_MS);
    rig.socket.sendText('{"event_type":');
    await rig.timers.settle();
    const before = subscriptions();
    expect(before).toBeGreaterThan(0);
    rig.timers.setClock(-HOUR_MS);
    await rig.timers.settle(limits.upstreamSnapshotMs);
    expect(subscriptions()).toBe(before + 1);
  });

  it('a frozen stream is found out', async () => {
    const { twin, rig } = await venueARig();
    rig.timers.setClock(HOUR_MS);
    rig.socket.send(twin.change(BID, 5_200, 7 * SHARE));
    rig.timers.setClock(-HOUR_MS);
    twin.change(ASK, 5_400, 7 * SHARE);
    for (let passed = 0; passed < 2 * limits.venueAQuietMs; passed += limits.upstreamPingMs) {
      if (rig.socket.isOpen) rig.socket.sendText('PONG');
      await rig.timers.settle(limits.upstreamPingMs);
    }
    expect(rig.requests.filter(url => url.endsWith(twin.tokens[PRIMARY]) && url.startsWith('rest/book?'))).not.toEqual(
      [],
    );
    expect(rig.counters.read('freezes')).toBe(1);
  });
});
