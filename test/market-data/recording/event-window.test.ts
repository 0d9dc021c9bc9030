// The part of a recording between two times: the same events, after the books that a naive reader has from all earlier events.

import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { UnixMillis } from '../../../src/core/domain/numbers.ts';
import { eventsIn } from '../../../src/market-data/recording/event-window.ts';
import type { RecordedEvent, RecordedMarket } from '../../../src/market-data/recording/format.ts';
import { inventedRecording, MARKETS, NaiveBook, START } from '../../tools/conversion/invented-recording.ts';

const time = fc.integer({ min: START - 1_000, max: START + 200_000 }) as unknown as fc.Arbitrary<UnixMillis>;
const all = (): boolean => true;

it('a window without bounds is the whole recording', () => {
  fc.assert(
    fc.property(inventedRecording, events => {
      expect([...eventsIn(events, { from: null, to: null, has: all })]).toEqual(events);
    }),
  );
});

it('begins with the books of that time, and ends before the other', () => {
  fc.assert(
    fc.property(inventedRecording, time, fc.nat(100_000), (events, from, lengthMs) => {
      const to = (from + lengthMs) as UnixMillis;
      const within = events.filter(({ at }) => at >= from && at < to);
      const part = [...eventsIn(events, { from, to, has: all })];
      const opening = part.slice(0, part.length - within.length);
      expect(part.slice(opening.length)).toEqual(within);
      expect(opening.every(({ at }) => at === from)).toBe(true);
      const books = booksOf(events.filter(({ at }) => at < from));
      const known = [...books].filter(([, { isKnown }]) => isKnown);
      expect(opening.filter(({ kind }) => kind === 'gap')).toHaveLength(known.length);
      expect(opening.filter(({ kind }) => kind === 'book')).toHaveLength(known.length);
      for (const event of opening) {
        if (event.kind !== 'book') continue;
        const { bids, asks } = books.get(event.market)!;
        expect([event.bids, event.asks]).toEqual([bids, asks]);
      }
    }),
  );
});

it('has the markets that are asked for', () => {
  fc.assert(
    fc.property(inventedRecording, time, (events, from) => {
      const has = (market: RecordedMarket): boolean => market === MARKETS[1];
      const own = events.filter(({ market }) => has(market));
      expect([...eventsIn(events, { from, to: null, has })]).toEqual([...eventsIn(own, { from, to: null, has: all })]);
    }),
  );
});

function booksOf(events: readonly RecordedEvent[]): Map<RecordedMarket, NaiveBook> {
  const books = new Map(MARKETS.map(market => [market, new NaiveBook()]));
  for (const event of events) books.get(event.market)!.take(event);
  return books;
}
