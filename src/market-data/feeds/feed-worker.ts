// A feed thread: speaks one venue's market data protocol, and is the only writer of that venue's books and tape.

import { parentPort, workerData } from 'node:worker_threads';
import { assert, unreachable } from '../../core/domain/result.ts';
import { FeedCounters } from '../../core/metrics/feed-counters.ts';
import { createHttpClient } from '../../core/net/http.ts';
import { connectWebSocket } from '../../core/net/websocket.ts';
import { createLog } from '../../core/runtime/log.ts';
import { playedTimers } from '../../core/runtime/played-clock.ts';
import { keepPulse, watchMainThread } from '../../core/runtime/pulse.ts';
import { wallTimers } from '../../core/runtime/timers.ts';
import { limits } from '../../limits.ts';
import type { FeedParts, MarketFeed } from '../../venues/feed.ts';
import { tellOutdatedFacts } from '../../venues/outdated-facts.ts';
import { createVenueAFeed } from '../../venues/venue-a/feed.ts';
import { createVenueBFeed } from '../../venues/venue-b/feed.ts';
import { regionOf } from '../book/memory.ts';
import { BookWriter } from '../book/writer.ts';
import { RecordedFeed } from '../recording/recorded-feed.ts';
import { createRelayFeed } from '../relay/relay-feed.ts';
import { DOORBELL, type FeedTarget, type FeedThreadData, type FromFeed, type ToFeed } from './feed-messages.ts';

const port = parentPort;
assert(port !== null, 'a feed worker is started as a thread');
const { target, arena, counters, logLevel } = workerData as FeedThreadData;

const sendToMain = (message: FromFeed): void => port.postMessage(message);
const http = createHttpClient(limits.upstreamRestTimeoutMs, limits.upstreamRestBodyBytesMax);

const ring = (): void => sendToMain(DOORBELL);
// In a backtest the doorbell rings at the end of the turn, so that the main thread sees at once all that the turn delivers. The messages of
// the main thread then do not depend on how soon it wakes.
const sink = new BookWriter(regionOf(arena, target.venue), playedTimers === null ? ring : () => queueMicrotask(ring));
sink.receivedAt = wallTimers.now();
const feed = createFeed(target, {
  sink,
  expireFacts: address => tellOutdatedFacts({ venue: target.venue, address }),
  connect: connectWebSocket,
  get: http.get,
  timers: wallTimers,
  random: Math.random,
  counters: new FeedCounters(counters),
  log: createLog(`feed ${target.venue}`, { level: logLevel }),
});
feed.start();
keepPulse();
watchMainThread();

port.on('message', (message: ToFeed) => {
  if (message === 'close') {
    feed.close();
    http.close();
    port.close();
    return;
  }
  switch (message.op) {
    case 'subscribe':
      feed
        .subscribe(message.address)
        .then(outcome => sendToMain({ address: message.address, request: message.request, outcome }));
      return;
    case 'unsubscribe':
      feed.unsubscribe(message.address);
      return;
    default:
      unreachable(message);
  }
});

function createFeed(at: FeedTarget, parts: FeedParts): MarketFeed {
  if ('recorded' in at) return new RecordedFeed(at.venue, at.recorded, parts);
  if ('nats' in at) return createRelayFeed(parts, at.venue, at.nats);
  return at.venue === 'venue_a' ? createVenueAFeed(parts, at) : createVenueBFeed(parts, at);
}
