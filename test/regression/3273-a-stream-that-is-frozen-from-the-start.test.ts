// Seeded runs of a venue A that freezes and loses messages ended with books that were never right again. A stream that froze before its first
// books kept its markets RESYNCING as long as it answered PING. Only shown books were compared with REST. And a change that was lost after
// another of the same millisecond was not missed, since REST showed nothing later than the last event.

import { expect, it } from 'vitest';
import { ASK, BID, PRIMARY } from '../../src/domain/market.ts';
import { limits } from '../../src/limits.ts';
import { FeedRig, liveRig } from '../venues/venue-a/feed-rig.ts';
import { SHARE, TwinMarket } from '../venues/venue-a/twin-market.ts';

const { venueAQuietMs, venueAProbeMs, venueAFreezeGraceMs, upstreamSnapshotMs } = limits;
const FOUND_OUT_MS = venueAQuietMs + 2 * venueAProbeMs + venueAFreezeGraceMs;

/** Time passes on a connection that answers PING and sends nothing else. */
async function pass(rig: FeedRig, forMs: number): Promise<void> {
  for (let leftMs = forMs; leftMs > 0; leftMs -= venueAProbeMs) {
    await rig.timers.settle(venueAProbeMs);
    if (rig.socket.isOpen) rig.socket.sendText('PONG');
  }
}

function seeded(number: number): TwinMarket {
  return new TwinMarket(number).seed([
    [BID, 5_200, 20 * SHARE],
    [ASK, 5_400, 30 * SHARE],
  ]);
}

async function withoutBooks(...twins: readonly TwinMarket[]): Promise<FeedRig> {
  const rig = new FeedRig(...twins);
  for (const twin of twins) await rig.feed.subscribe(twin.tokens[PRIMARY]);
  await rig.timers.settle();
  rig.socket.open();
  return rig;
}

it('a connection on which no book comes is made anew if REST has one', async () => {
  const twin = seeded(0);
  const rig = await withoutBooks(twin);
  await pass(rig, FOUND_OUT_MS);
  expect([rig.counters.read('freezes'), rig.book().state]).toEqual([1, 'RESYNCING']);
  await rig.timers.settle(limits.upstreamBackoffMaxMs);
  expect(rig.sockets).toHaveLength(2);
  rig.socket.open();
  rig.socket.send(twin.bookEvent(PRIMARY));
  expect([rig.book().state, rig.picture()]).toEqual(['LIVE', twin.picture()]);
});

it('it stays if the venue has no book of the market, or sends those of others', async () => {
  const [empty, active] = [new TwinMarket(0), seeded(1)];
  const rig = await withoutBooks(empty, active);
  rig.socket.send(active.bookEvent(PRIMARY));
  for (let size = 1; size < 6; size += 1) {
    await pass(rig, venueAQuietMs / 2);
    rig.socket.send(active.change(BID, 5_200, size * SHARE));
  }
  expect([rig.sockets.length, rig.counters.read('freezes'), rig.counters.read('stalls')]).toEqual([1, 0, 0]);
  empty.seed([[BID, 5_200, SHARE]]);
  await pass(rig, FOUND_OUT_MS - venueAQuietMs / 2);
  rig.socket.send(active.change(BID, 5_200, 7 * SHARE));
  await pass(rig, venueAQuietMs / 2);
  expect([rig.sockets.length, rig.counters.read('freezes'), rig.counters.read('stalls')]).toEqual([1, 0, 1]);
  expect(rig.book(active)).toMatchObject({ state: 'LIVE', epoch: 1 });
});

it('a change that was lost behind one of the same millisecond is missed', async () => {
  const { twin, rig } = await liveRig();
  rig.socket.send(twin.change(BID, 5_200, 7 * SHARE));
  twin.time -= 1;
  twin.change(ASK, 5_400, 8 * SHARE);
  await pass(rig, FOUND_OUT_MS);
  expect(rig.counters.read('freezes')).toBe(1);
  await rig.timers.settle(limits.upstreamBackoffMaxMs + upstreamSnapshotMs);
  rig.socket.open();
  rig.socket.send(twin.bookEvent(PRIMARY));
  expect([rig.book().state, rig.picture()]).toEqual(['LIVE', twin.picture()]);
});
