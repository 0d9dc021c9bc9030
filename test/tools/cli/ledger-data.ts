// A data directory with orders in it, for tests of commands and programs.

import { join } from 'node:path';
import type { MicroShares, Ticks, UnixMillis } from '../../../src/core/domain/numbers.ts';
import { createOrder, type OrderId, type OrderStatus } from '../../../src/core/domain/order.ts';
import type { LedgerTransaction, StoredOrder } from '../../../src/core/store/order-records.ts';
import { openLedgerFolder } from '../../../src/orders/history/ledger-folder.ts';
import { LedgerRig } from '../../orders/history/history-rig.ts';

/** Appends the steps to the journal as an engine that has ended. The history has them too, unless `isFollowed` is false. */
export async function putLedger(
  dataDir: string,
  steps: readonly ((step: LedgerTransaction) => void)[],
  isFollowed = true,
): Promise<void> {
  const folder = join(dataDir, 'orders');
  const ledger = new LedgerRig(folder, 1_000_000);
  for (const step of steps) ledger.step(step);
  await ledger.close();
  const owner = await openLedgerFolder(folder);
  if (isFollowed) owner.followToEnd();
  await owner.close();
}

/** Returns an order in the market `KX-0000` or a similar one, by its number. */
export function numberedOrder(number: number, status: OrderStatus = 'PENDING'): StoredOrder {
  const digits = String(number).padStart(4, '0');
  const request = {
    venue: 'venue_b',
    ticker: `KX-${digits}`,
    side: 'YES',
    action: 'BUY',
    size: 1_000_000 as MicroShares,
    price: 100 as Ticks,
    timeInForce: 'GTC',
  } as const;
  const orderId = `5f0c8a52-3b1e-8c47-9d2a-6e1f0b7c${digits}` as OrderId;
  const at = (1_795_000_000_000 + number) as UnixMillis;
  const names = { podId: 'desk', actorId: 'maker', keyId: 'key_1', idempotencyKey: `k${number}` };
  const made = createOrder({ orderId, ...names, request, at });
  const order = status === 'PENDING' ? made : { ...made, status, closedAt: at };
  return { order, intent: null, refusedAs: null };
}
