// Venue B on a loopback port: its WebSocket behind the signed handshake, and its public REST of market data (venue-b.md
// §2, §4, §10). Replay thread.

import type { JsonObject } from '../../core/domain/json.ts';
import { type HttpRoute, type InboundRequest, jsonReply, type Reply } from '../../core/net/listen.ts';
import { limits } from '../../limits.ts';
import type { Fault } from './faults.ts';
import { Loopback, type VenueServer } from './loopback.ts';
import { complementText, VenueBBook, type WireLevels } from './venue-b-book.ts';
import { type Broadcast, parseBroadcast, REST_PATH, STREAM_PATH, type VenueBListing } from './venue-b-frame.ts';
import { VenueBSession } from './venue-b-session.ts';

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

const DEPTH_MAX = 100;
const NOT_FOUND = jsonReply(404, { error: { code: 'not_found', message: 'not found' } });

function restRoutes(listings: ReadonlyMap<string, VenueBListing>, books: ReadonlyMap<string, VenueBBook>): HttpRoute[] {
  const route = (path: string, handle: HttpRoute['handle']): HttpRoute => ({
    method: 'get',
    pattern: REST_PATH + path,
    handle,
  });
  const found = (ticker: string, render: (listing: VenueBListing, book: VenueBBook) => JsonObject): Reply => {
    const listing = listings.get(ticker);
    const book = books.get(ticker);
    return listing === undefined || book === undefined ? NOT_FOUND : jsonReply(200, render(listing, book));
  };
  return [
    route('/exchange/status', () => jsonReply(200, { exchange_active: true, trading_active: true })),
    route('/markets', request => marketPage(request, listings, books)),
    route('/markets/:ticker', (_, [ticker = '']) =>
      found(ticker, (listing, book) => ({ market: marketObject(listing, book) })),
    ),
    route('/markets/:ticker/orderbook', ({ query }, [ticker = '']) => {
      const depth = Number(new URLSearchParams(query).get('depth') ?? 0);
      if (!Number.isInteger(depth) || depth < 0 || depth > DEPTH_MAX) return jsonReply(400, { msg: 'invalid depth' });
      return found(ticker, (_listing, book) => ({ orderbook_fp: orderBook(book, depth) }));
    }),
  ];
}

/** Bids of both sides, ascending; the best are last. */
function orderBook(book: VenueBBook, depth: number): JsonObject {
  const best = (levels: WireLevels): WireLevels => (depth === 0 ? levels : levels.slice(-depth));
  return { no_dollars: best(book.levels('no')), yes_dollars: best(book.levels('yes')) };
}

/**
 * One page of the list. The cursor is the number of markets before the page; an invalid cursor means the first page.
 */
function marketPage(
  { query }: InboundRequest,
  listings: ReadonlyMap<string, VenueBListing>,
  books: ReadonlyMap<string, VenueBBook>,
): Reply {
  const parameters = new URLSearchParams(query);
  const limit = Number(parameters.get('limit') ?? 100);
  if (!Number.isInteger(limit) || limit < 0 || limit > limits.replayMarketsPerPageMax) {
    return jsonReply(400, { msg: `limit must be from 0 to ${limits.replayMarketsPerPageMax}` });
  }
  const tickers = parameters.get('tickers')?.split(',');
  const event = parameters.get('event_ticker');
  const series = parameters.get('series_ticker');
  const status = parameters.get('status');
  const matching = [...listings.values()].filter(
    ({ ticker }) =>
      (status === null || status === 'open') &&
      (tickers?.includes(ticker) ?? true) &&
      (event === null || eventOf(ticker) === event) &&
      (series === null || ticker.startsWith(`${series}-`)),
  );
  const from = Math.max(0, Number.parseInt(parameters.get('cursor') ?? '', 10) || 0);
  const to = from + limit;
  return jsonReply(200, {
    cursor: to < matching.length ? String(to) : '',
    markets: matching.slice(from, to).flatMap(listing => {
      const book = books.get(listing.ticker);
      return book === undefined ? [] : [marketObject(listing, book)];
    }),
  });
}

/** Keys in alphabetical order, as the venue sends them. */
function marketObject(listing: VenueBListing, book: VenueBBook): JsonObject {
  const [yesBid = '0.0000', yesBidSize = '0.00'] = book.levels('yes').at(-1) ?? [];
  const [noBid = '0.0000', noBidSize = '0.00'] = book.levels('no').at(-1) ?? [];
  return {
    can_close_early: true,
    event_ticker: eventOf(listing.ticker),
    exchange_index: 0,
    market_type: 'binary',
    no_ask_dollars: complementText(yesBid),
    no_bid_dollars: noBid,
    no_sub_title: listing.yesSubTitle,
    notional_value_dollars: '1.0000',
    price_level_structure: listing.priceLevelStructure,
    price_ranges: listing.priceRanges,
    result: '',
    status: 'active',
    ticker: listing.ticker,
    title: listing.title,
    yes_ask_dollars: complementText(noBid),
    yes_ask_size_fp: noBidSize,
    yes_bid_dollars: yesBid,
    yes_bid_size_fp: yesBidSize,
    yes_sub_title: listing.yesSubTitle,
  };
}

/** The event of a ticker: `KXNBAGAME-26NOV21BOSLAL` for `KXNBAGAME-26NOV21BOSLAL-BOS`. */
function eventOf(ticker: string): string {
  return ticker.slice(0, Math.max(0, ticker.lastIndexOf('-')));
}
