// What venue B's refusals mean to us (venue-b.md §7, contract §3): a table by code. Codes of its engine's own names are here in
// lower case, as they are compared. Pure.

import {
  HTTP_BAD_REQUEST,
  HTTP_FORBIDDEN,
  HTTP_REQUEST_TIMEOUT,
  HTTP_SERVER_ERROR,
  HTTP_UNAUTHORIZED,
} from '../../../net/http-status.ts';
import type { OutboundOutcome } from '../../../net/outbound.ts';
import { type VenueWords, venueWordsOf } from './venue-words.ts';

export type RefusalMeaning =
  /** The client order id has been used. */
  | 'exists'
  /** Filled at once or not at all, and it was not; or it would have taken where it must not. */
  | 'not-feasible'
  | 'insufficient-balance'
  /** The ticker is unknown, or the market takes no orders any more. */
  | 'no-market'
  /** The order itself is not one that the venue takes. */
  | 'invalid-order'
  /** Nobody may trade for now. */
  | 'paused'
  /** Its timestamp is too old, or too far ahead, by the venue's clock: nothing was done. */
  | 'expired'
  /** The engine cannot be asked: it may have acted. */
  | 'unknown'
  /** In the book: it may have been there. */
  | 'no-such-order'
  /** Any other reason. */
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
  trading_is_paused: 'paused',
  trading_paused: 'paused',
  exchange_is_paused: 'paused',
  exchange_paused: 'paused',
  header_timestamp_expired: 'expired',
  exchange_unavailable: 'unknown',
  not_found: 'no-such-order',
  cannot_update_filled_order: 'no-such-order',
};

/** The account's credentials are not taken. Clocks that differ say nothing of them. */
export function isCredentialsRefusal(status: number, words: VenueWords): boolean {
  return status === HTTP_FORBIDDEN || (status === HTTP_UNAUTHORIZED && meaningOf(words) !== 'expired');
}

/** Whether the venue has not processed the request since its timestamp was too old, or too far ahead. */
export function isTimestampExpired(outcome: OutboundOutcome): boolean {
  if (outcome.type !== 'answer' || outcome.status !== HTTP_UNAUTHORIZED) return false;
  const words = venueWordsOf(outcome.body);
  return words !== null && meaningOf(words) === 'expired';
}

/** Whether a refusal with it can be believed. A server that fails says nothing of what it did before, nor does one that waited in vain. */
export function isRefusing(status: number): boolean {
  return status >= HTTP_BAD_REQUEST && status < HTTP_SERVER_ERROR && status !== HTTP_REQUEST_TIMEOUT;
}

export function meaningOf({ code, details }: VenueWords): RefusalMeaning {
  if (code === 'invalid_order' && details.includes('post only cross')) return 'not-feasible';
  return Object.hasOwn(MEANINGS, code) ? MEANINGS[code]! : 'other';
}
