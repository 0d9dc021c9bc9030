// Pruning of events: to the millisecond, in slices that keep to their bound, and no actor left out.

import fc from 'fast-check';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { checkOrders } from '../../../../src/core/store/orders/check.ts';
import { testFolder } from '../../../support/test-folder.ts';
import { at, OrderTables, storedOrder } from './order-rig.ts';

const ROWS_MAX = 3;
const KEPT_MAX = 4;
const KEPT_MS = 10;
const BOUNDS = { orderEventsKeptMax: KEPT_MAX, orderEventsKeptMs: KEPT_MS, orderRowsPrunedMax: ROWS_MAX };
const SLICES_MAX = 60;

let folder: string;
let store: OrderTables;
beforeEach(async () => {
  folder = testFolder();
  store = new OrderTables(folder, { ...BOUNDS, orderEventsKeptMax: 1_000 });
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

const happening = fc.oneof(
  fc.record({ type: fc.constant('append' as const), actorId: fc.constantFrom('a', 'ab', 'b'), ageMs: fc.nat(15) }),
  fc.record({ type: fc.constant('prune' as const), slices: fc.nat(3), laterMs: fc.nat(8) }),
  fc.record({ type: fc.constant('leap' as const), by: fc.nat(5) }),
);

/** The events of an actor, in a list. */
class NaiveEvents {
  last = 0;
  kept: { readonly cursor: number; readonly at: number }[] = [];

  append(time: number): void {
    this.last += 1;
    this.kept.push({ cursor: this.last, at: time });
  }

  prune(now: number): void {
    while (this.kept.length > KEPT_MAX || (this.kept[0]?.at ?? now) < now - KEPT_MS) this.kept.shift();
  }

  leap(floor: number): void {
    this.kept = this.kept.filter(({ cursor }) => cursor > floor);
    this.last = Math.max(this.last, floor);
  }

  after(cursor: number): readonly number[] | null {
    if (cursor < this.last - this.kept.length || cursor > this.last) return null;
    return this.kept.map(it => it.cursor).filter(it => it > cursor);
  }
}

it('no cursor is given twice, and what is kept is what a naive list keeps, in any life', () => {
  fc.assert(
    fc.property(fc.array(happening, { maxLength: 40 }), happenings => {
      const rows = new OrderTables(testFolder(), BOUNDS);
      const naive = new Map(['a', 'ab', 'b'].map(actorId => [actorId, new NaiveEvents()]));
      let [now, floor] = [100, 0];
      for (const it of happenings) {
        if (it.type === 'append') {
          const { order } = storedOrder({ number: 1 });
          const event = { actorId: it.actorId, event: 'STATUS', order, fill: null, at: at(now - it.ageMs) } as const;
          rows.change(to => to.appendEvent(event));
          naive.get(it.actorId)!.append(event.at);
        } else if (it.type === 'leap') {
          floor = Math.max(...[...naive.values()].map(({ last }) => last)) + it.by;
          rows.change(to => to.leapCursors(floor));
          for (const events of naive.values()) events.leap(floor);
        } else {
          now += it.laterMs;
          for (let slice = 0; slice < it.slices; slice++) rows.prune(at(now));
        }
        // An incomplete round of pruning is not compared, but must leave a sound store.
        expect(checkOrders(rows.tables).faults).toEqual([]);
        expect([...naive].map(([actorId]) => rows.lastCursor(actorId))).toEqual([...naive.values()].map(it => it.last));
      }
      for (let round = 0; round < 2; round++) while (rows.prune(at(now)));
      for (const events of naive.values()) events.prune(now);
      for (const [actorId, events] of naive) {
        for (let cursor = Math.max(0, floor - 2); cursor <= events.last + 1; cursor++) {
          expect(rows.events(actorId, cursor, 100)?.map(it => it.cursor) ?? null).toEqual(events.after(cursor));
        }
      }
      void rows.close();
    }),
    { numRuns: Number(process.env.RUNS ?? 30) },
  );
});
