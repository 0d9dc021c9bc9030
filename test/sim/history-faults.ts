// Checks that the history's rows equal the rows that the journal's records make from empty tables, in any batches and lives.

import { isDeepStrictEqual } from 'node:util';
import type { UnixMillis } from '../../src/core/domain/numbers.ts';
import { checkOrders } from '../../src/core/store/orders/check.ts';
import { PRUNE_FROM_START, pruneSlice } from '../../src/core/store/orders/prune.ts';
import { limits } from '../../src/limits.ts';
import { Projection } from '../../src/orders/history/projection.ts';
import { HistoryTables } from '../../src/orders/history/tables.ts';
import { readEvents } from '../../src/orders/ledger/events.ts';
import { MemoryRows } from '../support/memory-rows.ts';
import type { Machine } from './machine.ts';

export function historyFaults(machine: Machine, now: UnixMillis): readonly string[] {
  const rows = new MemoryRows();
  const expected = new HistoryTables('expected', rows.open(), () => Number.POSITIVE_INFINITY);
  const projection = new Projection(expected);
  for (const [index, { payload }] of machine.records.entries()) projection.take(index + 1, readEvents(payload));
  projection.follow();
  const found = machine.tables();
  for (const tables of [expected, found]) prune(tables, now);
  const { faults } = checkOrders(found);
  return isDeepStrictEqual(machine.rows.rows, rows.rows)
    ? faults
    : [...faults, "the history's rows are not those of its records"];
}

/** Removes events from before a loss, sooner or later. */
function prune(tables: HistoryTables, now: UnixMillis): void {
  let place = PRUNE_FROM_START;
  for (let isMore = true; isMore; )
    tables.change(transaction => {
      const slice = pruneSlice(transaction, now, place, limits);
      place = slice.next;
      isMore = slice.isMore;
    });
}
