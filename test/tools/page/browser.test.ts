// The web page in a real browser, against a gateway on the paper exchanges. The link of the start opens it. It shows the books of the stream, and
// their prices net of fees. It cancels, stops its pod, reports a stale feed, and closes with its key.

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { MicroDollars, UnixMillis } from '../../../src/core/domain/numbers.ts';
import type { EventBest, FillPage, VenueBBalance } from '../../../src/core/generated/api-types.ts';
import type { LocalBook } from '../../../src/tools/client/local-book.ts';
import { nodeSigner } from '../../../src/tools/client/node-client.ts';
import { createNodeStream } from '../../../src/tools/client/node-stream.ts';
import type { OrderbookStream } from '../../../src/tools/client/orderbook-stream.ts';
import { OrdersRig, orderIdOf } from '../../e2e/orders-rig.ts';
import { Cable } from '../../faults/cable.ts';
import { lacks } from '../../support/debian-packages.ts';
import { eventually } from '../../support/eventually.ts';
import { BrowserPage, type ShownLadder } from './browser-page.ts';

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

const NAMES = { VENUE_A: 'Polymarket', VENUE_B: 'Kalshi' };

describe.skipIf(lacks('chromium'))('the page', () => {
  let rig: OrdersRig;
  let browser: BrowserPage;
  let cable: Cable;
  let stream: OrderbookStream;
  /** The books of the stream, by epoch and sequence number. */
  const books = new Map<string, Pick<LocalBook, 'bids' | 'asks'>>();

  beforeAll(async () => {
    rig = await OrdersRig.start('venue-b', {
      readsCatalog: true,
      venueNames: { venue_a: 'Polymarket', venue_b: 'Kalshi' },
      rewire: async targets => {
        const { venue_b: target } = targets;
        if (!('keyId' in target)) throw new Error('the paper exchange is a venue');
        const url = new URL(target.streamUrl);
        cable = await Cable.lay(Number(url.port));
        url.port = String(cable.port);
        return { ...targets, venue_b: { ...target, streamUrl: url.href } };
      },
    });
    browser = await BrowserPage.start();
    stream = createNodeStream({ url: rig.gateway.url, signer: nodeSigner(rig.gateway.key) });
    stream.on('book', ({ epoch, seq, bids, asks }) => {
      books.set(`${epoch} ${seq}`, { bids: [...bids], asks: [...asks] });
    });
    stream.start();
  });
  afterAll(async () => {
    await browser.close();
    stream.close();
    await rig.close();
    cable.cut();
  });

  const ladderAtB = (ladders: readonly ShownLadder[]): ShownLadder =>
    ladders.find(({ venue, isNo, state }) => venue === 'venue_b' && !isNo && state === 'LIVE')!;

  it('opens by the link of the start, and shows ladders without a word of the operator', async () => {
    await browser.open(`${rig.gateway.httpUrl}/#${rig.gateway.enrolment.token}`);
    await browser.page.locator('.book.LIVE').first().waitFor();
    // The token is removed from the address.
    expect(new URL(browser.page.url()).hash).toBe('');
    await browser.page.locator('[data-feed=venue_b].LIVE').waitFor();
    await browser.page.locator('.alarms').waitFor({ state: 'detached' });
  });

  it('shows the book that the stream has, while the book changes', async () => {
    const first = await eventually(async () => {
      const ladder = ladderAtB(await browser.ladders());
      expect(ladder.bids.length + ladder.asks.length).toBeGreaterThan(0);
      return ladder;
    });
    const { address: ticker, bids } = first;
    stream.subscribe('book', [{ venue: 'venue_b', ticker }]);
    // The page has the best levels.
    const priceCents = Math.max(1, Math.floor((bids[0]?.price ?? 0) / 100));
    const seen = new Set<string>();
    const placed: string[] = [];
    for (let round = 0; round < 5; round += 1) {
      const terms = { count: round + 1, priceCents, timeInForce: { type: 'GTC' } };
      placed.push(orderIdOf(await rig.submit({ ticker, side: 'YES', action: 'BUY', ...terms })));
      await eventually(async () => {
        const { epoch, seq, bids, asks } = ladderAtB(await browser.ladders());
        const position = `${epoch} ${seq}`;
        expect(seen.has(position)).toBe(false);
        const book = books.get(position);
        expect(bids.length).toBeGreaterThan(0);
        expect({ bids, asks }).toEqual({
          bids: book?.bids.slice(0, bids.length),
          asks: book?.asks.slice(0, asks.length),
        });
        seen.add(position);
      });
    }
    // Later tests count open orders. Some of these may have traded.
    for (const orderId of placed) await rig.cancel(orderId);
  });

  it('has both venues of an outcome on one axis: the same price in the same row', async () => {
    const { page } = browser;
    await page.locator('.book.LIVE[data-venue=venue_a]').first().waitFor();
    await page.locator('.book.LIVE[data-venue=venue_b]').first().waitFor();
    const rows = await page.evaluate<readonly { price: number; shown: string; tops: number[]; venues: string[] }[]>(
      `[...document.querySelectorAll('.ladders article:first-of-type tr[data-price]')].map(row => {
        const cells = [...row.querySelectorAll('.size')].filter(cell => cell.dataset.size !== '0');
        return { price: Number(row.dataset.price), shown: row.querySelector('.price').textContent,
          tops: [row, ...cells].map(it => it.getBoundingClientRect().top), venues: cells.map(it => it.dataset.venue) };
      })`,
    );
    const prices = rows.map(({ price }) => price);
    expect(prices).toEqual([...new Set(prices)].toSorted((one, other) => other - one));
    expect(rows.some(({ venues }) => venues.join(' ') === 'venue_a venue_b')).toBe(true);
    for (const { tops } of rows) expect(new Set(tops).size).toBe(1);
    // All prices have the decimals of the grid, and the spread has one row in the middle.
    expect(new Set(rows.map(({ shown }) => shown.split('.')[1]?.length ?? 0)).size).toBe(1);
    const middles = await page.evaluate<number[]>(
      "[...document.querySelectorAll('.ladders .gap')].map(it => it.getBoundingClientRect().top)",
    );
    expect(new Set(middles).size).toBe(1);
  });

  it('shows a trade of the market in view, as the venue has it', async () => {
    const { address: ticker } = ladderAtB(await browser.ladders());
    const terms = { side: 'YES', action: 'BUY', count: 1, priceCents: 99, timeInForce: { type: 'IOC' } };
    const placed = await rig.submit({ ticker, ...terms });
    const fill = await eventually(async () => {
      const { json } = await rig.call('GET', `/v1/venue-b/orders/${orderIdOf(placed)}/fills`);
      expect((json as FillPage).fills).toHaveLength(1);
      return (json as FillPage).fills[0]!;
    });
    const trade = browser.page.locator(`.tape [data-trade="${fill.venueTradeId}"]`);
    await trade.waitFor();
    expect(await trade.locator('td').allTextContents()).toEqual([
      expect.stringMatching(/^\d\d:\d\d:\d\d$/),
      expect.stringMatching(/./),
      expect.stringMatching(new RegExp(`^${Math.round(Number(fill.price) * 1_000) / 10}`)),
      '1.00',
      'Kalshi',
    ]);
  });

  it('shows the best prices net of fees, as the gateway states them for the event', async () => {
    const { page } = browser;
    const eventId = await page.locator('.ladders').getAttribute('data-event');
    await eventually(async () => {
      const { json } = await rig.call('GET', `/v1/sports/events/${eventId}/best`);
      const quotes = (json as EventBest).markets.flatMap(({ outcomes }) => outcomes.flatMap(it => [it.buy, it.sell]));
      const shown = await page.locator('[data-net]').all();
      expect(shown.length).toBeGreaterThan(0);
      for (const net of shown) {
        const price = await net.getAttribute('data-price');
        const venues = quotes.flatMap(it => (it?.netPrice === price ? [NAMES[it!.venue]] : []));
        const text = (await net.textContent())!;
        expect(venues.some(venue => text.includes(venue))).toBe(true);
        expect(text).toMatch(/, LIVE$/);
      }
    });
  });

  it('finds markets, and shows those that are chosen by the keyboard', async () => {
    const { page } = browser;
    await page.keyboard.press('/');
    await page.keyboard.type('Celtics');
    const found = page.locator('.search li button');
    await eventually(async () => expect((await found.allTextContents()).every(it => /celtics/i.test(it))).toBe(true));
    const last = found.last();
    const count = await found.count();
    for (let row = 0; row < count; row += 1) await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    const title = (await last.locator('.name').textContent())!.trim();
    await eventually(async () => expect(await page.locator('.ladders h2').textContent()).toContain(title));
    await page.locator('.book.LIVE').first().waitFor();
  });

  it('lists markets with league, start and best prices, more of them when asked, and says when there are none', async () => {
    const { page } = browser;
    const found = page.locator('.search li button');
    const said = page.locator('.search [role=status]');
    await page.locator('#search').fill('zzzz');
    await said.getByText('Nothing is called “zzzz”').waitFor();
    await page.locator('#search').fill('winner');
    await said.waitFor({ state: 'detached' });
    await found.first().locator('.quote').waitFor();
    expect(await found.first().textContent()).toMatch(/(NBA|NFL|NHL|MLB|ATP|League|La Liga).* · \d+ \w+ \d\d:\d\d/);
    expect(await found.count()).toBe(12);
    await page.locator('.search .more').click();
    await eventually(async () => expect(await found.count()).toBeGreaterThan(12));
  });

  it('shows the cash at venue B, by shard', async () => {
    const { available, shards } = (await rig.call('GET', '/v1/venue-b/balance')).json as VenueBBalance;
    const section = browser.page.locator('.positions');
    await section.getByRole('heading', { name: 'Cash at Kalshi (venue B)' }).waitFor();
    expect(shards.length).toBeGreaterThan(0);
    const rows = await section.locator('.cash tbody tr').allTextContents();
    expect(rows.map(row => row.split('$')[0])).toEqual(shards.map(({ index }) => String(index)));
    expect(available).toBeGreaterThan(0);
  });

  it('lists an open order, and cancels it', async () => {
    const { page } = browser;
    const { address: ticker, bids } = ladderAtB(await browser.ladders());
    const priceCents = Math.floor(bids[0]!.price / 100);
    const orderId = orderIdOf(await rig.submit({ ticker, side: 'YES', action: 'BUY', count: 3, priceCents }));
    const row = page.locator(`[data-key="${orderId}"]`);
    await row.waitFor();
    expect(await row.textContent()).toContain('KalshiBUY YES');
    // The market shows its title, and its id is in a tooltip.
    const title = (await page.locator('.ladders h2').textContent())!.split(' at ')[0]!;
    await row.locator('.link').getByText(title).waitFor();
    expect(await row.locator('.market').getAttribute('title')).toBe(ticker);
    // The ladder marks the order.
    await page
      .locator(`tr[data-price="${priceCents * 100}"] [data-venue=venue_b] .own`)
      .getByText('3')
      .waitFor();
    await row.getByRole('button', { name: 'cancel order' }).click();
    await row.waitFor({ state: 'detached' });
    expect((await rig.shown(orderId)).status).toBe('CANCELLED');
    await eventually(async () =>
      expect(await browser.page.locator('.tail tbody tr').first().textContent()).toContain('CANCELLED'),
    );
  });

  it('shows limits as bars, with what is used of each, and the loss of the day', async () => {
    const { page } = browser;
    const { keyStore, trading } = rig.gateway;
    const cell = (name: string) => page.locator(`[data-risk] [data-name="${name}"]`).first();
    await cell('open orders').getByText('0').waitFor();
    expect(await cell('loss of the day').textContent()).toBe('no limit');
    const { podId, actorId } = keyStore.read().actors[0]!;
    keyStore.setActorLimits(podId, actorId, { openOrdersMax: 2, exposureMax: 50_000_000 as MicroDollars });
    const scope = `${podId}/${actorId}`;
    const caller = { podId, actorId: scope, keyId: '' };
    const terms = { lossMax: 20_000_000 as MicroDollars, cancels: false };
    await trading.engine.ask({ name: 'loss-limit', ask: 'set', caller, scope, terms });
    const ticker = ladderAtB(await browser.ladders()).address;
    await rig.submit({ ticker, side: 'YES', action: 'BUY', count: 3, priceCents: 2 });
    await cell('open orders').getByText('1 of 2').waitFor();
    const meter = cell('open orders').getByRole('meter');
    expect(await meter.getAttribute('aria-valuenow')).toBe('50');
    await cell('loss of one event').getByText('of $50.00').waitFor();
    await cell('loss of the day').getByText('$0.00 of $20.00').waitFor();
    keyStore.setActorLimits(podId, actorId, { openOrdersMax: null, exposureMax: null });
    await trading.engine.ask({ name: 'loss-limit', ask: 'end', caller, scope, terms: null });
    await cell('loss of the day').getByText('no limit').waitFor();
  });

  it('cancels all orders, once it is pressed twice', async () => {
    const { page } = browser;
    const ticker = ladderAtB(await browser.ladders()).address;
    const orderId = orderIdOf(await rig.submit({ ticker, side: 'YES', action: 'BUY', count: 3, priceCents: 2 }));
    await page.locator(`[data-key="${orderId}"]`).waitFor();
    await page.locator('#cancel-all').click();
    expect((await rig.shown(orderId)).status).toBe('OPEN');
    await page.locator('#cancel-all').click();
    await page.locator('.orders output').getByText('are over').waitFor();
    await page.locator('.orders [data-key]').first().waitFor({ state: 'detached' });
    expect((await rig.shown(orderId)).status).toBe('CANCELLED');
  });

  it('stops the pod, once STOP is pressed twice by the keyboard, and says how to resume', async () => {
    const { page } = browser;
    const ticker = ladderAtB(await browser.ladders()).address;
    const order = { ticker, side: 'YES', action: 'BUY', count: 3, priceCents: 2 };
    const orderId = orderIdOf(await rig.submit(order));
    const button = page.locator('#stop');
    // A double click counts as one press, and so does a key that is held down.
    await button.dblclick();
    await button.getByText('Press again to STOP').waitFor();
    expect((await rig.shown(orderId)).status).toBe('OPEN');
    await button.focus();
    await page.keyboard.press('Enter');
    await page.locator('.stop output').getByText('cancelled').waitFor();
    await page.locator('.stopped').getByText('STOPPED').waitFor();
    expect(await page.locator('.stopped code').allTextContents()).toEqual(['npx crossbook resume demo']);
    expect(await rig.shown(orderId)).toMatchObject({ status: 'CANCELLED', cancelReason: 'STOP' });
    expect((await rig.submit(order)).status).toBe(503);
    const caller = { podId: '*', actorId: '*', keyId: 'test' };
    const operation = { name: 'resume', scope: 'demo', caller } as const;
    await rig.gateway.trading.engine.ask(operation);
    await page.locator('.stopped').waitFor({ state: 'detached' });
  });

  it('says that a silent feed is stale, within the venues’ time, and that it is back', async () => {
    cable.hush();
    await browser.page.locator('[data-feed=venue_b].STALE').waitFor();
    await browser.page.locator('.alarms').getByText('Kalshi (venue B) is STALE').waitFor();
    // The gateway reconnects, and the books have no levels until then.
    await browser.page.locator('.book.RESYNCING[data-venue=venue_b]').first().waitFor();
    cable.speak();
    await browser.page.locator('[data-feed=venue_b].LIVE').waitFor();
  });

  it('keeps its key over a reload, and complains of nothing', async () => {
    await browser.page.reload();
    await browser.page.locator('.book.LIVE').first().waitFor();
    expect(browser.complaints).toEqual([]);
  });

  it.each([
    ['light', 1_400],
    ['dark', 1_400],
    ['dark', 390],
  ] as const)('has no serious finding of axe: %s, %i pixels wide', async (colorScheme, width) => {
    const { page } = browser;
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height: 844 });
    await page.evaluate(axeSource);
    for (const tab of width < 400 ? ['markets', 'ladders', 'orders', 'positions', 'pod'] : ['']) {
      if (tab !== '') await page.locator(`.tabs [data-to=${tab}]`).click();
      const findings = await page.evaluate<readonly string[]>(`axe.run().then(({ violations }) => violations
        .filter(({ impact }) => impact === 'serious' || impact === 'critical')
        .map(({ id, nodes }) => id + ' ' + nodes.map(it => it.html).slice(0, 3).join(' ')))`);
      expect(findings, tab).toEqual([]);
    }
  });

  it('has all its parts on a phone, by tabs, within its width, and both venues in one ladder', async () => {
    const { page } = browser;
    const parts = { markets: '.search', ladders: '.ladders', orders: '.orders', positions: '.pnl', pod: '.latency' };
    for (const [tab, part] of Object.entries(parts)) {
      await page.locator(`.tabs [data-to=${tab}]`).click();
      await page.locator(part).waitFor();
      for (const other of Object.values(parts))
        expect(await page.locator(other).isVisible(), other).toBe(other === part);
      expect(await page.evaluate<number>('document.documentElement.scrollWidth'), tab).toBeLessThanOrEqual(390);
    }
    await page.locator('.tabs [data-to=markets]').click();
    await page.locator('#search').fill('winner');
    await page.locator('.search li button').first().click();
    // The chosen market shows its ladders.
    const heads = page.locator('.ladders article').first().locator('.book');
    await heads.first().waitFor();
    for (const head of await heads.all()) {
      const { x, width } = (await head.boundingBox())!;
      expect([x >= 0, x + width <= 390]).toEqual([true, true]);
    }
    expect(await heads.count()).toBe(2);
    await page.setViewportSize({ width: 1_400, height: 1_000 });
  });

  it('closes when its key is revoked', async () => {
    const { keyStore } = rig.gateway;
    const key = keyStore.read().signingKeys.find(({ label }) => label === 'web page')!;
    keyStore.revokeSigningKey(key.keyId, Date.now() as UnixMillis);
    await browser.page.locator('#closed').waitFor();
    expect(await browser.page.locator('#closed [role=alert]').textContent()).toContain('is revoked');
    expect(await browser.page.locator('.ladder').count()).toBe(0);
  });

  it('says that a link was used, to a browser that opens it later', async () => {
    const { page } = browser;
    await page.getByText('make another').click();
    await page.goto('about:blank');
    await browser.open(`${rig.gateway.httpUrl}/#${rig.gateway.enrolment.token}`);
    await page.getByRole('alert').getByText('used already').waitFor();
  });

  it('makes another key, and shows the operator the command that registers it', async () => {
    const { page } = browser;
    const command = (await page.locator('#command').textContent())!;
    const [, publicKey] = /--actor demo .*--public-key ([0-9a-f]{64})$/.exec(command)!;
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.getByRole('button', { name: 'copy the command' }).click();
    await page.getByText('copied').waitFor();
    expect(await page.evaluate<string>('navigator.clipboard.readText()')).toBe(command);
    await page.getByLabel('Actor').fill('maker');
    expect(await page.locator('#command').textContent()).toContain('--actor maker ');
    const added = rig.gateway.keyStore.addSigningKey({
      ...{ keyId: `key_${'7'.repeat(16)}`, actorId: 'demo', podId: 'demo', publicKeyHex: publicKey!, label: 'by hand' },
      ...{ scopes: ['read', 'observe'], addresses: [], createdAt: Date.now() as UnixMillis },
    });
    expect(added.ok).toBe(true);
    await page.getByLabel('key id').fill('key_0000000000000000');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').getByText('unknown').waitFor();
    await page.getByLabel('key id').fill(`key_${'7'.repeat(16)}`);
    await page.keyboard.press('Enter');
    await page.locator('.book.LIVE').first().waitFor();
  });
});
