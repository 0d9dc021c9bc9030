// Puts an alarm about an order into words: its terms and trades, and the market by its title. A title is text from strangers. So its length
// is bounded, and it stands last, where it cannot imitate words of ours that follow. Main thread.

import type { AlarmOrder } from '../../core/alerts/alarm-request.ts';
import type { Venue } from '../../core/domain/market.ts';
import { formatMicroDollars, formatMicroShares, formatTicks } from '../../core/domain/numbers.ts';
import { addressOf } from '../../core/domain/order-frame.ts';
import type { ShownRequest } from '../../core/domain/order-request.ts';
import { plainText } from '../../core/domain/plain-text.ts';
import { averageText } from '../../core/wire/order-views.ts';
import type { OpenOrder } from '../../orders/engine/engine-messages.ts';

/** Returns null if the catalog does not know the market. */
export type TitleOf = (venue: Venue, address: string) => Pick<AlarmOrder, 'title' | 'outcome'> | null;

const TITLE_CHARACTERS_MAX = 80;
const OUTCOME_CHARACTERS_MAX = 40;
/** The longest address that is shown whole. A token of venue A has 77 digits, which no person reads. */
const ADDRESS_CHARACTERS_MAX = 40;

export function alarmOrderOf(order: OpenOrder, titleOf: TitleOf): AlarmOrder {
  const { actorId, orderId, status, traded, cost, request } = order;
  const { venue } = request;
  const market = addressOf(request);
  const { title, outcome } = titleOf(venue, market) ?? { title: null, outcome: null };
  return {
    actorId,
    orderId,
    venue,
    market,
    title: title === null ? null : plainText(title, TITLE_CHARACTERS_MAX),
    outcome: outcome === null ? null : plainText(outcome, OUTCOME_CHARACTERS_MAX),
    ...termsOf(request),
    status,
    filled: formatMicroShares(traded),
    averagePrice: traded === 0 ? null : averageText(cost, traded),
  };
}

function termsOf(request: ShownRequest): Pick<AlarmOrder, 'side' | 'action' | 'size' | 'amountUsd' | 'price'> {
  const isOfB = request.venue === 'venue_b';
  const price = isOfB || request.type === 'LIMIT' ? request.price : request.worstPrice;
  return {
    side: request.side,
    action: isOfB ? request.action : null,
    size: 'size' in request ? formatMicroShares(request.size) : null,
    amountUsd: 'dollars' in request ? formatMicroDollars(request.dollars) : null,
    price: price === null ? null : formatTicks(price),
  };
}

/** The alarm as one line. `text` tells what has happened to the order. */
export function orderLine(order: AlarmOrder, text: string): string {
  const { actorId, venue, market, title, outcome, side, action, size, amountUsd, price } = order;
  const what = [action, side, size ?? `$${amountUsd}`, price === null ? null : `at ${price}`].filter(it => it !== null);
  const isLong = market.length > ADDRESS_CHARACTERS_MAX;
  const where = `${venue} ${isLong ? `${market.slice(0, 8)}…${market.slice(-8)}` : market}`;
  return `${actorId}: ${what.join(' ')}, ${text}. ${where}${title === null ? '' : `: ${title}, ${outcome}`}`;
}
