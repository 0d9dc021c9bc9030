// The meaning of venue A's words about an order (venue-a.md §3.1). Only the text distinguishes the venue's refusals; the same text comes
// with different statuses. The first part that matches decides. Pure.

import type { ApiErrorKind } from '../../../core/domain/answer.ts';
import type { OrderErrorCode } from '../../../core/domain/order.ts';
import { HTTP_BAD_REQUEST, HTTP_SERVER_ERROR, isSuccess } from '../../../core/net/http-status.ts';

type Verdict =
  | { readonly type: 'refused'; readonly kind: ApiErrorKind; readonly code: OrderErrorCode }
  /** The venue has this very order already. */
  | { readonly type: 'exists' }
  /** The order was accepted, matched nothing, and was killed. This is the regular end of FOK and FAK. */
  | { readonly type: 'killed' }
  /** The venue refuses all orders for now, or all orders of this market, and did nothing. */
  | { readonly type: 'not-now'; readonly isOfMarket?: true }
  /** The order may have had an effect. */
  | { readonly type: 'unknown' };

const invalidOrder = refused('invalid', 'INVALID_ORDER');
const notFeasible = refused('invalid', 'NOT_FEASIBLE');
const venueRejected = refused('invalid', 'VENUE_REJECTED');
/** The market takes no orders any more, or does not exist (contract §3). */
const noMarket = refused('notFound', 'VENUE_REJECTED');
const credentials = refused('fault', 'CREDENTIALS_INVALID');

/** The verdict for each text, which is in lower case. */
const VERDICTS: readonly (readonly [part: string, verdict: Verdict])[] = [
  ['duplicated', { type: 'exists' }],
  ['trading is currently disabled', { type: 'not-now' }],
  ['trading is currently cancel-only', { type: 'not-now' }],
  ['post-only mode', { type: 'not-now' }],
  ['post_only_mode', { type: 'not-now' }],
  ['too many requests', { type: 'not-now' }],
  ['order_version_mismatch', refused('fault', 'VENUE_REJECTED')],
  ['no orders found to match with fak', { type: 'killed' }],
  ["couldn't be fully filled", notFeasible],
  ['crosses the book', notFeasible],
  ['crosses book', notFeasible],
  ['post-only order', notFeasible],
  ['not enough balance', refused('insufficientBalance', 'VENUE_REJECTED')],
  ['breaks minimum tick size', invalidOrder],
  ['lower than the minimum', invalidOrder],
  ['invalid amount', invalidOrder],
  ['invalid expiration', invalidOrder],
  ['invalid nonce', invalidOrder],
  ['invalid order payload', refused('fault', 'INVALID_ORDER')],
  ['owner of the api key', credentials],
  ['address of the api key', credentials],
  ['invalid signature', credentials],
  ['invalid api key', credentials],
  ['unauthorized', credentials],
  ['maker address not allowed', credentials],
  ['address banned', refused('fault', 'VENUE_REJECTED')],
  ['closed only mode', venueRejected],
  ['canceled in the ctf exchange', venueRejected],
  // The market takes no orders yet, for now, or any more: its description says which.
  ['not yet ready to process', { type: 'not-now', isOfMarket: true }],
  // The order may be held back, or may not exist.
  ['order match delayed', { type: 'unknown' }],
  ['could not insert order', { type: 'unknown' }],
  ['there are no matching orders', { type: 'unknown' }],
  ['fok orders are filled or killed', { type: 'unknown' }],
  ['rounding issues', { type: 'unknown' }],
  ['discrepancy greater than allowed', { type: 'unknown' }],
  [' does not exist', noMarket],
  [' not found', noMarket],
];

const BY_STATUS: ReadonlyMap<number, Verdict> = new Map<number, Verdict>([
  [401, credentials],
  // The account may not trade from this location, or may not trade at all.
  [403, refused('fault', 'VENUE_REJECTED')],
  // The exchange itself would name the missing object. A gateway in between does not know whether the order had an effect.
  [404, { type: 'unknown' }],
  [408, { type: 'unknown' }],
  [413, refused('fault', 'INVALID_ORDER')],
  [425, { type: 'not-now' }],
  [429, { type: 'not-now' }],
]);

/** Returns the verdict on an answer that does not accept the order. A failure of the server is never a refusal, regardless of its text. */
export function verdictOn(status: number, words: string): Verdict {
  const text = words.toLowerCase();
  const known = VERDICTS.find(([part]) => text.includes(part))?.[1];
  if (status >= HTTP_SERVER_ERROR)
    return known?.type === 'not-now' || known?.type === 'exists' ? known : { type: 'unknown' };
  if (known !== undefined) return known;
  const ofStatus = BY_STATUS.get(status);
  if (ofStatus !== undefined) return ofStatus;
  const isRefusal = isSuccess(status) || (status >= HTTP_BAD_REQUEST && status < HTTP_SERVER_ERROR);
  return isRefusal ? venueRejected : { type: 'unknown' };
}

function refused(kind: ApiErrorKind, code: OrderErrorCode): Verdict {
  return { type: 'refused', kind, code };
}
