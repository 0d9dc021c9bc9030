// Real captures: their books equal those of the oracles, in every form in which they were kept.

import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { formatMicroShares, formatTicks } from '../../../../src/core/domain/numbers.ts';
import { recordingPath, recordingsPresent } from '../../../support/recordings.ts';
import { NaiveBook } from '../invented-recording.ts';
import { type Imported, ImportRig } from './import-rig.ts';

const COCKPIT = 'venue-b/kalshi-cockpit/tests/fixtures/ws_orderbook_stream.json';
const COCKPIT_FINAL = 'venue-b/kalshi-cockpit/ws_orderbook_stream.expected_final.json';
const BITCOIN = 'venue-a/recorded-btc-2026-08/btc_updown_5m_20260816T0158Z_ws_market';
const canonical = (text: string): string => text.replace(/\.?0+$/, '');

let rig: ImportRig;
beforeAll(() => {
  rig = new ImportRig();
});
afterAll(() => rig.remove());

function bookOf(imported: Imported, address: string): NaiveBook {
  const book = new NaiveBook();
  for (const event of imported.of(address)) book.take(event);
  return book;
}

describe.skipIf(!recordingsPresent)('real captures (absent: set CROSSBOOK_DATA)', () => {
  it('venue B ends with the books of the oracle', async () => {
    const { books } = JSON.parse(readFileSync(recordingPath(COCKPIT_FINAL), 'utf8')) as {
      readonly books: Readonly<Record<string, { deltas: number; best_yes_bid: string[]; yes_ask_implied: string }>>;
    };
    const imported = await rig.import(recordingPath(COCKPIT));
    for (const [ticker, final] of Object.entries(books)) {
      const { bids, asks } = bookOf(imported, ticker);
      expect([formatTicks(bids[0]!.price), formatMicroShares(bids[0]!.size)]).toEqual(
        final.best_yes_bid.map(canonical),
      );
      expect(formatTicks(asks[0]!.price)).toBe(canonical(final.yes_ask_implied));
      expect(imported.of(ticker).filter(({ kind }) => kind === 'changes')).toHaveLength(final.deltas);
      expect(imported.states(ticker)).toEqual(['RESYNCING OPENING', 'LIVE SNAPSHOT']);
    }
    expect(imported.events.at(-1)!.at - imported.events[0]!.at).toBeGreaterThan(0);
  });

  it('venue A has the same books from both forms of one capture', async () => {
    // Only one oracle names the first token of each market; the book of the other token is its mirror.
    const sizesOf = (imported: Imported): number[] => {
      const addresses = [...new Set(imported.events.map(({ market }) => market.address))];
      for (const address of addresses) {
        expect([...new Set(imported.states(address))]).toEqual(['RESYNCING OPENING', 'LIVE SNAPSHOT']);
      }
      expect(imported.words.join()).not.toContain('was lost');
      const levels = addresses
        .map(address => bookOf(imported, address))
        .flatMap(({ bids, asks }) => [...bids, ...asks]);
      return levels.map(({ size }) => size).sort((a, b) => a - b);
    };
    const plain = await rig.import(recordingPath(`${BITCOIN}.jsonl`));
    const raw = await rig.import(recordingPath(`${BITCOIN}.raw.jsonl`));
    expect(sizesOf(plain).length).toBeGreaterThan(50);
    expect(sizesOf(plain)).toEqual(sizesOf(raw));
  });

  it.each([
    ['venue-b/kalshi-fortuna-perps/fixtures/kinetics-perps/ws__public_orderbook_ticker.jsonl', /line 5: .*perpetuals/],
    ['venue-b/kalshi-fortuna-perps/fixtures/kinetics-perps/ws__private_lifecycle.jsonl', /no book in it/],
    ['venue-a/poly-glmbotpoly-excerpt/excerpt.jsonl', /no book in it/],
    ['benchmarks/bench-cryptofeed/sample_data/KRAKEN.ws.50.0', /KRAKEN\.ws\.50\.0: /],
    ['benchmarks/bench-hftbacktest/examples/spot/btcusdt_20240808.gz', /btcusdt_20240808\.gz: line 1: /],
  ])('%s is refused in words', async (file, why) => {
    await expect(rig.import(recordingPath(file))).rejects.toThrow(why);
    expect(rig.left()).toEqual([]);
  });
});
