// Reads the orders of a folder as a start does, then all of them, and says what it found: in a process of its own, which a damaged page may
// end.

import { VENUES } from '../../src/domain/market.ts';
import { HistoryArchive } from '../../src/history/archive.ts';
import { openLedgerFolder } from '../../src/history/ledger-folder.ts';
import { checkOrders } from '../../src/store/orders/check.ts';
import { StoreError } from '../../src/store/store-error.ts';

const ledger = await openLedgerFolder(process.argv[2]!);
const live = outcomeOf(() => {
  const rows = new HistoryArchive(ledger.tables).live(VENUES.map(venue => ({ podId: 'desk', venue })));
  for (const _ of [...rows.orders, ...rows.keys, ...rows.positions, ...rows.marks, ...rows.cancelAfters]);
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
