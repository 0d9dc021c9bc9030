// The contract of StreamCodec (src/core/wire/messages.ts), run for every codec. What goes in comes out, and templates write what `encode` writes. A
// codec understands a client's bytes or refuses them, and never throws.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BID, type MarketKey, type StateReason } from '../../src/core/domain/market.ts';
import type { MicroShares, Ticks, UnixMillis } from '../../src/core/domain/numbers.ts';
import type { Delta, MarketRequest, MarketTemplate, StreamCodec, Trade } from '../../src/core/wire/messages.ts';
import { limits } from '../../src/limits.ts';
import { clientMessage, delta, market, serverMessages, trade } from '../core/wire/arbitraries.ts';

/** Encodes a delta as the gateway does. The result is a copy: the template's is borrowed. */
export function writeDelta(template: MarketTemplate, message: Delta): Uint8Array {
  template.beginDelta(message.epoch, message.seq);
  for (const { side, price, size } of message.changes) template.change(side, price, size);
  return template.endDelta(message.checksum, message.venueTime, message.receivedAt).slice();
}

export function writeTrade(template: MarketTemplate, message: Trade): Uint8Array {
  return template.trade(message).slice();
}

/** Messages of one market, in any order. */
const session = market.chain(key =>
  fc.array(fc.oneof(delta, trade), { minLength: 1, maxLength: 12 }).map(messages => ({
    key,
    messages: messages.map(message => ({ ...message, market: key })),
  })),
);

export function describeStreamCodec(codec: StreamCodec): void {
  describe(`the stream codec ${codec.subprotocol}`, () => {
    describeRoundTrips(codec);
    describeTemplates(codec);
    describeRefusals(codec);
    describeFuzz(codec);
  });
}

function describeRoundTrips(codec: StreamCodec): void {
  it('reads a state whose reason it does not know yet', () => {
    const market = { venue: 'venue_b', ticker: 'KXTEST' } as const;
    const message = { type: 'state', market, state: 'HALTED', reason: 'A_LATER_REASON' as StateReason } as const;
    expect(codec.decodeServer(codec.encode(message))).toEqual(message);
  });

  describe('a server message is read as it was written', () => {
    it.each(Object.entries(serverMessages))('%s', (_type, arbitrary) => {
      fc.assert(
        fc.property(arbitrary, message => {
          expect(codec.decodeServer(codec.encode(message))).toEqual(message);
        }),
        { numRuns: 300 },
      );
    });
  });

  it('reads a client message as it was written', () => {
    fc.assert(
      fc.property(clientMessage, message => {
        expect(codec.decode(codec.encodeClient(message))).toEqual({ ok: true, value: message });
      }),
      { numRuns: 500 },
    );
  });
}

function describeTemplates(codec: StreamCodec): void {
  it('writes with a template, after any earlier message, the bytes that encode writes', () => {
    fc.assert(
      fc.property(session, ({ key, messages }) => {
        const template = codec.template(key);
        for (const message of messages) {
          const written = message.type === 'delta' ? writeDelta(template, message) : writeTrade(template, message);
          expect(Buffer.from(written).equals(codec.encode(message))).toBe(true);
        }
      }),
      { numRuns: 500 },
    );
  });

  it('keeps templates of a codec apart, even when their deltas are written side by side', () => {
    fc.assert(
      fc.property(delta, delta, (first, second) => {
        const templates = [codec.template(first.market), codec.template(second.market)] as const;
        templates[0].beginDelta(first.epoch, first.seq);
        templates[1].beginDelta(second.epoch, second.seq);
        for (const { side, price, size } of first.changes) templates[0].change(side, price, size);
        for (const { side, price, size } of second.changes) templates[1].change(side, price, size);
        const written = [
          templates[0].endDelta(first.checksum, first.venueTime, first.receivedAt),
          templates[1].endDelta(second.checksum, second.venueTime, second.receivedAt),
        ] as const;
        expect(codec.decodeServer(written[0])).toEqual(first);
        expect(codec.decodeServer(written[1])).toEqual(second);
      }),
    );
  });

  it('hands out frames of every length, one after the other, without mixing them up', () => {
    const key: MarketKey = { venue: 'venue_b', ticker: 'KXNBAGAME-26NOV20BOSLAL-BOS' };
    const template = codec.template(key);
    for (const pass of [1, 2]) {
      for (let changes = 0; changes <= limits.changesPerBatchMax; changes++) {
        const message = deltaOf(key, pass * 1_000 + changes, changes);
        expect(codec.decodeServer(writeDelta(template, message))).toEqual(message);
      }
    }
  });
}

function describeFuzz(codec: StreamCodec): void {
  it('throws on server messages cut short or of another kind', () => {
    fc.assert(
      fc.property(delta, fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }), (message, part) => {
        const bytes = codec.encode(message);
        expect(() => codec.decodeServer(bytes.subarray(0, Math.floor(bytes.length * part)))).toThrow();
      }),
    );
  });

  it('answers any bytes with a message or a refusal that says why', () => {
    const answers = (bytes: Uint8Array) => {
      const answer = codec.decode(bytes);
      if (answer.ok) expect(codec.decode(codec.encodeClient(answer.value))).toEqual(answer);
      else expect(answer.error.message).toMatch(/^.+: .+/s);
    };
    fc.assert(fc.property(fc.uint8Array({ maxLength: 200 }), answers), { numRuns: 500 });
    fc.assert(
      fc.property(clientMessage, fc.array(fc.tuple(fc.nat(), fc.nat(255)), { maxLength: 4 }), (message, edits) => {
        const bytes = codec.encodeClient(message).slice();
        for (const [at, value] of edits) bytes[at % bytes.length] = value;
        answers(bytes);
      }),
      { numRuns: 1_000 },
    );
  });
}

function describeRefusals(codec: StreamCodec): void {
  describe('refuses a client message', () => {
    const markets = (length: number): MarketRequest[] =>
      Array.from({ length }, (_, index) => ({ market: { venue: 'venue_b', ticker: `T-${index}` }, side: null }));

    it.each([
      ['without markets', 0],
      ['with more markets than marketsPerSubscribeMax', limits.marketsPerSubscribeMax + 1],
    ])('%s', (_what, length) => {
      const bytes = codec.encodeClient({ op: 'subscribe', id: 'm', channel: 'book', markets: markets(length) });
      const message = `markets: must name 1 to 100 markets (marketsPerSubscribeMax), has ${length}`;
      expect(codec.decode(bytes)).toEqual({ ok: false, error: { id: 'm', code: 'INVALID_REQUEST', message } });
    });

    it.each([
      ['empty', ''],
      ['too long', 'x'.repeat(limits.streamIdCharactersMax + 1)],
    ])('whose id is %s', (_what, id) => {
      const message = `id: must be a string of 1 to 128 characters (streamIdCharactersMax), has ${id.length}`;
      expect(codec.decode(codec.encodeClient({ op: 'ping', id }))).toEqual({
        ok: false,
        error: { id: null, code: 'INVALID_REQUEST', message },
      });
    });

    it('whose market has no address', () => {
      const bytes = codec.encodeClient({
        op: 'snapshot',
        id: 's',
        market: { market: { venue: 'venue_a', tokenId: '' }, side: null },
      });
      const message = 'market.tokenId: must be a string of 1 to 128 characters (marketAddressCharactersMax), has 0';
      expect(codec.decode(bytes)).toEqual({ ok: false, error: { id: 's', code: 'INVALID_REQUEST', message } });
    });
  });

  it('accepts side "no": the gateway says that there is no such book', () => {
    const request: MarketRequest = { market: { venue: 'venue_b', ticker: 'T' }, side: 'no' };
    const message = { op: 'subscribe', id: '1', channel: 'book', markets: [request] } as const;
    expect(codec.decode(codec.encodeClient(message))).toEqual({ ok: true, value: message });
  });
}

function deltaOf(key: MarketKey, seq: number, changes: number): Delta {
  return {
    type: 'delta',
    market: key,
    epoch: 1_795_237_201_000,
    seq,
    prevSeq: seq - 1,
    changes: Array.from({ length: changes }, (_, index) => ({
      side: BID,
      price: (index + 1) as Ticks,
      size: (94_084_890_000 + seq) as MicroShares,
    })),
    checksum: 3_735_928_559,
    venueTime: 1_795_237_201_123 as UnixMillis,
    receivedAt: 1_795_237_201_124 as UnixMillis,
  };
}
