// Checks that the tables of the order store agree: records and index rows match, counters are right, and filled sums equal the
// fills. Reads one snapshot from end to end; for the command line.

import { limits } from '../../limits.ts';
import { StoreError } from '../store-error.ts';
import type { Reader } from '../tables.ts';
import { checksOfFills } from './check-fills.ts';
import { checksOfOrders } from './check-orders.ts';
import { checksOfEvents, checksOfPromises } from './check-promises.ts';
import type { RowCheck } from './codec.ts';
import { ORDER_TABLES, type OrderTable } from './keys.ts';
import { OrderReader } from './order-reader.ts';
import { bookedCodec, cancelAfterCodec, counterCodec, markCodec, positionCodec, protectionCodec } from './records.ts';

interface OrderCheck {
  /** Rows read, by table. */
  readonly rows: Readonly<Record<OrderTable, number>>;
  /** 0: nothing is wrong. */
  readonly faultsTotal: number;
  /** The first faults, each naming its record. */
  readonly faults: readonly string[];
}

/** The check of each table's rows. */
function rowChecks(reader: Reader<OrderTable>, orders: OrderReader): Readonly<Record<OrderTable, RowCheck>> {
  return {
    ...checksOfOrders(reader, orders),
    ...checksOfFills(reader, orders),
    ...checksOfPromises(reader, orders),
    ...checksOfEvents(orders),
    positions: ({ key, value }) => void positionCodec.decode(value, key),
    bookedChanges: ({ key, value }) => void bookedCodec.decode(value, key),
    marks: ({ key, value }) => void markCodec.decode(value, key),
    cancelAfters: ({ key, value }) => void cancelAfterCodec.decode(value, key),
    protections: ({ key, value }) => void protectionCodec.decode(value, key),
    eventFloor: ({ key, value }) => void counterCodec.decode(value, key),
  };
}

/** `passed`: called with the bytes of each row. */
export function checkOrders(reader: Reader<OrderTable>, passed: (bytes: number) => void = () => {}): OrderCheck {
  const orders = new OrderReader(reader);
  const checks = rowChecks(reader, orders);
  const rows = Object.fromEntries(Object.keys(ORDER_TABLES).map(table => [table, 0])) as Record<OrderTable, number>;
  const faults: string[] = [];
  let faultsTotal = 0;

  for (const table of Object.keys(ORDER_TABLES) as OrderTable[]) {
    for (const row of orders.rows(table)) {
      rows[table] += 1;
      passed(row.key.length + row.value.length);
      try {
        checks[table](row);
      } catch (error) {
        if (!(error instanceof StoreError)) throw error;
        faultsTotal += 1;
        if (faults.length < limits.orderFaultsReportedMax) faults.push(error.message);
      }
    }
  }
  return { rows, faultsTotal, faults };
}
