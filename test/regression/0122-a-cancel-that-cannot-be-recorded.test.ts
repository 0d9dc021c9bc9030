// Found by reading lines that no test ran. A cancel was sent to the venue, and its outcome could not be recorded because the disk had
// failed. The answer was a 500 without an order. Now the venue's confirmation is the answer. Here the private stream recorded it while it
// could.

import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { OrdersRig, orderIdOf } from '../e2e/orders-rig.ts';
import { failJournalOf } from '../support/fail-journal.ts';
import { someTicker } from '../support/paper-traders.ts';
import type { Answer } from '../support/signed-requests.ts';

let rig: OrdersRig;
let orderId: string;
beforeEach(async () => {
  rig = await OrdersRig.start('venue-b');
  const ticker = await someTicker(rig.gateway.paper!.urls.venueB.rest);
  orderId = orderIdOf(await rig.submit({ ticker, side: 'YES', action: 'BUY', count: 1, priceCents: 1 }));
});
afterEach(() => rig.close());

/** The answer to a cancel that reaches the venue, and while it is on its way back the disk fails. */
async function cancelled(cancel: () => Promise<Answer>): Promise<Answer> {
  await rig.fault({
    venue: 'venue_b',
    operation: 'DELETE *',
    fault: { kind: 'delay', beforeMs: 0, afterMs: 3_000 },
  });
  const answer = cancel();
  // By the private stream.
  await expect.poll(async () => (await rig.shown(orderId)).status).toBe('CANCELLED');
  failJournalOf(join(rig.gateway.dataDir, 'orders'));
  return answer;
}

it('the venue’s confirmation answers a cancel of an order', async () => {
  const answer = await cancelled(() => rig.cancel(orderId));
  expect([answer.status, answer.json]).toEqual([200, { orderId, status: 'CANCELLED', filledCount: null }]);
  expect(answer.headers).not.toHaveProperty('svc-recorded');
});

it('the venue’s confirmations answer a cancel of all orders', async () => {
  const answer = await cancelled(() => rig.cancelAll());
  expect([answer.status, answer.json]).toEqual([200, { results: [{ orderId, outcome: 'CANCELLED' }] }]);
});
