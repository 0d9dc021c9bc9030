// Found by review. An order may be signed for another exchange than the venue's present one. It counted as such only if its own request for
// the version had just revealed the change. Several orders may be in flight at the change. The first was answered 503, and the others were
// refused for good, under keys that were used up.

import { expect, it } from 'vitest';
import type { UnixMillis } from '../../src/domain/numbers.ts';
import { orderAt, tradingOn } from '../venues/venue-a/trading/scripted-line.ts';
import { limit } from '../venues/venue-a/trading/trading-rig.ts';

/** Prepares and submits orders that are all signed before the first is answered. */
async function submittedTogether(version: number) {
  const mismatch = () => ({ status: 400, body: { error: 'order_version_mismatch' } });
  const { trading, timers } = tradingOn({ '/order': mismatch, '/version': () => ({ body: { version } }) });
  const deadline = (timers.now() + 1_000) as UnixMillis;
  const prepared = await Promise.all(
    [50, 51].map(async cents => {
      const order = orderAt(timers, limit('BUY', cents, 10));
      const intent = await trading.prepare(order, 'key');
      if (!intent.ok) throw new Error(intent.error.message);
      return { order, intent: intent.value };
    }),
  );
  const outcomes: unknown[] = [];
  for (const { order, intent } of prepared) outcomes.push(await trading.submit(order, intent, deadline));
  return outcomes;
}

it('all of them get a 503', async () => {
  const again = { type: 'not-sent', message: 'order_version_mismatch' };
  expect(await submittedTogether(3)).toMatchObject([again, again]);
});

it('an order that is signed for the present exchange is refused', async () => {
  const refused = { type: 'refused', kind: 'fault' };
  expect(await submittedTogether(2)).toMatchObject([refused, refused]);
});
