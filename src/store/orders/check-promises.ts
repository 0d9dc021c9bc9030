// Checks idempotency entries against the expiry queue of their answers, and events against the spans that are kept. Part of a
// check.

import type { Reader } from '../tables.ts';
import { damaged, type RowCheck } from './codec.ts';
import {
  answerAgeKey,
  cursorAtEnd,
  eventsPrefix,
  type OrderTable,
  readAnswerAgeKey,
  readEventActor,
  readTextKey,
} from './keys.ts';
import type { OrderReader } from './order-reader.ts';
import { eventCodec, idempotencyCodec } from './records.ts';

export function checksOfPromises(
  reader: Reader<OrderTable>,
  orders: OrderReader,
): Readonly<Record<'idempotency' | 'answerAges', RowCheck>> {
  return {
    idempotency({ key, value }) {
      const { answer, orderId } = idempotencyCodec.decode(value, key);
      if (answer === null) return;
      if (reader.get('answerAges', answerAgeKey(answer.at, key)) === undefined) {
        throw damaged('idempotency', key, 'has an answer that does not grow old');
      }
      if (orders.order(orderId) === null) throw damaged('idempotency', key, `answers for ${orderId}, which is missing`);
    },
    answerAges({ key }) {
      const { at, idempotencyKey } = readAnswerAgeKey(key);
      const found = reader.get('idempotency', idempotencyKey);
      const entry = found === undefined ? null : idempotencyCodec.decode(found, idempotencyKey);
      if (entry?.answer?.at !== at) throw damaged('answerAges', key, 'is of no answer');
    },
  };
}

export function checksOfEvents(orders: OrderReader): Readonly<Record<'events' | 'eventSpans', RowCheck>> {
  return {
    events({ key, value }) {
      eventCodec.decode(value, key);
      const { first, last } = orders.eventSpan(readEventActor(key));
      const cursor = cursorAtEnd(key);
      const isKept = cursor >= first && cursor <= last;
      // Events from before a loss may still wait for pruning.
      if (!isKept && cursor > orders.eventFloor()) throw damaged('event', key, `is not among ${first} to ${last}`);
    },
    eventSpans({ key }) {
      const actorId = readTextKey(key);
      const { first, last } = orders.eventSpan(actorId);
      let expected = first;
      for (const row of orders.rows('events', eventsPrefix(actorId))) {
        if (cursorAtEnd(row.key) <= orders.eventFloor()) continue;
        if (cursorAtEnd(row.key) !== expected) throw damaged('event', row.key, `is not number ${expected}`);
        expected += 1;
      }
      if (expected !== last + 1) throw damaged('event span', key, `ends at ${last}, and events at ${expected - 1}`);
    },
  };
}
