// Subjects of books on core NATS (docs/RELAY.md). A publisher has a new id for each of its lives. So the messages of two lives, or of two
// publishers, are never taken for one stream. Any thread.

import type { Venue } from '../../core/domain/market.ts';

const ROOT = 'crossbook.books.v1';

/** A message each `PULSE_MS`; says that the publisher lives. */
export function pulseSubject(publisher: string): string {
  return `${ROOT}.pulse.${publisher}`;
}

/** The subject of the one message that a publisher ends. */
export function endSubject(publisher: string): string {
  return `${ROOT}.end.${publisher}`;
}

export const PULSES = pulseSubject('*');
export const ENDS = endSubject('*');

/** Messages of one market: RelayMessage. */
export function marketSubject(publisher: string, venue: Venue, address: string): string {
  return `${ROOT}.market.${publisher}.${venue}.${tokenOf(address)}`;
}

/** Requests to the publisher: ClientMessage of the stream, `subscribe` and `snapshot`. */
export function requestSubject(publisher: string): string {
  return `${ROOT}.request.${publisher}`;
}

/** Requests for a market's terms: Market, answered by TermsReply. */
export function termsSubject(publisher: string): string {
  return `${ROOT}.terms.${publisher}`;
}

/** The publisher that a pulse or an end is of. */
export function publisherOf(subject: string): string {
  return subject.slice(subject.lastIndexOf('.') + 1);
}

/** One token of a subject: NATS has a meaning for `.`, `*`, `>` and blanks. Tickers and token ids without a `.` stay as they are. */
function tokenOf(address: string): string {
  return encodeURIComponent(address).replace(/[.*!~'()]/g, it => `%${it.charCodeAt(0).toString(16).toUpperCase()}`);
}
