// The page at a gateway that does not own the pod: a banner with the owner's page, and no data that only the owner has.

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { otherOwnerReply } from '../../../src/core/wire/replies.ts';
import { OrdersRig, orderIdOf } from '../../e2e/orders-rig.ts';
import { lacks } from '../../support/debian-packages.ts';
import { BrowserPage } from './browser-page.ts';

const OWNER = 'http://owner.example:8080';
/** The paths that only the owner answers. */
const PATHS = /\/v1\/pod\/(orders|positions|events)(\?.*)?$/;
const STATUS = /\/v1\/pod$/;
const OF_OWNER = '.orders, .positions, .tail, #stop';

describe.skipIf(lacks('chromium'))('4013: the page of a gateway that does not own the pod', () => {
  let rig: OrdersRig;
  let browser: BrowserPage;

  beforeAll(async () => {
    rig = await OrdersRig.start('venue-b', { readsCatalog: true });
    browser = await BrowserPage.start();
    await browser.open(`${rig.gateway.httpUrl}/#${rig.gateway.enrolment.token}`);
    const { page } = browser;
    await page.locator('.book.LIVE').first().waitFor();
    const { address: ticker } = (await browser.ladders()).find(({ venue, isNo }) => venue === 'venue_b' && !isNo)!;
    const order = orderIdOf(await rig.submit({ ticker, side: 'YES', action: 'BUY', count: 3, priceCents: 1 }));
    await page.locator(`[data-key="${order}"]`).waitFor();
    await page.locator('.alarms').waitFor({ state: 'detached' });
  });
  afterAll(async () => {
    await browser.close();
    await rig.close();
  });

  /** Makes the gateway answer as a standby from now on. */
  async function standBy(owner: string, recordFault: string): Promise<void> {
    const { status, body, headers } = otherOwnerReply(owner);
    const refusal = { status, body, contentType: 'application/json', headers: Object.fromEntries(headers) };
    await browser.page.route(PATHS, route => route.fulfill(refusal));
    await browser.page.route(STATUS, async route => {
      const response = await route.fetch();
      await route.fulfill({ response, json: { ...(await response.json()), recordFault } });
    });
  }

  async function ownAgain(): Promise<void> {
    const { page } = browser;
    await page.unroute(PATHS);
    await page.unroute(STATUS);
    await page.locator('.owner').waitFor({ state: 'detached' });
    await page.locator('.alarms').waitFor({ state: 'detached' });
    await page.locator('.orders [data-key]').waitFor();
    expect(await page.locator('#stop').count()).toBe(1);
  }

  it('says so, and links to the page of the owner', async () => {
    const { page } = browser;
    await standBy(OWNER, `the gateway at ${OWNER} owns the pod`);
    await page.locator('.owner').getByText('This gateway does not own the pod').waitFor();
    expect(await page.locator('.owner a').getAttribute('href')).toBe(`${OWNER}/`);
  });

  it('shows no orders, positions and buttons of the time before, and books as before', async () => {
    const { page } = browser;
    expect(await page.locator(OF_OWNER).count()).toBe(0);
    await page.locator('.alarms').waitFor({ state: 'detached' });
    expect(await page.locator('.book.LIVE').count()).toBeGreaterThan(0);
  });

  it('has all of it again once this gateway owns the pod', ownAgain);

  it('says why a standby follows the pod no more', async () => {
    const why = `the gateway at ${OWNER} owns the pod, and this one cannot follow it: journal record 7: has events of version 250`;
    await standBy(OWNER, why);
    await browser.page.locator('.owner').getByText(why).waitFor();
    await ownAgain();
  });

  it('makes no link of what is no origin', async () => {
    const { page } = browser;
    await standBy('javascript:alert(1)', '');
    await page
      .locator('.alarms')
      .getByText(/^not current: .*orders/)
      .waitFor();
    expect(await page.locator('.owner').count()).toBe(0);
    await ownAgain();
  });

  it('complains of nothing', () => expect(browser.complaints).toEqual([]));
});
