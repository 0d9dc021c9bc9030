// Found by review: the answer to an order of venue A was lost, and the user channel had reported how the order ended. For 30 s it still
// counted as unknown. A post-only order that would have traded was then rejected as one without a trace. Contract §4.6: it is answered as if
// answered then.

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { VenueOrder } from '../../src/venues/venue.ts';
import { REGULAR } from '../paper/venue-a/venue-a-rig.ts';
import { turnsUntil } from '../support/turns.ts';
import { limit, marketBuy, shares, TradingRig } from '../venues/venue-a/trading/trading-rig.ts';

let rig: TradingRig;

beforeEach(async () => {
  rig = await TradingRig.start();
});

afterEach(() => rig.close());

/** Its answer is lost; the stream has reported its end. */
async function unanswered(request: Parameters<TradingRig['place']>[0]) {
  const events = await rig.listen();
  const ended = (): VenueOrder[] =>
    events.flatMap(it => (it.type === 'order' && it.order.state === 'gone' ? [it.order] : []));
  rig.strike('POST /order', { kind: 'lost', isApplied: true });
  const { order, intent, outcome } = await rig.place(request);
  expect(outcome).toMatchObject({ type: 'unknown', cause: 'lost' });
  await turnsUntil(() => ended().length > 0);
  return () => rig.trading.lookUp(order, intent, rig.in(1_000));
}

describe('an order without an answer is over once the stream has reported', () => {
  it('that it is post-only and would have traded: refused as it was made', async () => {
    rig.venue.quote(REGULAR, 1, 50, 10);
    const look = await unanswered(limit('BUY', 50, 10, { postOnly: true }));
    expect(await look()).toMatchObject({
      type: 'found',
      state: 'gone',
      isAtOnce: true,
      fills: [],
      stated: { size: 0 },
    });
  });

  it.each(['FOK', 'FAK'] as const)('that it was killed, as %s', async timeInForce => {
    const look = await unanswered(marketBuy(10, timeInForce, 50));
    expect(await look()).toMatchObject({ type: 'found', state: 'gone', fills: [], stated: { size: 0 } });
  });

  it('that it was cancelled before it traded, and it is not one that ended as it was made', async () => {
    const events = await rig.listen();
    rig.strike('POST /order', { kind: 'lost', isApplied: true });
    const { order, intent } = await rig.place(limit('BUY', 50, 10, { postOnly: true }));
    rig.venue.exchange.cancels.cancelAll(rig.account.apiKey, null, null);
    await turnsUntil(() => events.some(it => it.type === 'order' && it.order.state === 'gone'));
    const found = await rig.trading.lookUp(order, intent, rig.in(1_000));
    expect(found).toMatchObject({ type: 'found', state: 'gone', fills: [] });
    expect(found).not.toHaveProperty('isAtOnce');
  });

  it('that it was matched: with its trades', async () => {
    rig.venue.quote(REGULAR, 1, 50, 10);
    const look = await unanswered(marketBuy(10, 'FAK', 50));
    expect(await look()).toMatchObject({ type: 'found', state: 'gone', stated: { size: shares(10) }, fills: [{}] });
  });
});
