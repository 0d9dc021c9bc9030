// Found by review. An order that had rested for more than five seconds counted as cancelled at the first look that found neither it nor its
// trade. A DELETE just after a match was 200 CANCELLED with nothing filled. A matched order leaves the open orders at once, and its trade
// is listed a little later (venue-a.md §3.3, §9.5).

import { expect, it } from 'vitest';
import type { UnixMillis } from '../../src/domain/numbers.ts';
import { transition } from '../../src/domain/order.ts';
import { NOTHING_FILLED } from '../../src/domain/order-sums.ts';
import { limits } from '../../src/limits.ts';
import { cancel } from '../../src/orders/cancel.ts';
import { Ledger } from '../../src/orders/ledger.ts';
import { MemoryLedger } from '../support/memory-ledger.ts';
import { CONDITION, orderAt, tradingOn } from '../venues/venue-a/trading/scripted-line.ts';
import { FIRST, limit, shares } from '../venues/venue-a/trading/trading-rig.ts';

const HOUR_MS = 3_600_000;
const EMPTY = { body: { data: [], next_cursor: 'LTE=' } };

/** It has rested for an hour; now it is matched, and the venue lists the trade so many looks later. */
async function matched(reason: string, looks: number) {
  let left = looks;
  let id = '';
  const maker = () => ({
    order_id: id,
    owner: 'key',
    matched_amount: '10',
    price: '0.5',
    asset_id: FIRST,
    side: 'BUY',
  });
  const taker = {
    id: 't1',
    taker_order_id: `0x${'9'.repeat(64)}`,
    owner: 'other',
    side: 'SELL',
    size: '10',
    price: '0.5',
  };
  const row = { ...taker, market: CONDITION, asset_id: FIRST, status: 'MATCHED', match_time: '1790000000' };
  const { trading, timers } = tradingOn({
    '/order': () => ({ body: { canceled: [], not_canceled: { [id]: reason } } }),
    '/data/order/': () => ({ body: null }),
    '/data/orders': () => EMPTY,
    '/data/trades': () => {
      left -= 1;
      return left >= 0 ? EMPTY : { body: { data: [{ ...row, maker_orders: [maker()] }], next_cursor: 'LTE=' } };
    },
  });
  const pending = orderAt(timers, limit('BUY', 50, 10));
  const intent = await trading.prepare(pending, 'key');
  if (!intent.ok) throw new Error(intent.error.message);
  id = intent.value.venueOrderId!;
  const store = new MemoryLedger();
  const ledger = new Ledger({ store, now: () => timers.now(), tell: () => {}, diverged: () => {} });
  ledger.change(entry => {
    const { at } = entry;
    const sent = transition(pending, { type: 'sent', at });
    const order = transition(sent, { type: 'rests', at, venueOrderId: id, stated: NOTHING_FILLED });
    entry.putOrder({ order, intent: intent.value, refusedAs: null });
  });
  timers.advance(HOUR_MS);
  const deadline = (timers.now() + limits.venueAnswerTimeoutMs) as UnixMillis;
  const answer = cancel({ ledger, timers }, trading, store.order(pending.orderId)!, deadline);
  const ended = answer.then(() => true);
  while (!(await Promise.race([ended, timers.settle(50).then(() => false)])));
  return { answer: await answer, order: store.order(pending.orderId)!.order };
}

it.each(['Order already matched', 'already canceled or matched'])('(%s) reports what was filled', async reason => {
  const { answer, order } = await matched(reason, 1);
  expect(answer).toMatchObject({ type: 'refused', kind: 'notCancellable' });
  expect(order).toMatchObject({ status: 'FILLED', filled: { size: shares(10) } });
});

it('the outcome of the cancel is unknown as long as the trade is not listed', async () => {
  const { answer, order } = await matched('Order already matched', Number.POSITIVE_INFINITY);
  expect(answer).toMatchObject({ type: 'refused', kind: 'unknownOutcome' });
  expect(order).toMatchObject({ status: 'OPEN' });
});
