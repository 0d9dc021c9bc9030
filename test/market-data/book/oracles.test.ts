// Recordings of other exchanges as independent oracles. Kraken publishes a CRC-32 of its best levels with every update, LOBSTER the ten
// best levels after every message.

import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { ASK, BID, PRIMARY } from '../../../src/core/domain/market.ts';
import { createArena, regionOf } from '../../../src/market-data/book/memory.ts';
import { BookCopy, BookReader } from '../../../src/market-data/book/reader.ts';
import { BookWriter } from '../../../src/market-data/book/writer.ts';
import { levelsOf } from '../../support/book-observer.ts';
import { KrakenBook, type KrakenFrame, krakenFrames } from '../../support/kraken.ts';
import { LobsterBook, lobsterBase, lobsterMessages, lobsterRows } from '../../support/lobster.ts';
import { recordingPath, recordingsPresent } from '../../support/recordings.ts';

const region = regionOf(createArena(), 'venue_a');
const reader = new BookReader(region);

describe.skipIf(!recordingsPresent)('Kraken (needs the recordings)', () => {
  it('computed every checksum that our book has', () => {
    const frames = krakenFrames(recording('benchmarks/bench-cryptofeed/sample_data/KRAKEN.ws.50.0'));
    const byPair = Map.groupBy(frames, frame => frame.pair);
    const writer = new BookWriter(region, () => {});
    const verified = [...byPair].map(([pair, own]) => ({ pair, ...verifyKraken(writer, own) }));
    expect(verified.filter(({ mismatches }) => mismatches > 0)).toEqual([]);
    expect(verified.length).toBe(10);
    expect(verified.reduce((sum, { matches }) => sum + matches, 0)).toBe(4_269);
  });
});

describe.skipIf(!recordingsPresent)('LOBSTER (needs the recordings)', () => {
  it('shows the ten levels that our book shows, after every message', () => {
    const name = 'benchmarks/bench-lobster-yile/data/AAPL_2012-06-21_34200000_57600000';
    const orderbook = recording(`${name}_orderbook_10.csv`);
    const base = lobsterBase(orderbook);
    const rows = lobsterRows(orderbook, base);
    const messages = lobsterMessages(recording(`${name}_message_10.csv`), base);
    const lobster = new LobsterBook(new BookWriter(region, () => {}), rows[0]!);
    const copy = new BookCopy(10);
    let revealed = 0;
    for (let at = 1; at < rows.length; at++) {
      expect(lobster.apply(messages[at]!), `message ${at}`).toBe(true);
      revealed += lobster.followSight(rows[at - 1]!, rows[at]!);
      expect(reader.read(lobster.book, PRIMARY, copy)).toBe(true);
      expect([levelsOf(copy, BID), levelsOf(copy, ASK)], `after message ${at}`).toEqual(rows[at]);
    }
    expect(rows.length).toBe(999);
    // Most of what is compared was computed, not taken over.
    expect(revealed).toBeLessThan(rows.length / 2);
  });
});

function verifyKraken(writer: BookWriter, frames: readonly KrakenFrame[]): { matches: number; mismatches: number } {
  const kraken = new KrakenBook(writer, frames);
  const copy = new BookCopy(10);
  let [matches, mismatches] = [0, 0];
  for (const frame of frames) {
    const isTaken = kraken.apply(frame);
    if (frame.checksum === null) continue;
    const isEqual = isTaken && reader.read(kraken.book, PRIMARY, copy) && kraken.checksum(copy) === frame.checksum;
    if (isEqual) matches += 1;
    else mismatches += 1;
  }
  return { matches, mismatches };
}

function recording(relative: string): string {
  return readFileSync(recordingPath(relative), 'utf8');
}
