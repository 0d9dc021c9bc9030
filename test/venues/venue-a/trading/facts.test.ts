// A market's rules for orders, cached for a while. An order that the cached rules would refuse waits until the rules are read again.

import { beforeEach, describe, expect, it } from 'vitest';
import { isOnGrid } from '../../../../src/core/domain/grid.ts';
import type { Ticks } from '../../../../src/core/domain/numbers.ts';
import { limits } from '../../../../src/limits.ts';
import type { TradingFacts } from '../../../../src/venues/venue.ts';
import { outcomeOf } from '../../../support/order-outcome.ts';
import { orderAt, prepared, SOON, tradingOn } from './scripted-line.ts';
import { FIRST, limit, marketBuy, SECOND } from './trading-rig.ts';

const [NEW_MS, AGED_MS] = [limits.venueARefusingTermsAgeMs, limits.venueATermsFreshMs];
/** A price between two whole cents. */
const FINE = 5_050 as Ticks;
const ASKS = [{ price: '0.505', size: '100' }];
const BOOK = { market: '', asset_id: FIRST, timestamp: '1', hash: 'a'.repeat(40), bids: [] };

let market: { ao?: boolean; mts: number };
/** Whether the long description says that the market is closed. Null means that the venue does not answer. */
let isClosed: boolean | null;
let asks: typeof ASKS;
let status: number;
let rig: ReturnType<typeof tradingOn>;

beforeEach(() => {
  market = { ao: true, mts: 0.01 };
  isClosed = false;
  asks = ASKS;
  status = 200;
  rig = tradingOn({
    '/clob-markets/': () => ({ status, body: { t: [{ t: FIRST }, { t: SECOND }], mos: 5, ...market } }),
    '/markets/': () =>
      isClosed === null ? { status: 500, body: {} } : { body: { closed: isClosed, accepting_orders: market.ao } },
    '/book': () => ({ body: { ...BOOK, asks } }),
  });
});

const facts = (passes?: (facts: TradingFacts) => boolean) => rig.trading.facts(FIRST, passes);
const asked = () => rig.line.requests.filter(({ target }) => target.startsWith('/clob-markets/')).length;
const takesFine = ({ grid }: TradingFacts) => isOnGrid(grid, FINE);

it('facts of one market that are wanted at once are asked for once', async () => {
  const both = await Promise.all([facts(), facts(), rig.trading.facts(SECOND)]);
  expect(both).toMatchObject([{ ok: true }, { ok: true }, { ok: true }]);
  expect(asked()).toBe(1);
});

describe('facts that would refuse an order', () => {
  it('of a market that takes none are asked for as soon as they are not new', async () => {
    [market.ao, isClosed] = [false, true];
    expect(await facts()).toMatchObject({ value: { phase: 'CLOSED' } });
    market.ao = true;
    rig.timers.advance(NEW_MS);
    expect(await facts()).toMatchObject({ value: { phase: 'CLOSED' } });
    expect(asked()).toBe(1);
    rig.timers.advance(1);
    expect(await facts()).toMatchObject({ value: { phase: 'OPEN', readAt: rig.timers.now() } });
    expect(asked()).toBe(2);
  });

  it.each([
    ['that is not closed', false],
    ['of which the venue does not say whether it is closed', null],
  ])('4029: of a market that takes no orders and %s say that it is paused', async (_case, closed) => {
    [market.ao, isClosed] = [false, closed];
    expect(await facts()).toMatchObject({ value: { phase: 'PAUSED' } });
    asks = [];
    const cured = rig.trading.prepare(orderAt(rig.timers, marketBuy(10, 'FAK')), 'key');
    expect(await cured).toMatchObject({ ok: false, error: { kind: 'unavailable' } });
    market.ao = true;
    rig.timers.advance(NEW_MS + 1);
    expect(await facts()).toMatchObject({ value: { phase: 'OPEN' } });
  });

  it('are read again for a price that they would refuse; others do not wait for it', async () => {
    await facts();
    market.mts = 0.001;
    rig.timers.advance(NEW_MS + 1);
    expect(await facts()).toMatchObject({ value: { grid: [{ step: 100 }] } });
    expect(asked()).toBe(1);
    expect(await facts(takesFine)).toMatchObject({ value: { grid: [{ step: 10 }], readAt: rig.timers.now() } });
    expect(asked()).toBe(2);
  });

  it('refuse none while they cannot be asked for', async () => {
    await facts();
    status = 503;
    rig.timers.advance(AGED_MS + 1);
    expect(await facts(takesFine)).toMatchObject({ ok: false, error: { type: 'unavailable' } });
    expect(await facts()).toMatchObject({ ok: true });
  });
});

describe('an order', () => {
  it('4029: that the venue is not ready for may be sent again, and the next one reads the facts', async () => {
    const words = 'the market is not yet ready to process new orders';
    const { trading, order, intent } = await prepared({
      '/clob-markets/': () => ({ body: { t: [{ t: FIRST }, { t: SECOND }], mos: 5, ...market } }),
      '/order': () => ({ status: 400, body: { error: words } }),
    });
    market.ao = false;
    const venueError = { code: null, message: words };
    expect(await outcomeOf(trading, order, intent, SOON)).toMatchObject({ type: 'not-sent', venueError });
    expect(await trading.facts(FIRST)).toMatchObject({ value: { phase: 'PAUSED' } });
  });

  const ready = (request = limit('BUY', 50, 10)) => rig.trading.prepare(orderAt(rig.timers, request), 'key');

  it.each([
    ['with a price between two ticks', { ...limit('BUY', 50, 10), price: FINE }],
    ['at the market, whose prices are', marketBuy(10, 'FOK')],
  ])('%s is refused only if they are still the ticks', async (_what, request) => {
    const refusal = { ok: false, error: { kind: 'invalid', message: expect.stringContaining('multiple of 0.01') } };
    expect(await ready(request)).toMatchObject(refusal);
    market.mts = 0.001;
    rig.timers.advance(NEW_MS);
    expect(await ready(request)).toMatchObject(refusal);
    rig.timers.advance(1);
    expect(await ready(request)).toMatchObject({ ok: true });
    expect(asked()).toBe(2);
  });

  it('on the ticks that are known waits for nothing', async () => {
    await ready();
    rig.timers.advance(AGED_MS);
    expect(await ready()).toMatchObject({ ok: true });
    expect(asked()).toBe(1);
  });
});

it('a price on ticks that have just changed is good a third of a second later', async () => {
  await facts();
  market.mts = 0.001;
  rig.timers.advance(334);
  expect(await facts(takesFine)).toMatchObject({ value: { grid: [{ step: 10 }] } });
});
