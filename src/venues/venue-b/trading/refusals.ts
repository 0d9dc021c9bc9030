// Venue B's refusals (venue-b.md §7, contract §3): their words, and the meaning of the words. Four shapes of bodies are documented;
// gateways in front of the venue send arbitrary bodies. A refusal counts only if it contains the venue's own words. Pure.

import { isObject, parseJson, textOf } from '../../../core/domain/json.ts';
import type { VenueError } from '../../../core/domain/order.ts';
import { plainText } from '../../../core/domain/plain-text.ts';
import {
  HTTP_BAD_REQUEST,
  HTTP_FORBIDDEN,
  HTTP_REQUEST_TIMEOUT,
  HTTP_SERVER_ERROR,
  HTTP_TOO_MANY,
  HTTP_UNAUTHORIZED,
} from '../../../core/net/http-status.ts';
import type { OutboundAnswer, OutboundOutcome } from '../../../core/net/outbound.ts';
import { limits } from '../../../limits.ts';
import { retryAfterS } from '../../venue-json.ts';

export type RefusalMeaning =
  /** The client order id was used before. */
  | 'exists'
  /** A FOK order could not fill at once, or a post-only order would have taken. */
  | 'not-feasible'
  | 'insufficient-balance'
  /** The ticker is unknown, or the market takes no more orders. */
  | 'no-market'
  /** The venue does not accept an order of this form. */
  | 'invalid-order'
  /**
   * The venue does not take this order for now. Trading is paused for all, or the order's group has triggered or does not exist any more.
   */
  | 'paused'
  /** The timestamp was too old, or too far ahead, by the venue's clock. Nothing was done. */
  | 'expired'
  /** The venue's engine did not answer; it may have acted. */
  | 'unknown'
  /** The order is not in the book, but may have been there before. */
  | 'no-such-order'
  /** The order to be amended has filled at least the new total size. */
  | 'nothing-left'
  /** The venue refused for another known reason. Nothing was done. */
  | 'declined'
  /**
   * The location of the account's owner is not attested, so the venue takes no order in this market for now. Nothing was done. Other
   * markets are open.
   */
  | 'unattested'
  /** The reason is none of the above. */
  | 'other';

const MEANINGS: Readonly<Record<string, RefusalMeaning>> = {
  order_already_exists: 'exists',
  fill_or_kill_insufficient_resting_volume: 'not-feasible',
  fok_insufficient_volume: 'not-feasible',
  post_only_cross: 'not-feasible',
  insufficient_balance: 'insufficient-balance',
  insufficient_shard_balance: 'insufficient-balance',
  available_balance_too_low: 'insufficient-balance',
  market_not_found: 'no-market',
  market_closed: 'no-market',
  market_already_closed: 'no-market',
  market_inactive: 'no-market',
  invalid_price: 'invalid-order',
  invalid_order: 'invalid-order',
  invalid_order_size: 'invalid-order',
  bad_request: 'invalid-order',
  market_not_active: 'declined',
  self_cross_attempt: 'declined',
  exceeded_per_market_risk_limit: 'declined',
  exceeded_sell_position_floor: 'declined',
  trading_is_paused: 'paused',
  trading_paused: 'paused',
  exchange_is_paused: 'paused',
  exchange_paused: 'paused',
  exceeded_order_group_risk_limit: 'paused',
  order_group_not_found: 'paused',
  header_timestamp_expired: 'expired',
  exchange_unavailable: 'unknown',
  not_found: 'no-such-order',
  cannot_update_filled_order: 'no-such-order',
  invalid_amend_qty_for_order: 'nothing-left',
};

/**
 * The beginning of a code that ends with an id. It means that the market's shard does not know the account's owner, because no cash was
 * moved to that shard.
 */
const UNKNOWN_ON_SHARD = 'user_not_found';
/** The beginning of a code that is a whole sentence about the location. */
const UNATTESTED = 'your_location_attestation';
/**
 * The words of a 403 that say which right the key lacks. A 403 with other words refuses only the request, for example for a location that
 * is not attested.
 */
const OF_THE_KEY = /\bapi[ _]?key|scope|permission|sub-?account|authenticat|unauthori[sz]ed/;

/** Whether the venue refuses the account's credentials. A refusal because of differing clocks does not count. */
export function isCredentialsRefusal(status: number, words: VenueWords): boolean {
  if (status === HTTP_UNAUTHORIZED) return meaningOf(words) !== 'expired';
  return status === HTTP_FORBIDDEN && OF_THE_KEY.test(`${words.code} ${words.text.toLowerCase()}`);
}

/** Whether the venue has not processed the request because its timestamp was too old, or too far ahead. */
export function isTimestampExpired(outcome: OutboundOutcome): boolean {
  if (outcome.type !== 'answer' || outcome.status !== HTTP_UNAUTHORIZED) return false;
  const words = venueWordsOf(outcome.body);
  return words !== null && meaningOf(words) === 'expired';
}

/** Whether a refusal with this status is final. A server that fails or times out says nothing about what it did before. */
export function isRefusing(status: number): boolean {
  return status >= HTTP_BAD_REQUEST && status < HTTP_SERVER_ERROR && status !== HTTP_REQUEST_TIMEOUT;
}

export function meaningOf({ code, details }: VenueWords): RefusalMeaning {
  if (code === 'invalid_order' && details.includes('post only cross')) return 'not-feasible';
  if (code.startsWith(UNATTESTED)) return 'unattested';
  if (code.startsWith(UNKNOWN_ON_SHARD)) return 'insufficient-balance';
  return Object.hasOwn(MEANINGS, code) ? MEANINGS[code]! : 'other';
}

interface NotNow {
  readonly type: 'not-sent';
  readonly message: string;
  readonly retryAfterS: number;
}

const TOO_EARLY = 425;

/**
 * Returns the outcome of an answer that says that the venue has done nothing, for now. Its bucket is empty, its engine restarts, trading is
 * paused, or its clock differs from ours. A bare 503 does not count: by the venue's own documents its outcome is unknown. Returns null for
 * any other answer.
 */
export function unavailableNow(answer: OutboundAnswer, words: VenueWords | null): NotNow | null {
  const meaning = words === null ? 'other' : meaningOf(words);
  const later = (message: string, otherwiseS: number): NotNow => ({
    type: 'not-sent',
    message: words?.text ?? message,
    retryAfterS: retryAfterS(answer.headers, otherwiseS, limits.venueBRetryAfterMaxS),
  });
  if (answer.status === HTTP_TOO_MANY) return later('too many requests', 1);
  // If the engine itself says that it may have acted, that takes precedence.
  if (answer.status === TOO_EARLY && meaning !== 'unknown') return later('the engine restarts', limits.venueBPauseS);
  if (answer.status === HTTP_UNAUTHORIZED && meaning === 'expired') return later('the timestamp has expired', 1);
  return meaning === 'paused' ? later('trading is paused', limits.venueBPauseS) : null;
}

export interface VenueWords {
  /** The code in lower case. Empty if the shape of the body has no code. */
  readonly code: string;
  readonly details: string;
  /** The whole text, for people, cut to a bounded length. */
  readonly text: string;
  /** The words as the venue writes them, cut to a bounded length. */
  readonly venueError: VenueError;
}

/** Reads the venue's words from a body. Returns null if the body is in no shape of the venue. */
export function venueWordsOf(body: string): VenueWords | null {
  return wordsIn(parseJson(body));
}

/** Like `venueWordsOf`, for a parsed body or an item of a parsed body. */
export function wordsIn(parsed: unknown): VenueWords | null {
  if (!isObject(parsed)) return null;
  const { error } = parsed;
  if (isObject(error)) return wordsFrom(error.code, error.message, error.details);
  if (typeof error === 'string' && error !== '') return wordsFrom('', error, undefined);
  if (typeof parsed.code === 'string') return wordsFrom(parsed.code, parsed.message, parsed.details);
  return typeof parsed.msg === 'string' && parsed.msg !== '' ? wordsFrom('', parsed.msg, undefined) : null;
}

/**
 * Returns the message for an answer without an outcome. The venue's words are kept, because even a status of success may come with an
 * error.
 */
export function unreadableAnswer({ status, body }: Pick<OutboundAnswer, 'status' | 'body'>): string {
  const words = venueWordsOf(body);
  return words === null
    ? `venue B answered HTTP ${status} and nothing that can be read`
    : logText(`venue B answered HTTP ${status} with an error: ${words.text}`);
}

/** Returns the words as printable text on one line, no longer than a log line may be. */
export function logText(words: string): string {
  return plainText(words, limits.venueWordsMax);
}

function wordsFrom(code: unknown, message: unknown, details: unknown): VenueWords | null {
  const [name, said, more] = [textOf(code), textOf(message), textOf(details)];
  if (name === '' && said === '') return null;
  const isCodeSaid = said === '' || said.toLowerCase().replaceAll(' ', '_') === name.toLowerCase();
  const first = isCodeSaid ? said || name : name === '' ? said : `${name}: ${said}`;
  const withDetails = (words: string): string => logText(more === '' ? words : `${words} (${more})`);
  return {
    code: name.toLowerCase(),
    details: more.toLowerCase(),
    text: withDetails(first),
    venueError: { code: name === '' ? null : logText(name), message: withDetails(said || name) },
  };
}
