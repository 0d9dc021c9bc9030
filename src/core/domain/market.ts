// Terms of a venue market and its book: venue, address, side, state. Shared memory and hot paths use small numbers for them;
// clients see the names.

import type { MicroShares, Ticks } from './numbers.ts';

export const VENUES = ['venue_a', 'venue_b'] as const;
export type Venue = (typeof VENUES)[number];

/**
 * Returns the venue that a caller or an operator names. `VENUE_A` and `venue-a` name `venue_a`, too (docs/PROTOCOL.md, Names of venues).
 */
export function venueNamed<Name extends string>(text: string, venues: readonly Name[]): Name | undefined {
  return venues.find(it => it === text) ?? venues.find(it => it === text.toLowerCase().replace('-', '_'));
}

export function perVenue<T>(create: (venue: Venue) => T): Readonly<Record<Venue, T>> {
  return { venue_a: create('venue_a'), venue_b: create('venue_b') };
}

/** The name by which a client asks for a book (contract §8): `{venue, tokenId}` on venue A, `{venue, ticker}` on venue B. */
export type MarketKey =
  | { readonly venue: 'venue_a'; readonly tokenId: string }
  | { readonly venue: 'venue_b'; readonly ticker: string };

/** The address of a book within its venue: the token id or the ticker. */
export function marketAddress(key: MarketKey): string {
  return key.venue === 'venue_a' ? key.tokenId : key.ticker;
}

export function marketKey(venue: Venue, address: string): MarketKey {
  return venue === 'venue_a' ? { venue, tokenId: address } : { venue, ticker: address };
}

/** The index of a book within its venue's region of shared memory, 0 … booksPerVenueMax − 1. */
export type BookId = number & { readonly unit: 'book' };

export const BID = 0;
export const ASK = 1;
export type Side = typeof BID | typeof ASK;

export interface Level {
  readonly price: Ticks;
  /** A size is never 0: a level without size does not exist. */
  readonly size: MicroShares;
}

/** The index of a book of a market: the stored book (YES, or the first token) or the derived mirror (contract §8). */
export const PRIMARY = 0;
export const COMPLEMENT = 1;
export type View = typeof PRIMARY | typeof COMPLEMENT;

/** Codes of the taker's side; 0 means that the venue did not state the side. */
export const TAKER_UNKNOWN = 0;
export const TAKER_BUY = 1;
export const TAKER_SELL = 2;
export type TakerSide = typeof TAKER_UNKNOWN | typeof TAKER_BUY | typeof TAKER_SELL;

/** Returns the side of a trade in the frame of the other outcome. */
export function mirroredTaker(side: TakerSide): TakerSide {
  if (side === TAKER_UNKNOWN) return TAKER_UNKNOWN;
  return side === TAKER_BUY ? TAKER_SELL : TAKER_BUY;
}

/** States of a book, in the sequence of their codes in shared memory. */
export const BOOK_STATES = ['RESYNCING', 'LIVE', 'STALE', 'HALTED', 'CLOSED'] as const;
export type BookState = (typeof BOOK_STATES)[number];

/**
 * The reasons for the state of a book, in the sequence of their codes in shared memory. The reasons are part of the stream's contract
 * (docs/PROTOCOL.md).
 */
export const STATE_REASONS = [
  'OPENING',
  'SNAPSHOT',
  'RESUMED',
  'SILENCE',
  'DISCONNECTED',
  'SEQUENCE_GAP',
  'CROSSED',
  'UNREADABLE',
  'HASH_MISMATCH',
  'OFF_GRID',
  'NEGATIVE_SIZE',
  'TICK_SIZE_CHANGED',
  'VENUE_ERROR',
  'MARKET_PAUSED',
  'MARKET_CLOSED',
  'MARKET_RESOLVED',
  'UNSUBSCRIBED',
  'FEED_RESTARTED',
] as const;
export type StateReason = (typeof STATE_REASONS)[number];

// Market names, checked by their text alone: token ids (venues A, D and E) and tickers (venue B). limits.ts bounds their length.

/** The number of digits of the largest token id. A token id is a uint256 in decimal. */
export const TOKEN_ID_DIGITS_MAX = 78;

/** The form of a ticker: upper-case segments joined by `-` or `.` (interface §2.2). An order cannot name a ticker of another form. */
export const TICKER_PATTERN = /^[A-Z0-9]+([.-][A-Z0-9]+)*$/;

/** Whether a text can be a token id. Any other text is never looked up, sent to the venue or put into a path. */
export function isTokenId(text: string): boolean {
  return text.length <= TOKEN_ID_DIGITS_MAX && /^\d+$/.test(text);
}

/** Whether a token id is in canonical form: not zero, without leading zeros. */
export function isPlainTokenId(text: string): boolean {
  return isTokenId(text) && !text.startsWith('0');
}
