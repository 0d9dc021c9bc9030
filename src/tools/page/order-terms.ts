// The terms of an order in the words of either venue; prices in cents. Pure.

import type { PodEvents, PodOrders, PodPositions } from '../../core/generated/api-types.ts';
import { dollarsInCents, dollarsText, sharesText } from './texts.ts';

interface OrderTerms {
  readonly market: string;
  readonly does: string;
  readonly price: string;
  readonly size: string;
  readonly filled: string;
}

/** The token id or ticker. */
export function eventMarket(event: PodEvents['events'][number]): string {
  return event.event === 'ACTION' ? event.action.tokenId : termsOf(event).market;
}

/** The token id or ticker. */
export function positionMarket({ position }: PodPositions['positions'][number]): string {
  return 'tokenId' in position ? position.tokenId : position.ticker;
}

export function termsOf({ order }: Pick<PodOrders['orders'][number], 'order'>): OrderTerms {
  const price = order.price == null ? 'market' : dollarsInCents(order.price);
  if ('tokenId' in order) {
    const { tokenId, side, size, amount, filledShares } = order;
    // The amount of a market order to buy is in dollars.
    const given = amount != null && side === 'BUY' ? dollarsText(amount) : sharesText(amount ?? '0');
    return {
      market: tokenId,
      does: side,
      price,
      size: size == null ? given : sharesText(size),
      filled: filledShares ?? '0',
    };
  }
  const { ticker, side, action, size, filledCount } = order;
  return { market: ticker, does: `${action} ${side}`, price, size: sharesText(size), filled: filledCount ?? '0' };
}
