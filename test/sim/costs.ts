// Costs and earnings of orders and holdings, beside the trades and payouts of the venue.

import { type Fraction, fraction, negative, plus, roundHalfEven, times } from '../../src/core/domain/fraction.ts';
import { TICKS_PER_DOLLAR, type UnixMillis } from '../../src/core/domain/numbers.ts';
import { priceInFrame } from '../../src/core/domain/order-frame.ts';
import { traded } from '../../src/core/domain/order-sums.ts';
import { noPosition, type Position } from '../../src/core/domain/position.ts';
import { unattributedOf } from '../../src/orders/life/bookings.ts';
import type { VenueFill } from '../../src/venues/venue.ts';
import type { Exchange } from './exchange.ts';
import { ACTORS } from './gateway.ts';
import type { Ended } from './invariants.ts';

export function costFaults(ended: Ended): string[] {
  return [...costsAgree(ended), ...profitsAgree(ended)];
}

/** Checks that the cost and the fees of an order are those of its trades. */
function costsAgree({ store, exchange }: Ended): string[] {
  const standing = standingIn(exchange);
  return store.allOrders().flatMap(({ order }) => {
    const trades = store.fills(order.orderId, 0, Number.MAX_SAFE_INTEGER).flatMap(it => standing.get(it.fillId) ?? []);
    const { cost, fees } = traded(order);
    const paid = trades.reduce(
      (sum, { size, addressPrice }) => sum + BigInt(size) * BigInt(priceInFrame(order.request, addressPrice)),
      0n,
    );
    const charged = trades.reduce((sum, { fee }) => sum + fee, 0);
    const isRight = cost === paid && fees === charged;
    return isRight ? [] : [`order ${order.orderId} has cost ${cost} and ${fees}, there ${paid} and ${charged}`];
  });
}

const NOTHING = { cost: 0n, fees: 0, size: 0 };

/**
 * Checks that the profit of a holding is that of its trades and its payout, up to the rounding of its cost. The rest counts as worthless.
 */
function profitsAgree({ store, exchange, account: { podId, venue }, haveActionsLost, wallet }: Ended): string[] {
  const { markets } = exchange;
  const standing = standingIn(exchange);
  const spent = new Map<string, { readonly cost: bigint; readonly fees: number; readonly size: number }>();
  for (const { fill, orderId } of store.allFills()) {
    const trade = standing.get(fill.fillId);
    if (trade === undefined) continue;
    const owner = orderId === null ? unattributedOf(podId) : store.order(orderId)!.order.actorId;
    const { cost, fees, size } = spent.get(`${owner} ${trade.address}`) ?? NOTHING;
    const paid = BigInt(trade.positionChange) * BigInt(trade.addressPrice);
    const sum = { cost: cost + paid, fees: fees + trade.fee, size: size + trade.positionChange };
    spent.set(`${owner} ${trade.address}`, sum);
  }
  if (haveActionsLost && wallet.executed.length > 0) return [];
  for (const { status, kind, tokenId, complementId, shares, actorId } of store.allActions()) {
    if (status !== 'CONFIRMED' || kind === 'REDEEM') continue;
    const change = kind === 'SPLIT' ? shares : -shares;
    for (const address of [tokenId, complementId]) {
      const { cost, fees, size } = spent.get(`${actorId} ${address}`) ?? NOTHING;
      const paid = BigInt(change) * BigInt(TICKS_PER_DOLLAR / 2);
      spent.set(`${actorId} ${address}`, { cost: cost + paid, fees, size: size + change });
    }
  }
  return [...ACTORS, unattributedOf(podId)].flatMap(owner =>
    exchange.addresses().flatMap(address => {
      const { cost, fees, size } = spent.get(`${owner} ${address}`) ?? NOTHING;
      const position = store.position(owner, venue, address) ?? noPosition(venue, address, 0 as UnixMillis);
      const gone = BigInt(size - position.size);
      const offFor = (value: number) => plus(profitIfWorthless(position), fraction(cost - BigInt(value) * gone));
      const off = offFor(markets.payouts().get(address)?.value ?? 0);
      // No list shows an amended value of shares that have left the account, so that an earlier value may count.
      const hasLeft = !markets.isOver(venue, address) && exchange.position(address) <= 0;
      const mayBe = hasLeft ? [...markets.values(address)].map(offFor) : [];
      // The cost of shares that came without a trade is not known.
      const isUnknown = owner === unattributedOf(podId) && exchange.wasMoved(address);
      const isRight = ([off, ...mayBe].some(it => roundHalfEven(it) === 0n) || isUnknown) && position.fees === fees;
      const words = `${owner} ${address}: ${off.numerator}/${off.denominator} too much, ${position.fees} charged`;
      return isRight ? [] : [words];
    }),
  );
}

/** Returns the profit if the rest is worth nothing. NO of a market whose YES is worth nothing pays a dollar. */
function profitIfWorthless({ size, average, realized }: Position): Fraction {
  const worth = fraction(BigInt(TICKS_PER_DOLLAR) * BigInt(Math.max(0, -size)));
  return plus(plus(realized, worth), negative(times(average, fraction(BigInt(Math.abs(size))))));
}

/** Returns the trades that have not failed. */
function standingIn(exchange: Exchange): ReadonlyMap<string, VenueFill> {
  const standing = exchange.fills.filter(({ settlement }) => settlement !== 'FAILED');
  return new Map(standing.map(({ fill }) => [fill.fillId, fill]));
}
