// The gateway: feeds, books, streams and sockets put together, and the work that a clock starts. Main thread.

import { type Arena, regionOf } from '../book/memory.ts';
import { VENUES, type Venue } from '../domain/market.ts';
import type { UnixMillis } from '../domain/numbers.ts';
import { jsonReply, listen } from '../net/listen.ts';
import type { FeedCounters } from '../runtime/counters.ts';
import type { Log } from '../runtime/log.ts';
import { FeedLink, type FeedLinkHandlers } from '../threads/feed-link.ts';
import type { FeedTarget } from '../threads/feed-messages.ts';
import { errorReply } from './error-reply.ts';
import { metricsText } from './metrics.ts';
import { StreamBooks } from './stream/books.ts';
import { STREAM_CODECS, StreamClients } from './stream/clients.ts';
import { type Publish, VenueStream } from './stream/venue-stream.ts';

export interface GatewayOptions {
  readonly host: string;
  readonly port: number;
  readonly arena: Arena;
  readonly targets: Readonly<Record<Venue, FeedTarget>>;
  readonly counters: Readonly<Record<Venue, FeedCounters>>;
  readonly bookLingerMs: number;
  readonly log: Log;
}

export interface Gateway {
  readonly port: number;
  readonly feeds: Readonly<Record<Venue, FeedLink>>;
  /** Says goodbye to every client, then ends the feeds. */
  close(): Promise<void>;
}

const GOING_AWAY = 1001;
/** Quiet books are looked for this often; each beats every heartbeatIntervalMs. */
const HEARTBEAT_SWEEP_MS = 250;

/** Rejects if the address cannot be bound. */
export async function startGateway(options: GatewayOptions): Promise<Gateway> {
  const { arena, counters, log } = options;
  const now = (): UnixMillis => Date.now() as UnixMillis;
  let publish: Publish = () => {};
  const books: StreamBooks = new StreamBooks(
    STREAM_CODECS,
    {
      subscribe: (venue, address) => feeds[venue].subscribe(address),
      unsubscribe: (venue, address) => feeds[venue].unsubscribe(address),
    },
    options.bookLingerMs,
  );
  const streams = perVenue(
    venue =>
      new VenueStream({
        venue,
        region: regionOf(arena, venue),
        books,
        publish: (topic, frame, isBinary) => publish(topic, frame, isBinary),
        now,
        yieldTo: task => setImmediate(task),
      }),
  );
  const clients = new StreamClients({ books, streams, now });
  const listener = await listen({
    host: options.host,
    port: options.port,
    sockets: [clients.route],
    http: [
      { method: 'get', pattern: '/healthz', handle: () => jsonReply(200, { status: 'ok' }) },
      { method: 'get', pattern: '/readyz', handle: () => jsonReply(200, { status: 'ready' }) },
      { method: 'get', pattern: '/metrics', handle: () => metricsText(counters, streams, clients) },
    ],
    notFound: errorReply(404, 'NOT_FOUND', 'unknown route'),
  });
  publish = listener.publish;
  // After the address is ours: a start that fails leaves no thread behind.
  const feeds = perVenue(
    venue =>
      new FeedLink(
        { target: options.targets[venue], arena, counters: counters[venue], log },
        handlersOf(venue, books, streams[venue], clients),
      ),
  );
  const heartbeats = setInterval(() => {
    for (const venue of VENUES) streams[venue].beatQuietBooks(now());
  }, HEARTBEAT_SWEEP_MS);

  return {
    port: listener.port,
    feeds,
    async close() {
      clearInterval(heartbeats);
      books.close();
      clients.sayGoodbye(GOING_AWAY);
      await Promise.all(VENUES.map(venue => feeds[venue].close()));
      listener.close();
    },
  };
}

/** What the news of a feed means for its subscribers. */
function handlersOf(venue: Venue, books: StreamBooks, stream: VenueStream, clients: StreamClients): FeedLinkHandlers {
  return {
    onDoorbell: () => {
      stream.drain();
      clients.patrol();
    },
    onOutcome: (address, outcome) => {
      const book = books.settle(venue, address, outcome);
      if (book !== null) stream.continueWithSnapshot(book);
    },
    onLost: () => {
      for (const book of books.unbind(venue)) stream.announceState(book, 'RESYNCING', 'FEED_RESTARTED');
    },
    onRestart: () => books.askAgain(venue),
  };
}

function perVenue<T>(create: (venue: Venue) => T): Readonly<Record<Venue, T>> {
  return { venue_a: create('venue_a'), venue_b: create('venue_b') };
}
