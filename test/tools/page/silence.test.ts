// A gateway that no longer answers, as the page shows it: a banner, grey values, ages and messages. All of them disappear once the gateway answers
// again.

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { OrdersRig, orderIdOf } from '../../e2e/orders-rig.ts';
import { Cable } from '../../faults/cable.ts';
import { lacks } from '../../support/debian-packages.ts';
import { eventually } from '../../support/eventually.ts';
import { BrowserPage } from './browser-page.ts';

describe.skipIf(lacks('chromium'))('4036: the page of a gateway that is silent', () => {
  let rig: OrdersRig;
  let browser: BrowserPage;
  let cable: Cable;

  beforeAll(async () => {
    rig = await OrdersRig.start('venue-b', { readsCatalog: true });
    cable = await Cable.lay(rig.gateway.port);
    browser = await BrowserPage.start();
    const { page } = browser;
    await browser.open(`http://127.0.0.1:${cable.port}/#${rig.gateway.enrolment.token}`);
    await page.locator('.book.LIVE').first().waitFor();
    const { address: ticker } = (await browser.ladders()).find(({ venue, isNo }) => venue === 'venue_b' && !isNo)!;
    const order = orderIdOf(await rig.submit({ ticker, side: 'YES', action: 'BUY', count: 3, priceCents: 1 }));
    await page.locator(`[data-key="${order}"]`).waitFor();
    await page.locator('[data-feed=venue_b].LIVE').waitFor();
    await page.locator('.alarms').waitFor({ state: 'detached' });
  });
  afterAll(async () => {
    await browser.close();
    await rig.close();
    cable.cut();
  });

  it('says so over its whole width, and shows nothing as live', async () => {
    const { page } = browser;
    cable.hush();
    await page.locator('.silence').getByText('The gateway has not answered for').waitFor();
    const [banner, whole] = await page.evaluate<[number, number]>(
      "[document.querySelector('.silence').getBoundingClientRect().width, document.documentElement.clientWidth]",
    );
    expect(banner).toBe(whole);
    expect(await page.locator('.desk.silent').count()).toBe(1);
    expect(await page.locator('.LIVE').count()).toBe(0);
    expect(await page.locator('.feeds .word').allTextContents()).toContain('was LIVE');
    expect(await page.locator('[data-net]').count()).toBe(0);
  });

  it('tells the age of every part', async () => {
    const { page } = browser;
    for (const part of ['header h1', '.ladders h2', '.orders h2', '.positions h2', '.latency h2', '.tail h2']) {
      expect(await page.locator(part).first().locator('.age').textContent(), part).toMatch(/^(\d+ min )?\d+ s old$/);
    }
  });

  it('says at each button why it cannot act', async () => {
    const { page } = browser;
    const words = 'cannot act: the gateway does not answer';
    expect(await page.locator('.stop output').textContent()).toBe(words);
    expect(await page.locator('.orders output').textContent()).toBe(words);
    const row = page.locator('.orders [data-key] td').last();
    expect(await row.textContent()).toContain('no answer');
    expect(await row.getByRole('button').getAttribute('title')).toBe(words);
  });

  it('is as before once the gateway answers', async () => {
    cable.speak();
    await expectWell();
  });

  it('says the same where connections are refused, and keeps no words of a button that was pressed then', async () => {
    const { page } = browser;
    cable.cut();
    await page.locator('.silence').waitFor();
    await page.locator('#cancel-all').click();
    await page.locator('#cancel-all').click();
    await page.locator('.orders td:last-child button').first().click();
    await page.locator('.orders [role=alert]').getByText('the gateway does not answer').waitFor();
    await cable.mend();
    await expectWell();
    expect(await page.locator('.orders [data-key]').count()).toBe(1);
  });

  async function expectWell(): Promise<void> {
    const { page } = browser;
    await page.locator('.silence').waitFor({ state: 'detached' });
    await page.locator('.book.LIVE').first().waitFor();
    await page.locator('[data-feed=venue_b].LIVE').waitFor();
    await page.locator('.alarms').waitFor({ state: 'detached' });
    await eventually(async () => {
      expect(await page.locator('.age, .desk.silent, [role=alert]').count()).toBe(0);
      expect(await page.getByText(/no answer|not answer|cannot act/).count()).toBe(0);
    });
    expect(browser.complaints.filter(it => !it.includes('ERR_CONNECTION_REFUSED'))).toEqual([]);
  }
});
