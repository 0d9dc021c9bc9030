// Makes the pictures of the web page, docs/page.png and docs/page-dark.png. The pictures show the page in Chromium, on the paper exchanges
// with a season’s games, with a bot that quotes and trades. Run this (`npm run make:page-picture`) after a change of the page's content; it
// takes a minute.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { CrossbookClient } from '../../src/tools/client/crossbook-client.ts';
import { createNodeClient, nodeSigner } from '../../src/tools/client/node-client.ts';
import { type OutcomeRoutes, routesOf } from '../../src/tools/page/routes-of-market.ts';
import { BrowserPage } from '../tools/page/browser-page.ts';
import { OwnProcess } from './child-process.ts';
import { removeFolder, temporaryFolder } from './temporary-folder.ts';

const DOCS = join(import.meta.dirname, '../../docs');
const VIEWPORT = { width: 1_280, height: 1_120 };
const ROUNDS = 60;

const folder = temporaryFolder();
const gateway = new OwnProcess(['src/main.ts'], {
  ...{ CROSSBOOK_PORT: '0', CROSSBOOK_DATA_DIR: folder },
  ...{ CROSSBOOK_VENUE_A_NAME: 'Polymarket', CROSSBOOK_VENUE_B_NAME: 'Kalshi' },
});
const [, url] = await gateway.said(/listening on (\S+)/);
const browser = await BrowserPage.start(VIEWPORT);
try {
  await browser.openRegistered(url!, folder);
  await chooseMarket();
  const signer = nodeSigner(JSON.parse(readFileSync(join(folder, 'demo/key.json'), 'utf8')));
  await trade(createNodeClient({ url: url!, signer }));
  for (const scheme of ['light', 'dark'] as const) {
    await browser.page.emulateMedia({ colorScheme: scheme });
    await browser.page.screenshot({ path: join(DOCS, scheme === 'light' ? 'page.png' : 'page-dark.png') });
  }
} finally {
  await browser.close();
  gateway.signal('SIGTERM');
  await gateway.ended;
  removeFolder(folder);
}

/**
 * Chooses a market that both venues list. The search shows such markets first, but only once the lists of both venues have been read, one
 * after the other.
 */
async function chooseMarket(): Promise<void> {
  const { page } = browser;
  const outcome = page.locator('.ladders article').first();
  while ((await outcome.locator('.book.LIVE').count()) < 2) {
    await page.locator('#search').fill('');
    await page.locator('#search').pressSequentially('winner');
    await pause(2_000);
    // A game that has not begun has prices on both sides.
    await page.locator('.search li button').filter({ hasNotText: 'LIVE' }).first().click();
    await pause(1_000);
  }
}

/** Rests orders at both venues of the market that the page shows, and buys a little each round. */
async function trade(client: CrossbookClient): Promise<void> {
  const routes = await shownRoutes(client);
  const ofVenueB = routes.flatMap(({ market }) => (market.venue === 'venue_b' ? [market.ticker] : []));
  const ofVenueA = routes.flatMap(({ market }) => (market.venue === 'venue_a' ? [market.tokenId] : []));
  for (let round = 0; round < ROUNDS; round += 1) {
    const isBuying = round % 4 === 0;
    const ticker = ofVenueB[round % ofVenueB.length]!;
    const timeInForce = { type: isBuying ? ('IOC' as const) : ('GTC' as const) };
    const resting = (await bestBidCents(client, ticker)) - (round % 3);
    const terms = { count: 2 + (round % 5), priceCents: isBuying ? 99 : Math.max(1, resting), timeInForce };
    await client.call('submitVenueBOrder', { body: { ticker, side: 'YES', action: 'BUY', ...terms } });
    const tokenId = ofVenueA[round % ofVenueA.length];
    if (round % 6 === 0 && tokenId !== undefined) {
      await client.call('submitVenueAOrder', {
        body: { tokenId, side: 'BUY', type: 'LIMIT', size: '20', price: '0.05' },
      });
    }
    if (round > 24) await cancelOldest(client);
    await pause(500);
  }
}

async function bestBidCents(client: CrossbookClient, ticker: string): Promise<number> {
  const read = await client.call('getVenueBMarket', { path: { ticker } });
  const [price] = read.ok ? (read.value.value.book.bids[0] ?? []) : [];
  return Math.floor(Number(price ?? '0.1') * 100);
}

async function shownRoutes(client: CrossbookClient): Promise<OutcomeRoutes['routes']> {
  const title = await browser.page.locator('.search [aria-pressed=true]').getAttribute('title');
  const answer = await client.call('listMarkets', { query: { q: 'winner', pageSize: 100 } });
  const market = answer.ok ? answer.value.value.markets.find(({ id }) => id === title) : undefined;
  if (market === undefined) throw new Error('the page shows a market that is not listed');
  return routesOf(market).flatMap(({ routes }) => routes);
}

async function cancelOldest(client: CrossbookClient): Promise<void> {
  const open = await client.call('listVenueBOrders', { query: { status: 'OPEN' } });
  const oldest = open.ok ? open.value.value.orders.at(-1) : undefined;
  if (oldest !== undefined) await client.call('cancelVenueBOrder', { path: { orderId: oldest.orderId } });
}
