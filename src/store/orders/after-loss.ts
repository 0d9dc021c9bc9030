// What follows when events may be lost that clients were told of: after a power cut the last few, on a backup all that came after it.
// Their cursors are never given again, for who resumed from one would miss what happened since, and every cursor from before has
// expired: nobody can say any more what followed it. The owner does it, before anybody is told anything.

import { limits } from '../../limits.ts';
import type { Transaction } from '../durable/tables.ts';
import { counterCodec } from './account-records.ts';
import { eventSpanCodec } from './event-record.ts';
import { NOTHING, type OrderTable } from './keys.ts';
import { OrderReader } from './order-reader.ts';

export function leapOverLostEvents(transaction: Transaction<OrderTable>): void {
  const reader = new OrderReader(transaction);
  let highest = reader.eventFloor();
  for (const { key, value } of reader.rows('eventSpans')) {
    highest = Math.max(highest, eventSpanCodec.decode(value, key).last);
  }
  transaction.put('eventFloor', NOTHING, counterCodec.encode(highest + limits.orderEventsLostMax));
}
