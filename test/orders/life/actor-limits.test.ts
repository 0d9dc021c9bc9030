// What the limits of an actor count: its other orders, however many there are. A sale at venue B of more than is held opens the other side.

import { describe, expect, it } from 'vitest';
import { uniformGrid } from '../../../src/core/domain/grid.ts';
import { type ActorLimits, NO_LIMITS } from '../../../src/core/domain/identity.ts';
import type { MicroDollars } from '../../../src/core/domain/numbers.ts';
import type { OrderRequest, VenueBOrderRequest } from '../../../src/core/domain/order-request.ts';
import { noPosition } from '../../../src/core/domain/position.ts';
import { limitProblem } from '../../../src/orders/life/actor-limits.ts';
import { holdingProblem } from '../../../src/orders/life/holdings.ts';
import { ACTOR, POD, RESTS, Rig, shares, TOKEN_SELL, ticks, YES_BUY } from './orders-rig.ts';
import { NO, WalletRig, YES } from './wallet-rig.ts';

const GRID = uniformGrid(ticks(100));
const OWNER = { podId: POD, actorId: ACTOR };
const sale = (count: number): VenueBOrderRequest => ({ ...YES_BUY, action: 'SELL', size: shares(count) });
const purchaseOfNo = (count: number): VenueBOrderRequest => ({ ...YES_BUY, side: 'NO', size: shares(count) });
const max = (count: number): ActorLimits => ({ ...NO_LIMITS, positionMax: shares(count) });

describe('4038: at venue B, with 11 YES held, a sale of more', () => {
  function rigWith11(): Rig {
    const rig = new Rig();
    const position = { ...noPosition('venue_b', YES_BUY.ticker, rig.timers.now()), size: shares(11) };
    rig.store.change(transaction => transaction.putPosition(ACTOR, position));
    return rig;
  }

  const problem = (rig: Rig, own: ActorLimits, request: VenueBOrderRequest) =>
    limitProblem(own, rig.store, { podId: POD, actorId: ACTOR }, request, GRID);

  it('is no lack of a holding', () => {
    const rig = rigWith11();
    expect(holdingProblem(rig.store, OWNER, sale(5_000), GRID, rig.timers.now())).toBeNull();
    expect(problem(rig, NO_LIMITS, sale(5_000))).toBeNull();
  });

  it.each([
    ['a sale of YES', sale],
    ['a purchase of NO', purchaseOfNo],
  ])('counts for positionMax by the NO that it leaves: %s', (_what, request) => {
    const rig = rigWith11();
    expect(problem(rig, max(4_989), request(5_000))).toBeNull();
    expect(problem(rig, max(4_988), request(5_000))).toContain('the position could become 4989, past');
  });

  it('counts with the sales that rest, and in full: the holding closes one of them only', async () => {
    const rig = rigWith11();
    await rig.submit(RESTS, { request: sale(11) });
    expect(problem(rig, max(20), sale(20))).toBeNull();
    expect(problem(rig, max(19), sale(20))).toContain('the position could become 20, past');
  });

  it('counts for notionalMax by the price of NO', () => {
    const cost = (dollars: number): ActorLimits => ({ ...NO_LIMITS, notionalMax: (dollars * 1e6) as MicroDollars });
    // NO at 0.44 where YES is at 0.56.
    expect(problem(rigWith11(), cost(2_200), sale(5_000))).toBeNull();
    expect(problem(rigWith11(), cost(2_199), sale(5_000))).toContain('notionalMax');
  });

  it('is a short once it is filled, and may be closed under any limit', async () => {
    const rig = rigWith11();
    await rig.submit(RESTS, { request: sale(31) });
    rig.hear({ type: 'fill', fill: { ...rig.fill('f', 31), positionChange: shares(-31) } });
    expect(rig.position()).toBe(shares(-20));
    expect(problem(rig, max(20), sale(1))).toContain('the position could become 21, past');
    expect(problem(rig, max(5), { ...YES_BUY, size: shares(20) })).toBeNull();
  });
});

it('4004: positionMax counts thousands of orders exactly, resting and ended ones with fills to come', async () => {
  const rig = new Rig('venue_a');
  const filled = { size: shares(10), cost: BigInt(shares(10)) * 5_600n, fees: 0 as MicroDollars };
  const buy = { ...TOKEN_SELL, side: 'BUY', size: shares(10) } as const;
  const over = { ...RESTS, state: 'gone', stated: filled } as const;
  for (let order = 0; order < 1_100; order += 1) {
    await rig.submit(RESTS, { request: buy, idempotencyKey: `resting ${order}` });
    await rig.submit(over, { request: buy, idempotencyKey: `ended ${order}` });
  }
  const problem = (count: number) => limitProblem(max(count), rig.store, { podId: POD, actorId: ACTOR }, buy, GRID);
  expect(problem(22_010)).toBeNull();
  expect(problem(22_009)).toContain('become 22010, past');
  const sale = (count: number) =>
    holdingProblem(rig.store, OWNER, { ...TOKEN_SELL, size: shares(count) }, GRID, rig.timers.now());
  expect(sale(11_000)).toBeNull();
  expect(sale(11_001)).toContain('can sell 11000 shares');
});

it('positionMax of a purchase counts what the actor’s open splits will add, to both tokens; that of a sale does not', async () => {
  const rig = new WalletRig();
  await rig.act('SPLIT', { amountUsd: '60' });
  const buy = { ...TOKEN_SELL, side: 'BUY', size: shares(40) } as const;
  const problem = (own: ActorLimits, actorId: string, request: OrderRequest) =>
    limitProblem(own, rig.store, { podId: 'pod', actorId }, request, GRID);
  for (const tokenId of [YES, NO]) {
    expect(problem(max(100), 'alice', { ...buy, tokenId })).toBeNull();
    expect(problem(max(99), 'alice', { ...buy, tokenId })).toContain('the position could become 100, past');
  }
  expect(problem(max(40), 'bob', buy)).toBeNull();
  expect(problem(max(40), 'alice', { ...buy, side: 'SELL' })).toBeNull();
});
