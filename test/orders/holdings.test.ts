// Whether an actor may sell, and how large its position may become, by running sums: beside a twin that reads every order.

import fc from 'fast-check';
import { expect, it } from 'vitest';
import { uniformGrid } from '../../src/domain/grid.ts';
import { NO_LIMITS } from '../../src/domain/identity.ts';
import type { MicroDollars, MicroShares, Ticks, UnixMillis } from '../../src/domain/numbers.ts';
import { ORDER_STATUSES, type Order } from '../../src/domain/order.ts';
import type { OrderRequest } from '../../src/domain/order-request.ts';
import { noPosition } from '../../src/domain/position.ts';
import { limits } from '../../src/limits.ts';
import { limitProblem } from '../../src/orders/actor-limits.ts';
import { holdingProblem } from '../../src/orders/holdings.ts';
import { orderIdOf, storedOrder } from '../store/orders/order-rig.ts';
import { MemoryLedger } from '../support/memory-ledger.ts';
import { NaiveRiskChecks } from '../support/naive-risk-checks.ts';

const NOW = 1_790_000_000_000 as UnixMillis;
const ACTORS = ['alice', 'bob'] as const;
const TOKENS = ['7', '8'] as const;
const amount = fc.oneof(
  fc.integer({ min: 0, max: 30 }).map(it => it * 1_000_000),
  fc.integer({ min: 0, max: 300_000 }),
);
const limit = { type: 'LIMIT', price: 5_000 as Ticks, postOnly: false, timeInForce: 'GTC' } as const;
const market = { type: 'MARKET', worstPrice: null } as const;
const request = fc
  .record({
    tokenId: fc.constantFrom(...TOKENS),
    size: amount,
    kind: fc.constantFrom('buy', 'sell', 'spend', 'sell at once' as const),
    timeInForce: fc.constantFrom('FOK', 'FAK' as const),
  })
  .map(({ tokenId, size, kind, timeInForce }): OrderRequest => {
    const names = { venue: 'venue_a', tokenId } as const;
    const shares = { size: size as MicroShares };
    if (kind === 'buy') return { ...names, ...limit, side: 'BUY', ...shares };
    if (kind === 'sell') return { ...names, ...limit, side: 'SELL', ...shares };
    if (kind === 'spend') return { ...names, ...market, side: 'BUY', dollars: size as MicroDollars, timeInForce };
    return { ...names, ...market, side: 'SELL', ...shares, timeInForce };
  });
const sum = amount.map(size => ({ size: size as MicroShares, cost: 0n, fees: 0 as MicroDollars }));
const state = fc.record({
  status: fc.constantFrom(...ORDER_STATUSES),
  filled: sum,
  stated: fc.option(sum, { nil: null }),
  venueOrderId: fc.constantFrom(null, 'v'),
  sentAt: fc.constantFrom(NOW, (NOW - limits.venueAnswerTimeoutMs) as UnixMillis),
  isAnswered: fc.boolean(),
});
const order = fc.record({
  actorId: fc.constantFrom(...ACTORS),
  request,
  states: fc.array(state, { minLength: 1, maxLength: 4 }),
});

it('4004: a check by sums decides as a scan of all orders does, also after a restart', () => {
  const life = fc.record({ orders: fc.array(order, { maxLength: 12 }), held: amount, asked: request });
  fc.assert(
    fc.property(life, ({ orders, held, asked }) => {
      const ledger = new MemoryLedger();
      for (const actorId of ACTORS)
        for (const token of TOKENS)
          ledger.change(step =>
            step.putPosition(actorId, { ...noPosition('venue_a', token, NOW), size: held as MicroShares }),
          );
      for (const [number, it] of orders.entries())
        for (const { isAnswered, ...motion } of it.states) {
          const made = storedOrder({ number });
          const named = { actorId: it.actorId, request: it.request, idempotencyKey: `key ${number}` };
          const changed: Order = { ...made.order, ...named, ...motion, closedAt: NOW, updatedAt: NOW };
          const venueOrderId = motion.venueOrderId && `v-${number}`;
          ledger.change(step => {
            step.putOrder({ ...made, intent: null, order: { ...changed, venueOrderId } });
            const answer = isAnswered ? ({ outcome: 'made', status: 'OPEN', message: '', at: NOW } as const) : null;
            const entry = { orderId: changed.orderId, bodySha256Hex: '0'.repeat(64), answer };
            step.putIdempotency(it.actorId, 'venue_a', named.idempotencyKey, entry as never);
          });
        }
      const grid = uniformGrid(100 as Ticks);
      const orderIds = orders.map((_, number) => orderIdOf(number));
      for (const reads of [ledger, new MemoryLedger(ledger.log)])
        for (const actorId of ACTORS) {
          const naive = new NaiveRiskChecks({ reads, orderIds, grid, at: NOW });
          const grown = naive.grownBy(actorId, asked);
          const isWithin = (positionMax: number): boolean => {
            const own = { ...NO_LIMITS, positionMax: positionMax as MicroShares };
            return limitProblem(own, reads, actorId, asked, grid) === null;
          };
          expect([isWithin(grown), isWithin(grown - 1)]).toEqual([true, false]);
          if (asked.venue !== 'venue_a' || asked.side !== 'SELL') continue;
          const [, most] = naive.sellable(actorId, asked);
          const owner = { podId: storedOrder({ number: 0 }).order.podId, actorId };
          const isSold = (size: number): boolean =>
            holdingProblem(reads, owner, { ...asked, size: size as MicroShares }, grid, NOW) === null;
          expect([isSold(most), isSold(most + 1)]).toEqual([true, false]);
        }
    }),
  );
});
