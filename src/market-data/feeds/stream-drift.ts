// Listens to a few markets of a venue for some seconds, with the same feed as the gateway. Reports how many of their books become LIVE, and
// how many frames are not understood. Words that no parser knows are counted meanwhile (core/metrics/unknown-words.ts). For `crossbook
// doctor --venues`.

import { FeedCounters } from '../../core/metrics/feed-counters.ts';
import { createHttpClient } from '../../core/net/http.ts';
import { connectWebSocket } from '../../core/net/websocket.ts';
import { silentLog } from '../../core/runtime/log.ts';
import { pause, wallTimers } from '../../core/runtime/timers.ts';
import { limits } from '../../limits.ts';
import type { FeedParts, MarketFeed } from '../../venues/feed.ts';
import { createVenueAFeed } from '../../venues/venue-a/feed.ts';
import { createVenueBFeed } from '../../venues/venue-b/feed.ts';
import type { StreamDrift } from '../../venues/venue-drift.ts';
import { createArena, regionOf } from '../book/memory.ts';
import { BookWriter } from '../book/writer.ts';
import type { VenueTarget } from './feed-messages.ts';

const LOOK_MS = 250;
/** The longest time that a book may take to become LIVE. */
const PATIENCE_MS = 10_000;

/** Listens for `listenMs` more, once all books are LIVE or their time is over. */
export async function readStreamDrift(
  target: VenueTarget,
  addresses: readonly string[],
  listenMs: number,
): Promise<StreamDrift> {
  const { venue } = target;
  const counters = new FeedCounters();
  const sink = new BookWriter(regionOf(createArena(), venue), () => {});
  sink.receivedAt = wallTimers.now();
  const http = createHttpClient(limits.upstreamRestTimeoutMs, limits.upstreamRestBodyBytesMax);
  const feed = feedOf(target, {
    sink,
    expireFacts: () => {},
    connect: connectWebSocket,
    get: http.get,
    timers: wallTimers,
    random: Math.random,
    counters,
    log: silentLog,
  });
  feed.start();
  const answers = await Promise.all(addresses.map(address => feed.subscribe(address)));
  const books = answers.flatMap(answer => ('book' in answer ? [answer.book] : []));
  const live = (): number => books.filter(book => sink.stateOf(book) === 'LIVE').length;
  const untilMs = wallTimers.elapsed() + PATIENCE_MS;
  while (live() < books.length && wallTimers.elapsed() < untilMs) await pause(wallTimers, LOOK_MS);
  if (books.length > 0) await pause(wallTimers, listenMs);
  const drift: StreamDrift = {
    venue,
    markets: addresses.length,
    live: live(),
    unreadable: counters.read('unreadable') + counters.read('legacyRefused'),
    unknownTypes: counters.read('unknownTypes'),
  };
  feed.close();
  http.close();
  return drift;
}

function feedOf(target: VenueTarget, parts: FeedParts): MarketFeed {
  return target.venue === 'venue_a' ? createVenueAFeed(parts, target) : createVenueBFeed(parts, target);
}
