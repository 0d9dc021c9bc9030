// The terms of an order in the words of either venue; prices in cents. Pure.

import type { PodOrders } from '../../core/generated/api-types.ts';
import { dollarsInCents, dollarsText } from './texts.ts';

interface OrderTerms {
  readonly market: string;
  readonly does: string;
  readonly price: string;
  readonly size: string;
  readonly filled: string;
}

export function termsOf({ order }: Pick<PodOrders['orders'][number], 'order'>): OrderTerms {
  const price = order.price == null ? 'market' : dollarsInCents(order.price);
  if ('tokenId' in order) {
    const { tokenId, side, size, amount, filledShares } = order;
    // The amount of a market order to buy is in dollars.
    const given = amount != null && side === 'BUY' ? dollarsText(amount) : (amount ?? '');
    return { market: tokenId, does: side, price, size: size ?? given, filled: filledShares ?? '0' };
  }
  const { ticker, side, action, size, filledCount } = order;
  return { market: ticker, does: `${action} ${side}`, price, size, filled: filledCount ?? '0' };
}
