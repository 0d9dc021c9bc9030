// Messages of books on NATS as bytes: a written message is read back equal. Damaged bytes are refused, or are messages that change no book. Each
// address has a subject of its own.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fraction } from '../../../src/core/domain/fraction.ts';
import { MARKET_STATUSES } from '../../../src/core/domain/market-summary.ts';
import type { MicroDollars, MicroShares, Ticks, UnixMillis } from '../../../src/core/domain/numbers.ts';
import { FeedCounters } from '../../../src/core/metrics/feed-counters.ts';
import { protobufCodec } from '../../../src/core/wire/protobuf.ts';
import {
  decodeRelayed,
  decodeTermsReply,
  decodeTermsRequest,
  encodeRelayed,
  encodeTermsReply,
  encodeTermsRequest,
  marketSubject,
  publisherOf,
  pulseSubject,
} from '../../../src/market-data/relay/protocol.ts';
import { FIRST_STEP, RelayedBook } from '../../../src/market-data/relay/relayed-book.ts';
import type { TermsReading } from '../../../src/venues/trading-terms.ts';
import { serverMessage } from '../../core/wire/arbitraries.ts';
import { damagedBytes } from '../../fuzz/damaged-bytes.ts';
import { fuzz } from '../../fuzz/fuzz.ts';
import { RecordingSink } from '../../support/recording-sink.ts';

const anyNumber = fc.maxSafeNat();
const anyTicks = fc.integer({ min: 0, max: 9_999 }) as fc.Arbitrary<Ticks>;

describe('the envelope', () => {
  it('has number, message and last trade as they were written', () => {
    fc.assert(
      fc.property(anyNumber, anyTicks, serverMessage, (number, lastTrade, message) => {
        const bytes = encodeRelayed(number, lastTrade, protobufCodec.encode(message));
        expect(decodeRelayed(bytes)).toEqual({ number, lastTrade, message });
      }),
    );
  });

  it('without a message is refused', () => {
    expect(() => decodeRelayed(Uint8Array.of(8, 1))).toThrow('message');
  });
});

const relayedBytes = fc
  .tuple(anyNumber, anyTicks, serverMessage)
  .map(([number, lastTrade, message]) => encodeRelayed(number, lastTrade, protobufCodec.encode(message)));

fuzz({
  name: 'messages of a market on NATS',
  inputs: damagedBytes(relayedBytes, ['\x08\x01', '\x10\x01', '\x1a\x00']),
  runs: 300,
  check(bytes) {
    const sink = new RecordingSink();
    const id = sink.openBook(FIRST_STEP)!;
    const book = new RelayedBook(id, { sink, counters: new FeedCounters(), elapsed: () => 0, expireFacts: () => {} });
    let message: ReturnType<typeof decodeRelayed>;
    try {
      message = decodeRelayed(bytes);
    } catch {
      return;
    }
    book.take(message);
    // Only a snapshot with a matching checksum makes a book.
    if (sink.books[0]!.state !== 'RESYNCING') expect(message.message.type).toBe('snapshot');
    expect(book.needsSnapshot || message.message.type === 'snapshot' || message.message.type === 'state').toBe(true);
  },
});

const anyRate = fc
  .tuple(fc.nat(10_000), fc.integer({ min: 1, max: 10_000 }))
  .map(([n, d]) => fraction(BigInt(n), BigInt(d)));
const anyTime = anyNumber as fc.Arbitrary<UnixMillis>;
const fees = fc.record({
  takerRate: anyRate,
  makerRate: anyRate,
  exponent: fc.nat(8),
  step: fc.nat(10_000) as fc.Arbitrary<MicroDollars>,
  rounding: fc.constantFrom('HALF_UP' as const, 'UP' as const),
  waivedUntil: fc.option(anyTime),
});
const band = fc
  .tuple(fc.nat(9_999), fc.nat(9_999), fc.integer({ min: 1, max: 500 }))
  .filter(([start, end]) => start < end)
  .map(([start, end, step]) => ({ start, end, step }) as { start: Ticks; end: Ticks; step: Ticks });
const NOW = 1_790_000_000_000 as UnixMillis;
const reading: fc.Arbitrary<TermsReading> = fc.oneof(
  fc.record({
    type: fc.constant('terms' as const),
    terms: fc.record({
      title: fc.string({ unit: 'grapheme' }),
      status: fc.constantFrom(...MARKET_STATUSES),
      grid: fc.array(band, { maxLength: 4 }),
      sizeMin: anyNumber as fc.Arbitrary<MicroShares>,
      sizeStep: anyNumber as fc.Arbitrary<MicroShares>,
      fees: fc.option(fees),
      shard: fc.option(fc.nat(9)),
      settlementFloor: fc.option(anyTicks),
      closesAt: fc.option(anyTime),
      addresses: fc.array(fc.string(), { maxLength: 2 }),
      readAt: fc.constant(NOW),
    }),
  }),
  fc.record({ type: fc.constantFrom('unknown' as const, 'faulty' as const), message: fc.string({ minLength: 1 }) }),
  fc.record({ type: fc.constant('busy' as const), message: fc.string(), retryAfterS: fc.nat(60) }),
);

it('terms are read as they were written, as of now', () => {
  fc.assert(
    fc.property(reading, it => {
      expect(decodeTermsReply(encodeTermsReply(it), NOW)).toEqual(it);
    }),
  );
});

fuzz({
  name: 'answers with terms on NATS',
  inputs: damagedBytes(reading.map(encodeTermsReply), ['\x0a\x00', '\x12\x00', '\x22\x00']),
  runs: 300,
  check(bytes) {
    let read: TermsReading;
    try {
      read = decodeTermsReply(bytes, NOW);
    } catch {
      return;
    }
    expect(decodeTermsReply(encodeTermsReply(read), NOW)).toEqual(read);
  },
});

it('a request for terms names its market, and bytes that name none are no request', () => {
  const market = {
    venue: 'venue_a',
    tokenId: '71321045679252212594626385532706912750332728571942532289631379312455583992563',
  } as const;
  expect(decodeTermsRequest(encodeTermsRequest(market))).toEqual(market);
  for (const bytes of [[], [8, 9], [255, 255, 255]]) expect(decodeTermsRequest(Uint8Array.from(bytes))).toBeNull();
});

describe('subjects', () => {
  it('of two markets differ, and have the same tokens', () => {
    const address = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 });
    fc.assert(
      fc.property(address, address, (one, other) => {
        const [first, second] = [one, other].map(it => marketSubject('p', 'venue_b', it));
        expect(first === second).toBe(one === other);
        expect(first!.split('.')).toHaveLength(7);
        expect(first).toMatch(/^[^\s*>]+$/);
      }),
    );
  });

  it('have tickers and token ids as they are', () => {
    expect(marketSubject('p', 'venue_b', 'KX-1.5')).toBe('crossbook.books.v1.market.p.venue_b.KX-1%2E5');
    expect(publisherOf(pulseSubject('p-1'))).toBe('p-1');
  });
});
