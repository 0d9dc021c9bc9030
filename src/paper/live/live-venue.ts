// The port to one real venue with live-paper: its markets as they are listed here, and their results. The implementations are beside this
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
  /** Returns one address of each market that has no result here yet. */
  undecided(): readonly string[];
  /**
   * Lists a market by the venue’s own description. Resolves with null if this is done, or if the venue has no such market. A text says why
   * the market cannot be listed.
   */
  list(address: string): Promise<string | null>;
  /** Adopts what the venue has changed: rules, the end, the result. Resolves with false if the rules are as before. */
  refresh(address: string): Promise<boolean>;
  /** Drops the markets that were over at that time. */
  forget(since: UnixMillis): void;
  close(): Promise<void>;
}

/** Makes a venue that is switched off. Markets of it that are left do not change. */
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
  /** Called with a listing before its market takes orders. */
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

/** Returns the value of an answer. Null means that the answer has none. A text says why there is no answer. */
export function bodyOf(answer: Awaited<ReturnType<MarketReadHttp['find']>>): JsonAnswer['body'] | null | string {
  if (answer === null) return null;
  return answer.type === 'json' ? answer.body : answer.message;
}
