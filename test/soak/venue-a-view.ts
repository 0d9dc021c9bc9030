// A pod's account at venue A by its own REST (venue-a.md §3.5–3.7): resting orders, every trade, and balances of money and of tokens.

import { createHmac } from 'node:crypto';
import type { DemoAccounts } from '../../src/paper/control/demo-accounts.ts';
import { type Answer, ask } from '../support/paper-traders.ts';
import { micros } from './decimals.ts';
import type { VenueFillSeen, VenueOrderSeen, VenueSeen } from './venue-view.ts';

type Order = Readonly<Record<'id' | 'size_matched' | 'original_size', string>>;

interface Maker {
  readonly order_id: string;
  readonly owner: string;
  readonly asset_id: string;
  readonly side: string;
  readonly matched_amount: string;
  readonly price: string;
}

interface Trade {
  readonly id: string;
  readonly taker_order_id: string;
  readonly owner: string;
  readonly asset_id: string;
  readonly side: string;
  readonly status: string;
  readonly maker_orders: readonly Maker[];
}

interface Page<Row> {
  readonly data: readonly Row[];
  readonly next_cursor: string;
}

const DOLLAR = 1_000_000n;
const [START, END] = ['MA==', 'LTE='];

export async function seeVenueA(restUrl: string, { venueA }: DemoAccounts): Promise<VenueSeen> {
  const get = <Body>(path: string): Promise<Answer<Body>> =>
    ask(restUrl + path, 'GET', undefined, signed(venueA, path));
  const list = async <Row>(path: string): Promise<readonly Row[]> => {
    const rows: Row[] = [];
    for (let cursor = START; cursor !== END; ) {
      const { body } = await get<Page<Row>>(`${path}?next_cursor=${cursor}`);
      rows.push(...body.data);
      cursor = body.next_cursor;
    }
    return rows;
  };
  const balance = async (query: string): Promise<bigint> => {
    // This reads the balance from the chain; the CLOB's last known balance lacks deposits and redemptions.
    await get(`/balance-allowance/update?signature_type=0&${query}`);
    const { body } = await get<{ readonly balance: string }>(`/balance-allowance?signature_type=0&${query}`);
    return BigInt(body.balance);
  };
  const [orders, trades, cash] = await Promise.all([
    list<Order>('/data/orders'),
    list<Trade>('/data/trades'),
    balance('asset_type=COLLATERAL'),
  ]);
  return {
    orders: orders.map(orderOf),
    fills: trades.flatMap(trade => fillsOf(trade, venueA.apiKey)),
    position: address => balance(`asset_type=CONDITIONAL&token_id=${address}`),
    // The venue returns no data on an ended order, but does not deny the order.
    knows: async venueOrderId => (await get(`/data/order/${venueOrderId}`)).status === 200,
    cash,
  };
}

/** Returns the signed headers (venue-a.md §1.2). The query is not signed. */
function signed(account: DemoAccounts['venueA'], target: string): Readonly<Record<string, string>> {
  const timestamp = String(Math.floor(Date.now() / 1_000));
  const hmac = createHmac('sha256', Buffer.from(account.secret, 'base64'));
  const digest = hmac.update(`${timestamp}GET${target.split('?')[0]}`).digest('base64');
  return {
    POLY_ADDRESS: account.address,
    POLY_API_KEY: account.apiKey,
    POLY_PASSPHRASE: account.passphrase,
    POLY_SIGNATURE: digest.replaceAll('+', '-').replaceAll('/', '_'),
    POLY_TIMESTAMP: timestamp,
  };
}

function orderOf({ id, size_matched }: Order): VenueOrderSeen {
  return { venueOrderId: id, clientOrderId: null, isResting: true, filled: micros(size_matched) };
}

/** The taker has traded at the makers' prices. A maker of the other token trades at the complement of its price. */
function fillsOf(trade: Trade, apiKey: string): readonly VenueFillSeen[] {
  const common = { tradeId: trade.id, fee: null, isFailed: trade.status.includes('FAILED') };
  const fills: VenueFillSeen[] = trade.maker_orders
    .filter(({ owner }) => owner === apiKey)
    .map(maker => {
      const size = micros(maker.matched_amount);
      const moved = { address: maker.asset_id, change: maker.side === 'BUY' ? size : -size };
      return { ...common, ...moved, venueOrderId: maker.order_id, cost: size * micros(maker.price) };
    });
  if (trade.owner !== apiKey) return fills;
  let [size, cost] = [0n, 0n];
  for (const { asset_id, matched_amount, price } of trade.maker_orders) {
    const own = asset_id === trade.asset_id ? micros(price) : DOLLAR - micros(price);
    size += micros(matched_amount);
    cost += micros(matched_amount) * own;
  }
  const change = trade.side === 'BUY' ? size : -size;
  return [...fills, { ...common, address: trade.asset_id, change, venueOrderId: trade.taker_order_id, cost }];
}
