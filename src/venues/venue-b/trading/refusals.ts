// Meanings of venue B's refusals (venue-b.md §7, contract §3), by code. Codes with its engine's own names are in lower case, as they are
// compared. Pure.

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
  /** The client order id was used before. */
  | 'exists'
  /** FOK could not fill at once, or post-only would have taken. */
  | 'not-feasible'
  | 'insufficient-balance'
  /** The ticker is unknown, or the market takes no more orders. */
  | 'no-market'
  /** The venue does not take such an order. */
  | 'invalid-order'
  /** Trading is paused for all. */
  | 'paused'
  /** Its timestamp is too old, or too far ahead, by the venue's clock: nothing was done. */
  | 'expired'
  /** The engine did not answer: it may have acted. */
  | 'unknown'
  /** Not in the book, but it may have been there. */
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

/** Whether the venue rejects the account's credentials. Differing clocks do not count. */
export function isCredentialsRefusal(status: number, words: VenueWords): boolean {
  return status === HTTP_FORBIDDEN || (status === HTTP_UNAUTHORIZED && meaningOf(words) !== 'expired');
}

/** Whether the venue has not processed the request because its timestamp was too old, or too far ahead. */
export function isTimestampExpired(outcome: OutboundOutcome): boolean {
  if (outcome.type !== 'answer' || outcome.status !== HTTP_UNAUTHORIZED) return false;
  const words = venueWordsOf(outcome.body);
  return words !== null && meaningOf(words) === 'expired';
}

/** Whether a refusal with this status is final. A failing server says nothing about what it did before, nor does one that timed out. */
export function isRefusing(status: number): boolean {
  return status >= HTTP_BAD_REQUEST && status < HTTP_SERVER_ERROR && status !== HTTP_REQUEST_TIMEOUT;
}

export function meaningOf({ code, details }: VenueWords): RefusalMeaning {
  if (code === 'invalid_order' && details.includes('post only cross')) return 'not-feasible';
  return Object.hasOwn(MEANINGS, code) ? MEANINGS[code]! : 'other';
}
