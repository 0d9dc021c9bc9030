// Events of an account that do not pass the gateway. Its owner trades by hand and moves shares, and markets close and pay.

import type { MicroShares, Ticks } from '../../src/core/domain/numbers.ts';
import type { Order } from '../../src/core/domain/order.ts';
import type { Intent, OrderRequest } from '../../src/core/domain/order-request.ts';
import { SHARE, type TrueOrder } from './true-order.ts';
import type { Wire } from './wire.ts';

export const ADDRESSES = { venue_a: ['1001', '1002'], venue_b: ['KXGAME-1', 'KXGAME-2'] } as const;
const BY_HAND = 'by-hand';
/** The time by which the gateway has heard of the last value. */
const AMENDED_MS = 60_000;

export function isByHand({ clientOrderId }: Pick<TrueOrder, 'clientOrderId'>): boolean {
  return clientOrderId.startsWith(BY_HAND);
}

export function planOutside(wire: Wire, withinMs: number, count: (what: string) => void): void {
  const { schedule } = wire;
  const { random } = schedule;
  for (let left = random.below(4); left > 0; left -= 1)
    schedule.after(random.below(withinMs), () => {
      if (random.happens(1)) tradeByHand(wire, `${BY_HAND}-${left}`, count);
    });
  if (wire.venue === 'venue_a' && random.chance(0.08))
    schedule.after(random.below(withinMs), () => {
      if (random.happens(1)) transferByHand(wire, count);
    });
  // At venue A the payout comes early enough for a redeem while everything goes wrong.
  const isA = wire.venue === 'venue_a';
  if (random.chance(isA ? 0.6 : 0.2))
    schedule.after(withinMs / (isA ? 8 : 2) + random.below(withinMs / 2), () => {
      if (random.happens(1)) settle(wire, count);
    });
}

function tradeByHand({ exchange, schedule, venue }: Wire, clientOrderId: string, count: (what: string) => void): void {
  const { random } = schedule;
  const address = random.pick(ADDRESSES[venue]);
  const size = ((1 + random.below(5)) * SHARE) as MicroShares;
  const price = (4_000 + 100 * random.below(20)) as Ticks;
  const request: OrderRequest =
    venue === 'venue_b'
      ? {
          ...{ venue, ticker: address, side: random.pick(['YES', 'NO']), action: 'BUY', size, price },
          timeInForce: random.pick(['GTC', 'IOC']),
        }
      : { venue, tokenId: address, type: 'LIMIT', side: 'BUY', size, price, postOnly: false, timeInForce: 'GTC' };
  const intent: Intent = { payload: new TextEncoder().encode('alone'), venueOrderId: null, clientOrderId };
  const outcome = exchange.arrive({ request } as Order, intent);
  count(`by hand: ${outcome.type}`);
  const order = exchange.orders.get(clientOrderId);
  // A resting order is cancelled before the end.
  if (order !== undefined) schedule.after(random.below(30_000), () => exchange.cancel(order.venueOrderId));
}

/** Shares split from dollars, merged, or moved between wallets: no trade shows them. */
function transferByHand({ exchange, schedule: { random }, venue }: Wire, count: (what: string) => void): void {
  const address = random.pick(ADDRESSES[venue]);
  const size = (1 + random.below(5)) * SHARE;
  const held = Math.max(0, exchange.position(address));
  const isOut = held > 0 && random.chance(0.5);
  exchange.transfer(address, isOut ? -Math.min(held, size) : size);
  count('transferred');
}

function settle({ exchange, schedule, venue }: Wire, count: (what: string) => void): void {
  const { random } = schedule;
  const address = random.pick(ADDRESSES[venue]);
  const value = random.pick([0, 5_000, 10_000]) as Ticks;
  const isRedeemed = random.chance(0.5);
  exchange.close(address);
  count('market closed');
  schedule.after(random.below(5_000), () => {
    exchange.pay(address, value);
    if (venue === 'venue_b' || value === 0) return;
    // The list may show the value of the shares, and the value may change until the shares are redeemed.
    const isAmended = random.chance(0.5);
    if (isAmended) {
      exchange.markets.mayChange.add(address);
      schedule.after(random.below(20_000), () => {
        exchange.markets.mayChange.delete(address);
        if (!random.happens(1)) return;
        count('payout amended');
        exchange.pay(address, random.pick([0, 5_000, 10_000]) as Ticks);
      });
    }
    if (isRedeemed)
      schedule.after((isAmended ? AMENDED_MS : 0) + random.below(20_000), () => {
        const isWorthless = exchange.markets.payouts().get(address)?.value === 0;
        // A redeem elsewhere hides the wallet's own action.
        const isUsed = exchange.moves.some(it => it.address === address);
        if (exchange.position(address) <= 0 || isWorthless || isUsed) return;
        count('redeemed');
        exchange.markets.redeem(address);
      });
  });
}
