// Venue B on a loopback port: its WebSocket behind the signed handshake, and its public REST of market data (venue-b.md
// §2, §4, §10). Tests.

import { type JsonObject, textOf } from '../../../src/core/domain/json.ts';
import { type MicroShares, parseMicroShares } from '../../../src/core/domain/numbers.ts';
import { type HttpRoute, type InboundRequest, jsonReply, type Reply } from '../../../src/core/net/listen.ts';
import { type Broadcast, type PriceRanges, parseBroadcast } from '../../../src/paper/replay/venue-b-frame.ts';
import { VenueBSession } from '../../../src/paper/replay/venue-b-session.ts';
import { countText, REST_PATH, STREAM_PATH } from '../../../src/paper/venue-b/wire-text.ts';
import { type Fault, Loopback, type VenueServer } from './loopback.ts';

export interface VenueBListing {
  readonly ticker: string;
  readonly priceRanges: PriceRanges;
}

interface VenueBServerOptions {
  readonly listings: readonly VenueBListing[];
  /** The snapshots of the starting books. */
  readonly initial: readonly string[];
  /** The reason why an upgrade is refused. Null accepts the upgrade. */
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
  for (const message of initial) apply(books, message);
  const loopback = await Loopback.start<VenueBSession>({
    streamPath: STREAM_PATH,
    http: restRoutes(listings, books),
    faults: options.faults,
    refusal: options.refusal,
    openSession: ({ send }) =>
      // Every frame of the venue ends with a newline.
      new VenueBSession({
        hasMarket: ticker => books.has(ticker),
        snapshotOf: ticker => books.get(ticker)?.snapshot() ?? null,
        send: frame => send(`${frame}\n`),
        onWanted: options.onWanted,
      }),
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
    isCongested: () => loopback.isCongested(),
    close: () => loopback.close(),
  };
}

function apply(books: ReadonlyMap<string, VenueBBook>, { type, ticker, message }: Broadcast): void {
  if (type === 'orderbook_snapshot') books.get(ticker)?.applySnapshot(message);
  else if (type === 'orderbook_delta') books.get(ticker)?.applyDelta(message);
}

const NOT_FOUND = jsonReply(404, { error: { code: 'not_found', message: 'not found' } });

/** Returns the routes that the gateway reads, with only the parameters that the gateway sends. */
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
    route('/markets', ({ query }) => {
      const tickers = new URLSearchParams(query).get('tickers')?.split(',') ?? [...listings.keys()];
      return jsonReply(200, { cursor: '', markets: tickers.flatMap(it => marketObject(listings.get(it)) ?? []) });
    }),
    route('/markets/:ticker', (_, [ticker = '']) => found(ticker, listing => ({ market: marketObject(listing) }))),
    route('/markets/:ticker/orderbook', (_, [ticker = '']) =>
      found(ticker, (_listing, book) => ({
        orderbook_fp: { no_dollars: book.levels('no'), yes_dollars: book.levels('yes') },
      })),
    ),
  ];
}

function marketObject(listing: VenueBListing | undefined): JsonObject | undefined {
  if (listing === undefined) return undefined;
  const { ticker, priceRanges } = listing;
  return {
    ...{ event_ticker: eventOf(ticker), exchange_index: 0, market_type: 'binary', notional_value_dollars: '1.0000' },
    ...{ price_ranges: priceRanges, result: '', status: 'active', ticker, title: ticker },
    yes_sub_title: ticker.slice(ticker.lastIndexOf('-') + 1),
  };
}

/** Returns the event of a ticker: `KXNBAGAME-26NOV21BOSLAL` for `KXNBAGAME-26NOV21BOSLAL-BOS`. */
function eventOf(ticker: string): string {
  return ticker.slice(0, Math.max(0, ticker.lastIndexOf('-')));
}

/** Levels as `[price, size]`, as on the wire. */
type WireLevels = [price: string, size: string][];
const SIDES = ['yes', 'no'] as const;

class VenueBBook {
  readonly ticker: string;
  #marketId = '';
  /** The sizes by price text: the venue writes every price of a market with the same number of decimals. */
  #sides = new Map<string, Map<string, MicroShares>>();

  constructor(ticker: string) {
    this.ticker = ticker;
  }

  /** Replaces the levels by the levels of an `orderbook_snapshot`'s `msg`. */
  applySnapshot(message: JsonObject): void {
    this.#marketId = textOf(message.market_id);
    this.#sides = new Map(SIDES.map(side => [side, new Map(readLevels(message[`${side}_dollars_fp`]))] as const));
  }

  /** Applies the signed change of an `orderbook_delta`'s `msg`. A level that would fall below zero is removed. */
  applyDelta(message: JsonObject): void {
    const side = textOf(message.side);
    const price = textOf(message.price_dollars);
    const levels = this.#sides.get(side) ?? new Map<string, MicroShares>();
    this.#sides.set(side, levels);
    const size = (levels.get(price) ?? 0) + parseSigned(textOf(message.delta_fp));
    if (size > 0) levels.set(price, size as MicroShares);
    else levels.delete(price);
  }

  /** Returns the `msg` of a snapshot of the present book. An empty side has no key. */
  snapshot(): JsonObject {
    const message: Record<string, unknown> = { market_ticker: this.ticker };
    if (this.#marketId !== '') message.market_id = this.#marketId;
    for (const side of SIDES) {
      const rows = this.levels(side);
      if (rows.length > 0) message[`${side}_dollars_fp`] = rows;
    }
    return message;
  }

  /** Returns the levels by ascending price, so that the best level is last. */
  levels(side: string): WireLevels {
    return [...(this.#sides.get(side) ?? [])]
      .sort(([a], [b]) => Number(a) - Number(b))
      .map(([price, micros]) => [price, countText(micros)]);
  }
}

function readLevels(levels: unknown): [string, MicroShares][] {
  if (!Array.isArray(levels)) return [];
  return levels.filter(Array.isArray).map(([price, size]) => [textOf(price), parseSigned(textOf(size))]);
}

function parseSigned(text: string): MicroShares {
  const magnitude = parseMicroShares(text.replace(/^[-+]/, '')) ?? (0 as MicroShares);
  return text.startsWith('-') ? (-magnitude as MicroShares) : magnitude;
}
