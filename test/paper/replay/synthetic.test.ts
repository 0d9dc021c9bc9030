// The synthetic session. One seed is one session, books are never crossed, and a second implementation verifies the hashes. A trade on
// venue A comes in the recorded order.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { SessionFrame } from '../../../src/paper/replay/script.ts';
import { syntheticScript } from '../../support/synthetic/script.ts';
import { HashFollower } from './venue-a-hash.ts';

const STARTED_AT_MS = Date.UTC(2026, 10, 21);
const FRAMES = 4_000;

function session(seed: number, count = FRAMES): { initial: readonly string[]; frames: SessionFrame[] } {
  const script = syntheticScript(seed, STARTED_AT_MS);
  const frames = script.tracks[0]!.open();
  return {
    initial: [...script.venueA.initial, ...script.venueB.initial],
    frames: Array.from({ length: count }, () => frames.next().value as SessionFrame),
  };
}

const seeds = fc.integer({ min: 0, max: 2 ** 32 - 1 });
const FEW = { numRuns: 6 };

describe('synthetic session', () => {
  it('has markets in the venues’ shapes, the same for every seed', () => {
    const { venueA, venueB } = syntheticScript(1, STARTED_AT_MS);
    expect(venueB.listings.map(({ ticker }) => ticker)).toEqual(
      syntheticScript(2, 0).venueB.listings.map(l => l.ticker),
    );
    expect(venueB.listings).toHaveLength(6);
    for (const { ticker } of venueB.listings) expect(ticker).toMatch(/^KX[A-Z]+GAME-\d\d[A-Z]{3}\d\d[A-Z]+-[A-Z]+$/);
    expect(venueA.facts).toHaveLength(4);
    for (const { tokens, conditionId } of venueA.facts) {
      expect(conditionId).toMatch(/^0x[0-9a-f]{64}$/);
      for (const token of tokens) expect(token).toMatch(/^[1-9]\d{76}$/);
    }
  });

  it('is the same for the same seed, another for another', () => {
    fc.assert(
      fc.property(seeds, seed => {
        expect(session(seed, 500)).toEqual(session(seed, 500));
        expect(session(seed, 500)).not.toEqual(session((seed + 1) >>> 0, 500));
      }),
      FEW,
    );
  });

  it('never runs back in time, and keeps speaking on both venues', () => {
    fc.assert(
      fc.property(seeds, seed => {
        const { frames } = session(seed);
        for (const [index, { atMs }] of frames.entries())
          expect(atMs).toBeGreaterThanOrEqual(frames[index - 1]?.atMs ?? 0);
        const tail = frames.slice(-500).map(({ venue }) => venue);
        expect(tail).toContain('venue_a');
        expect(tail).toContain('venue_b');
      }),
      FEW,
    );
  });

  it('venue B: no level below zero, no book crossed, every price on the grid', () => {
    fc.assert(
      fc.property(seeds, seed => {
        const { initial, frames } = session(seed);
        const books = new Map<string, Record<string, Map<number, number>>>();
        const ticks = (text: string): number => Math.round(Number(text) * 10_000);
        const texts = [...initial, ...frames.filter(({ venue }) => venue === 'venue_b').map(({ text }) => text)];
        for (const { type, msg } of texts.map(text => JSON.parse(text))) {
          if (type === 'orderbook_snapshot') {
            const side = (rows: [string, string][] = []): Map<number, number> =>
              new Map(rows.map(([price, size]) => [ticks(price), Math.round(Number(size) * 100)]));
            books.set(msg.market_ticker, { yes: side(msg.yes_dollars_fp), no: side(msg.no_dollars_fp) });
          }
          if (type !== 'orderbook_delta') continue;
          const book = books.get(msg.market_ticker)!;
          const level = (book[msg.side]!.get(ticks(msg.price_dollars)) ?? 0) + Math.round(Number(msg.delta_fp) * 100);
          expect(level).toBeGreaterThanOrEqual(0);
          expect(ticks(msg.price_dollars) % 100).toBe(0);
          if (level === 0) book[msg.side]!.delete(ticks(msg.price_dollars));
          else book[msg.side]!.set(ticks(msg.price_dollars), level);
          expect(Math.max(...book.yes!.keys()) + Math.max(...book.no!.keys())).toBeLessThan(10_000);
        }
        expect(books.size).toBe(6);
      }),
      FEW,
    );
  });

  it('venue A: every hash verifies, no book is crossed, the two tokens are mirrors', () => {
    fc.assert(
      fc.property(seeds, seed => {
        const { initial, frames } = session(seed, 1_500);
        const follower = new HashFollower({ minOrderSize: '5', negRisk: false });
        for (const text of initial.filter(frame => frame.includes('event_type'))) follower.take(text);
        for (const { venue, text } of frames) {
          if (venue !== 'venue_a') continue;
          follower.take(text);
          const [change] = JSON.parse(text).price_changes ?? [];
          if (change !== undefined) expect(Number(change.best_bid)).toBeLessThan(Number(change.best_ask));
        }
        expect(follower.failures).toEqual([]);
        expect(follower.verified).toBeGreaterThan(500);
        expect(follower.books.size).toBe(8);
      }),
      FEW,
    );
  });

  it('venue A: a trade is a change, the taker’s book with the same hash, and 70 ms later its announcement', () => {
    const frames = session(7).frames.filter(({ venue }) => venue === 'venue_a');
    const parsed = frames.map(({ atMs, text }) => ({ atMs, message: JSON.parse(text) }));
    const trades = parsed.filter(({ message }) => message.event_type === 'last_trade_price');
    expect(trades.length).toBeGreaterThan(20);
    for (const { atMs, message } of trades) {
      const makerSide = message.side === 'BUY' ? 'SELL' : 'BUY';
      const cause = parsed.findIndex(
        (frame, index) =>
          frame.atMs === atMs - 70 &&
          parsed[index + 1]?.message.event_type === 'book' &&
          frame.message.price_changes?.some(
            (change: { asset_id: string; price: string; side: string }) =>
              change.asset_id === message.asset_id && change.price === message.price && change.side === makerSide,
          ),
      );
      const { price_changes: changes } = parsed[cause]!.message;
      const book = parsed[cause + 1]!.message;
      expect(book).not.toHaveProperty('last_trade_price');
      expect(changes.map((change: { hash: string }) => change.hash)).toContain(book.hash);
      expect(message.timestamp).toBe(String(Number(book.timestamp) + 70));
    }
  });
});
