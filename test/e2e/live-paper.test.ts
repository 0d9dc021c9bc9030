// live-paper: a whole gateway with feeds that read a real venue and with orders that go to the gateway's own paper exchanges. Other paper exchanges
// stand for the real venues, behind wires that record every request.

import { randomUUID } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createDemoAccounts, type DemoAccounts } from '../../src/paper/control/demo-accounts.ts';
import { ed25519KeyOf } from '../../src/paper/demo-pod.ts';
import type { Paper } from '../../src/paper/paper.ts';
import { POLYGON } from '../../src/venues/venue-a/exchanges.ts';
import { OwnProcess } from '../support/child-process.ts';
import { eventually } from '../support/eventually.ts';
import { ask, someTicker, someToken, VenueBTrader } from '../support/paper-traders.ts';
import { startQuietPaper } from '../support/quiet-paper.ts';
import { type Answer, sendSigned, type TestKey } from '../support/signed-requests.ts';
import { removeFolder, temporaryFolder } from '../support/temporary-folder.ts';
import { tapOf, type WireTap } from '../support/wire-tap.ts';

interface Shown {
  readonly orderId: string;
  readonly status: string;
  readonly filledCount: string | null;
  readonly averagePrice: string | null;
}

/** The routes of the real venues that live-paper may request. A request to any other route is a breach. */
const MARKET_DATA =
  /^GET (\/(markets|markets-by-token|clob-markets|book|events|ws\/market)|\/trade-api\/v2\/(markets|events|series)|\/trade-api\/ws\/v2)([/?]|$)/;

let folder: string;
let accounts: DemoAccounts;
let real: Paper;
let wires: { readonly venueA: WireTap; readonly gamma: WireTap; readonly venueB: WireTap };
let gateway: OwnProcess;
let origin: string;
let key: TestKey;
let atReal: VenueBTrader;
/** The gateway’s own account at its paper exchange. */
let atPaper: VenueBTrader;
/** Venue A’s own paper exchange. */
let atPaperA: string;

beforeAll(async () => {
  folder = temporaryFolder();
  accounts = await createDemoAccounts(POLYGON);
  real = await startQuietPaper(accounts);
  const [venueA, gamma, venueB] = await Promise.all([
    tapOf(real.urls.venueA.rest),
    tapOf(real.urls.venueA.gamma),
    tapOf(real.urls.venueB.rest),
  ]);
  wires = { venueA, gamma, venueB };
  atReal = new VenueBTrader(real.urls.venueB.rest, accounts);
  writeFileSync(join(folder, 'read.pem'), ed25519KeyOf(accounts.venueB).privateKeyPem, { mode: 0o600 });
  await start();
});
afterAll(async () => {
  gateway.signal('SIGKILL');
  await gateway.ended;
  for (const wire of Object.values(wires)) wire.close();
  real.close();
  removeFolder(folder);
});

async function start(more: Readonly<Record<string, string>> = {}, dataDir = join(folder, 'data')): Promise<void> {
  const streamOf = (wire: WireTap, own: string): string => `ws://${new URL(wire.url).host}${new URL(own).pathname}`;
  const settings: Readonly<Record<string, string>> = {
    CROSSBOOK_PORT: '0',
    CROSSBOOK_DATA_DIR: dataDir,
    CROSSBOOK_VENUE_A_REST_URL: wires.venueA.url,
    CROSSBOOK_VENUE_A_STREAM_URL: streamOf(wires.venueA, real.urls.venueA.marketStream),
    CROSSBOOK_VENUE_A_GAMMA_URL: wires.gamma.url,
    CROSSBOOK_VENUE_B_REST_URL: wires.venueB.url,
    CROSSBOOK_VENUE_B_STREAM_URL: streamOf(wires.venueB, real.urls.venueB.stream),
    CROSSBOOK_VENUE_B_READ_KEY_ID: ed25519KeyOf(accounts.venueB).keyId,
    CROSSBOOK_VENUE_B_READ_KEY_FILE: join(folder, 'read.pem'),
    ...more,
  };
  const off = more.CROSSBOOK_LIVE_PAPER_OFF?.at(-1)?.toUpperCase();
  const on = Object.entries(settings).filter(([name]) => !name.startsWith(`CROSSBOOK_VENUE_${off}_`));
  gateway = new OwnProcess(['src/main.ts', '--live-paper'], Object.fromEntries(on));
  const [, address, control] = await gateway.said(/crossbook listening on (\S+) \(live-paper.*control (\S+)\)/);
  origin = address!;
  const { body } = await ask<{ readonly urls: Readonly<Record<string, string>> }>(control!);
  const own = JSON.parse(readFileSync(join(dataDir, 'paper/accounts.json'), 'utf8')) as DemoAccounts;
  atPaperA = body.urls['venue_a rest']!;
  atPaper = new VenueBTrader(body.urls['venue_b rest']!, own);
  const demo = JSON.parse(readFileSync(join(dataDir, 'demo/key.json'), 'utf8'));
  key = { keyId: demo.keyId, seedHex: demo.seedHex };
}

function call(method: string, target: string, body?: object, idempotencyKey = randomUUID()): Promise<Answer> {
  const headers = { 'Content-Type': 'application/json' };
  return sendSigned(
    origin + target,
    key,
    body === undefined ? { method } : { method, headers, body: JSON.stringify(body), idempotencyKey },
  );
}

const submit = (venue: 'venue-a' | 'venue-b', body: object) => call('POST', `/v1/${venue}/orders`, body);
const statusOf = ({ json }: Answer) => (json as { readonly status?: string }).status;
const orderIdOf = ({ json }: Answer) => (json as { readonly orderId: string }).orderId;
const read = async (venue: 'venue-a' | 'venue-b', orderId: string): Promise<Shown> =>
  (await call('GET', `/v1/${venue}/orders/${orderId}`)).json as Shown;
const isReady = () => eventually(async () => expect((await call('GET', '/readyz')).status).toBe(200));
const buy = (ticker: string, fields: object = {}) =>
  submit('venue-b', { ticker, side: 'YES', action: 'BUY', count: 2, priceCents: 99, ...fields });
const control = (path: string, body: object, method = 'POST') => ask(`${real.urls.control}${path}`, method, body);

async function askOf(ticker: string): Promise<string> {
  interface Body {
    readonly market: { readonly yes_ask_dollars: string };
  }
  return (await ask<Body>(`${real.urls.venueB.rest}/markets/${ticker}`)).body.market.yes_ask_dollars;
}

async function kill(): Promise<void> {
  gateway.signal('SIGKILL');
  await gateway.ended;
}

describe('live-paper', () => {
  it('fills the first order on a market that nobody watched, at the price of the real book', async () => {
    await isReady();
    const ticker = await someTicker(real.urls.venueB.rest);
    const price = await askOf(ticker);
    const answer = await buy(ticker);
    expect(statusOf(answer)).toBe('FILLED');
    const order = await read('venue-b', orderIdOf(answer));
    expect([order.filledCount, Number(order.averagePrice)]).toEqual(['2', Number(price)]);
  });

  it('fills at venue A by the rules of the real market, its delay among them', async () => {
    const tokenId = await someToken(real.urls.venueA.gamma);
    const answer = await submit('venue-a', { tokenId, side: 'BUY', type: 'LIMIT', size: '20', price: '0.98' });
    expect(statusOf(answer)).toBe('SUBMITTED');
    await eventually(async () => expect((await read('venue-a', orderIdOf(answer))).status).toBe('FILLED'));
  });

  it('does not know a market that the real venue does not have', async () => {
    expect((await buy('KXNONE-26NOV29-X')).status).toBe(404);
  });

  it('matches nothing while the venue is not heard, and goes on after the next snapshot', async () => {
    const ticker = await someTicker(real.urls.venueB.rest);
    expect(statusOf(await buy(ticker))).toBe('FILLED');
    wires.venueB.cut();
    const refused = await eventually(async () => {
      const answer = await buy(ticker);
      expect(answer.status).toBe(400);
      return answer;
    });
    expect(refused.json).toMatchObject({ error: { reason: 'VENUE_REJECTED', message: 'market not active' } });
    const unlisted = await someTicker(real.urls.venueB.rest);
    expect((await buy(unlisted)).status).toBe(503);
    wires.venueB.mend();
    await eventually(async () => expect(statusOf(await buy(ticker))).toBe('FILLED'));
  });

  it('pays out what the real venue decides', async () => {
    await control('/venues/venue_b/settlement', { delayMs: 0 }, 'PUT');
    const ticker = await someTicker(real.urls.venueB.rest);
    expect(statusOf(await buy(ticker))).toBe('FILLED');
    const before = await atPaper.balance();
    await control(`/venues/venue_b/markets/${ticker}/settle`, { value: '1' });
    await eventually(async () => expect(await atPaper.balance()).toBe(before + 200));
  });

  it('has the winner of venue A as soon as the real market has it', async () => {
    const tokenId = await someToken(real.urls.venueA.gamma);
    const answer = await submit('venue-a', { tokenId, side: 'BUY', type: 'LIMIT', size: '20', price: '0.98' });
    await eventually(async () => expect((await read('venue-a', orderIdOf(answer))).status).toBe('FILLED'));
    const byToken = await ask<{ readonly condition_id: string }>(`${atPaperA}/markets-by-token/${tokenId}`);
    const conditionId = byToken.body.condition_id;
    await control(`/venues/venue_a/markets/${conditionId}/settle`, { value: '0' });
    interface Market {
      readonly closed: boolean;
      readonly tokens: readonly { readonly token_id: string; readonly winner: boolean }[];
    }
    await eventually(async () => {
      const { body } = await ask<Market>(`${atPaperA}/markets/${conditionId}`);
      expect(body.closed).toBe(true);
      expect(body.tokens.map(({ winner }) => winner)).toEqual([false, true]);
    });
  });

  it('loses and doubles nothing over kill -9: orders, fills and money', async () => {
    const ticker = await someTicker(real.urls.venueB.rest);
    const resting = orderIdOf(await buy(ticker, { priceCents: 1, count: 3 }));
    const filled = orderIdOf(await buy(ticker));
    const [before, orders] = [await atPaper.balance(), await ordersAtPaper(ticker)];
    await kill();
    await start();
    await isReady();
    expect((await read('venue-b', resting)).status).toBe('OPEN');
    expect(await read('venue-b', filled)).toMatchObject({ status: 'FILLED', filledCount: '2' });
    expect([await atPaper.balance(), await ordersAtPaper(ticker)]).toEqual([before, orders]);
    // The book arrives without a request for it, because an order rests in its market.
    await eventually(async () => expect(statusOf(await buy(ticker))).toBe('FILLED'));
    expect((await call('DELETE', `/v1/venue-b/orders/${resting}`)).status).toBe(200);
    expect(await ordersAtPaper(ticker)).toEqual([]);
  });

  it('loses and doubles nothing that was under way at kill -9', async () => {
    const ticker = await someTicker(real.urls.venueB.rest);
    const sent = Array.from({ length: 12 }, (_, index) =>
      buy(ticker, index % 2 === 0 ? { count: 1 } : { count: 1, priceCents: 1 }).catch(() => null),
    );
    await Promise.race(sent);
    await kill();
    const acknowledged = (await Promise.all(sent)).filter(it => it?.status === 201).map(it => orderIdOf(it!));
    await start();
    await isReady();
    const all = await eventually(async () => {
      const { json } = await call('GET', `/v1/venue-b/orders?ticker=${ticker}`);
      const { orders } = json as { readonly orders: readonly Shown[] };
      expect(orders.map(({ status }) => status)).not.toContain('SUBMITTED');
      expect(orders.map(({ status }) => status)).not.toContain('PENDING');
      return orders;
    });
    expect(acknowledged.filter(id => !all.some(({ orderId }) => orderId === id))).toEqual([]);
    const open = all.filter(({ status }) => status === 'OPEN');
    expect((await ordersAtPaper(ticker)).length).toBe(open.length);
    const bought = all.filter(({ status }) => status === 'FILLED').length;
    expect(await positionAtPaper(ticker)).toBe(bought);
    expect(all.length).toBeGreaterThan(0);
  });

  it('leaves out a venue that is switched off, and says so', async () => {
    await kill();
    const asked = wires.venueB.requests.length;
    await start({ CROSSBOOK_LIVE_PAPER_OFF: 'venue_b' }, join(folder, 'data of venue A'));
    await isReady();
    const refused = await buy(await someTicker(real.urls.venueB.rest));
    expect(refused.status).toBe(503);
    const tokenId = await someToken(real.urls.venueA.gamma);
    const answer = await submit('venue-a', { tokenId, side: 'BUY', type: 'LIMIT', size: '20', price: '0.98' });
    await eventually(async () => expect((await read('venue-a', orderIdOf(answer))).status).toBe('FILLED'));
    expect(wires.venueB.requests.length).toBe(asked);
  });

  it('has sent the real venues no request but reads of market data', async () => {
    const all = Object.values(wires).flatMap(({ requests }) => requests);
    expect(all.length).toBeGreaterThan(50);
    expect(all.filter(line => !MARKET_DATA.test(line))).toEqual([]);
    for (const route of ['GET /ws/market', 'GET /trade-api/ws/v2', 'GET /events/keyset', 'GET /markets-by-token/'])
      expect(all.some(line => line.startsWith(route))).toBe(true);
    expect((await atReal.call<{ readonly orders: readonly object[] }>('GET', '/portfolio/orders')).body.orders).toEqual(
      [],
    );
    expect((await atReal.call<{ readonly fills: readonly object[] }>('GET', '/portfolio/fills')).body.fills).toEqual(
      [],
    );
  });
});

/** Returns the open orders at the gateway's paper exchange, by price and leaves quantity. */
async function ordersAtPaper(ticker: string): Promise<readonly string[]> {
  type Row = Readonly<Record<'yes_price_dollars' | 'remaining_count_fp', string>>;
  const path = `/portfolio/orders?ticker=${ticker}&status=resting`;
  const { orders } = (await atPaper.call<{ readonly orders: readonly Row[] }>('GET', path)).body;
  return orders.map(it => `${it.remaining_count_fp} at ${it.yes_price_dollars}`).toSorted();
}

async function positionAtPaper(ticker: string): Promise<number> {
  interface Body {
    readonly market_positions: readonly { readonly position_fp: string }[];
  }
  const { body } = await atPaper.call<Body>('GET', `/portfolio/positions?ticker=${ticker}`);
  return body.market_positions.reduce((sum, { position_fp }) => sum + Number(position_fp), 0);
}
