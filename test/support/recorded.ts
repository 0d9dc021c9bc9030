// The records of a gateway, read from its history, which is some milliseconds late.

import { join } from 'node:path';
import { OrderReader } from '../../src/core/store/orders/order-reader.ts';
import { historyIn } from '../../src/orders/history/ledger-folder.ts';
import { HistoryTables } from '../../src/orders/history/tables.ts';

/** Reads from the history. `dataDir` is the data directory of a running gateway. */
export function recorded<T>(dataDir: string, read: (reader: OrderReader) => T): T {
  const tables = HistoryTables.open(historyIn(join(dataDir, 'orders')));
  try {
    return read(new OrderReader(tables));
  } finally {
    void tables.close();
  }
}
