// Refusals of venue B: four shapes of error bodies and their codes (venue-b.md §2, §7). Recorded texts are exact; without a
// recording the code is the venue's name of the reason. Thread of the paper exchanges.

import { unreachable } from '../../../domain/result.ts';
import { jsonReply, type Reply } from '../../../net/listen.ts';
import type { VenueBRefusal } from '../exchange.ts';

/** The object in shape A, and beside an item of a batch. */
interface ErrorObject {
  readonly code: string;
  readonly message: string;
  readonly details?: string;
}

export interface VenueBError {
  readonly status: number;
  readonly error: ErrorObject;
}

/** Shape A. Keys in the order of the venue's own struct. */
export function errorReply({ status, error }: VenueBError): Reply {
  return jsonReply(status, { error });
}

/** Most messages are the code in words. */
export function errorOf(status: number, code: string, details?: string): VenueBError {
  const message = code.toLowerCase().replaceAll('_', ' ');
  return { status, error: details === undefined ? { code, message } : { code, message, details } };
}

/** Shape B: the body cannot be decoded. */
export function badRequest(details: string): Reply {
  return jsonReply(400, { code: 'bad_request', message: 'bad request', details });
}

/** Shape C: a query parameter is invalid. */
export function badParameter(msg: string): Reply {
  return jsonReply(400, { msg });
}

/** Shape D: the bucket is empty. */
export function tooManyRequests(): Reply {
  return jsonReply(429, { error: 'too many requests' });
}

export function invalidOrder(details: string): VenueBError {
  return errorOf(400, 'invalid_order', details);
}

export const NOT_FOUND = errorOf(404, 'not_found');
export const MARKET_NOT_FOUND = errorOf(404, 'market_not_found');
export const INSUFFICIENT_BALANCE = errorOf(400, 'insufficient_balance');

export const SIGNATURE_MISSING: VenueBError = {
  status: 401,
  error: { code: 'signature_is_missing_from_headers', message: 'signature is missing from headers' },
};
export const TIMESTAMP_EXPIRED = errorOf(401, 'header_timestamp_expired');

export function authenticationError(details: 'NOT_FOUND' | 'INCORRECT_API_KEY_SIGNATURE'): VenueBError {
  return { status: 401, error: { code: 'authentication_error', message: 'authentication_error', details } };
}

export const SCOPE_MISSING = errorOf(403, 'permission_denied');
export const OTHER_SUBACCOUNT = errorOf(
  403,
  'permission_denied',
  'this API key is restricted to a single sub-account and cannot access this endpoint',
);

export function refusalError(refusal: VenueBRefusal): VenueBError {
  switch (refusal) {
    case 'insufficient-balance':
      return INSUFFICIENT_BALANCE;
    case 'invalid-price':
      return errorOf(400, 'invalid_price');
    case 'invalid-size':
      return invalidOrder('invalid count');
    case 'post-only-cross':
      return invalidOrder('post only cross');
    case 'fok-insufficient':
      return errorOf(409, 'fill_or_kill_insufficient_resting_volume');
    case 'order-exists':
      return errorOf(409, 'order_already_exists');
    case 'reduce-only-needs-ioc-or-fok':
      return invalidOrder('reduce_only can only be used with IoC or FoK orders');
    case 'nothing-to-reduce':
      return invalidOrder('reduce_only order would not reduce a position');
    case 'already-expired':
      return invalidOrder('expiration_time must be in the future');
    case 'market-paused':
      return { status: 400, error: { code: 'MARKET_NOT_ACTIVE', message: 'market not active' } };
    case 'market-closed':
      return errorOf(409, 'market_closed');
    case 'trading-paused':
      return errorOf(409, 'trading_is_paused');
    case 'exchange-paused':
      return errorOf(409, 'exchange_is_paused');
    case 'group-not-found':
      return errorOf(404, 'order_group_not_found');
    case 'group-triggered':
      return errorOf(409, 'exceeded_order_group_risk_limit');
    case 'open-orders-max':
      return errorOf(400, 'exceeded_open_orders_limit');
    case 'not-found':
      return NOT_FOUND;
    case 'ticker-mismatch':
      return errorOf(400, 'order_ticker_mismatch');
    case 'side-mismatch':
      return errorOf(400, 'order_side_mismatch');
    case 'client-order-id-mismatch':
      return errorOf(400, 'order_id_and_client_order_id_mismatch');
    default:
      return unreachable(refusal);
  }
}
