// The facts of a market before an order to it: cached, read again, and forgotten. On the real paper exchange.

import { beforeEach, describe, expect, it } from 'vitest';
import { isOnGrid } from '../../../../src/core/domain/grid.ts';
import type { Ticks } from '../../../../src/core/domain/numbers.ts';
import { limits } from '../../../../src/limits.ts';
import { VenueBFacts } from '../../../../src/venues/venue-b/trading/facts.ts';
import { RESTS, Rig } from '../../../orders/life/orders-rig.ts';
import { VirtualTimers } from '../../../support/virtual-timers.ts';
import { countRequests, price, send, size, strike } from '../../trading-rig.ts';
import { scriptedRest } from './scripted-rest.ts';
import { OTHER_TICKER, TICKER, VenueBTradingRig } from './trading-rig.ts';

let rig: VenueBTradingRig;
beforeEach(async () => {
  rig = await VenueBTradingRig.open();
});

const ASK = 'GET /markets/:ticker';

/** Counts the requests for facts to the venue. */
const count = () => countRequests(rig, ASK);

const facts = (ticker = TICKER) => rig.trading.facts(ticker);

describe('facts of a market', () => {
  it('are its grid, its smallest size, whether it trades', async () => {
    const grid = [{ start: 0, end: 10_000, step: 100 }];
    const sizes = { sizeMin: 10_000, sizeStep: 10_000 };
    const value = { grid, ...sizes, phase: 'OPEN', expiryLeadMs: 1_000, readAt: rig.now() };
    expect(await facts()).toEqual({ ok: true, value });
  });

  it('are asked for once, however many want them', async () => {
    const asked = count();
    await Promise.all(Array.from({ length: 50 }, () => facts()));
    await facts();
    expect(asked()).toBe(1);
  });

  it('are kept of venueBTradedMarketsMax markets, here 1: those that were described longest ago are read anew', async () => {
    rig = await VenueBTradingRig.open({ parts: { tradedMarketsMax: 1 } });
    const asked = count();
    for (const ticker of [TICKER, TICKER, OTHER_TICKER, OTHER_TICKER, TICKER]) await facts(ticker);
    expect(asked()).toBe(3);
  });

  it('are used while they are asked for again, and then are the new ones', async () => {
    const asked = count();
    await facts();
    rig.paper.control.setPaused(TICKER, true);
    await rig.advance(limits.venueBFactsFreshMs + 1);
    expect(await facts()).toMatchObject({ value: { phase: 'OPEN' } });
    while (asked() < 2) await rig.advance(0);
    for (;;) {
      const now = await facts();
      if (now.ok && now.value.phase === 'PAUSED') break;
      await rig.advance(0);
    }
    expect(asked()).toBe(2);
  });

  it('are not used when they are very old', async () => {
    await facts();
    await rig.advance(limits.venueBFactsAgeMaxMs + 1);
    strike(rig, ASK, { kind: 'status', status: 503, isApplied: false });
    expect(await facts()).toMatchObject({
      ok: false,
      error: { type: 'unavailable', message: expect.stringContaining('503') },
    });
    expect(await facts()).toMatchObject({ ok: true });
  });

  it('are not used when they are of a time to come, by a clock that was set back', async () => {
    const asked = count();
    rig.timers.setClock(3_600_000);
    await facts();
    rig.timers.setClock(-3_600_000);
    rig.paper.control.setPaused(TICKER, true);
    // The budget has no room at first either (0008).
    expect(await facts()).toMatchObject({ ok: false });
    await rig.advance(10_000);
    expect(await facts()).toMatchObject({ value: { phase: 'PAUSED' } });
    expect(asked()).toBe(2);
  });

  it('say that a market has closed by the clock', async () => {
    rig.paper.control.close(TICKER, 20_000);
    await facts();
    await rig.advance(20_000);
    expect(await facts()).toMatchObject({ value: { phase: 'CLOSED', readAt: rig.now() } });
    // This market closes at its listed closing time, a day ahead.
    expect(await facts(OTHER_TICKER)).toMatchObject({ value: { phase: 'OPEN' } });
  });

  it('of no market are remembered for a moment', async () => {
    const asked = count();
    for (let index = 0; index < 5; index += 1) {
      expect(await facts('KXNEVER')).toEqual({ ok: false, error: { type: 'unknown-market' } });
    }
    expect(asked()).toBe(1);
    await rig.advance(limits.venueBRefusingFactsAgeMaxMs + 1);
    await facts('KXNEVER');
    expect(asked()).toBe(2);
  });

  it('are not made up from an answer that nobody can read', async () => {
    strike(rig, ASK, { kind: 'status', status: 404, isApplied: true });
    expect(await facts()).toMatchObject({ ok: false, error: { type: 'unavailable' } });
  });
});

describe('facts by an odd description', () => {
  const ranges = [{ start: '0.0000', end: '1.0000', step: '0.0100' }];
  const described = { ticker: TICKER, status: 'active', price_ranges: ranges };
  const factsBy = (body: unknown) => {
    const timers = new VirtualTimers();
    const rest = scriptedRest(() => body, timers);
    return new VenueBFacts(rest, timers);
  };

  it.each([
    {},
    { market: null },
    { market: { ...described, price_ranges: [] } },
    { market: { ...described, ticker: 7 } },
  ])('are unreadable, and the market does not count as unknown: %j', async body => {
    expect(await factsBy(body).of(TICKER)).toMatchObject({ ok: false, error: { type: 'unavailable' } });
  });

  it('are not those of another market', async () => {
    const other = { market: { ...described, ticker: OTHER_TICKER } };
    expect(await factsBy(other).of(TICKER)).toEqual({ ok: false, error: { type: 'unknown-market' } });
  });

  it.each([
    ['initialized', 'PAUSED'],
    ['inactive', 'PAUSED'],
    ['active', 'OPEN'],
    ['closed', 'CLOSED'],
    ['determined', 'CLOSED'],
    ['finalized', 'CLOSED'],
  ])('are those of a market that is %s: it is %s', async (status, phase) => {
    const facts = await factsBy({ market: { ...described, status } }).of(TICKER);
    expect(facts).toMatchObject({ ok: true, value: { phase } });
  });

  it.each([
    [3, 3],
    [0, 0],
    [-1, 0],
    ['3', 0],
    [undefined, 0],
  ])('say that its shard is %j: %i', async (exchange_index, shard) => {
    const facts = factsBy({ market: { ...described, exchange_index } });
    expect(facts.shardOf(TICKER)).toBe(0);
    await facts.of(TICKER);
    expect(facts.shardOf(TICKER)).toBe(shard);
  });
});

describe('facts that would refuse an order', () => {
  it('are asked for before they do, as soon as they are not new', async () => {
    const asked = count();
    rig.paper.control.close(TICKER, 0);
    const closedAt = rig.now();
    expect(await facts()).toMatchObject({ value: { phase: 'CLOSED' } });
    await rig.advance(limits.venueBRefusingFactsAgeMaxMs);
    expect(await facts()).toMatchObject({ value: { phase: 'CLOSED', readAt: closedAt } });
    expect(asked()).toBe(1);
    await rig.advance(1);
    expect(await facts()).toMatchObject({ value: { phase: 'CLOSED', readAt: rig.now() } });
  });

  it('refuse none while they cannot be asked for: the venue is not known to take no orders', async () => {
    rig.paper.control.close(TICKER, 0);
    await facts();
    await rig.advance(limits.venueBRefusingFactsAgeMaxMs + 1);
    strike(rig, ASK, { kind: 'status', status: 503, isApplied: false });
    expect(await facts()).toMatchObject({ ok: false, error: { type: 'unavailable' } });
  });

  it('say by the clock that a market is closed whose closing was put off since', async () => {
    rig.paper.control.close(TICKER, 20_000);
    await facts();
    rig.paper.control.close(TICKER, 3_600_000);
    await rig.advance(20_000);
    expect(await facts()).toMatchObject({ value: { phase: 'OPEN', readAt: rig.now() } });
  });

  it('have a grid without its price', async () => {
    const ranges = [{ start: '0.0000', end: '1.0000', step: '0.0500' }];
    rig = await VenueBTradingRig.open({ listing: { grid: { name: 'coarse', ranges } } });
    const at = (cents: number) => rig.trading.facts(TICKER, ({ grid }) => isOnGrid(grid, (cents * 100) as Ticks));
    const readAt = rig.now();
    await facts();
    await rig.advance(limits.venueBRefusingFactsAgeMaxMs + 1);
    expect(await at(55)).toMatchObject({ value: { grid: [{ step: 500 }], readAt } });
    expect(await at(56)).toMatchObject({ value: { grid: [{ step: 500 }], readAt: rig.now() } });
  });
});

// An order was refused because of the description that was read during the pause. A 404 says that the market is gone for good. The venue
// itself has to report a pause.
it('0050: the venue decides on an order right after a pause, and a closed market is a 404', async () => {
  rig.paper.control.setPaused(TICKER, true);
  const paused = new Rig();
  paused.venue.facts_ = await facts();
  expect(await paused.submit(RESTS)).toMatchObject({ type: 'made', status: 'OPEN' });
  expect(paused.venue.calls).toEqual(['submit SUBMITTED']);
  rig.paper.control.close(OTHER_TICKER, 0);
  const closed = new Rig();
  closed.venue.facts_ = await facts(OTHER_TICKER);
  expect(await closed.submit(RESTS)).toMatchObject({ type: 'refused', kind: 'notFound' });
});

describe('an account', () => {
  it.each([
    ['net', false, 989_650_000],
    ['gross, by what the operator says', true, 979_650_000],
  ])('has what its buys do not hold back, of a balance that is %s', async (_what, isBalanceGross, available) => {
    rig = await VenueBTradingRig.open({ isBalanceGross });
    await send(rig, rig.wish({ price: price('0.5'), size: size('20') }));
    // The paper exchange states the net balance, after orders and their possible fees. If the operator states that the balance is gross,
    // the cost of the order is taken off again.
    expect(await rig.trading.balance()).toMatchObject({ value: { available, committed: 10_000_000 } });
  });

  it('is read as it is, and not at all if a part cannot be read', async () => {
    const account = { available: 1_000_000_000, committed: 0, committedTo: [], claimable: 0, unconverted: 0 };
    const shards = [{ shard: 0, available: 1_000_000_000 }];
    expect(await rig.trading.balance()).toEqual({ ok: true, value: { ...account, shards } });
    for (const path of ['/portfolio/balance', '/portfolio/orders', '/portfolio/positions']) {
      strike(rig, `GET ${path}`, { kind: 'status', status: 500, isApplied: false });
      expect(await rig.trading.balance()).toMatchObject({
        ok: false,
        error: { kind: 'unavailable', message: expect.stringContaining('500') },
      });
    }
    strike(rig, 'GET /portfolio/fills', { kind: 'status', status: 200, isApplied: false });
    expect(await rig.trading.fillsSince(rig.now())).toMatchObject({ ok: false });
    strike(rig, 'GET /portfolio/orders', { kind: 'status', status: 500, isApplied: false }, 2);
    expect(await rig.trading.openOrders()).toMatchObject({ ok: false });
    expect(await rig.trading.ordersSince(rig.now())).toMatchObject({ ok: false });
  });
});
