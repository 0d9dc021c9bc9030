// The web page in a real browser, against a gateway on the paper exchanges. It opens by the link of the start. It shows the books that the
// stream has, and their prices net of fees. It cancels, stops its pod, says that a silent feed is stale, and closes with its key.

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { UnixMillis } from '../../../src/core/domain/numbers.ts';
import type { EventBest, VenueBBalance } from '../../../src/core/generated/api-types.ts';
import { checksumLevels } from '../../../src/market-data/book/checksum.ts';
import { nodeSigner } from '../../../src/tools/client/node-client.ts';
import { createNodeStream } from '../../../src/tools/client/node-stream.ts';
import type { OrderbookStream } from '../../../src/tools/client/orderbook-stream.ts';
import { venueText } from '../../../src/tools/page/texts.ts';
import { OrdersRig, orderIdOf } from '../../e2e/orders-rig.ts';
import { Cable } from '../../faults/cable.ts';
import { lacks } from '../../support/debian-packages.ts';
import { eventually } from '../../support/eventually.ts';
import { BrowserPage, type ShownLadder } from './browser-page.ts';

describe.skipIf(lacks('chromium'))('the page', () => {
  let rig: OrdersRig;
  let browser: BrowserPage;
  let cable: Cable;
  let stream: OrderbookStream;
  /** Checksums of the stream by epoch and number. */
  const checksums = new Map<string, number>();

  beforeAll(async () => {
    rig = await OrdersRig.start('venue-b', {
      readsCatalog: true,
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
    stream.on('message', message => {
      if (message.type === 'snapshot' || message.type === 'delta') {
        checksums.set(`${message.epoch} ${message.seq}`, message.checksum);
      }
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
    await browser.page.locator('.ladder.LIVE').first().waitFor();
    // The token does not stay in the address.
    expect(new URL(browser.page.url()).hash).toBe('');
    await browser.page.locator('[data-feed=venue_b].LIVE').waitFor();
    await browser.page.locator('.alarms').waitFor({ state: 'detached' });
  });

  it('shows the book that the stream has, by its checksum, while the book changes', async () => {
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
    for (let round = 0; round < 5; round += 1) {
      const terms = { count: round + 1, priceCents, timeInForce: { type: 'GTC' } };
      expect((await rig.submit({ ticker, side: 'YES', action: 'BUY', ...terms })).status).toBe(201);
      await eventually(async () => {
        const { epoch, seq, bids, asks } = ladderAtB(await browser.ladders());
        const position = `${epoch} ${seq}`;
        expect(seen.has(position)).toBe(false);
        expect(checksumLevels(bids, asks)).toBe(checksums.get(position));
        seen.add(position);
      });
    }
  });

  it('shows the best prices net of fees, as the gateway states them for the event', async () => {
    const { page } = browser;
    const eventId = await page.locator('.ladders h2 small').textContent();
    await eventually(async () => {
      const { json } = await rig.call('GET', `/v1/sports/events/${eventId}/best`);
      const quotes = (json as EventBest).markets.flatMap(({ outcomes }) => outcomes.flatMap(it => [it.buy, it.sell]));
      const shown = await page.locator('[data-net]').all();
      expect(shown.length).toBeGreaterThan(0);
      for (const net of shown) {
        const price = await net.getAttribute('data-price');
        const venues = quotes.flatMap(it => (it?.netPrice === price ? [venueText(it!.venue)] : []));
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
    await last.focus();
    await page.keyboard.press('Enter');
    const title = (await last.textContent())!.trim();
    await eventually(async () => expect(await page.locator('.ladders h2').textContent()).toContain(title));
    await page.locator('.ladder.LIVE').first().waitFor();
  });

  it('shows the cash at venue B, by shard', async () => {
    const { available, shards } = (await rig.call('GET', '/v1/venue-b/balance')).json as VenueBBalance;
    const section = browser.page.locator('.positions');
    await section.getByRole('heading', { name: 'Cash at venue b' }).waitFor();
    expect(shards.length).toBeGreaterThan(0);
    const rows = await section.locator('.cash tbody tr').allTextContents();
    expect(rows.map(row => row.split('$')[0])).toEqual(shards.map(({ index }) => String(index)));
    expect(available).toBeGreaterThan(0);
  });

  it('lists an open order, and cancels it', async () => {
    const ticker = ladderAtB(await browser.ladders()).address;
    const orderId = orderIdOf(await rig.submit({ ticker, side: 'YES', action: 'BUY', count: 3, priceCents: 1 }));
    const row = browser.page.locator(`[data-order="${orderId}"]`);
    await row.waitFor();
    expect(await row.textContent()).toContain('demovenue b');
    await row.getByRole('button').click();
    await row.waitFor({ state: 'detached' });
    expect((await rig.shown(orderId)).status).toBe('CANCELLED');
    await eventually(async () =>
      expect(await browser.page.locator('.tail tbody tr').first().textContent()).toContain('CANCELLED'),
    );
  });

  it('cancels all orders, once it is pressed twice', async () => {
    const { page } = browser;
    const ticker = ladderAtB(await browser.ladders()).address;
    const orderId = orderIdOf(await rig.submit({ ticker, side: 'YES', action: 'BUY', count: 3, priceCents: 2 }));
    await page.locator(`[data-order="${orderId}"]`).waitFor();
    await page.locator('#cancel-all').click();
    expect((await rig.shown(orderId)).status).toBe('OPEN');
    await page.locator('#cancel-all').click();
    await page.locator('.orders output').getByText('are over').waitFor();
    await page.locator('[data-order]').first().waitFor({ state: 'detached' });
    expect((await rig.shown(orderId)).status).toBe('CANCELLED');
  });

  it('stops the pod, once STOP is pressed twice by the keyboard, and says how to resume', async () => {
    const { page } = browser;
    const ticker = ladderAtB(await browser.ladders()).address;
    const order = { ticker, side: 'YES', action: 'BUY', count: 3, priceCents: 2 };
    const orderId = orderIdOf(await rig.submit(order));
    const button = page.locator('#stop');
    // A double click, or a key held down, is one press.
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
    await rig.gateway.trading.engine.operate({ operation, timedFromUs: null, checkedUs: null });
    await page.locator('.stopped').waitFor({ state: 'detached' });
  });

  it('says that a silent feed is stale, within the venues’ time, and that it is back', async () => {
    cable.hush();
    await browser.page.locator('[data-feed=venue_b].STALE').waitFor();
    await browser.page.locator('.alarms').getByText('venue_b is STALE').waitFor();
    // The gateway connects anew, and the books have no levels meanwhile.
    await browser.page.locator('.ladder.RESYNCING[data-venue=venue_b]').first().waitFor();
    cable.speak();
    await browser.page.locator('[data-feed=venue_b].LIVE').waitFor();
  });

  it('keeps its key over a reload, and complains of nothing', async () => {
    await browser.page.reload();
    await browser.page.locator('.ladder.LIVE').first().waitFor();
    expect(browser.complaints).toEqual([]);
  });

  it('closes when its key is revoked', async () => {
    const { keyStore } = rig.gateway;
    const key = keyStore.read().signingKeys.find(({ label }) => label === 'web page')!;
    keyStore.revokeSigningKey(key.keyId, Date.now() as UnixMillis);
    await browser.page.locator('#closed').waitFor();
    expect(await browser.page.locator('#closed [role=alert]').textContent()).toContain('is revoked');
    expect(await browser.page.locator('.ladder').count()).toBe(0);
  });

  it('makes another key, and shows the operator the command that registers it', async () => {
    const { page } = browser;
    await page.getByText('make another').click();
    const command = (await page.locator('#command').textContent())!;
    const [, publicKey] = /--public-key ([0-9a-f]{64})$/.exec(command)!;
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
    await page.locator('.ladder.LIVE').first().waitFor();
  });
});
