// The port to one real venue with live-paper: its markets as they are listed here, and their results. Implementations are beside this
// file. Thread of the paper exchanges.

import type { Venue } from '../../core/domain/market.ts';
import type { UnixMillis } from '../../core/domain/numbers.ts';
import { HttpOutboundPool } from '../../core/net/outbound-pool.ts';
import type { Timers } from '../../core/runtime/timers.ts';
import { limits } from '../../limits.ts';
import { type JsonAnswer, MarketReadHttp } from '../../venues/market-read-http.ts';
import type { PaceTerms } from '../../venues/request-pace.ts';
import type { Catalog } from '../catalog/listings.ts';
import type { HouseMarket } from '../flow/market-maker.ts';

/** A market of the exchange, with its addresses at the venue. */
export interface LiveMarket {
  readonly addresses: readonly string[];
  readonly house: HouseMarket;
}

export interface LiveVenue {
  isListed(address: string): boolean;
  /** All markets of the exchange. */
  markets(): readonly LiveMarket[];
  /** Addresses of the markets that have no result here; one for each. */
  undecided(): readonly string[];
  /** Lists the market by the venue’s own description. Null: done, or the venue has no such market. A text: why not. */
  list(address: string): Promise<string | null>;
  /** Takes over what the venue has changed: rules, the end, the result. False: the rules are as they were. */
  refresh(address: string): Promise<boolean>;
  /** Drops markets that were over at that time. */
  forget(since: UnixMillis): void;
  close(): Promise<void>;
}

/** A venue that is switched off: what is left of it stands still. */
export function absentVenue(venue: Venue): LiveVenue {
  return {
    isListed: () => false,
    markets: () => [],
    undecided: () => [],
    list: () => Promise.resolve(`${venue} is switched off (CROSSBOOK_LIVE_PAPER_OFF)`),
    refresh: () => Promise.resolve(false),
    forget: () => {},
    close: () => Promise.resolve(),
  };
}

export interface LiveVenueParts<Exchange> {
  /** The base of the venue’s REST interface. */
  readonly url: string;
  readonly exchange: Exchange;
  readonly timers: Timers;
  /** Called with the listing before the market takes orders. */
  readonly onListed: (catalog: Catalog) => void;
}

const PACES: Readonly<Record<'venue_a' | 'venue_b', PaceTerms>> = {
  venue_a: { concurrentMax: limits.venueAReadsConcurrentMax, gapMs: limits.venueAReadsGapMs },
  venue_b: { concurrentMax: limits.venueBFactsInFlightMax, gapMs: limits.venueBFactsGapMs },
};

export function readerOf(venue: 'venue_a' | 'venue_b', url: string, timers: Timers): MarketReadHttp {
  const pace = PACES[venue];
  const outbound = new HttpOutboundPool({
    origin: new URL(url).origin,
    connectionsMax: pace.concurrentMax,
    idleMs: limits.orderConnectionIdleMs,
    answerBytesMax: limits.marketReadBodyBytesMax,
  });
  return new MarketReadHttp({ venue, url, pace, outbound, timers });
}

/** The value of an answer; null if there is none; a text says why it cannot be had. */
export function bodyOf(answer: Awaited<ReturnType<MarketReadHttp['find']>>): JsonAnswer['body'] | null | string {
  if (answer === null) return null;
  return answer.type === 'json' ? answer.body : answer.message;
}
