// Random events of a recording, for property tests, and each event as a line, in the form of test/support/naive-recording.ts.

import fc from 'fast-check';
import { ASK, BOOK_STATES, STATE_REASONS } from '../../../src/core/domain/market.ts';
import type { MicroShares, Ticks, UnixMillis } from '../../../src/core/domain/numbers.ts';
import { GAP_REASONS, type RecordedEvent, type RecordedMarket } from '../../../src/market-data/recording/format.ts';

export const MARKETS: readonly RecordedMarket[] = [
  { venue: 'venue_a', address: '7'.repeat(77) },
  { venue: 'venue_b', address: 'KX-1' },
  { venue: 'venue_b', address: 'KXNBAGAME-26NOV21BOSLAL-BOS' },
];
const START = 1_795_000_000_000;

const price = fc.integer({ min: 0, max: 10_000 }) as fc.Arbitrary<Ticks>;
const size = fc.oneof(
  fc.integer({ min: 0, max: 10_000_000 }).map(centis => centis * 10_000),
  fc.maxSafeNat(),
) as fc.Arbitrary<MicroShares>;
const checksum = fc.nat(2 ** 31).map(it => it * 2);
const levels = fc.array(fc.record({ price, size }), { maxLength: 12 });
const time = fc.oneof(
  fc.constant(0),
  fc.integer({ min: START - 90_000, max: START + 90_000 }),
) as fc.Arbitrary<UnixMillis>;
const placed = {
  epoch: fc.oneof(fc.nat(9), fc.integer({ min: 0, max: 2 ** 51 })),
  seq: fc.oneof(fc.nat(99), fc.integer({ min: 0, max: 2 ** 51 })),
};
const timed = { venueTime: time, receivedAt: time };
const state = { state: fc.constantFrom(...BOOK_STATES), reason: fc.constantFrom(...STATE_REASONS) };
const kind = <Kind extends RecordedEvent['kind']>(it: Kind) => ({ kind: fc.constant(it) });

const body = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      ...{ ...kind('changes'), ...placed, ...timed, checksum },
      changes: fc.array(fc.record({ side: fc.constantFrom(0, 1), price, size }), { maxLength: 5 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      ...{ ...kind('book'), ...placed, ...timed, ...state, checksum, lastTrade: price, bids: levels, asks: levels },
    }),
  },
  fc.record({ ...kind('state'), ...placed, ...state }),
  fc.record({
    ...{ ...kind('trade'), ...placed, ...timed, price, size },
    takerSide: fc.constantFrom(0, 1, 2),
    tradeId: fc.string({ maxLength: 64 }),
  }),
  fc.record(kind('tradesMissed')),
  fc.record({ ...kind('gap'), why: fc.constantFrom(...GAP_REASONS) }),
  fc.record(kind('end')),
);

/** Random events with times that never decrease. */
export const anyEvents: fc.Arbitrary<RecordedEvent[]> = fc
  .array(fc.tuple(fc.constantFrom(...MARKETS), fc.oneof(fc.constant(0), fc.nat(5_000)), body), { maxLength: 40 })
  .map(entries => {
    let at = START;
    return entries.map(([market, sinceMs, it]) => {
      at += sinceMs;
      return { market, at: at as UnixMillis, ...it } as RecordedEvent;
    });
  });

export function lineOf(event: RecordedEvent): string {
  const { market, at } = event;
  return `${at} ${market.venue} ${market.address} ${bodyLine(event)}`;
}

function bodyLine(event: RecordedEvent): string {
  switch (event.kind) {
    case 'changes': {
      const changes = event.changes.map(it => `${it.side === ASK ? 'ask' : 'bid'} ${levelText(it)}`);
      return `changes ${position(event)} ${times(event)} ${event.checksum} ${changes.join(' ')}`;
    }
    case 'book': {
      const head = `${position(event)} ${times(event)} ${event.checksum} ${stateText(event)} ${event.lastTrade}`;
      return `book ${head} ${event.bids.map(levelText).join(' ')} | ${event.asks.map(levelText).join(' ')}`;
    }
    case 'state':
      return `state ${position(event)} ${stateText(event)}`;
    case 'trade':
      return `trade ${position(event)} ${times(event)} ${event.takerSide} ${levelText(event)} ${event.tradeId}`;
    case 'gap':
      return `gap ${event.why}`;
    default:
      return event.kind;
  }
}

const position = ({ epoch, seq }: { epoch: number; seq: number }): string => `${epoch} ${seq}`;
const times = ({ receivedAt, venueTime }: { receivedAt: number; venueTime: number }): string =>
  `${receivedAt} ${venueTime === 0 ? 'unstated' : venueTime}`;
const levelText = ({ price: ticks, size: micros }: { price: number; size: number }): string => `${ticks}:${micros}`;
const stateText = (it: Pick<Extract<RecordedEvent, { kind: 'state' }>, 'state' | 'reason'>): string =>
  `${it.state} ${STATE_REASONS.indexOf(it.reason)}`;
