// The paper exchanges as a whole: all servers on free ports, trades of the demo accounts, faults, and recordings as liquidity. Their end leaves
// nothing behind. The folders beside this file test each part in detail. Venue B as a whole: its composer hears of internal errors, while callers
// only see a 500.

import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { ListenError } from '../../src/core/net/listen.ts';
import { createDemoAccounts, type DemoAccounts } from '../../src/paper/control/demo-accounts.ts';
import type { Liquidity, Paper, PaperOptions } from '../../src/paper/paper.ts';
import { startPaperVenueB } from '../../src/paper/paper-venues.ts';
import { RecordingError } from '../../src/paper/replay/recorder-forms.ts';
import { POLYGON } from '../../src/venues/venue-a/exchanges.ts';
import { NO_FAULTS } from '../support/no-faults.ts';
import { ask, someTicker, someToken, VenueBTrader, venueAClient } from '../support/paper-traders.ts';
import { ANY_PORT, startQuietPaper } from '../support/quiet-paper.ts';
import { recordingPath, recordingsPresent } from '../support/recordings.ts';
import { VirtualTimers } from '../support/virtual-timers.ts';

let accounts: DemoAccounts;
let folder: string;
const closing: (() => void)[] = [];

beforeAll(async () => {
  accounts = await createDemoAccounts(POLYGON);
  folder = mkdtempSync(join(tmpdir(), 'crossbook-paper-'));
});
afterAll(() => rmSync(folder, { recursive: true }));
afterEach(() => {
  for (const close of closing.splice(0).reverse()) close();
});

async function start(options: Partial<PaperOptions> = {}): Promise<Paper> {
  const paper = await startQuietPaper(accounts, { takerDelayS: 0, ...options });
  closing.push(() => paper.close());
  return paper;
}

const portOf = (url: string): number => Number(new URL(url).port);
const portsOf = ({ urls: { venueA, venueB, venueD, venueE, control } }: Paper): PaperOptions['ports'] => ({
  venueA: portOf(venueA.rest),
  gamma: portOf(venueA.gamma),
  data: portOf(venueA.data),
  venueB: portOf(venueB.rest),
  control: portOf(control),
  venueD: portOf(venueD.rest),
  venueE: portOf(venueE.rest),
});

/** Listens on the port; resolves if the port was free. */
async function occupy(port: number): Promise<Server> {
  const server = createServer().listen(port, '127.0.0.1');
  await once(server, 'listening');
  closing.push(() => server.close());
  return server;
}

/** Returns ports that had no connections. The system keeps a port that it picked itself for a while after the last connection of the port. */
async function freePorts(): Promise<PaperOptions['ports']> {
  const servers = await Promise.all(Object.keys(ANY_PORT).map(() => occupy(0)));
  const ports = servers.map(server => (server.address() as AddressInfo).port);
  for (const server of servers) await new Promise(resolve => server.close(resolve));
  return Object.fromEntries(Object.keys(ANY_PORT).map((name, index) => [name, ports[index]])) as never;
}

describe('its servers', () => {
  it('answer on ports of their own, and the control names them', async () => {
    const { urls, markets } = await start();
    const { venueA, venueB, venueD, venueE, control } = urls;
    expect((await ask(`${venueA.rest}/time`)).status).toBe(200);
    expect((await ask(`${venueA.gamma}/events?limit=1`)).status).toBe(200);
    expect((await ask(`${venueA.data}/v2/positions?user=${accounts.venueA.address}`)).body).toMatchObject({ data: [] });
    expect((await ask(`${venueB.rest}/exchange/status`)).body).toMatchObject({ trading_active: true });
    expect((await ask(`${venueD.rest}/markets/active`)).body).toMatchObject({ totalMarketsCount: 8 });
    expect((await ask(`${venueE.rest}/market/101`)).body).toMatchObject({ errno: 0 });
    const { body } = await ask<{ readonly urls: object }>(`${control}/`);
    const named = [venueA, venueB, venueD, venueE].flatMap(it => Object.values(it));
    expect(Object.values(body.urls).sort()).toEqual(named.sort());
    for (const market of markets) {
      const isKnown =
        market.venue === 'venue_b'
          ? `${venueB.rest}/markets/${market.ticker}`
          : `${venueA.rest}/book?token_id=${market.tokenId}`;
      // The test asks only for a few markets: the first market of each venue is the one that a new user is shown.
      if (market === markets[0] || market === markets.at(-1)) expect((await ask(isKnown)).status).toBe(200);
    }
    expect(new Set(markets.map(({ venue }) => venue))).toEqual(new Set(['venue_a', 'venue_b']));
  });

  it('end with their streams and free their ports', async () => {
    const ports = await freePorts();
    const paper = await start({ ports });
    expect(portsOf(paper)).toEqual(ports);
    const stream = new WebSocket(paper.urls.venueA.marketStream);
    await once(stream, 'open');
    const ended = once(stream, 'close');
    paper.close();
    await ended;
    await expect(ask(paper.urls.venueB.rest)).rejects.toThrow('fetch failed');
    const again = await start({ ports });
    // This second call of `close` must not end the successor.
    paper.close();
    expect((await ask(`${again.urls.venueB.rest}/exchange/status`)).status).toBe(200);
  });

  it.each(['venueA', 'gamma', 'data', 'venueB', 'control', 'venueD', 'venueE'] as const)(
    'leave nothing open if the port of %s is taken',
    async taken => {
      const ports = await freePorts();
      await occupy(ports[taken]);
      const failed = start({ ports });
      await expect(failed).rejects.toThrow(ListenError);
      await expect(failed).rejects.toMatchObject({ port: ports[taken] });
      for (const port of Object.values(ports)) if (port !== ports[taken]) await occupy(port);
    },
  );
});

describe('the demo accounts', () => {
  it.each(['ed25519', 'rsa'] as const)('trade at venue B with their %s key', async keyType => {
    const { urls } = await start();
    const trader = new VenueBTrader(urls.venueB.rest, accounts, keyType);
    expect(await trader.balance()).toBe(1_000_000);
    const ticker = await someTicker(urls.venueB.rest);
    const taken = await trader.order(ticker, 'bid', '3.00', '0.9900');
    expect([taken.status, taken.body]).toMatchObject([201, { fill_count: '3.00', remaining_count: '0.00' }]);
    const { body } = await trader.call('GET', '/portfolio/positions');
    expect(body).toMatchObject({ market_positions: [{ ticker, position_fp: '3.00' }] });
    expect(await trader.balance()).toBeLessThan(1_000_000);
  });

  it('trade at venue A with their wallet and their API key', async () => {
    const { urls } = await start();
    const client = venueAClient(urls.venueA.rest, accounts);
    const tokenID = await someToken(urls.venueA.gamma);
    const bought = await client.createAndPostOrder({ tokenID, price: 0.99, size: 10, side: 'BUY' as never });
    expect(bought).toMatchObject({ success: true, status: 'matched', takingAmount: '10' });
    expect(await client.getTrades()).toMatchObject([{ asset_id: tokenID, side: 'BUY', size: '10' }]);
  });

  it('are unknown elsewhere', async () => {
    const { urls } = await start({ accounts: await createDemoAccounts(POLYGON) });
    const trader = new VenueBTrader(urls.venueB.rest, accounts);
    expect((await trader.call('GET', '/portfolio/balance')).status).toBe(401);
    expect(await venueAClient(urls.venueA.rest, accounts).getApiKeys()).toMatchObject({ status: 401 });
  });
});

describe('faults', () => {
  it('strike where the control asks for them, with effect or without', async () => {
    const { urls } = await start();
    const trader = new VenueBTrader(urls.venueB.rest, accounts);
    const ticker = await someTicker(urls.venueB.rest);
    const orders = async () => {
      const { body } = await trader.call<{ readonly orders: readonly object[] }>('GET', '/portfolio/orders');
      return body.orders.length;
    };
    for (const [isApplied, count] of [
      [false, 0],
      [true, 1],
    ] as const) {
      const fault = { kind: 'status', status: 503, isApplied };
      const rule = { venue: 'venue_b', operation: 'POST /portfolio/events/orders', fault, countMax: 1 };
      expect((await ask(`${urls.control}/faults`, 'POST', rule)).status).toBe(201);
      expect((await trader.order(ticker, 'bid', '1.00', '0.0100')).status).toBe(503);
      expect(await orders()).toBe(count);
    }
    expect((await trader.order(ticker, 'bid', '1.00', '0.0100')).status).toBe(201);
    await ask(`${urls.control}/faults`, 'POST', {
      venue: 'venue_a',
      operation: 'POST /order',
      fault: { kind: 'rate-limited' },
    });
    const client = venueAClient(urls.venueA.rest, accounts);
    const tokenID = await someToken(urls.venueA.gamma);
    const refused = await client.createAndPostOrder({ tokenID, price: 0.1, size: 10, side: 'BUY' as never });
    expect(refused).toMatchObject({ status: 429 });
    const journal = await ask(`${urls.control}/faults/journal`);
    expect(journal.body).toMatchObject({ counts: { status: 2, 'rate-limited': 1 } });
  });
});

describe('recordings as liquidity', () => {
  const TICKER = 'KXTEST-26NOV21AAABBB-AAA';
  const recording = (files: readonly string[]): Liquidity => ({
    kind: 'recording',
    recording: { files, speed: 1, loop: false },
  });

  it('give the recorded book, and a caller takes real orders from it', async () => {
    const file = join(folder, 'book.json');
    const msg = {
      market_ticker: TICKER,
      market_id: '11111111-1111-4111-8111-111111111111',
      yes_dollars_fp: [['0.4000', '100.00']],
      no_dollars_fp: [
        ['0.5400', '7.00'],
        ['0.5500', '50.00'],
      ],
    };
    writeFileSync(
      file,
      JSON.stringify({ frames: [{ received_ms: 0, frame: { type: 'orderbook_snapshot', sid: 1, seq: 1, msg } }] }),
    );
    const { urls, markets } = await start({ liquidity: recording([file]) });
    expect(markets).toEqual([{ venue: 'venue_b', ticker: TICKER }]);
    const trader = new VenueBTrader(urls.venueB.rest, accounts);
    const book = async () =>
      (await trader.call<{ orderbook_fp: object }>('GET', `/markets/${TICKER}/orderbook`)).body.orderbook_fp;
    expect(await book()).toEqual({ yes_dollars: msg.yes_dollars_fp, no_dollars: msg.no_dollars_fp });
    const taken = await trader.order(TICKER, 'bid', '52.00', '0.4600');
    expect(taken.body).toMatchObject({ fill_count: '52.00', average_fill_price: '0.4504' });
    expect(await book()).toEqual({ yes_dollars: [['0.4000', '100.00']], no_dollars: [['0.5400', '5.00']] });
  });

  it.skipIf(!recordingsPresent)('of both real venues trade side by side (needs the recordings)', async () => {
    const files = [
      'venue-b/kalshi-cockpit/tests/fixtures/ws_orderbook_stream.json',
      'venue-a/poly-polyarb/tests/fixtures/ws_market_capture.json',
    ].map(recordingPath);
    const { urls, markets } = await start({ liquidity: recording(files) });
    expect(markets.filter(({ venue }) => venue === 'venue_b')).toHaveLength(12);
    const trader = new VenueBTrader(urls.venueB.rest, accounts);
    const taken = await trader.order(await someTicker(urls.venueB.rest), 'bid', '1.00', '0.9900');
    expect(taken.body).toMatchObject({ fill_count: '1.00' });
    const token = markets.find(market => market.venue === 'venue_a');
    const { body } = await ask(`${urls.venueA.rest}/book?token_id=${token?.venue === 'venue_a' ? token.tokenId : ''}`);
    const someLevel = expect.arrayContaining([{ price: expect.any(String), size: expect.any(String) }]);
    expect(body).toMatchObject({ bids: someLevel, asks: someLevel });
  });

  it('reject what cannot be played', async () => {
    await expect(start({ liquidity: recording([join(folder, 'nothing.json')]) })).rejects.toThrow(RecordingError);
  });
});

describe('instant mode', () => {
  it('fills orders without a check', async () => {
    const { urls } = await start({ mode: 'instant' });
    const stranger = new VenueBTrader(urls.venueB.rest, await createDemoAccounts(POLYGON));
    const filled = await stranger.order('NO-SUCH', 'bid', '5.00', '0.5000');
    expect([filled.status, filled.body]).toMatchObject([201, { fill_count: '5.00', remaining_count: '0.00' }]);
    expect((await ask(`${urls.venueB.rest}/portfolio/balance`)).status).toBe(401);
  });
});

it('tells of its own faults', async () => {
  const failures: unknown[] = [];
  const broken = new Error('a plan that breaks');
  const venue = await startPaperVenueB({
    catalog: { series: [], events: [] },
    timers: new VirtualTimers(),
    faults: {
      ...NO_FAULTS,
      ofRequest: () => {
        throw broken;
      },
    },
    seed: 1,
    host: '127.0.0.1',
    port: 0,
    mode: 'exact',
    onFailure: error => failures.push(error),
  });
  const answer = await fetch(`${venue.urls.rest}/exchange/status`);
  expect([answer.status, await answer.text(), failures]).toEqual([
    500,
    '{"error":{"code":"internal_server_error","message":"internal server error"}}',
    [broken],
  ]);
  venue.close();
});
