// The files for hftbacktest, read as its documents describe: the same books, times in order, one file for each market. NumPy reads them too.

import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TAKER_BUY, TAKER_SELL } from '../../../src/core/domain/market.ts';
import type { RecordedEvent, RecordedMarket } from '../../../src/market-data/recording/format.ts';
import { HftbacktestWriter } from '../../../src/tools/conversion/hftbacktest.ts';
import { lacks } from '../../support/debian-packages.ts';
import { inventedRecording, MARKETS, NaiveBook, START } from './invented-recording.ts';
import { type NpzEvent, readNpz } from './naive-npz.ts';

const [DEPTH, TRADE, CLEAR, SNAPSHOT] = [1, 2, 3, 4];
const [SELL, BUY, LOCAL, EXCH] = [1 << 28, 1 << 29, 1 << 30, 2 ** 31];
const SIDES = BUY + SELL;

let folder = '';
let runs = 0;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'hftbacktest-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

async function exported(events: readonly RecordedEvent[]): Promise<Map<RecordedMarket, NpzEvent[]>> {
  runs += 1;
  const to = join(folder, String(runs));
  const writer = new HftbacktestWriter(to);
  for (const event of events) writer.write(event);
  const paths = await writer.close();
  const markets = [...new Set(events.map(({ market }) => market))];
  expect(readdirSync(to).sort()).toEqual(paths.map(path => path.slice(to.length + 1)).sort());
  return new Map(
    markets.map(market => [market, readNpz(readFileSync(join(to, `${market.venue}-${market.address}.npz`)))]),
  );
}

it('makes the books that the recording makes, and the same trades', async () => {
  await fc.assert(
    fc.asyncProperty(inventedRecording, async events => {
      const files = await exported(events);
      for (const [market, rows] of files) {
        const own = events.filter(event => event.market === market);
        const truth = new NaiveBook();
        for (const event of own) truth.take(event);
        // A gap or an end leaves no book.
        if (!truth.isKnown) truth.clear();
        const shares = (side: ReadonlyMap<number, number>) =>
          new Map([...side].map(([price, size]) => [price, size / 1e6]));
        expect(booksOf(rows)).toEqual(truth.sides.map(shares));
        const trades = own.filter(event => event.kind === 'trade');
        const shown = rows.filter(({ ev }) => ev % 256 === TRADE);
        expect(shown.map(({ px, qty }) => [px, qty])).toEqual(
          trades.map(({ price, size }) => [price / 1e4, size / 1e6]),
        );
        const taker = { [TAKER_BUY]: BUY, [TAKER_SELL]: SELL, 0: 0 };
        expect(shown.map(({ ev }) => ev & SIDES)).toEqual(trades.map(({ takerSide }) => taker[takerSide]));
      }
    }),
    { numRuns: 60 },
  );
});

it('no clock steps back, and nothing is received before it happened', async () => {
  await fc.assert(
    fc.asyncProperty(inventedRecording, async events => {
      for (const rows of (await exported(events)).values()) {
        for (const [index, { ev, exchTs, localTs }] of rows.entries()) {
          const before = rows[index - 1];
          expect(ev - (ev % 2 ** 30)).toBe(EXCH + LOCAL);
          expect(localTs >= exchTs).toBe(true);
          if (before !== undefined) expect([exchTs >= before.exchTs, localTs >= before.localTs]).toEqual([true, true]);
        }
      }
    }),
    { numRuns: 60 },
  );
});

/** Returns shares by ticks, folded as hftbacktest's market depth does. */
function booksOf(rows: readonly NpzEvent[]): Map<number, number>[] {
  const sides = [new Map<number, number>(), new Map<number, number>()];
  for (const { ev, px, qty } of rows) {
    const kind = ev % 256;
    if (kind === CLEAR) for (const side of sides) side.clear();
    if (kind !== DEPTH && kind !== SNAPSHOT) continue;
    const side = sides[(ev & BUY) !== 0 ? 0 : 1]!;
    if (qty === 0) side.delete(Math.round(px * 1e4));
    else side.set(Math.round(px * 1e4), qty);
  }
  return sides;
}

describe('one event of each kind', () => {
  const market = MARKETS[1]!;
  const own = { market, at: START, receivedAt: START, venueTime: START - 5, epoch: 1, seq: 1 };
  const events = [
    { ...own, kind: 'gap', why: 'START' },
    {
      ...{ ...own, kind: 'book', state: 'LIVE', reason: 'SNAPSHOT', checksum: 0, lastTrade: 0 },
      bids: [{ price: 4_700, size: 3_000_000 }],
      asks: [{ price: 5_200, size: 2_500_000 }],
    },
    {
      ...own,
      kind: 'changes',
      at: START + 1,
      receivedAt: START + 1,
      checksum: 0,
      changes: [{ side: 0, price: 4_700, size: 0 }],
    },
    { ...own, kind: 'trade', venueTime: 0, price: 4_700, size: 3_000_000, takerSide: TAKER_SELL, tradeId: 'x' },
    { ...own, kind: 'tradesMissed' },
  ] as unknown as RecordedEvent[];
  const NS = 1_000_000n;
  const at = BigInt(START) * NS;

  it('has its flags, its times in nanoseconds, its price and size', async () => {
    const flags = EXCH + LOCAL;
    const rows = [...(await exported(events)).values()][0]!;
    const venueAt = at - 5n * NS;
    expect(rows).toEqual([
      { ev: flags + CLEAR, exchTs: venueAt, localTs: at, px: 0, qty: 0 },
      { ev: flags + SNAPSHOT + BUY, exchTs: venueAt, localTs: at, px: 0.47, qty: 3 },
      { ev: flags + SNAPSHOT + SELL, exchTs: venueAt, localTs: at, px: 0.52, qty: 2.5 },
      { ev: flags + DEPTH + BUY, exchTs: venueAt, localTs: at + NS, px: 0.47, qty: 0 },
      // Without a time of the venue, the receive time counts.
      { ev: flags + TRADE + SELL, exchTs: at + NS, localTs: at + NS, px: 0.47, qty: 3 },
    ]);
  });

  it.skipIf(lacks('python3-numpy'))('NumPy reads them (absent: python3-numpy)', async () => {
    await exported(events);
    const path = join(folder, String(runs), `venue_b-${market.address}.npz`);
    const script =
      'import numpy, sys; d = numpy.load(sys.argv[1])["data"]; print(d.dtype.itemsize, d["px"].tolist(), d["ev"].tolist())';
    const said = execFileSync('/usr/bin/python3', ['-c', script, path], { encoding: 'utf8' });
    expect(said.trim()).toBe(
      `64 [0.0, 0.47, 0.52, 0.47, 0.47] [${[CLEAR, SNAPSHOT + BUY, SNAPSHOT + SELL, DEPTH + BUY, TRADE + SELL].map(it => EXCH + LOCAL + it).join(', ')}]`,
    );
  });

  it('a file that is there is not overwritten, and a failed export leaves none', () => {
    const to = join(folder, 'again');
    mkdirSync(to);
    const path = join(to, `venue_b-${market.address}.npz`);
    writeFileSync(path, 'mine');
    expect(() => new HftbacktestWriter(to).write(events[0]!)).toThrow(`${path}: exists already`);
    expect(readFileSync(path, 'utf8')).toBe('mine');
    const other = join(folder, 'failed');
    const writer = new HftbacktestWriter(other);
    for (const event of events) writer.write(event);
    writer.abandon();
    expect(readdirSync(other)).toEqual([]);
  });
});
