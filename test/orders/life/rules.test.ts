// The rules of its market and its actor that an order meets before it is sent, and the order's name.

import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { clientOrderIdOf } from '../../../src/core/domain/actor-tag.ts';
import { type Grid, uniformGrid } from '../../../src/core/domain/grid.ts';
import { type ActorLimits, NO_LIMITS } from '../../../src/core/domain/identity.ts';
import type { MicroDollars, MicroShares, Ticks, UnixMillis } from '../../../src/core/domain/numbers.ts';
import type { OrderRequest, VenueBOrderRequest } from '../../../src/core/domain/order-request.ts';
import { mostSizeOf } from '../../../src/core/domain/order-sums.ts';
import { noPosition } from '../../../src/core/domain/position.ts';
import { HmacKey } from '../../../src/core/runtime/hmac.ts';
import type { LiveReads } from '../../../src/core/store/order-records.ts';
import { readOrderId } from '../../../src/core/wire/order-requests.ts';
import { orderProblem } from '../../../src/orders/life/actor-limits.ts';
import { holdingProblem } from '../../../src/orders/life/holdings.ts';
import { expiryRefusal, marketRefusalOf } from '../../../src/orders/life/market-rules.ts';
import { deriveOrderId } from '../../../src/orders/life/order-ids.ts';
import {
  ACTOR,
  goodTill,
  limitProblemOf,
  OWNER,
  POD,
  RESTS,
  Rig,
  shares,
  spend,
  TOKEN_SELL,
  ticks,
  total,
  YES_BUY,
} from './orders-rig.ts';
import { NO, WalletRig, YES } from './wallet-rig.ts';

const GRID = uniformGrid(ticks(100));
const MARKET = { venue: 'venue_a', tokenId: '1001', type: 'MARKET', worstPrice: null, timeInForce: 'FAK' } as const;
const SPEND = spend(10);
const band = (start: number, end: number, step: number) => ({
  start: ticks(start),
  end: ticks(end),
  step: ticks(step),
});
const max = (count: number): ActorLimits => ({ ...NO_LIMITS, positionMax: shares(count) });
const sale = (count: number): VenueBOrderRequest => ({ ...YES_BUY, action: 'SELL', size: shares(count) });
const purchaseOfNo = (count: number): VenueBOrderRequest => ({ ...YES_BUY, side: 'NO', size: shares(count) });

/** Returns the problem of an order in a market of whole cents. */
const problem = (limits: ActorLimits, reads: LiveReads, actorId: string, request: OrderRequest): string | null =>
  orderProblem(limits, request, mostSizeOf(request, GRID)) ??
  limitProblemOf({ podId: POD, actorId, request, limits }, reads, GRID);

function holding(count: number): Rig {
  const rig = new Rig();
  const position = { ...noPosition('venue_b', YES_BUY.ticker, rig.timers.now()), size: shares(count) };
  rig.store.change(transaction => transaction.putPosition(ACTOR, position));
  return rig;
}

const saleProblem = (rig: Rig, request: OrderRequest) =>
  holdingProblem(rig.store, OWNER, request, GRID, rig.timers.now());

describe('a market', () => {
  const cent = [band(0, 10_000, 100)];
  const NO_BUY = { ...YES_BUY, side: 'NO' } as const;
  const OFF = 'must be on the market’s grid; the nearest';
  const TICK = 'must be on the market’s tick grid; the nearest is';
  it.each([
    ['takes what fits', YES_BUY, cent, null],
    [
      'names the nearest price',
      YES_BUY,
      [band(0, 10_000, 500)],
      `priceCents: ${OFF} is 55; the nearest prices are 0.55 below and 0.6 above`,
    ],
    [
      'names it in the frame of NO',
      { ...NO_BUY, price: ticks(4_400) },
      [band(0, 10_000, 500)],
      `priceCents: ${OFF} is 45; the nearest prices are 0.4 below and 0.45 above`,
    ],
    [
      'has no whole cents',
      YES_BUY,
      [band(50, 9_950, 9_900)],
      'priceCents: the market has no price in whole cents; the nearest prices are 0.005 below and 0.995 above',
    ],
    ['may be finer than a cent', { ...YES_BUY, price: ticks(5_610) }, [band(0, 10_000, 10)], null],
    [
      'may be less fine than the price',
      { ...YES_BUY, price: ticks(3_165) },
      [band(0, 10_000, 10)],
      `price: ${OFF} prices are 0.316 below and 0.317 above`,
    ],
    [
      'has its own steps near its ends, in the frame of NO',
      { ...NO_BUY, price: ticks(9_512) },
      [band(0, 1_000, 10), band(1_000, 10_000, 100)],
      `price: ${OFF} prices are 0.951 below and 0.952 above`,
    ],
    [
      'has no price below its lowest',
      { ...YES_BUY, price: ticks(5) },
      [band(0, 10_000, 10)],
      `price: ${OFF} prices are 0.001 above`,
    ],
    ['has a tick', { ...TOKEN_SELL, price: ticks(5_650) }, cent, `price: ${TICK} 0.56`],
    ['has a lowest price', { ...TOKEN_SELL, price: ticks(0) }, cent, `price: ${TICK} 0.01`],
    ['has a highest price', { ...TOKEN_SELL, price: ticks(10_000) }, cent, `price: ${TICK} 0.99`],
    ['has a tick for the worst price too', { ...SPEND, worstPrice: ticks(5_650) }, cent, `worstPrice: ${TICK} 0.56`],
    ['has a minimum', { ...TOKEN_SELL, size: shares(4) }, cent, 'size: must be at least 5 shares in this market'],
    [
      'counts in hundredths',
      { ...TOKEN_SELL, size: shares(5.005) },
      cent,
      'size: must be a multiple of 0.01; the nearest is 5.01',
    ],
    ['takes a dollar', spend(1), cent, null],
    ['takes no less than a dollar', spend(0.99), cent, 'amount: must be at least 1 (dollars) for a BUY'],
    ['counts dollars in cents', spend(10.001), cent, 'amount: must be a multiple of 0.01; the nearest is 10'],
  ] satisfies [string, OrderRequest, Grid, string | null][])('%s', (_case, request, grid, message) => {
    const sizes = { sizeMin: shares(5), sizeStep: 10_000 as MicroShares };
    const facts = { ...sizes, grid, phase: 'OPEN', expiryLeadMs: 1_000, readAt: 0 as UnixMillis } as const;
    const problem = marketRefusalOf(request, facts)?.message.replace("market's", 'market’s') ?? null;
    expect(problem).toBe(message);
    expect(marketRefusalOf(request, { ...facts, phase: 'CLOSED' })?.kind).toBe('notFound');
    // At venue B the market may trade again when the order arrives. If it does not, the gateway knows the venue's own words of a pause.
    const paused = { ...facts, phase: 'PAUSED' } as const;
    if (request.venue === 'venue_b') expect(marketRefusalOf(request, paused)).toEqual(marketRefusalOf(request, facts));
    else expect(marketRefusalOf(request, paused)?.kind).toBe('unavailable');
  });
});

describe('an order that is good till a time', () => {
  const now = 1_790_000_000_400 as UnixMillis;
  const until = (expiresAt: number): OrderRequest => ({
    ...{ ...TOKEN_SELL, timeInForce: 'GTD', expiresAt: expiresAt as UnixMillis },
  });
  const problem = (request: OrderRequest) => expiryRefusal(request, { expiryLeadMs: 120_000 }, now)?.message ?? null;

  it('has as much left as its venue wants, or the refusal names the earliest', () => {
    expect(problem(until(1_790_000_121_000))).toBeNull();
    expect(problem(until(1_790_000_120_000))).toBe(
      'timeInForce.expiresAt: must be at least 120 s from now, which is the least at this venue; the earliest is 2026-09-21T14:15:21.000Z',
    );
    expect(problem(until(1_000))).toContain('2026-09-21T14:15:21.000Z');
    expect(problem(TOKEN_SELL)).toBeNull();
  });

  it('is refused before anything is recorded', async () => {
    const rig = new Rig();
    const request = { ...YES_BUY, ...goodTill(rig.timers.now()) };
    expect(await rig.submit(RESTS, { request })).toMatchObject({ type: 'refused', kind: 'invalid' });
    expect(rig.store.order(rig.id())).toBeNull();
  });

  it('has EXPIRED if it ends then, and nobody of ours has cancelled it', async () => {
    const rig = new Rig();
    const request = { ...YES_BUY, ...goodTill(rig.timers.now() + 60_000) };
    await rig.submit(RESTS, { request });
    await rig.submit({ ...RESTS, venueOrderId: 'v-2' }, { request, idempotencyKey: 'two' });
    rig.hear({ type: 'order', order: rig.venueOrder({ state: 'gone' }) });
    expect(rig.order()).toMatchObject({ status: 'CANCELLED', cancelReason: 'VENUE' });
    rig.timers.advance(60_000);
    const second = { venueOrderId: 'v-2', clientOrderId: clientOrderIdOf(rig.id('two'), ACTOR) };
    rig.hear({ type: 'order', order: rig.venueOrder({ ...second, state: 'gone' }) });
    expect(rig.order(rig.id('two'))).toMatchObject({ status: 'CANCELLED', cancelReason: 'EXPIRED' });
  });
});

describe('an actor’s limits', () => {
  const sell = { ...YES_BUY, action: 'SELL' } as const;

  it.each([
    ['grows to the limit', 5, 15, YES_BUY, true],
    ['grows past it', 6, 15, YES_BUY, false],
    ['shrinks, though it is past it', 30, 15, sell, true],
    ['turns around within it', 5, 5, sell, true],
    ['turns around past it', 4, 5, sell, false],
    ['NO grows past it', -6, 15, sell, false],
  ])('position: %s', (_case, held, limit, request, isFine) => {
    expect(problem(max(limit), holding(held).store, ACTOR, request) === null).toBe(isFine);
  });

  it('count what rests and would add to it', async () => {
    const rig = holding(0);
    await rig.submit(RESTS);
    expect(problem(max(19), rig.store, ACTOR, YES_BUY)).toContain('positionMax (19)');
    expect(problem(max(20), rig.store, ACTOR, YES_BUY)).toBeNull();
    const openOrders = problem({ ...NO_LIMITS, openOrdersMax: 1 }, rig.store, ACTOR, YES_BUY);
    expect(openOrders).toContain('1 open orders, its openOrdersMax is 1');
    expect(problem({ ...NO_LIMITS, openOrdersMax: 1 }, rig.store, 'bob', YES_BUY)).toBeNull();
    // The filled shares are held, and rest no longer.
    rig.hear({ type: 'fill', fill: rig.fill('f', 4) });
    expect(problem(max(20), rig.store, ACTOR, YES_BUY)).toBeNull();
    expect(problem(max(19), rig.store, ACTOR, YES_BUY)).toContain('positionMax (19)');
  });

  it.each([
    [YES_BUY, 5_600_000],
    // A sale of YES at 0.56 is a purchase of NO at 0.44.
    [{ ...YES_BUY, action: 'SELL' } as const, 4_400_000],
    [{ ...YES_BUY, side: 'NO' } as const, 5_600_000],
    [TOKEN_SELL, 2_800_000],
    [SPEND, 10_000_000],
    [{ ...MARKET, side: 'SELL', size: shares(3) } as const, 3_000_000],
    [{ ...YES_BUY, size: 1 as MicroShares, price: 100 as Ticks }, 1],
  ] satisfies [OrderRequest, number][])('notional: %o', (request, cost) => {
    const limits = (notionalMax: number) => ({ ...NO_LIMITS, notionalMax: notionalMax as MicroDollars });
    expect(problem(limits(cost), new Rig().store, ACTOR, request)).toBeNull();
    expect(problem(limits(cost - 1), new Rig().store, ACTOR, request)).toContain('notionalMax');
  });
});

it('a BUY in dollars grows a position by as much as it may bring: at the lowest price, not at its worst one', () => {
  for (const worstPrice of [null, ticks(2_000)]) {
    const spend = { ...SPEND, worstPrice };
    expect(problem(max(1_000), new Rig('venue_a').store, ACTOR, spend)).toBeNull();
    expect(problem(max(999), new Rig('venue_a').store, ACTOR, spend)).toContain('become 1000, past');
  }
  const finest = uniformGrid(ticks(1));
  const most = { ...SPEND, dollars: 1e15 as MicroDollars };
  const { store } = new Rig('venue_a');
  expect(limitProblemOf({ ...OWNER, request: most, limits: max(1_000_000) }, store, finest)).toContain('positionMax');
});

it('open orders are counted at all venues', async () => {
  const rig = await Rig.submitted(RESTS, 'venue_a');
  expect(problem({ ...NO_LIMITS, openOrdersMax: 1 }, rig.store, ACTOR, YES_BUY)).toContain('openOrdersMax is 1');
});

it('shares that are promised to one order are not sold by another', async () => {
  const rig = await Rig.submitted(RESTS, 'venue_a');
  rig.hear({ type: 'fill', fill: rig.fill('f', 12) });
  const sell = (count: number) => saleProblem(rig, { ...TOKEN_SELL, size: shares(count) });
  expect(sell(8)).toBeNull();
  await rig.submit(RESTS, { request: TOKEN_SELL, idempotencyKey: 'sell' });
  expect(sell(8)).toBe('size: the actor can sell 7 shares of this token');
  expect(sell(7)).toBeNull();
  const atOnce = { ...MARKET, side: 'SELL', size: shares(8) } as const;
  expect(saleProblem(rig, atOnce)).toMatch(/^amount: the actor can sell \d/);
  // The sold shares are gone, and no longer promised.
  const sold = { ...rig.fill('s', 2, { venueOrderId: `digest-${rig.id('sell')}` }), positionChange: shares(-2) };
  rig.hear({ type: 'fill', fill: sold });
  expect(rig.position()).toBe(shares(10));
  expect(sell(8)).toBe('size: the actor can sell 7 shares of this token');
  expect(sell(7)).toBeNull();
});

describe('an order’s id', () => {
  const [one, other] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];

  it('is a UUIDv8, the same for the same key and another for anything else', () => {
    const ids = [
      deriveOrderId(new HmacKey(one), 'alice', 'venue_a', 'k'),
      deriveOrderId(new HmacKey(one), 'alice', 'venue_b', 'k'),
      deriveOrderId(new HmacKey(one), 'bob', 'venue_a', 'k'),
      deriveOrderId(new HmacKey(one), 'alice', 'venue_a', 'k2'),
      deriveOrderId(new HmacKey(other), 'alice', 'venue_a', 'k'),
    ];
    expect(new Set(ids).size).toBe(5);
    expect(deriveOrderId(new HmacKey(one), 'alice', 'venue_a', 'k')).toBe(ids[0]);
    for (const id of ids) expect(readOrderId(id)).toBe(id);
  });

  it('is HMAC-SHA-256 of actor, venue and key, for any secret that fits a block', () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ maxLength: 64 }),
        fc.string(),
        fc.string({ maxLength: 300 }),
        (secret, actor, key) => {
          const bytes = createHmac('sha256', secret).update(`${actor}\0venue_b\0${key}`).digest().subarray(0, 16);
          bytes[6] = (bytes[6]! & 0x0f) | 0x80;
          bytes[8] = (bytes[8]! & 0x3f) | 0x80;
          const expected = bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
          expect(deriveOrderId(new HmacKey(secret), actor, 'venue_b', key)).toBe(expected);
        },
      ),
    );
  });

  it.each(['', 'x', '5F0C8A52-3b1e-8c47-9d2a-6e1f0b7c4d38', '5f0c8a52-3b1e-4c47-9d2a-6e1f0b7c4d38'])(
    'is not %j',
    text => {
      expect(readOrderId(text)).toBeNull();
    },
  );
});

// A sale at venue B of more than is held opens the other side.
describe('4038: at venue B, with 11 YES held, a sale of more', () => {
  const problemOf = (rig: Rig, own: ActorLimits, request: OrderRequest) => problem(own, rig.store, ACTOR, request);

  it('is no lack of a holding', () => {
    const rig = holding(11);
    expect(saleProblem(rig, sale(5_000))).toBeNull();
    expect(problemOf(rig, NO_LIMITS, sale(5_000))).toBeNull();
  });

  it.each([
    ['a sale of YES', sale],
    ['a purchase of NO', purchaseOfNo],
  ])('counts for positionMax by the NO that it leaves: %s', (_what, request) => {
    const rig = holding(11);
    expect(problemOf(rig, max(4_989), request(5_000))).toBeNull();
    expect(problemOf(rig, max(4_988), request(5_000))).toContain('the position could become 4989, past');
  });

  it('counts with the sales that rest, and in full: the holding closes one of them only', async () => {
    const rig = holding(11);
    await rig.submit(RESTS, { request: sale(11) });
    expect(problemOf(rig, max(20), sale(20))).toBeNull();
    expect(problemOf(rig, max(19), sale(20))).toContain('the position could become 20, past');
  });

  it('counts whole for sizeMax', () => {
    const most = (count: number): ActorLimits => ({ ...NO_LIMITS, sizeMax: shares(count) });
    expect(problemOf(holding(11), most(5_000), sale(5_000))).toBeNull();
    expect(problemOf(holding(11), most(4_999), sale(5_000))).toContain('more than the actor’s sizeMax (4999)');
  });

  it('counts for notionalMax by the price of NO', () => {
    const cost = (dollars: number): ActorLimits => ({ ...NO_LIMITS, notionalMax: (dollars * 1e6) as MicroDollars });
    // NO is at 0.44 if YES is at 0.56.
    expect(problemOf(holding(11), cost(2_200), sale(5_000))).toBeNull();
    expect(problemOf(holding(11), cost(2_199), sale(5_000))).toContain('notionalMax');
  });

  it('is a short once it is filled, and may be closed under any limit', async () => {
    const rig = holding(11);
    await rig.submit(RESTS, { request: sale(31) });
    rig.hear({ type: 'fill', fill: { ...rig.fill('f', 31), positionChange: shares(-31) } });
    expect(rig.position()).toBe(shares(-20));
    expect(problemOf(rig, max(20), sale(1))).toContain('the position could become 21, past');
    expect(problemOf(rig, max(5), { ...YES_BUY, size: shares(20) })).toBeNull();
  });
});

it('4004: positionMax counts thousands of orders exactly, resting and ended ones with fills to come', async () => {
  const rig = new Rig('venue_a');
  const buy = { ...TOKEN_SELL, side: 'BUY', size: shares(10) } as const;
  const over = { ...RESTS, state: 'gone', stated: total(10) } as const;
  for (let order = 0; order < 1_100; order += 1) {
    await rig.submit(RESTS, { request: buy, idempotencyKey: `resting ${order}` });
    await rig.submit(over, { request: buy, idempotencyKey: `ended ${order}` });
  }
  expect(problem(max(22_010), rig.store, ACTOR, buy)).toBeNull();
  expect(problem(max(22_009), rig.store, ACTOR, buy)).toContain('become 22010, past');
  expect(saleProblem(rig, { ...TOKEN_SELL, size: shares(11_000) })).toBeNull();
  expect(saleProblem(rig, { ...TOKEN_SELL, size: shares(11_001) })).toContain('can sell 11000 shares');
});

it('positionMax of a purchase counts what the actor’s open splits will add, to both tokens; that of a sale does not', async () => {
  const rig = new WalletRig();
  await rig.act('SPLIT', { amountUsd: '60' });
  const { store } = rig;
  const buy = { ...TOKEN_SELL, side: 'BUY', size: shares(40) } as const;
  for (const tokenId of [YES, NO]) {
    expect(problem(max(100), store, 'alice', { ...buy, tokenId })).toBeNull();
    expect(problem(max(99), store, 'alice', { ...buy, tokenId })).toContain('the position could become 100, past');
  }
  expect(problem(max(40), store, 'bob', buy)).toBeNull();
  expect(problem(max(40), store, 'alice', { ...buy, side: 'SELL' })).toBeNull();
});
