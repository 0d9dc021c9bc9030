// Reads the orders of a folder as a start does, then all of them, and prints the result. This runs in its own process, since a damaged page may end
// the process.

import { VENUES } from '../../../src/core/domain/market.ts';
import { wallTimers } from '../../../src/core/runtime/timers.ts';
import { checkOrders } from '../../../src/core/store/orders/check.ts';
import { StoreError } from '../../../src/core/store/store-error.ts';
import { HistoryArchive } from '../../../src/orders/history/archive.ts';
import { openLedgerFolder } from '../../../src/orders/history/ledger-folder.ts';

const ledger = await openLedgerFolder(process.argv[2]!);
const live = outcomeOf(() => {
  const archive = new HistoryArchive(ledger.tables);
  const accounts = VENUES.map(venue => ({ podId: 'desk', venue }));
  const rows = archive.live(accounts, wallTimers.now());
  for (const _ of [...rows.orders, ...rows.positions, ...rows.marks, ...rows.cursors, ...rows.cancelAfters]);
});
const all = outcomeOf(() => {
  const { faultsTotal, rows } = checkOrders(ledger.tables);
  if (faultsTotal > 0) throw new StoreError(`${faultsTotal} faults`);
  return rows.orders;
});
process.stdout.write(JSON.stringify({ live, all }));
await ledger.close();

function outcomeOf<T>(work: () => T): T | string {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    return error.message;
  }
}
