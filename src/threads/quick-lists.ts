// Which lists of the catalog are read in about the time of a signature check, so that the main thread may do it (ADR 0020): looking at a
// market takes some 10 nanoseconds, showing one half a microsecond. Main thread.

import { SnapshotReader } from '../catalog/snapshot-reader.ts';
import { limits } from '../limits.ts';
import type { CatalogOperation, EventMarketsOperation } from './order-tasks.ts';

/** Parameters that leave nothing to be looked through. A page token may stand for any. */
const CHEAP = ['pageSize', 'eventId'];

/** `marketsMax`: of a catalog that may be looked through. */
export function isQuickList(operation: CatalogOperation | EventMarketsOperation, marketsMax: number): boolean {
  const { catalog } = operation;
  const reader = catalog === null ? null : SnapshotReader.open(catalog);
  if (reader === null) return true;
  if (operation.name === 'event-markets') return reader.countOfEvent(operation.eventId) <= limits.pageRowsMax;
  return reader.count <= marketsMax || [...operation.query.keys()].every(name => CHEAP.includes(name));
}
