// Rows of orders without a journal.

import type { OrderTable } from '../../src/core/store/orders/keys.ts';
import { OrderWriter } from '../../src/core/store/orders/order-writer.ts';
import type { Transaction } from '../../src/core/store/tables.ts';

export function writeOrders(transaction: Transaction<OrderTable>, work: (writer: OrderWriter) => void): void {
  const writer = new OrderWriter(transaction);
  work(writer);
  writer.flush();
}
