// One gateway process's questions about its account's holdings and payouts, as the adapters ask them. The adapters poll lists, which lag.
// Venue A's adapter reports a value once in the life of a process (venue-a/trading/holdings.ts). Venue B's adapter reports everything on
// the list.

import type { MicroShares, Ticks } from '../../src/core/domain/numbers.ts';
import { fail, ok, type Result } from '../../src/core/domain/result.ts';
import type { PrivateEvent, VenueTrading } from '../../src/venues/venue.ts';
import type { Schedule } from './schedule.ts';
import type { Wire } from './wire.ts';

const POLL_MS = 10_000;
/** The Data API is seconds to minutes behind (venue-a.md §8). */
const LAG_MS = 120_000;

export interface PayoutPort extends Pick<VenueTrading, 'positions' | 'holding' | 'payoutOf'> {
  /** Tells the events until the process ends. */
  watch(tell: (event: PrivateEvent) => void): void;
}

export function payoutPort(wire: Wire, schedule: Schedule, isAlive: () => boolean): PayoutPort {
  const { exchange, venue } = wire;
  const asked = <T>(read: () => T): Promise<Result<T, string>> => {
    const isLost = wire.chance(0.1);
    const [thereMs, backMs] = [wire.delayMs(), wire.delayMs()];
    return new Promise(resolve => {
      schedule.after(thereMs, () => {
        const value = read();
        schedule.after(backMs, () => isAlive() && resolve(isLost ? fail('no answer') : ok(value)));
      });
    });
  };
  const paid = (): readonly (readonly [string, Ticks])[] =>
    [...exchange.markets.payouts()]
      .filter(([address, { wasHeld }]) => (venue === 'venue_b' ? wasHeld : exchange.position(address) > 0))
      .map(([address, { value }]) => [address, value] as const);
  return {
    positions: () =>
      asked(() => {
        const asOf = schedule.now() - (venue === 'venue_a' && wire.chance(0.3) ? schedule.random.below(LAG_MS) : 0);
        const rows = exchange.addresses().flatMap(address => {
          const size = exchange.position(address, asOf) as MicroShares;
          return size === 0 ? [] : [{ address, size, isRedeemable: exchange.markets.payouts().has(address) }];
        });
        return { rows, unread: [] };
      }),
    holding: address => asked(() => exchange.position(address) as MicroShares),
    payoutOf: address => asked(() => exchange.markets.payouts().get(address)?.value ?? null),
    watch: tell => {
      const reported = new Map<string, Ticks>();
      const poll = async (): Promise<void> => {
        if (!isAlive()) return;
        const read = await asked(paid);
        if (!isAlive()) return;
        for (const [address, value] of read.ok ? read.value : [])
          if (venue === 'venue_b' || reported.get(address) !== value) {
            reported.set(address, value);
            tell({ type: 'settled', address, value, at: schedule.now() });
          }
        if (read.ok && venue === 'venue_a')
          tell({ type: 'redeemable', addresses: read.value.map(([address]) => address) });
        schedule.after(POLL_MS, () => void poll());
      };
      schedule.after(wire.delayMs(), () => void poll());
    },
  };
}
