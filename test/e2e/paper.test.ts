// The command on its default source, as an operator and a bot meet it: the gateway's process with the paper exchanges inside.
// A trade by the venue's own API is seen in the gateway's books; a venue that hangs up costs an epoch.

import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Level, MarketKey, Venue } from '../../src/core/domain/market.ts';
import { parseMicroShares, parseTicks } from '../../src/core/domain/numbers.ts';
import type { DemoAccounts } from '../../src/paper/control/demo-accounts.ts';
import { OwnProcess } from '../support/child-process.ts';
import { ask, someTicker, someToken, VenueBTrader, venueAClient } from '../support/paper-traders.ts';
import { sendSigned, signedHeaders, type TestKey } from '../support/signed-requests.ts';
import { type InventedSession, inventSession } from './invented-session.ts';
import { Subscriber } from './subscriber.ts';

const LINE =
  /^(?:crossbook begins anew; .*\n)?crossbook listening on http:\/\/(\S+) \(paper exchanges: (venue_[ab]) (\S+) and \d+ more markets; control (http:\S+)\)\n/;

const above = mkdtempSync(join(tmpdir(), 'crossbook-paper-'));
const folder = join(above, 'data');
const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});
afterAll(() => rmSync(above, { recursive: true }));

interface Service {
  readonly process: OwnProcess;
  /** The address of the gateway, without a scheme. */
  readonly host: string;
  /** The market that the first line names. */
  readonly market: MarketKey;
  readonly control: string;
  /** The addresses of the paper exchanges, as the control names them. */
  readonly urls: Readonly<Record<string, string>>;
  readonly accounts: DemoAccounts;
  readonly subscriber: Subscriber;
}

async function start(...args: readonly string[]): Promise<Service> {
  const process = new OwnProcess(['src/main.ts', ...args], {
    CROSSBOOK_PORT: '0',
    CROSSBOOK_DATA_DIR: folder,
    CROSSBOOK_POOL_THREADS: '1',
  });
  closing.push(() => {
    process.signal('SIGKILL');
    return process.ended;
  });
  const [, host = '', venue, address = '', control = ''] = await process.said(LINE);
  const read = (name: string) => JSON.parse(readFileSync(join(folder, name), 'utf8'));
  const key: TestKey = read('demo/key.json');
  const upgradeHeaders = () => signedHeaders(key, 'GET', '/v1/orderbook');
  const subscriber = await Subscriber.connect({ url: `ws://${host}/v1/orderbook`, upgradeHeaders });
  closing.push(() => subscriber.close());
  const { urls } = (await ask<Pick<Service, 'urls'>>(control)).body;
  const market = keyOf(venue as Venue, address);
  return { process, host, market, control, urls, accounts: read('paper/accounts.json'), subscriber };
}

const keyOf = (venue: Venue, address: string): MarketKey =>
  venue === 'venue_a' ? { venue, tokenId: address } : { venue, ticker: address };

const sizeAt = (levels: readonly Level[], price: string): number =>
  levels.find(level => level.price === parseTicks(price))?.size ?? 0;

async function kill({ process }: Service): Promise<void> {
  process.signal('SIGKILL');
  await process.ended;
}

async function end({ process, subscriber }: Service): Promise<void> {
  process.signal('SIGTERM');
  expect(await process.ended).toBe(0);
  await subscriber.until(() => subscriber.closedWith !== null);
  expect(subscriber.closedWith).toMatch(/^code 1001 /);
}

describe('the market flow', () => {
  it('is live at both venues, shows who trades there, and survives a venue that hangs up', async () => {
    const service = await start();
    const { host, control, urls, accounts, subscriber, market } = service;
    const ready = { status: 'ready', feeds: { venue_a: 'ok', venue_b: 'ok' } };
    await expect.poll(() => ask(`http://${host}/readyz`)).toEqual({ status: 200, body: ready });
    const ofB: MarketKey = { venue: 'venue_b', ticker: await someTicker(urls['venue_b rest']!) };
    const ofA: MarketKey = { venue: 'venue_a', tokenId: await someToken(urls['venue_a gamma']!) };
    const isLive = (it: MarketKey): boolean => subscriber.book(it).state === 'LIVE' && subscriber.book(it).isSynced;
    type Listed = { readonly markets: readonly { readonly ticker: string }[] };
    const { body: listed } = await ask<Listed>(`${urls['venue_b rest']}/markets?limit=40`);
    const others = listed.markets.map(({ ticker }): MarketKey => ({ venue: 'venue_b', ticker }));
    await subscriber.subscribe('book', [market, ofA, ofB, ...others]);
    await subscriber.until(() => [market, ofA, ofB, ...others].every(isLive));
    // After the first books come the deltas of the market flow, each verified by its checksum.
    const hasMoved = (it: MarketKey): boolean => subscriber.sightings(it).some(({ update }) => update.type === 'delta');
    await subscriber.until(() => others.some(hasMoved));

    const size = parseMicroShares('12345')!;
    const trader = new VenueBTrader(urls['venue_b rest']!, accounts);
    expect((await trader.order(ofB.ticker, 'bid', '12345.00', '0.0100')).status).toBe(201);
    await subscriber.until(() => sizeAt(subscriber.book(ofB).bids, '0.01') >= size);
    const client = venueAClient(urls['venue_a rest']!, accounts);
    const order = { tokenID: ofA.tokenId, price: 0.01, size: 12_345, side: 'BUY' as never };
    expect(await client.createAndPostOrder(order)).toMatchObject({ success: true, status: 'live' });
    await subscriber.until(() => sizeAt(subscriber.book(ofA).bids, '0.01') >= size);

    for (const [it, venue] of [
      [ofA, 'venue_a'],
      [ofB, 'venue_b'],
    ] as const) {
      const { epoch } = subscriber.book(it);
      // The two streams are the stream of the books and the stream of our own orders.
      expect(await ask(`${control}/venues/${venue}/disconnect`, 'POST')).toEqual({ status: 200, body: { streams: 2 } });
      await subscriber.until(() => subscriber.book(it).epoch > epoch && isLive(it));
      expect(subscriber.states(it).at(-1)).toMatchObject({ state: 'RESYNCING', reason: 'DISCONNECTED' });
    }
    // Resting orders remain at the venues.
    expect(sizeAt(subscriber.book(ofA).bids, '0.01')).toBeGreaterThanOrEqual(size);
    expect(sizeAt(subscriber.book(ofB).bids, '0.01')).toBeGreaterThanOrEqual(size);
    expect(subscriber.errors).toEqual([]);

    await end(service);
  });

  it('4035: has what was answered at the next start after kill -9, and begins anew with --fresh', async () => {
    const service = await start();
    const { accounts, urls, host } = service;
    const key: TestKey = JSON.parse(readFileSync(join(folder, 'demo/key.json'), 'utf8'));
    const ticker = await someTicker(urls['venue_b rest']!);
    const body = JSON.stringify({ ticker, side: 'YES', action: 'BUY', count: 5, priceCents: 1 });
    const request = { method: 'POST', body, idempotencyKey: 'kept', headers: { 'Content-Type': 'application/json' } };
    const placed = await sendSigned(`http://${host}/v1/venue-b/orders`, key, request);
    expect([placed.status, placed.json]).toMatchObject([201, { status: 'OPEN' }]);
    const bought = await new VenueBTrader(urls['venue_b rest']!, accounts).order(ticker, 'bid', '2.00', '0.9900');
    expect(bought.status).toBe(201);
    const ofVenueB = async (it: Service) => {
      const trader = new VenueBTrader(it.urls['venue_b rest']!, it.accounts);
      const [{ body: orders }, { body: fills }] = await Promise.all([
        trader.call('GET', '/portfolio/orders'),
        trader.call('GET', '/portfolio/fills'),
      ]);
      return { balance: await trader.balance(), orders, fills };
    };
    const before = await ofVenueB(service);
    expect(before.balance).toBeLessThan(1_000_000);
    await kill(service);

    const next = await start();
    expect(await ofVenueB(next)).toEqual(before);
    const { orderId } = placed.json as { readonly orderId: string };
    const read = await sendSigned(`http://${next.host}/v1/venue-b/orders/${orderId}`, key);
    expect(read.json).toMatchObject({ status: 'OPEN', filledCount: null });
    await kill(next);

    const fresh = await start('--fresh');
    expect(fresh.accounts).not.toEqual(accounts);
    expect(await ofVenueB(fresh)).toMatchObject({ balance: 1_000_000, orders: { orders: [] } });
    const [left] = readdirSync(above).filter(name => name.startsWith('data-until-'));
    expect(JSON.parse(readFileSync(join(above, left!, 'paper/accounts.json'), 'utf8'))).toEqual(accounts);
  });
});

describe('--replay', () => {
  let session: InventedSession;
  beforeAll(async () => {
    session = await inventSession(5, 2_000);
  });
  afterAll(() => session.remove());

  it('plays recordings as liquidity: the books end as recorded, and trades are seen in them', async () => {
    const service = await start('--replay', ...session.files, '--speed', '20');
    const { urls, accounts, subscriber } = service;
    await subscriber.subscribe('book', session.markets);
    await subscriber.until(() =>
      session.markets.every(market => subscriber.picture(market) === session.truthOf(market).last),
    );
    const ofB = session.markets.find(market => market.venue === 'venue_b')!;
    const { bestAsk } = subscriber.book(ofB);
    const trader = new VenueBTrader(urls['venue_b rest']!, accounts);
    const ticker = ofB.venue === 'venue_b' ? ofB.ticker : '';
    const price = (bestAsk!.price / 10_000).toFixed(4);
    expect((await trader.order(ticker, 'bid', '1.00', price)).body).toMatchObject({ fill_count: '1.00' });
    const left = bestAsk!.size - parseMicroShares('1')!;
    await subscriber.until(() => sizeAt(subscriber.book(ofB).asks, price) === left);
    await end(service);
  });
});
