// Pruning of events: to the millisecond, in slices that keep to their bound, and no actor left out.

import { afterEach, beforeEach, expect, it } from 'vitest';
import { checkOrders } from '../../../../src/core/store/orders/check.ts';
import { testFolder } from '../../../support/test-folder.ts';
import { at, OrderTables, storedOrder } from './order-rig.ts';

const ROWS_MAX = 3;
const SLICES_MAX = 60;

let folder: string;
let store: OrderTables;
beforeEach(async () => {
  folder = testFolder();
  store = new OrderTables(folder, {
    answerKeptMs: 1_000,
    orderEventsKeptMax: 1_000,
    orderEventsKeptMs: 10,
    orderRowsPrunedMax: ROWS_MAX,
  });
});
afterEach(() => store.close());

const append = (actorId: string, times: readonly number[]) =>
  store.change(to => {
    for (const time of times) {
      to.appendEvent({ actorId, event: 'STATUS', order: storedOrder({ number: 1 }).order, fill: null, at: at(time) });
    }
  });
const cursors = (after: number) => store.events('alice', after, 100)?.map(it => it.cursor) ?? null;
const eventRows = (): number => checkOrders(store.tables).rows.events;

it('an event is kept to the millisecond, and a single one that goes is gone from what is said to be kept', () => {
  append('alice', [50, 51]);
  expect([store.prune(at(60)), cursors(0)]).toEqual([false, [1, 2]]);
  expect([store.prune(at(61)), cursors(0), cursors(1)]).toEqual([false, null, [2]]);
  expect(checkOrders(store.tables).faults).toEqual([]);
});

it('a slice takes no more rows than it may, no event that is due is left, and the next round begins at the first', () => {
  const due = [7, 0, 0, 0, 0, 0, 4, 0, 1];
  for (const [actor, events] of due.entries()) append(`actor${actor}`, [...Array(events).fill(1), 1_000]);
  const prunedInSlices = (): number[] => {
    const pruned: number[] = [];
    for (let isMore = true; isMore && pruned.length < SLICES_MAX; ) {
      const before = eventRows();
      isMore = store.prune(at(100));
      pruned.push(before - eventRows());
    }
    return pruned;
  };
  const slices = prunedInSlices();
  expect([slices.length < SLICES_MAX, Math.max(...slices) <= ROWS_MAX, eventRows()]).toEqual([true, true, due.length]);
  append('another', [1, 1_000]);
  append('0 is the first', [1, 1_000]);
  prunedInSlices();
  expect(eventRows()).toBe(due.length + 2);
  expect(checkOrders(store.tables).faults).toEqual([]);
});
