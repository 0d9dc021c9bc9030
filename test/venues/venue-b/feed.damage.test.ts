// A stream that is damaged at random (frames dropped, repeated, reordered, cut, altered), against a naive reading of the same bytes. Each
// book that the feed shows as LIVE equals the book of the naive reading, and nothing ever throws.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { limits } from '../../../src/limits.ts';
import { FeedRig, MARKET, OTHER } from './feed-rig.ts';
import { ScriptedVenue, type WireBook } from './scripted-venue.ts';

const TICKERS = [MARKET, OTHER];
const BOOK: WireBook = {
  yes: [
    ['0.3000', '100.00'],
    ['0.4000', '50.50'],
  ],
  no: [
    ['0.4000', '20.00'],
    ['0.5000', '10.25'],
  ],
};
const BOOKS = { [MARKET]: BOOK, [OTHER]: BOOK };

interface WireFrame {
  readonly type: string;
  readonly sid: number;
  readonly seq: number;
  readonly msg?: {
    readonly market_ticker: string;
    readonly yes_dollars_fp?: [string, string][];
    readonly no_dollars_fp?: [string, string][];
    readonly price_dollars: string;
    readonly delta_fp: string;
    readonly side: 'yes' | 'no';
  };
}

type Sides = { yes: Map<number, number>; no: Map<number, number> };

/**
 * A naive client's reading of frames: it parses a frame, checks its number, and applies it. A book is null if the client cannot vouch for
 * it.
 */
class NaiveFeed {
  readonly books = new Map<string, Sides | null>(TICKERS.map(ticker => [ticker, null]));
  isTrusted = true;
  #lastSeq = 0;

  read(bytes: Uint8Array): void {
    if (!this.isTrusted) return;
    let frame: WireFrame;
    try {
      frame = JSON.parse(Buffer.from(bytes).toString());
    } catch {
      this.#distrust();
      return;
    }
    if (frame?.sid !== 2) return;
    if (frame.seq !== this.#lastSeq + 1) {
      this.#distrust();
      return;
    }
    this.#lastSeq = frame.seq;
    try {
      this.#fold(frame);
    } catch {
      this.books.set(frame.msg?.market_ticker ?? '', null);
    }
  }

  /** Trusts the parsed frame, as naive clients do, and throws if the frame makes no sense. */
  #fold({ type, msg }: WireFrame): void {
    const ticker = msg?.market_ticker ?? '';
    if (msg === undefined || !this.books.has(ticker)) return;
    if (type === 'orderbook_snapshot') {
      // A level without size is not in the book.
      const side = (levels: [string, string][] = []) =>
        new Map(
          levels.map(([price, size]) => [scaled(price, 4), scaled(size, 6)] as const).filter(([, size]) => size !== 0),
        );
      this.books.set(ticker, { yes: side(msg.yes_dollars_fp), no: side(msg.no_dollars_fp) });
    }
    const book = this.books.get(ticker);
    if (type !== 'orderbook_delta' || book === null || book === undefined) return;
    const levels = book[msg.side];
    const price = scaled(msg.price_dollars, 4);
    const size = (levels.get(price) ?? 0) + scaled(msg.delta_fp, 6);
    if (size === 0) levels.delete(price);
    else levels.set(price, size);
  }

  #distrust(): void {
    this.isTrusted = false;
    for (const ticker of TICKERS) this.books.set(ticker, null);
  }
}

function scaled(text: string, places: number): number {
  return Math.round(Number(text) * 10 ** places);
}

const change = fc.record({
  ticker: fc.constantFrom(...TICKERS),
  side: fc.constantFrom('yes' as const, 'no' as const),
  cents: fc.integer({ min: 25, max: 50 }),
  hundredths: fc.integer({ min: -1_000, max: 5_000 }),
});
const fault = fc.record({
  at: fc.nat(60),
  kind: fc.constantFrom('drop', 'repeat', 'swap', 'cut', 'alter', 'none', 'none'),
  place: fc.nat(400),
  byte: fc.oneof(fc.constantFrom(...Buffer.from('"\\,:{}0123456789.-yn')), fc.integer({ min: 0, max: 255 })),
});

/** Returns the frames of a sound session: two snapshots, and then deltas that keep every size above zero and the book uncrossed. */
function session(changes: { ticker: string; side: 'yes' | 'no'; cents: number; hundredths: number }[]): Uint8Array[] {
  const venue = new ScriptedVenue();
  const frames: Uint8Array[] = [];
  const socket = venue.connect(
    { url: '', headers: {}, handshakeTimeoutMs: 0, frameBytesMax: 0 },
    { onOpen() {}, onFrame: bytes => void frames.push(Uint8Array.from(bytes)), onPing() {}, onClose() {} },
  );
  for (const ticker of TICKERS) venue.addMarket(ticker, BOOK);
  venue.open();
  const sizes = new Map<string, number>();
  for (const ticker of TICKERS) {
    for (const [side, levels] of Object.entries(BOOK)) {
      for (const [price, size] of levels) sizes.set(`${ticker} ${side} ${price}`, scaled(size, 2));
    }
  }
  for (const [id, channel] of ['market_lifecycle_v2', 'orderbook_delta', 'trade'].entries()) {
    socket.send(
      JSON.stringify({ id: id + 1, cmd: 'subscribe', params: { channels: [channel], market_tickers: TICKERS } }),
    );
  }
  for (const { ticker, side, cents, hundredths } of changes) {
    const price = (cents / 100).toFixed(4);
    const level = `${ticker} ${side} ${price}`;
    const size = Math.max(0, (sizes.get(level) ?? 0) + hundredths);
    venue.delta(ticker, side, price, ((size - (sizes.get(level) ?? 0)) / 100).toFixed(2));
    sizes.set(level, size);
  }
  return frames;
}

function damage(
  frames: Uint8Array[],
  faults: { at: number; kind: string; place: number; byte: number }[],
): Uint8Array[] {
  const damaged = [...frames];
  for (const { at, kind, place, byte } of faults) {
    // The answers of the handshake stay whole. Another test covers the loss of these answers.
    const index = 3 + (at % Math.max(1, damaged.length - 3));
    const frame = damaged[index];
    if (frame === undefined) continue;
    if (kind === 'drop') damaged.splice(index, 1);
    if (kind === 'repeat') damaged.splice(index, 0, frame);
    if (kind === 'swap') damaged.splice(index, 2, ...damaged.slice(index, index + 2).reverse());
    if (kind === 'cut') damaged[index] = frame.subarray(0, place % frame.length);
    if (kind === 'alter') damaged[index] = frame.map((old, offset) => (offset === place % frame.length ? byte : old));
  }
  return damaged;
}

describe('a damaged stream', () => {
  it('never shows a wrong book', async () => {
    let live = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(change, { maxLength: 40 }),
        fc.array(fault, { maxLength: 3 }),
        async (changes, faults) => {
          const rig = await FeedRig.withMarkets(BOOKS, { isAnswering: false });
          const naive = new NaiveFeed();
          for (const frame of damage(session(changes), faults)) {
            rig.venue.send(frame);
            naive.read(frame);
          }
          for (const [index, ticker] of TICKERS.entries()) {
            const { state, bids, asks } = rig.book(index);
            if (state !== 'LIVE') continue;
            live += 1;
            const expected = naive.books.get(ticker);
            expect([...bids].sort()).toEqual([...(expected?.yes ?? [])].sort());
            expect([...asks].map(([price, size]) => [10_000 - price, size]).sort()).toEqual(
              [...(expected?.no ?? [])].sort(),
            );
          }
        },
      ),
      // The example is a snapshot with a level of size 0.
      { numRuns: 1_000, examples: [[[], [{ at: 0, kind: 'alter', place: 178, byte: 48 }]]] },
    );
    expect(live).toBeGreaterThan(500);
  });

  it('shows both books again after a reconnection, for any damage', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(change, { maxLength: 10 }),
        fc.array(fault, { minLength: 1, maxLength: 3 }),
        async (changes, faults) => {
          const rig = await FeedRig.withMarkets(BOOKS);
          for (const frame of damage(session(changes), faults).slice(3)) rig.venue.send(frame);
          rig.venue.drop('reset');
          rig.reconnect();
          await rig.timers.settle(2 * limits.venueBSweepMs);
          const sizes = [0, 1].map(index => [rig.book(index).bids.size, rig.book(index).asks.size]);
          expect([sizes, rig.book(0).state, rig.book(1).state]).toEqual([
            [
              [2, 2],
              [2, 2],
            ],
            'LIVE',
            'LIVE',
          ]);
        },
      ),
      { numRuns: 100 },
    );
  });
});
