// The books that the simulated gateway sees: a price by market and time, and now and then a state other than LIVE. The collar of alice
// counts from this price.

import { type ActorLimits, NO_LIMITS } from '../../src/core/domain/identity.ts';
import type { Ticks, UnixMillis } from '../../src/core/domain/numbers.ts';
import type { Order } from '../../src/core/domain/order.ts';
import type { OrderRequest } from '../../src/core/domain/order-request.ts';
import { type BestOf, type MarketPrices, NO_PRICES } from '../../src/core/domain/position.ts';
import type { Timers } from '../../src/core/runtime/timers.ts';
import type { Ledger } from '../../src/orders/life/ledger.ts';
import type { SubmitParts } from '../../src/orders/life/submission.ts';
import { TICK } from './exchange.ts';
import { openExposure } from './exposure.ts';
import type { Ended } from './invariants.ts';

/** The time for which a book stays as it is. */
const STILL_MS = 7_000;
const CENT = 100;
const COLLAR_TICKS = 60;

/** The key of an order that the rig itself records, past all limits. */
export const UNSENT_KEY = 'unsent';

export const COLLARED: ActorLimits = { ...NO_LIMITS, collarTicks: COLLAR_TICKS };

/** Returns the parts that a gateway needs for limits that depend on price and holdings. */
export function limitParts(
  ledger: Ledger,
  timers: Timers,
): Pick<SubmitParts, 'ledger' | 'timers' | 'bestOf' | 'stopProblem' | 'exposure'> {
  const bestOf: BestOf = (_venue, address, isAsk) => pricesAt(address, timers.now())[isAsk ? 'ask' : 'bid'];
  const exposure = openExposure(ledger.store, ['alice', 'bob']);
  return { ledger, timers, bestOf, stopProblem: () => null, exposure };
}

function pricesAt(address: string, at: UnixMillis): MarketPrices {
  const step = Math.floor(at / STILL_MS) + address.length + address.charCodeAt(0);
  if (step % 9 === 0) return NO_PRICES;
  const bid = 4_300 + CENT * ((step * 7) % 10);
  return { bid: bid as Ticks, ask: (bid + 2 * CENT) as Ticks, lastTrade: null };
}

/** Checks that no order of alice is sent beyond her collar, and that only such an order is refused for it, for good. */
export function collarFaults({ store, wipes, regressed }: Ended): string[] {
  return store.allOrders().flatMap(({ order, intent }) => {
    const { orderId, actorId, idempotencyKey, request, status, error, sentAt, updatedAt, replaces } = order;
    if (!('price' in request) || idempotencyKey === UNSENT_KEY) return [];
    const isFound = wipes > 0 || regressed.has(orderId);
    const isSent = actorId === 'alice' && intent !== null && !isFound;
    const faults: string[] = [];
    const isSecondHalf = replaces !== null && request.venue === 'venue_a' && sentAt !== null;
    const prices = isSecondHalf ? [pricesAt(request.tokenId, sentAt)] : seen(order, sentAt ?? updatedAt);
    if (isSent && !prices.some(it => isWithin(request, it)))
      faults.push(`${orderId} of alice is beyond her collar, and was to be sent`);
    if (error?.message?.includes('collar') === true) {
      const isBeyond = seen(order, updatedAt).some(prices => !isWithin(request, prices));
      // The second half of a replace finds no price.
      const isUnpriced = replaces !== null && seen(order, updatedAt).includes(NO_PRICES);
      const isForIt = error.code === 'NOT_FEASIBLE' || (error.code === 'UNKNOWN' && isUnpriced);
      const isRight = actorId === 'alice' && isBeyond && status === 'REJECTED' && isForIt;
      if (!isRight) faults.push(`${orderId} (${status}) was refused for the collar`);
    }
    return faults;
  });
}

/** Returns the prices since the order's first request. */
function seen({ request, createdAt }: Order, until: UnixMillis): MarketPrices[] {
  const address = request.venue === 'venue_a' ? request.tokenId : request.ticker;
  const all = [pricesAt(address, until)];
  for (let at: number = createdAt; at < until; at += STILL_MS) all.push(pricesAt(address, at as UnixMillis));
  return all;
}

/** Returns whether the price is within the collar, in terms of YES: to buy NO is to sell YES. */
function isWithin(request: Extract<OrderRequest, { readonly price: Ticks }>, { bid, ask }: MarketPrices): boolean {
  if (bid === null || ask === null) return false;
  const room = COLLAR_TICKS * TICK;
  if (request.venue === 'venue_a') {
    return request.side === 'BUY' ? request.price <= ask + room : request.price >= bid - room;
  }
  const yes = request.side === 'YES' ? request.price : 10_000 - request.price;
  return (request.side === 'YES') === (request.action === 'BUY') ? yes <= ask + room : yes >= bid - room;
}
