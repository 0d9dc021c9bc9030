// TEMPORARY
import { makePrivateFolder } from '../runtime/private-file.ts';
import { takeOwnership } from '../store/durable/owner-lock.ts';
import { OrderReader } from '../store/orders/order-reader.ts';
import { HistoryTables } from './tables.ts';
export const HISTORY_NAME = 'history';
export interface LedgerFolder { readonly path: string; hadOrders(podId: string): boolean; close(): void }
export async function openLedgerFolder(path: string, _log?: unknown): Promise<LedgerFolder> {
  makePrivateFolder(path);
  const giveUp = takeOwnership(path);
  return {
    path,
    hadOrders(podId) {
      const tables = HistoryTables.open(`${path}/${HISTORY_NAME}`);
      const had = new OrderReader(tables).hasOrders(podId);
      void tables.close();
      return had;
    },
    close: giveUp,
  };
}
