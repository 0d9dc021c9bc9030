// A pod's account at venue B by its own REST (venue-b.md §5.6, §6).

import type { DemoAccounts } from '../../src/paper/control/demo-accounts.ts';
import { VenueBTrader } from '../support/paper-traders.ts';
import { micros } from './decimals.ts';
import type { VenueFillSeen, VenueOrderSeen, VenueSeen } from './venue-view.ts';

type Row = Readonly<Record<string, string>>;
type Page = Readonly<Record<'orders' | 'fills' | 'market_positions', readonly Row[]>> & { readonly cursor: string };

export async function seeVenueB(restUrl: string, accounts: DemoAccounts): Promise<VenueSeen> {
  const trader = new VenueBTrader(restUrl, accounts);
  const list = async (path: string, name: 'orders' | 'fills' | 'market_positions'): Promise<readonly Row[]> => {
    const rows: Row[] = [];
    for (let cursor = ''; ; ) {
      const { body } = await trader.call<Page>('GET', `${path}?limit=1000${cursor === '' ? '' : `&cursor=${cursor}`}`);
      rows.push(...body[name]);
      if (body.cursor === '') return rows;
      cursor = body.cursor;
    }
  };
  const [orders, fills, positions, { body: balance }] = await Promise.all([
    list('/portfolio/orders', 'orders'),
    list('/portfolio/fills', 'fills'),
    list('/portfolio/positions', 'market_positions'),
    trader.call<Row>('GET', '/portfolio/balance'),
  ]);
  const held = new Map(positions.map(({ ticker = '', position_fp = '' }) => [ticker, micros(position_fp)]));
  const ids = new Set(orders.map(({ order_id }) => order_id));
  return {
    orders: orders.map(orderOf),
    fills: fills.map(fillOf),
    position: address => Promise.resolve(held.get(address) ?? 0n),
    knows: venueOrderId => Promise.resolve(ids.has(venueOrderId)),
    cash: micros(balance.balance_dollars ?? ''),
  };
}

function orderOf({ order_id = '', client_order_id = '', status, fill_count_fp = '' }: Row): VenueOrderSeen {
  return {
    venueOrderId: order_id,
    clientOrderId: client_order_id,
    isResting: status === 'resting',
    filled: micros(fill_count_fp),
  };
}

function fillOf(row: Row): VenueFillSeen {
  const { trade_id = '', order_id = '', market_ticker = '', count_fp = '', yes_price_dollars = '' } = row;
  const size = micros(count_fp);
  return {
    tradeId: trade_id,
    venueOrderId: order_id,
    address: market_ticker,
    change: row.book_side === 'bid' ? size : -size,
    cost: size * micros(yes_price_dollars),
    fee: micros(row.fee_cost ?? ''),
    isFailed: false,
  };
}
