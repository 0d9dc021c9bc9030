// The markets of live-paper. A market is listed as soon as somebody names it, traded once its book has come, and decided as its real venue
// decides it. Thread of the paper exchanges.

import { type MarketKey, marketKey, perVenue, VENUES, type Venue } from '../../core/domain/market.ts';
import type { UnixMillis } from '../../core/domain/numbers.ts';
import { jsonReply, type Reply } from '../../core/net/listen.ts';
import type { QueueModel } from '../../core/runtime/paper-terms.ts';
import type { Timers } from '../../core/runtime/timers.ts';
import { limits } from '../../limits.ts';
import type { BookListing } from '../../market-data/book/live-books.ts';
import type { Arena } from '../../market-data/book/memory.ts';
import { onOutdatedFacts } from '../../venues/outdated-facts.ts';
import type { Before } from '../http-server.ts';
import type { KeptRows } from '../kept-rows.ts';
import { namedMarkets } from '../named-markets.ts';
import type { VenueAExchange } from '../venue-a/exchange.ts';
import type { VenueBExchange } from '../venue-b/exchange.ts';
import { LiveHouse } from './live-house.ts';
import { absentVenue, type LiveVenue } from './live-venue.ts';
import { LiveVenueA } from './live-venue-a.ts';
import { LiveVenueB } from './live-venue-b.ts';

/** The addresses of the real venues, and the memory of their books. */
export interface LiveSource {
  readonly arena: Arena;
  /** The URL of venue A. Null means that the venue is switched off. */
  readonly venueAUrl: string | null;
  readonly venueBUrl: string | null;
}

export interface LiveMarketsParts extends LiveSource {
  readonly venueA: VenueAExchange;
  readonly venueB: VenueBExchange;
  readonly timers: Timers;
  readonly queue: QueueModel;
  readonly kept: KeptRows | null;
  /** Called when an order waits for the book of a market, so that the gateway subscribes to that book. */
  readonly onWanted: (market: MarketKey) => void;
}

interface Side {
  readonly real: LiveVenue;
  readonly house: LiveHouse;
  /** The listings that are being read, by address. */
  readonly listing: Map<string, Promise<string | null>>;
  /** The markets that have to be read again, oldest first. */
  readonly due: Set<string>;
}

export class LiveMarkets {
  readonly #parts: LiveMarketsParts;
  readonly #sides: Readonly<Record<Venue, Side>>;
  #stopHearing: () => void = () => {};
  #stopped = false;

  constructor(parts: LiveMarketsParts) {
    this.#parts = parts;
    const { timers, arena, queue: model, kept, venueAUrl: urlA, venueBUrl: urlB } = parts;
    const common = { timers, onListed: (catalog: Parameters<KeptRows['list']>[0]) => kept?.list(catalog) };
    const reals: Readonly<Record<Venue, LiveVenue>> = {
      venue_a:
        urlA === null ? absentVenue('venue_a') : new LiveVenueA({ ...common, url: urlA, exchange: parts.venueA }),
      venue_b:
        urlB === null ? absentVenue('venue_b') : new LiveVenueB({ ...common, url: urlB, exchange: parts.venueB }),
    };
    const desks = { venue_a: parts.venueA.desk, venue_b: parts.venueB.desk };
    this.#sides = perVenue(venue => {
      const due = new Set<string>();
      const onStrangePrice = (address: string): void => void due.add(address);
      const house = new LiveHouse({ venue, arena, desk: desks[venue], model, timers, onStrangePrice });
      return { real: reals[venue], house, listing: new Map(), due };
    });
  }

  /** Starts to follow the books. Markets of the last run do not trade until their books come. */
  start(): void {
    for (const venue of VENUES) {
      const { real, house } = this.#sides[venue];
      for (const { addresses, house: market } of real.markets()) house.open(addresses, market);
      void this.#keepReading(venue);
    }
    this.#stopHearing = onOutdatedFacts(({ venue, address }) => {
      const { real, due } = this.#sides[venue];
      if (real.isListed(address)) due.add(address);
    });
    this.#scheduleChecks();
    this.#round();
  }

  stop(): void {
    this.#stopped = true;
    this.#stopHearing();
    for (const venue of VENUES) void this.#sides[venue].real.close();
  }

  hear(message: BookListing): void {
    this.#sides[message.venue].house.handleListing(message);
  }

  /** Waits until the markets that a request names are listed. Orders also wait for the books of their markets. */
  before(venue: Venue, ...[route, { body }, parameters]: Parameters<Before>): ReturnType<Before> {
    const named = namedMarkets(venue, route, body, parameters);
    if (named === null) return null;
    const waits = named.addresses.flatMap(address => this.#ready(venue, address, named.isOrder) ?? []);
    return waits.length === 0 ? null : allReady(venue, waits);
  }

  #ready(venue: Venue, address: string, needsBook: boolean): Promise<string | null> | null {
    if (this.#sides[venue].real.isListed(address)) return needsBook ? this.#book(venue, address) : null;
    return this.#list(venue, address).then(why => (why === null && needsBook ? this.#book(venue, address) : why));
  }

  /** Waits for the first book of a market. The exchange then decides about the order. */
  #book(venue: Venue, address: string): Promise<null> | null {
    const wait = this.#sides[venue].house.waitFor(address);
    if (wait === null) return null;
    this.#parts.onWanted(marketKey(venue, address));
    return wait.then(() => null);
  }

  #list(venue: Venue, address: string): Promise<string | null> {
    const { real, house, listing, due } = this.#sides[venue];
    const known = listing.get(address);
    if (known !== undefined) return known;
    const asked = real.list(address).then(why => {
      listing.delete(address);
      const market = real.markets().find(({ addresses }) => addresses.includes(address));
      if (market !== undefined) {
        house.open(market.addresses, market.house);
        // The market is read again soon, because it may be over already.
        due.add(address);
      }
      return why;
    });
    listing.set(address, asked);
    return asked;
  }

  /** Looks for changes again and again, because the feeds do not wake this thread. */
  #scheduleChecks(): void {
    const houses = VENUES.map(venue => this.#sides[venue].house);
    const isBusy = houses.map(house => house.follow()).includes(true);
    const isIdle = houses.every(({ size }) => size === 0);
    const pauseMs = isBusy ? 0 : isIdle ? limits.paperLiveIdleMs : limits.paperLiveLookMs;
    this.#parts.timers.after(pauseMs, () => this.#scheduleChecks());
  }

  /** Plans to read each market again from time to time, because no stream repeats a result. */
  #round(): void {
    const { timers } = this.#parts;
    const since = (timers.now() - limits.paperEndedMarketMs) as UnixMillis;
    for (const venue of VENUES) {
      const { real, house, due } = this.#sides[venue];
      const before = real.markets();
      real.forget(since);
      const left = new Set(real.markets().map(market => market.house));
      for (const market of before) if (!left.has(market.house)) house.close(market.addresses);
      for (const address of real.undecided()) due.add(address);
    }
    const listed = new Set(VENUES.flatMap(venue => this.#gamesOf(venue)));
    this.#parts.kept?.forgetGames(game => listed.has(game));
    timers.after(limits.paperLiveReadMs, () => this.#round());
  }

  #gamesOf(venue: Venue): readonly string[] {
    const { venueA, venueB } = this.#parts;
    return (venue === 'venue_a' ? venueA.events : venueB.events).map(({ game }) => game.id);
  }

  /** Reads one market after the other, at the pace of the reader. */
  async #keepReading(venue: Venue): Promise<void> {
    const { real, house, due } = this.#sides[venue];
    for (const address of [...due]) {
      due.delete(address);
      if (this.#stopped) return;
      if (await real.refresh(address)) house.renew(address);
    }
    if (!this.#stopped) this.#parts.timers.after(limits.paperLiveDueMs, () => void this.#keepReading(venue));
  }
}

/** Returns an error in words if one of the markets cannot be listed, else null. */
async function allReady(venue: Venue, waits: readonly Promise<string | null>[]): Promise<Reply | null> {
  const why = (await Promise.all(waits)).find(it => it !== null);
  if (why === undefined) return null;
  const words = `live-paper: ${why}`;
  return jsonReply(503, { error: venue === 'venue_a' ? words : { code: 'service_unavailable', message: words } });
}
