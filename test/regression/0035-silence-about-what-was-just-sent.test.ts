// Found by review: an open order that a lagging read did not list counted as gone. So did one that the venue holds back, once a cancel of
// it had failed. It was shown as CANCELLED, and went on to trade.

import { describe, expect, it } from 'vitest';
import type { UnixMillis } from '../../src/domain/numbers.ts';
import type { Order } from '../../src/domain/order.ts';
import { NOTHING_FILLED } from '../../src/domain/order-sums.ts';
import { limits } from '../../src/limits.ts';
import { SOON, submitted } from '../venues/venue-a/trading/scripted-line.ts';

const EMPTY = () => ({ body: { data: [], next_cursor: 'LTE=' } });
const NOT_THERE = { status: 200, body: null };
const NOT_FOUND = { status: 404, body: { error: 'Order not found' } };

type CancelAnswer = (venueOrderId: string) => { readonly status?: number; readonly body: unknown };

/** An order that was taken, at a venue that says nothing of it and meets its cancel with that answer. */
async function taken(status: Order['status'], shown: typeof NOT_THERE | typeof NOT_FOUND, cancel?: CancelAnswer) {
  const { trading, timers, order, intent } = await submitted({
    '/order': ({ body }) => cancel?.(JSON.parse(Buffer.from(body).toString()).orderID) ?? { body: {} },
    '/data/order/': () => shown,
    '/data/orders': EMPTY,
    '/data/trades': EMPTY,
  });
  // The answer says that an order in the book rests with nothing filled.
  const stated = status === 'OPEN' ? NOTHING_FILLED : null;
  const known: Order = { ...order, status, stated, sentAt: timers.now(), venueOrderId: intent.venueOrderId };
  const look = async (afterMs: number) => {
    timers.advance(afterMs);
    return trading.lookUp(known, intent, SOON);
  };
  return { look, cancel: () => trading.cancel(known, (timers.now() + 1_000) as UnixMillis) };
}

const UNKNOWN_YET = { type: 'absent', isCurrent: false };
const GONE = { type: 'found', state: 'gone', fills: [] };

describe.each([
  ['null', NOT_THERE],
  ['404', NOT_FOUND],
])('%s', (_what, shown) => {
  it('of an order in the book is its end only when it was missed for so long that no read can lag so far', async () => {
    const { look } = await taken('OPEN', shown);
    expect(await look(60 * 60_000)).toEqual(UNKNOWN_YET);
    expect(await look(limits.venueATraceMs - 1)).toEqual(UNKNOWN_YET);
    expect(await look(1)).toMatchObject(GONE);
  });

  it('of an order that is held back is its end only when it would have left its trace', async () => {
    const { look } = await taken('SUBMITTED', shown);
    expect(await look(limits.venueATraceMs - 1)).toEqual(UNKNOWN_YET);
    expect(await look(1)).toMatchObject(GONE);
  });
});

describe.each(['OPEN', 'SUBMITTED'] as const)('a cancel of an order that is %s', status => {
  it.each<[string, CancelAnswer, string]>([
    ['failed', () => ({ status: 500, body: { error: 'could not cancel' } }), 'unknown'],
    ['did not find it', id => notCancelled(id, 'Order not found or already canceled'), 'not-found'],
    ['came while it is held back', id => notCancelled(id, 'order match delayed'), 'not-now'],
    ['was refused', () => ({ status: 400, body: { error: 'Invalid orderID' } }), 'refused'],
    ['found the engine restarting', () => ({ status: 425, body: {} }), 'not-sent'],
  ])('that %s proves nothing', async (_what, answer, type) => {
    const { look, cancel } = await taken(status, NOT_THERE, answer);
    expect(await cancel()).toMatchObject({ type });
    expect(await look(50)).toEqual(UNKNOWN_YET);
  });

  it('that was confirmed is its end', async () => {
    const { look, cancel } = await taken(status, NOT_THERE, id => ({ body: { canceled: [id], not_canceled: {} } }));
    expect(await cancel()).toEqual({ type: 'cancelled' });
    expect(await look(50)).toMatchObject(GONE);
  });
});

function notCancelled(venueOrderId: string, reason: string) {
  return { body: { canceled: [], not_canceled: { [venueOrderId]: reason } } };
}
