// Events of the private stream ↔ bytes, and the span of an actor's events that is kept. Pure.

import type { UnixMillis } from '../../domain/numbers.ts';
import type { OrderEventRecord } from '../order-records.ts';
import { RecordFault } from './bytes.ts';
import { codec, readOptional, words, writeOptional } from './codec.ts';
import { readFill, writeFill } from './fill-record.ts';
import { readOrder, writeOrder } from './order-record.ts';

/** The key holds the actor and the cursor: an actor may get events of another's order. */
export type EventRecord = Omit<OrderEventRecord, 'actorId' | 'cursor'>;

/** Cursors from `first` to `last` are kept; none if `first` is `last + 1`. */
export interface EventSpan {
  readonly first: number;
  readonly last: number;
}

export const NO_EVENTS: EventSpan = { first: 1, last: 0 };

const eventWords = words<OrderEventRecord['event']>('event', { STATUS: 0, FILL: 1, FILL_REVERSED: 2 });

export const eventCodec = codec<EventRecord>(
  'event',
  (writer, { event, order, fill, at }) => {
    writer.byte(eventWords.code(event));
    writeOrder(writer, order);
    writeOptional(writer, fill, it => writeFill(writer, it));
    writer.time(at);
  },
  [
    reader => ({
      event: eventWords.read(reader),
      order: readOrder(reader),
      fill: readOptional(reader, () => readFill(reader)),
      at: reader.time() as UnixMillis,
    }),
  ],
);

export const eventSpanCodec = codec<EventSpan>(
  'event span',
  (writer, { first, last }) => {
    writer.count(first);
    writer.count(last);
  },
  [
    reader => {
      const [first, last] = [reader.count(), reader.count()];
      if (first < 1 || first > last + 1) throw new RecordFault(`goes from ${first} to ${last}`);
      return { first, last };
    },
  ],
);
