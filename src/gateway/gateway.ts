// The gateway's sockets and its clock work: who connects to /v1/orderbook, the doorbells of the feeds, heartbeats on quiet
// books, a look at slow consumers, and the operational paths. Main thread.

import { type Arena, regionOf } from '../book/memory.ts';
import { VENUES, type Venue } from '../domain/market.ts';
import type { UnixMillis } from '../domain/numbers.ts';
import { limits } from '../limits.ts';
import { type InboundRequest, jsonReply, type Listener, listen, type Reply, socketRoute } from '../net/listen.ts';
import type { FeedCounters } from '../runtime/counters.ts';
import type { Log } from '../runtime/log.ts';
import { FeedLink } from '../threads/feed-link.ts';
import type { FeedTarget } from '../threads/feed-messages.ts';
import type { StreamCodec } from '../wire/codec.ts';
import { jsonCodec } from '../wire/json.ts';
import { protobufCodec } from '../wire/protobuf.ts';
import { metricsText } from './metrics.ts';
import { VenueStream } from './stream.ts';
import { StreamBooks } from './stream-books.ts';
import { StreamSession } from './stream-session.ts';

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
  close(): Promise<void>;
}

interface Client {
  readonly codec: StreamCodec;
  session: StreamSession | null;
}

const CODECS: readonly StreamCodec[] = [jsonCodec, protobufCodec];
const GOING_AWAY = 1001;
/** Quiet books are looked for this often; each beats every heartbeatIntervalMs. */
const HEARTBEAT_SWEEP_MS = 250;

export async function startGateway(options: GatewayOptions): Promise<Gateway> {
  const sessions = new Set<StreamSession>();
  let listener: Listener | null = null;
  const now = (): UnixMillis => Date.now() as UnixMillis;
  const books: StreamBooks = new StreamBooks(
    CODECS,
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
        region: regionOf(options.arena, venue),
        books,
        publish: (topic, frame, isBinary) => listener?.publish(topic, frame, isBinary),
        now,
        yieldTo: task => setImmediate(task),
      }),
  );
  const lag = new LagPatrol(sessions);
  const feeds = perVenue(
    venue =>
      new FeedLink(
        { target: options.targets[venue], arena: options.arena, counters: options.counters[venue], log: options.log },
        {
          onDoorbell: () => {
            streams[venue].drain();
            lag.walk();
          },
          onOutcome: (address, outcome) => {
            const book = books.settle(venue, address, outcome);
            if (book !== null) streams[venue].continueWithSnapshot(book);
          },
          onRestart: () => {
            for (const book of books.rebind(venue)) streams[venue].announceState(book, 'RESYNCING', 'FEED_RESTARTED');
          },
        },
      ),
  );

  const orderbook = socketRoute<Client>({
    pattern: '/v1/orderbook',
    messageBytesMax: limits.streamMessageBytesMax,
    unsentBytesMax: 2 * limits.streamCloseBytes,
    idleTimeoutS: limits.streamIdleTimeoutS,
    accept: request => acceptStream(request, sessions.size),
    open: connection => {
      const session = new StreamSession({ codec: connection.context.codec, books, streams, now }, connection);
      connection.context.session = session;
      sessions.add(session);
    },
    message: (connection, frame) => connection.context.session?.receive(frame),
    dropped: connection => connection.context.session?.fallBehind(),
    drain: connection => connection.context.session?.catchUp(),
    close: ({ context: { session } }) => {
      if (session === null) return;
      sessions.delete(session);
      session.close();
    },
  });

  listener = await listen({
    host: options.host,
    port: options.port,
    sockets: [orderbook],
    http: [
      { method: 'get', pattern: '/healthz', handle: () => jsonReply(200, { status: 'ok' }) },
      { method: 'get', pattern: '/readyz', handle: () => jsonReply(200, { status: 'ready' }) },
      {
        method: 'get',
        pattern: '/metrics',
        handle: () => metricsText(options.counters, streams, { connections: sessions.size, laggingSeen: lag.seen }),
      },
    ],
    notFound: errorReply(404, 'NOT_FOUND', 'unknown route'),
  });
  const heartbeats = setInterval(() => beatQuietBooks(books, streams, now()), HEARTBEAT_SWEEP_MS);

  return {
    port: listener.port,
    feeds,
    async close() {
      clearInterval(heartbeats);
      books.close();
      for (const session of sessions) session.sayGoodbye(GOING_AWAY);
      await Promise.all(VENUES.map(venue => feeds[venue].close()));
      listener?.close();
    },
  };
}

/** Sessions are looked at in rotation, some after every turn: a thousand clients must not make a turn long. */
class LagPatrol {
  readonly #sessions: ReadonlySet<StreamSession>;
  #rotation: Iterator<StreamSession> | null = null;
  seen = 0;

  constructor(sessions: ReadonlySet<StreamSession>) {
    this.#sessions = sessions;
  }

  walk(): void {
    const count = Math.min(limits.lagChecksPerTurn, this.#sessions.size);
    for (let checked = 0; checked < count; checked++) {
      this.#rotation ??= this.#sessions.values();
      const { value, done } = this.#rotation.next();
      if (done === true) this.#rotation = null;
      else if (value.checkLag()) this.seen += 1;
    }
  }
}

function perVenue<T>(create: (venue: Venue) => T): Readonly<Record<Venue, T>> {
  return { venue_a: create('venue_a'), venue_b: create('venue_b') };
}

/** Contract §8: no subprotocol means JSON; an offer that holds none of ours is refused. */
function acceptStream(
  request: InboundRequest,
  connections: number,
): { readonly context: Client; readonly subprotocol: string } | { readonly refusal: Reply } {
  if (connections >= limits.connectionsMax) {
    return { refusal: errorReply(503, 'INTERNAL_ERROR', 'too many connections (connectionsMax)') };
  }
  const offer = request.header('sec-websocket-protocol');
  if (offer === '') return { context: { codec: jsonCodec, session: null }, subprotocol: '' };
  const offered = offer.split(',').map(name => name.trim());
  const codec = CODECS.find(candidate => offered.includes(candidate.subprotocol));
  if (codec !== undefined) return { context: { codec, session: null }, subprotocol: codec.subprotocol };
  const known = CODECS.map(candidate => candidate.subprotocol).join(', ');
  return { refusal: errorReply(400, 'INVALID_REQUEST', `Sec-WebSocket-Protocol: must offer one of ${known}`) };
}

function errorReply(status: number, code: string, message: string): Reply {
  return jsonReply(status, { error: { code, message } });
}

function beatQuietBooks(books: StreamBooks, streams: Readonly<Record<Venue, VenueStream>>, now: number): void {
  for (const venue of VENUES) {
    for (const book of books.of(venue)) {
      if (book.isPublished && now - book.saidAt >= limits.heartbeatIntervalMs) streams[venue].beat(book);
    }
  }
}
