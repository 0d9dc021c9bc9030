// Venue B with live-paper: another paper exchange stands for the real venue, and the exchange here lists its market and follows its rules.

import { afterEach, describe, expect, it } from 'vitest';
import { BID } from '../../../src/core/domain/market.ts';
import type { MicroDollars, MicroShares, Ticks } from '../../../src/core/domain/numbers.ts';
import { Random } from '../../../src/core/runtime/random.ts';
import { wallTimers } from '../../../src/core/runtime/timers.ts';
import type { Catalog } from '../../../src/paper/catalog/listings.ts';
import { DECI_CENT } from '../../../src/paper/catalog/venue-b-listings.ts';
import { KeptRows } from '../../../src/paper/kept-rows.ts';
import { LiveVenueB } from '../../../src/paper/live/live-venue-b.ts';
import { VenueBExchange } from '../../../src/paper/venue-b/exchange.ts';
import { NO_FAULTS } from '../../support/no-faults.ts';
import { removeFolder, temporaryFolder } from '../../support/temporary-folder.ts';
import { PLAIN_TERMS } from '../venue-b/core/rig.ts';
import { TICKER, VenueBRig } from '../venue-b/venue-b-rig.ts';

const OWNER = { userId: '11111111-1111-4111-8111-111111111111', subaccount: 0 };
const HALF_CENT_PRICE = 4_050 as Ticks;
const SIZE = 10_000_000 as MicroShares;
const CASH = 1_000_000_000 as MicroDollars;

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

function exchangeOf(rows: KeptRows): VenueBExchange {
  const exchange = new VenueBExchange({
    ...{ series: [], events: [], timers: wallTimers, faults: NO_FAULTS, random: new Random(1), keeping: rows },
  });
  const listed = [...rows.rows('game')].flatMap(([, catalog]) => (catalog as Catalog).venueB.events);
  expect(exchange.list(listed)).toBe(true);
  exchange.takeUp(rows);
  rows.begin();
  return exchange;
}

function place(exchange: VenueBExchange, clientOrderId: string) {
  const market = exchange.markets.get(TICKER)!;
  const terms = { clientOrderId, market, side: BID, price: HALF_CENT_PRICE, size: SIZE } as const;
  return exchange.orders.place(OWNER, { ...PLAIN_TERMS, ...terms });
}

describe('6221: a price grid that the real venue has changed', () => {
  it('is taken over with the next reading, and holds after a restart with the orders at its prices', async () => {
    const real = await VenueBRig.start({ timers: wallTimers });
    const folder = temporaryFolder();
    closing.push(
      () => real.close(),
      () => removeFolder(folder),
    );
    const rows = new KeptRows(`${folder}/rows`, error => {
      throw error;
    });
    const exchange = exchangeOf(rows);
    const live = new LiveVenueB({
      ...{ url: real.server.restUrl, exchange, timers: wallTimers, onListed: catalog => rows.list(catalog) },
    });
    closing.push(() => live.close());
    expect(await live.list(TICKER)).toBeNull();
    exchange.deposit(OWNER, CASH);
    expect(place(exchange, 'early')).toEqual({ ok: false, error: 'invalid-price' });
    expect(await live.refresh(TICKER)).toBe(false);
    real.exchange.life.setGrid(real.exchange.markets.get(TICKER)!, DECI_CENT);
    expect(await live.refresh(TICKER)).toBe(true);
    const [house] = live.markets();
    expect([house!.house.isOnGrid(HALF_CENT_PRICE), place(exchange, 'late').ok]).toEqual([true, true]);
    expect(await live.refresh(TICKER)).toBe(false);
    rows.close();

    const again = exchangeOf(new KeptRows(`${folder}/rows`, () => {}));
    expect(again.markets.get(TICKER)!.bestBid).toEqual({ price: HALF_CENT_PRICE, size: SIZE });
    expect(place(again, 'later').ok).toBe(true);
  });
});
