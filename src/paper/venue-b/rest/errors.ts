// Refusals of venue B: four shapes of error bodies, and their codes (venue-b.md §2, §7). Recorded texts are exact. Where there is no
// recording, the code is the venue's name of the reason. Thread of the paper exchanges.

import { jsonReply, type Reply } from '../../../core/net/listen.ts';
import type { VenueBRefusal } from '../records.ts';

/** The error's object, in shape A and beside an item of a batch. */
interface ErrorObject {
  readonly code: string;
  readonly message: string;
  readonly details?: string;
}

export interface VenueBError {
  readonly status: number;
  readonly error: ErrorObject;
}

/** Shape A. The keys are in the order of the venue's own struct. */
export function errorReply({ status, error }: VenueBError): Reply {
  return jsonReply(status, { error });
}

/** Makes an error. Most messages are the code in words. */
export function errorOf(status: number, code: string, details?: string): VenueBError {
  const message = code.toLowerCase().replaceAll('_', ' ');
  return { status, error: details === undefined ? { code, message } : { code, message, details } };
}

/** Shape B, for a body that cannot be decoded. */
export function badRequest(details: string): Reply {
  return jsonReply(400, { code: 'bad_request', message: 'bad request', details });
}

/** Shape C, for an invalid query parameter. */
export function badParameter(msg: string): Reply {
  return jsonReply(400, { msg });
}

/** Shape D, for an empty bucket. */
export function tooManyRequests(): Reply {
  return jsonReply(429, { error: 'too many requests' });
}

export function invalidOrder(details: string): VenueBError {
  return errorOf(400, 'invalid_order', details);
}

export const NOT_FOUND = errorOf(404, 'not_found');

export const MARKET_NOT_FOUND = errorOf(404, 'market_not_found');

export const INSUFFICIENT_BALANCE = errorOf(400, 'insufficient_balance');

export const SCOPE_MISSING = errorOf(403, 'permission_denied');

export const OTHER_SUBACCOUNT = errorOf(
  403,
  'permission_denied',
  'this API key is restricted to a single sub-account and cannot access this endpoint',
);

const LOCATION =
  'Your location attestation for API trading is missing or expired. Please verify your location in the Kalshi app or website, and then retry.';

/** The error without an attested location. Its code is a whole sentence. */
export const UNATTESTED: VenueBError = {
  status: 403,
  error: { code: LOCATION.replaceAll(' ', '_'), message: LOCATION },
};

const REFUSALS: Readonly<Record<VenueBRefusal, VenueBError>> = {
  'insufficient-balance': INSUFFICIENT_BALANCE,
  'insufficient-shard-balance': errorOf(404, 'insufficient_shard_balance'),
  'invalid-price': errorOf(400, 'invalid_price'),
  'invalid-size': invalidOrder('invalid count'),
  'nothing-to-amend': errorOf(400, 'invalid_amend_qty_for_order'),
  'post-only-cross': invalidOrder('post only cross'),
  'fok-insufficient': errorOf(409, 'fill_or_kill_insufficient_resting_volume'),
  'order-exists': errorOf(409, 'order_already_exists'),
  'reduce-only-needs-ioc-or-fok': invalidOrder('reduce_only can only be used with IoC or FoK orders'),
  'nothing-to-reduce': invalidOrder('reduce_only order would not reduce a position'),
  'already-expired': invalidOrder('expiration_time must be in the future'),
  'market-paused': { status: 400, error: { code: 'MARKET_NOT_ACTIVE', message: 'market not active' } },
  'market-closed': errorOf(409, 'market_closed'),
  'trading-paused': errorOf(409, 'trading_is_paused'),
  'exchange-paused': errorOf(409, 'exchange_is_paused'),
  'group-not-found': errorOf(404, 'order_group_not_found'),
  'group-triggered': errorOf(409, 'exceeded_order_group_risk_limit'),
  'open-orders-max': errorOf(400, 'exceeded_open_orders_limit'),
  'not-found': NOT_FOUND,
  'ticker-mismatch': errorOf(400, 'order_ticker_mismatch'),
  'side-mismatch': errorOf(400, 'order_side_mismatch'),
  'client-order-id-mismatch': errorOf(400, 'order_id_and_client_order_id_mismatch'),
};

export function refusalError(refusal: VenueBRefusal): VenueBError {
  return REFUSALS[refusal];
}
