// Answers that the page cannot read.

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { OrdersRig } from '../../e2e/orders-rig.ts';
import { lacks } from '../../support/debian-packages.ts';
import { BrowserPage } from './browser-page.ts';

// After an unreadable answer, each answer to another read removed the alarm within a moment. So positions of a minute ago were shown as current, for
// example after a take-over of the pod. A read with an answer of another form was not repeated.
describe('3313: what the page could not read', () => {
  describe.skipIf(lacks('chromium'))('the page', () => {
    let rig: OrdersRig;
    let browser: BrowserPage;
    beforeAll(async () => {
      rig = await OrdersRig.start('venue-b', { readsCatalog: true });
      browser = await BrowserPage.start();
      await browser.open(`${rig.gateway.httpUrl}/#${rig.gateway.enrolment.token}`);
      await browser.page.locator('.book.LIVE').first().waitFor();
      await browser.page.locator('.alarms').waitFor({ state: 'detached' });
    });
    afterAll(async () => {
      await browser.close();
      await rig.close();
    });

    const alarm = (words: string) => browser.page.locator('.alarms').getByText(words);
    const goesWell = async (path: string): Promise<void> => {
      await browser.page.unroute(path);
      await browser.page.locator('.alarms').waitFor({ state: 'detached' });
    };

    it('names what is refused for as long as it is, though the rest is answered', async () => {
      const { page } = browser;
      const body = { error: { code: 'VENUE_UNAVAILABLE', message: 'the account is not read' } };
      await page.route('**/v1/pod/positions', route => route.fulfill({ status: 503, json: body }));
      await alarm('not current: positions: the account is not read').waitFor();
      for (const _ of [1, 2]) {
        await page.waitForResponse(/\/v1\/pod\/orders\?/);
        await page.waitForResponse(/\/v1\/pod$/);
        expect(await alarm('positions').count()).toBe(1);
      }
      await goesWell('**/v1/pod/positions');
    });

    it('names what may lack something that a venue has reported', async () => {
      const { page } = browser;
      await page.route('**/v1/pod/orders?*', async route => {
        const response = await route.fetch();
        await route.fulfill({ response, headers: { ...response.headers(), 'svc-current': 'false' } });
      });
      await alarm('not current: orders').waitFor();
      await goesWell('**/v1/pod/orders?*');
    });

    it('reads on after an answer of another form', async () => {
      const { page } = browser;
      await page.route('**/v1/pod', route => route.fulfill({ json: {} }));
      await alarm('not current: status').waitFor();
      await goesWell('**/v1/pod');
    });

    it('says that it is not of the version that answers', async () => {
      const { page } = browser;
      await page.route('**/v1/pod', async route => {
        const response = await route.fetch();
        await route.fulfill({ response, json: { ...(await response.json()), version: '99.0.0' } });
      });
      await alarm('not current: this page: version 99.0.0 answers, reload the page').waitFor();
      await goesWell('**/v1/pod');
    });

    it('says that there are more open orders than it lists', async () => {
      const { page } = browser;
      await page.route('**/v1/pod/orders?*', async route => {
        const response = await route.fetch();
        await route.fulfill({ response, json: { ...(await response.json()), hasMore: true } });
      });
      await page.locator('.orders h2').getByText('more than 0').waitFor();
      await goesWell('**/v1/pod/orders?*');
    });

    it('complains of nothing', () => expect(browser.complaints).toEqual([]));
  });
});
