// Pages of the paper venue B's lists while the lists change between the pages (venue-b.md §4), over real sockets.

import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { VirtualTimers } from '../../../support/virtual-timers.ts';
import { newOrder, OTHER_TICKER, type RigUser, TICKER, VenueBRig } from '../venue-b-rig.ts';

const ORDERS = '/portfolio/events/orders';

const rigs: VenueBRig[] = [];
let timers: VirtualTimers;
let rig: VenueBRig;
let user: RigUser;

beforeEach(async () => {
  timers = new VirtualTimers();
  rig = await VenueBRig.start({ timers });
  rigs.push(rig);
  user = rig.user();
});
afterAll(() => {
  for (const each of rigs) each.close();
});

interface Page {
  readonly cursor: string;
  readonly [list: string]: unknown;
}

/** Returns every item of a list, read in pages of two items. `between` runs after each page. */
async function listed(path: string, name: string, between: (page: readonly unknown[]) => unknown = () => {}) {
  const items: unknown[] = [];
  let cursor = '';
  for (let pages = 0; pages < 20; pages += 1) {
    const page = (await user.get(`${path}limit=2&cursor=${cursor}`)).body as Page;
    const shown = page[name] as readonly unknown[];
    items.push(...shown);
    cursor = page.cursor;
    if (cursor === '') return items;
    await between(shown);
  }
  throw new Error('the list has no end');
}

const idOf = (order: unknown): string => (order as { order_id: string }).order_id;
const place = async (changes: Record<string, unknown> = {}) =>
  idOf((await user.send('POST', ORDERS, newOrder(changes))).body);

describe('pages', () => {
  it('of resting orders go on where they were, though the last one shown has ended and new ones have come', async () => {
    const placed: string[] = [];
    for (let count = 0; count < 7; count += 1) placed.unshift(await place());
    const orders = await listed('/portfolio/orders?status=resting&', 'orders', async ([, last]) => {
      await user.send('DELETE', `${ORDERS}/${idOf(last)}`);
      await place();
    });
    expect(orders.map(idOf)).toEqual(placed);
  });

  it('of the orders of several subaccounts are one list, newest first', async () => {
    rig.fund(user.userId, 1_000, 1);
    const placed: string[] = [];
    for (let count = 0; count < 7; count += 1) {
      placed.unshift(await place({ subaccount: count % 3 === 0 ? 1 : 0 }));
      timers.advance(10);
    }
    expect((await listed('/portfolio/orders?', 'orders')).map(idOf)).toEqual(placed);
  });

  it('of fills show both sides of a trade between two subaccounts once', async () => {
    rig.fund(user.userId, 10_000, 1);
    for (let count = 0; count < 3; count += 1) {
      await place({ price: '0.4500' });
      await place({ price: '0.4500', side: 'ask', subaccount: 1 });
    }
    const fills = (await listed('/portfolio/fills?', 'fills')) as { fill_id: string; subaccount_number: number }[];
    expect(new Set(fills.map(fill => `${fill.fill_id} ${fill.subaccount_number}`)).size).toBe(6);
    expect(fills).toHaveLength(6);
  });

  it('of open markets go on though one closes', async () => {
    const closing = [TICKER, OTHER_TICKER].map(ticker => rig.market(ticker));
    const first = (await user.get('/markets?status=open&limit=1')).body as Page & { markets: { ticker: string }[] };
    expect(first.markets.map(({ ticker }) => ticker)).toEqual([TICKER]);
    rig.exchange.life.setCloseAt(closing[0]!, rig.exchange.now());
    const { body } = await user.get(`/markets?status=open&limit=1&cursor=${first.cursor}`);
    expect(body).toMatchObject({ cursor: '', markets: [{ ticker: OTHER_TICKER }] });
  });
});

describe('places in the queue', () => {
  it('are those of the orders that rest', async () => {
    const ended = await place({ price: '0.2000' });
    await user.send('DELETE', `${ORDERS}/${ended}`);
    const first = await place({ price: '0.2000' });
    const second = await place({ price: '0.2000', count: '2.00' });
    expect((await user.get(`/portfolio/orders/queue_positions?market_tickers=${TICKER}`)).body).toEqual({
      queue_positions: [
        { market_ticker: TICKER, order_id: second, queue_position_fp: '1.00' },
        { market_ticker: TICKER, order_id: first, queue_position_fp: '0.00' },
      ],
    });
  });
});
