// A second start of the paper exchanges finds everything that the first process had answered. A copy of the running process's file stands for the
// file that kill -9 leaves.

import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createDemoAccounts, type DemoAccounts } from '../../src/paper/control/demo-accounts.ts';
import type { Paper, PaperOptions } from '../../src/paper/paper.ts';
import { POLYGON } from '../../src/venues/venue-a/exchanges.ts';
import { ask, someTicker, someToken, VenueBTrader, venueAClient } from '../support/paper-traders.ts';
import { startQuietPaper } from '../support/quiet-paper.ts';

const RESTING_CENT = '0.0100';

let accounts: DemoAccounts;
let folder: string;
let files = 0;
const closing: (() => void)[] = [];

beforeAll(async () => {
  accounts = await createDemoAccounts(POLYGON);
  folder = mkdtempSync(join(tmpdir(), 'crossbook-kept-'));
});
afterAll(() => rmSync(folder, { recursive: true }));
afterEach(() => {
  for (const close of closing.splice(0).reverse()) close();
});

async function start(keptIn: string, options: Partial<PaperOptions> = {}): Promise<Paper> {
  const paper = await startQuietPaper(accounts, { isOpeningOnly: true, takerDelayS: 0, keptIn, ...options });
  closing.push(() => paper.close());
  return paper;
}

const newFile = (): string => join(folder, `exchanges-${files++}`);

/** Copies the folder that this process has kept so far, as another process would find it. */
function killed(keptIn: string): string {
  const copy = newFile();
  copyFileSync(keptIn, copy);
  return copy;
}

const venueB = ({ urls }: Paper): VenueBTrader => new VenueBTrader(urls.venueB.rest, accounts);
const venueA = ({ urls }: Paper) => venueAClient(urls.venueA.rest, accounts);

/** The demo user's view of venue B, without prices. */
async function seenAtB(paper: Paper): Promise<object> {
  const trader = venueB(paper);
  const read = async (path: string) => (await trader.call('GET', path)).body;
  const { balance } = (await read('/portfolio/balance')) as { readonly balance: number };
  const [orders, fills, positions] = await Promise.all([
    read('/portfolio/orders'),
    read('/portfolio/fills'),
    read('/portfolio/positions'),
  ]);
  return { balance, orders, fills, positions };
}

async function positionsAtA(paper: Paper, query = ''): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const url = `${paper.urls.venueA.data}/v2/positions?user=${accounts.venueA.address}&${query}`;
  return (await ask<{ data: readonly Readonly<Record<string, unknown>>[] }>(url)).body.data;
}

/** The demo wallet's view of venue A, without prices. */
async function seenAtA(paper: Paper): Promise<object> {
  const client = venueA(paper);
  const [orders, trades, collateral] = await Promise.all([
    client.getOpenOrders(),
    client.getTrades(),
    client.getBalanceAllowance({ asset_type: 'COLLATERAL' as never }),
  ]);
  const positions = (await positionsAtA(paper)).map(it => [it.token_id, it.current_size, it.avg_price]);
  // The settlement continues meanwhile, so the status of a trade is left out.
  const matched = trades.map(({ status: _status, last_update: _last, ...trade }) => trade);
  return { orders, trades: matched, collateral: collateral.balance, positions };
}

describe('4035: a second start', () => {
  it('has the money, orders, fills and positions of venue B', async () => {
    const keptIn = newFile();
    const first = await start(keptIn);
    const trader = venueB(first);
    const ticker = await someTicker(first.urls.venueB.rest);
    await trader.order(ticker, 'bid', '40.00', '0.9900');
    await trader.order(ticker, 'ask', '15.00', '0.0100');
    const resting = await trader.order(ticker, 'bid', '7.00', RESTING_CENT);
    const selling = await trader.order(ticker, 'ask', '25.00', '0.9900');
    expect([resting.status, selling.status]).toEqual([201, 201]);
    await trader.order(ticker, 'bid', '1.00', '0.9800');
    const second = await start(killed(keptIn));
    expect(await seenAtB(second)).toEqual(await seenAtB(first));
    // The shares that are reserved for the sale cannot be sold again, and the rest of the money can be spent.
    const { order_id: orderId } = resting.body as { readonly order_id: string };
    expect((await venueB(second).call('DELETE', `/portfolio/events/orders/${orderId}`)).status).toBe(200);
    expect(await venueB(second).order(ticker, 'ask', '1.00', '0.0100')).toMatchObject({
      status: 201,
      body: { fill_count: '1.00' },
    });
  });

  it('has the money, orders, trades and shares of venue A', async () => {
    const keptIn = newFile();
    const first = await start(keptIn);
    const tokenID = await someToken(first.urls.venueA.gamma);
    const client = venueA(first);
    await client.createAndPostOrder({ tokenID, price: 0.99, size: 40, side: 'BUY' as never });
    await client.createAndPostOrder({ tokenID, price: 0.01, size: 15, side: 'SELL' as never });
    await client.createAndPostOrder({ tokenID, price: 0.01, size: 100, side: 'BUY' as never });
    await client.createAndPostOrder({ tokenID, price: 0.99, size: 20, side: 'SELL' as never });
    await client.createAndPostOrder({ tokenID, price: 0.02, size: 50, side: 'BUY' as never });
    const second = await start(killed(keptIn));
    const [before, after] = [await seenAtA(first), await seenAtA(second)];
    expect(after).toEqual(before);
    expect(after).toMatchObject({
      orders: [{ price: '0.02' }, { price: '0.99' }, { price: '0.01' }],
      positions: [[expect.any(String), 25, expect.any(Number)]],
    });
    // Only five shares are free, since twenty are reserved for the open sale.
    const sale = (size: number) =>
      venueA(second).createAndPostOrder({ tokenID, price: 0.01, size, side: 'SELL' as never });
    expect(await sale(6)).toMatchObject({ status: 400 });
    expect(await sale(5)).toMatchObject({ success: true, status: 'matched' });
  });

  it('never uses an id of the first one again', async () => {
    const keptIn = newFile();
    const first = await start(keptIn);
    const ticker = await someTicker(first.urls.venueB.rest);
    const idsOf = async (paper: Paper): Promise<string[]> => {
      const { body } = await venueB(paper).call<{ fills: { trade_id: string }[] }>('GET', '/portfolio/fills');
      return body.fills.map(({ trade_id }) => trade_id);
    };
    for (let count = 0; count < 3; count += 1) await venueB(first).order(ticker, 'bid', '1.00', '0.9900');
    const second = await start(killed(keptIn));
    for (let count = 0; count < 3; count += 1) await venueB(second).order(ticker, 'bid', '1.00', '0.9900');
    const ids = await idsOf(second);
    expect(ids.length).toBeGreaterThan(5);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids).toEqual(expect.arrayContaining(await idsOf(first)));
  });

  it('refuses the client order ids of the first one', async () => {
    const keptIn = newFile();
    const first = await start(keptIn);
    const ticker = await someTicker(first.urls.venueB.rest);
    const order = {
      ...{ ticker, side: 'bid', count: '1.00', price: RESTING_CENT, client_order_id: crypto.randomUUID() },
      time_in_force: 'good_till_canceled',
      self_trade_prevention_type: 'taker_at_cross',
    };
    expect((await venueB(first).call('POST', '/portfolio/events/orders', order)).status).toBe(201);
    const second = await start(killed(keptIn));
    expect((await venueB(second).call('POST', '/portfolio/events/orders', order)).status).toBe(409);
  });

  it('has the accounts and keys that were made', async () => {
    const keptIn = newFile();
    const first = await start(keptIn);
    const opened = await ask<{ readonly account: object }>(`${first.urls.control}/venues/venue_b/accounts`, 'POST', {
      balance: '250',
      generate: 'ed25519',
    });
    expect(opened.status).toBe(201);
    const second = await start(killed(keptIn));
    for (const venue of ['venue_a', 'venue_b']) {
      const list = async ({ urls }: Paper) => (await ask(`${urls.control}/venues/${venue}/accounts`)).body;
      expect(await list(second)).toEqual(await list(first));
    }
  });

  it('lists the same games, at the same prices', async () => {
    const keptIn = newFile();
    const first = await start(keptIn);
    const second = await start(killed(keptIn));
    expect(second.markets).toEqual(first.markets);
  });

  it('has the result of a market, and what it paid', async () => {
    const keptIn = newFile();
    const first = await start(keptIn);
    const tokenID = await someToken(first.urls.venueA.gamma);
    const ticker = await someTicker(first.urls.venueB.rest);
    await venueA(first).createAndPostOrder({ tokenID, price: 0.99, size: 10, side: 'BUY' as never });
    await venueB(first).order(ticker, 'bid', '3.00', '0.9900');
    const settle = async (venue: string, market: string) =>
      ask(`${first.urls.control}/venues/${venue}/markets/${market}/settle`, 'POST', { value: '1' });
    await ask(`${first.urls.control}/venues/venue_b/settlement`, 'PUT', { delayMs: 0 });
    await settle('venue_a', tokenID);
    await settle('venue_b', ticker);
    const isPaid = async () => {
      const { body } = await venueB(first).call<{ settlements: object[] }>('GET', '/portfolio/settlements');
      return body.settlements.length > 0;
    };
    await expect.poll(isPaid).toBe(true);
    const second = await start(killed(keptIn));
    expect(await seenAtB(second)).toEqual(await seenAtB(first));
    const settlements = async (paper: Paper) => (await venueB(paper).call('GET', '/portfolio/settlements')).body;
    expect(await settlements(second)).toEqual(await settlements(first));
    expect(await positionsAtA(second, 'status=REDEEMABLE')).toMatchObject([
      { token_id: tokenID, current_size: 10, current_price: 1 },
    ]);
  });

  it('keeps what a caller has in markets of a recording that no longer plays', async () => {
    const keptIn = newFile();
    const first = await start(keptIn);
    const ticker = await someTicker(first.urls.venueB.rest);
    await venueB(first).order(ticker, 'bid', '3.00', RESTING_CENT);
    const empty = join(folder, 'recording.jsonl');
    const { writeFileSync } = await import('node:fs');
    const snapshot = {
      type: 'orderbook_snapshot',
      ...{ sid: 1, seq: 1 },
      msg: { market_ticker: 'KXTEST-26NOV21AAABBB-AAA', yes_dollars_fp: [['0.4', '5']], no_dollars_fp: [['0.4', '5']] },
    };
    writeFileSync(empty, JSON.stringify(snapshot));
    const liquidity = { kind: 'recording', recording: { files: [empty], speed: 1, loop: false } } as const;
    const second = await start(killed(keptIn), { liquidity });
    expect(await seenAtB(second)).toEqual(await seenAtB(first));
  });
});
