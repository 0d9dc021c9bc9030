// Checks fills, their places, and the filled sums of orders against each other. Part of a check.

import type { Order, OrderId } from '../../domain/order.ts';
import type { Account } from '../order-records.ts';
import type { Reader } from '../tables.ts';
import { damaged, type RowCheck } from './codec.ts';
import { accountKey, fillKey, fillsPrefix, isSameBytes, type OrderTable, placeAtEnd, readScope } from './keys.ts';
import type { OrderReader } from './order-reader.ts';
import { fillCodec } from './records.ts';

export function checksOfFills(
  reader: Reader<OrderTable>,
  orders: OrderReader,
): Readonly<Record<'fills' | 'fillPlaces', RowCheck>> {
  function accountOf(key: Uint8Array, orderId: OrderId | null): Account {
    if (orderId === null) {
      const { owner, venue } = readScope(key.subarray(1));
      return { podId: owner, venue };
    }
    const order = orders.order(orderId)?.order;
    if (order === undefined) throw damaged('fill', key, `is of order ${orderId}, which is missing`);
    return { podId: order.podId, venue: order.request.venue };
  }

  return {
    fills({ key, value }) {
      const { orderId, fill } = fillCodec.decode(value, key);
      const account = accountOf(key, orderId);
      const place = placeAtEnd(key);
      if (!isSameBytes(key, fillKey(account, orderId, place))) throw damaged('fill', key, 'is out of place');
      if (orderId !== null && place > 1 && reader.get('fills', fillKey(account, orderId, place - 1)) === undefined) {
        throw damaged('fill', key, 'follows none');
      }
      const found = reader.get('fillPlaces', accountKey(account, fill.fillId));
      if (found === undefined || !isSameBytes(found, key)) throw damaged('fill', key, 'is not found by its id');
    },
    fillPlaces({ key, value }) {
      const found = reader.get('fills', value);
      if (found === undefined) throw damaged('fillPlaces', key, 'leads to no fill');
      const { orderId, fill } = fillCodec.decode(found, value);
      if (!isSameBytes(key, accountKey(accountOf(value, orderId), fill.fillId))) {
        throw damaged('fillPlaces', key, 'leads to another fill');
      }
    },
  };
}

/** Checks that an order's filled sum is the sum of its fills, failed fills excluded. */
export function checkFilled(orders: OrderReader, { orderId, podId, request, filled }: Order, key: Uint8Array): void {
  let [size, cost, fees] = [0, 0n, 0];
  for (const row of orders.rows('fills', fillsPrefix({ podId, venue: request.venue }, orderId))) {
    const { fill } = fillCodec.decode(row.value, row.key);
    if (fill.settlement === 'FAILED') continue;
    size += fill.size;
    cost += BigInt(fill.price) * BigInt(fill.size);
    fees += fill.fee;
  }
  if (size === filled.size && cost === filled.cost && fees === filled.fees) return;
  const stored = `size ${filled.size}, cost ${filled.cost}, fees ${filled.fees}`;
  throw damaged('order', key, `has filled ${stored}; its fills are size ${size}, cost ${cost}, fees ${fees}`);
}
