// The whole stream: the feeds of both venues, their books, all clients, and periodic work. Main thread.

import type { CatalogLink } from '../../catalog/catalog-link.ts';
import type { Config } from '../../config.ts';
import { perVenue, VENUES, type Venue } from '../../core/domain/market.ts';
import type { FeedCounters } from '../../core/metrics/feed-counters.ts';
import type { Log } from '../../core/runtime/log.ts';
import { wallTimers } from '../../core/runtime/timers.ts';
import { BookIndexWriter } from '../../market-data/book/book-index-writer.ts';
import { type Arena, indexOf, regionOf } from '../../market-data/book/memory.ts';
import { FeedLink, type FeedLinkHandlers } from '../../market-data/feeds/feed-link.ts';
import type { FeedTarget } from '../../market-data/feeds/feed-messages.ts';
import { OutcomeHub, type OutcomeHubParts } from '../outcomes/outcome-hub.ts';
import { VenueMarkets } from '../venue-markets.ts';
import { type BookPlaces, StreamBooks } from './books.ts';
import { type ClientParts, STREAM_CODECS, StreamClients } from './clients.ts';
import type { OrderDisconnects } from './order-disconnects.ts';
import type { OrderFeed } from './order-feed.ts';
import { OrderHub } from './order-hub.ts';
import type { Publish } from './outlets.ts';
import type { QueueHub } from './queue-hub.ts';
import { VenueStream } from './venue-stream.ts';

interface StreamingOptions
  extends Pick<ClientParts, 'admit' | 'seal' | 'stamps' | 'rates' | 'takeRead'>,
    Pick<OutcomeHubParts, 'terms'> {
  readonly catalog: Pick<CatalogLink, 'known'>;
  readonly arena: Arena;
  readonly targets: Readonly<Record<Venue, FeedTarget>>;
  readonly counters: Readonly<Record<Venue, FeedCounters>>;
  readonly bookLingerMs: number;
  /** The threads that follow the books, too. By default there are none. */
  readonly followers?: readonly BookPlaces[];
  /** The feed of orders. Without it the orders channel is not served. */
  readonly orderFeed?: OrderFeed;
  readonly mode: Config['mode'];
  readonly log: Log;
}

const GOING_AWAY = 1001;
/** The interval in milliseconds between two looks for quiet books (heartbeats) and slow clients. */
const SWEEP_MS = 250;

export class Streaming {
  readonly books: StreamBooks;
  readonly clients: StreamClients;
  readonly streams: Readonly<Record<Venue, VenueStream>>;
  readonly outcomes: OutcomeHub;
  readonly venueMarkets: VenueMarkets;
  readonly #options: StreamingOptions;
  readonly #orders: OrderHub | null;
  #publish: Publish = () => {};
  #feeds: Readonly<Record<Venue, FeedLink>> | null = null;
  #endSweeps: () => void = () => {};

  constructor(options: StreamingOptions) {
    this.#options = options;
    this.books = new StreamBooks(
      STREAM_CODECS,
      {
        subscribe: (venue, address) => this.#feeds?.[venue].subscribe(address),
        unsubscribe: (venue, address) => this.#feeds?.[venue].unsubscribe(address),
      },
      placesOf([new BookIndexWriter(indexOf(options.arena)), ...(options.followers ?? [])]),
      options.bookLingerMs,
    );
    this.streams = perVenue(
      venue =>
        new VenueStream({
          venue,
          region: regionOf(options.arena, venue),
          books: this.books,
          publish: (topic, frame, isBinary) => this.#publish(topic, frame, isBinary),
          suspendLaggards: () => this.clients.patrolAll(),
          now: wallTimers.now,
          yieldTo,
        }),
    );
    const { admit, seal, stamps, rates, takeRead, orderFeed, catalog, terms } = options;
    this.venueMarkets = new VenueMarkets({ books: this.books, streams: this.streams, terms });
    this.outcomes = new OutcomeHub({
      books: this.books,
      streams: this.streams,
      terms,
      timers: wallTimers,
      catalog: () => catalog.known,
      codecs: STREAM_CODECS,
      publish: (topic, frame, isBinary) => this.#publish(topic, frame, isBinary),
    });
    const turns = new TurnQueue(yieldTo);
    this.#orders =
      orderFeed === undefined
        ? null
        : new OrderHub(orderFeed, wallTimers, {
            books: this.books,
            streams: this.streams,
            // In these modes orders go to paper exchanges, while the books are the venues' books.
            isDisplayed: options.mode !== 'LIVE_PAPER' && options.mode !== 'REPLAY',
          });
    this.clients = new StreamClients({
      books: this.books,
      streams: this.streams,
      orders: this.#orders,
      outcomes: this.outcomes,
      nowMs: wallTimers.elapsed,
      yieldTo: task => void turns.add(task),
      admit,
      seal,
      stamps,
      rates,
      takeRead,
    });
  }

  /** The grace periods of `cancelOnDisconnect`. */
  get disconnects(): OrderDisconnects | null {
    return this.#orders?.disconnects ?? null;
  }

  /** The queues ahead of working orders. Null means that orders are not followed. */
  get queues(): QueueHub | null {
    return this.#orders?.queues ?? null;
  }

  /** The fault of the venue's market data. Returns null if no fault is known. */
  feedProblem(venue: Venue): string | null {
    const { health } = this.streams[venue];
    if (health === 'lost') return 'no book of it is live';
    return health === 'unasked' && this.#options.counters[venue].link === 'down' ? 'not connected' : null;
  }

  /** Starts the feeds. Their messages go out through `publish`. */
  start(publish: Publish): Readonly<Record<Venue, FeedLink>> {
    this.#publish = publish;
    const { targets, arena, counters, log } = this.#options;
    const feeds = perVenue(
      venue => new FeedLink({ target: targets[venue], arena, counters: counters[venue], log }, this.#handlersOf(venue)),
    );
    this.#feeds = feeds;
    this.#sweep();
    return feeds;
  }

  #sweep(): void {
    this.#endSweeps = wallTimers.after(SWEEP_MS, () => {
      for (const venue of VENUES) this.streams[venue].beatQuietBooks(wallTimers.now());
      this.clients.patrolAll();
      this.#sweep();
    });
  }

  /** Closes every client, then the feeds. */
  async close(): Promise<void> {
    this.#endSweeps();
    this.books.close();
    this.clients.disconnectAll(GOING_AWAY);
    this.#orders?.close();
    this.outcomes.close();
    await Promise.all(VENUES.map(venue => this.#feeds?.[venue].close()));
  }

  /** Returns the handlers that pass a feed's messages to its subscribers. */
  #handlersOf(venue: Venue): FeedLinkHandlers {
    const stream = this.streams[venue];
    return {
      onDoorbell: () => {
        stream.drain();
        this.clients.patrol();
      },
      onOutcome: (address, outcome) => {
        const book = this.books.settle(venue, address, outcome);
        if (book !== null) stream.begin(book);
      },
      onLost: () => {
        this.#options.counters[venue].link = 'down';
        for (const book of this.books.unbind(venue)) stream.announceState(book, 'RESYNCING', 'FEED_RESTARTED');
      },
      onRestart: () => this.books.subscribeAgain(venue),
    };
  }
}

/**
 * Passes each place on to all. The index comes first, because the other followers look there whether a book still belongs to its market.
 */
function placesOf(all: readonly BookPlaces[]): BookPlaces {
  return {
    put: (...place) => {
      for (const it of all) it.put(...place);
    },
    remove: (...market) => {
      for (const it of all) it.remove(...market);
    },
  };
}

function yieldTo(task: () => void): void {
  setImmediate(task);
}

/**
 * A queue of slices of work, each of which occupies a thread for some milliseconds. Everything else gets a turn between two slices, so that
 * many users delay others no longer than one user does.
 */
export class TurnQueue {
  readonly #yieldTo: (task: () => void) => void;
  /** The waiting slices in order of arrival. */
  readonly #waiting = new Set<() => void>();
  #isPlanned = false;

  /** `yieldTo` calls its argument after everything else has had its turn. */
  constructor(yieldTo: (task: () => void) => void) {
    this.#yieldTo = yieldTo;
  }

  /** Runs `slice` in its turn. The returned function cancels it. */
  add(slice: () => void): () => void {
    // Each call has a closure of its own, so that one function may wait twice.
    const own = (): void => slice();
    this.#waiting.add(own);
    this.#plan();
    return () => this.#waiting.delete(own);
  }

  #plan(): void {
    if (this.#isPlanned) return;
    this.#isPlanned = true;
    this.#yieldTo(() => {
      const [next] = this.#waiting;
      try {
        if (next !== undefined) this.#waiting.delete(next);
        next?.();
      } finally {
        // This is set after the call. If a next turn were planned before it, that turn would come at once.
        this.#isPlanned = false;
        if (this.#waiting.size > 0) this.#plan();
      }
    });
  }
}
