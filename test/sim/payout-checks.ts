// A token that pays stays `redeemable` at venue A until its shares are redeemed, and a worthless token is closed (contract §5). The value
// that the venue reported last counts.

import { unattributedOf } from '../../src/orders/life/bookings.ts';
import { ACTORS } from './gateway.ts';
import type { Ended } from './invariants.ts';

export function redeemableFaults({ store, exchange, account: { podId, venue } }: Ended): string[] {
  // No list shows the token if the simulated venue has let the account sell more than it holds.
  const addressesHeld = exchange.addresses().filter(address => exchange.position(address) >= 0);
  return [...ACTORS, unattributedOf(podId)].flatMap(owner =>
    addressesHeld.flatMap(address => {
      const { size = 0, isRedeemable = false } = store.position(owner, venue, address) ?? {};
      const value = exchange.markets.payouts().get(address)?.value ?? 0;
      const isWon = venue === 'venue_a' && value > 0 && !exchange.markets.isOver(venue, address);
      const isRight = isRedeemable === (isWon && size !== 0);
      return isRight ? [] : [`${owner} holds ${size} of ${address}, redeemable: ${isRedeemable}, and it pays ${value}`];
    }),
  );
}
