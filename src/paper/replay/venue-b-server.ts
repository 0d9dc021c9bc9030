// Venue B on a loopback port: its WebSocket behind the signed handshake, and its public REST of market data (venue-b.md
// §2, §4, §10). Replay thread.

import type { InboundRequest, Reply } from '../../core/net/listen.ts';
import type { Fault } from './faults.ts';
import { Loopback } from './loopback.ts';
import { VenueBBook } from './venue-b-book.ts';
import { type Broadcast, parseBroadcast } from './venue-b-frame.ts';
import type { VenueBListing } from './venue-b-listing.ts';
import { REST_PATH, STREAM_PATH } from './venue-b-protocol.ts';
import { restRoutes } from './venue-b-rest.ts';
import { VenueBSession } from './venue-b-session.ts';
import type { VenueServer } from './venue-server.ts';

interface VenueBServerOptions {
  readonly listings: readonly VenueBListing[];
  /** Snapshots of the starting books. */
  readonly initial: readonly string[];
  /** Why an upgrade is refused; null accepts it. */
  readonly refusal: (request: InboundRequest) => Reply | null;
  readonly faults: readonly Fault[];
  /** Called when markets get a subscriber. */
  readonly onWanted: (tickers: Iterable<string>) => void;
}

/** Starts the venue on a free port. */
export async function startVenueBServer(options: VenueBServerOptions): Promise<VenueServer> {
  const listings = new Map(options.listings.map(listing => [listing.ticker, listing]));
  const books = new Map(options.listings.map(({ ticker }) => [ticker, new VenueBBook(ticker)]));
  const initial = options.initial.flatMap(text => parseBroadcast(text) ?? []);
  const rewindBooks = (): void => {
    for (const book of books.values()) book.applySnapshot({});
    for (const message of initial) apply(books, message);
  };
  rewindBooks();
  const loopback = await Loopback.start<VenueBSession>({
    streamPath: STREAM_PATH,
    http: restRoutes(listings, books),
    faults: options.faults,
    refusal: options.refusal,
    openSession: ({ send }) =>
      // Every frame of the venue ends with a newline.
      new VenueBSession({ books, send: frame => send(`${frame}\n`), onWanted: options.onWanted }),
  });
  return {
    restUrl: `http://${loopback.host}${REST_PATH}`,
    streamUrl: `ws://${loopback.host}${STREAM_PATH}`,
    markets: initial.map(({ ticker }) => ({ venue: 'venue_b', ticker })),
    play: text => {
      const message = parseBroadcast(text);
      if (message === null) return;
      apply(books, message);
      for (const session of loopback.sessions()) session.broadcast(message);
    },
    rewind: () => {
      rewindBooks();
      for (const session of loopback.sessions()) session.snapshotAll();
    },
    isCongested: () => loopback.isCongested(),
    close: () => loopback.close(),
  };
}

function apply(books: ReadonlyMap<string, VenueBBook>, { type, ticker, message }: Broadcast): void {
  if (type === 'orderbook_snapshot') books.get(ticker)?.applySnapshot(message);
  else if (type === 'orderbook_delta') books.get(ticker)?.applyDelta(message);
}
