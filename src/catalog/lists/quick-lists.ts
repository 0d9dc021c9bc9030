// Catalog lists that take about as long as a signature check, so that the main thread may read them (ADR 0020). A look at a market takes
// some 10 nanoseconds, writing one takes half a microsecond. Main thread.

import type { CatalogOperation, EventMarketsOperation } from '../../core/domain/operation.ts';
import { limits } from '../../limits.ts';
import { SnapshotReader } from '../snapshot-reader.ts';

/** Parameters that leave nothing to scan. A page token may stand for any others. */
const CHEAP = ['pageSize', 'eventId'];

/** `marketsMax`: size of a catalog that is small enough to scan. */
export function isQuickList(operation: CatalogOperation | EventMarketsOperation, marketsMax: number): boolean {
  const { catalog } = operation;
  const reader = catalog === null ? null : SnapshotReader.open(catalog);
  if (reader === null) return true;
  if (operation.name === 'event-markets') return reader.countOfEvent(operation.eventId) <= limits.pageRowsMax;
  return reader.count <= marketsMax || [...operation.query.keys()].every(name => CHEAP.includes(name));
}
