// CSV: it has every value of a recording exactly, and can be read back by the rules of RFC 4180.

import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { formatMicroShares, formatTicks } from '../../../src/core/domain/numbers.ts';
import type { RecordedEvent } from '../../../src/market-data/recording/format.ts';
import { CsvWriter } from '../../../src/tools/conversion/csv.ts';
import { rowsOf } from '../../../src/tools/conversion/event-rows.ts';
import { inventedRecording, MARKETS, START } from './invented-recording.ts';

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'csv-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

function textOf(events: readonly RecordedEvent[]): string {
  let text = '';
  const writer = new CsvWriter(null, it => {
    text += it;
  });
  for (const event of events) writer.write(event);
  void writer.close();
  return text;
}

/** Returns the fields of each line; quotes are as in RFC 4180. */
function fieldsOf(text: string): string[][] {
  const lines: string[][] = [['']];
  let isQuoted = false;
  for (let at = 0; at < text.length; at += 1) {
    const line = lines.at(-1)!;
    const character = text[at]!;
    if (character === '"' && isQuoted && text[at + 1] === '"') line[line.length - 1] += text[++at]!;
    else if (character === '"') isQuoted = !isQuoted;
    else if (character === ',' && !isQuoted) line.push('');
    else if (character === '\n' && !isQuoted) lines.push(['']);
    else line[line.length - 1] += character;
  }
  expect(lines.pop()).toEqual(['']);
  return lines;
}

it('has a line for each row, and every value of it', () => {
  fc.assert(
    fc.property(inventedRecording, events => {
      const [header, ...lines] = fieldsOf(textOf(events));
      expect(header!.join(' ')).toBe(
        'venue market kind at_ms received_ms venue_ms epoch seq side price size state reason checksum trade_id',
      );
      const said = (value: string | number | null): string => (value === null ? '' : String(value));
      expect(lines).toEqual(
        events
          .flatMap(rowsOf)
          .map(row => [
            ...[row.venue, row.address, row.kind, String(row.at), said(row.receivedAt), said(row.venueTime)],
            ...[said(row.epoch), said(row.seq), said(row.side)],
            row.price === null ? '' : formatTicks(row.price),
            row.size === null ? '' : formatMicroShares(row.size),
            ...[said(row.state), said(row.reason), said(row.checksum), said(row.tradeId)],
          ]),
      );
    }),
  );
});

describe('a recording in words', () => {
  const market = MARKETS[1]!;
  const own = { market, at: START, receivedAt: START - 1, venueTime: 0, epoch: 7, seq: 1 };
  const events = [
    { ...own, kind: 'gap', why: 'START' },
    {
      ...{ ...own, kind: 'book', state: 'LIVE', reason: 'SNAPSHOT', checksum: 4_294_967_295, lastTrade: 4_700 },
      ...{ bids: [{ price: 4_700, size: 3_000_001 }], asks: [{ price: 5_250, size: 9_007_199_254_740_991 }] },
    },
    {
      ...{ ...own, kind: 'changes', seq: 2, venueTime: START - 9, checksum: 1 },
      changes: [
        { side: 0, price: 4_700, size: 0 },
        { side: 1, price: 1, size: 10_000 },
      ],
    },
    { ...own, kind: 'trade', seq: 2, price: 4_700, size: 1, takerSide: 0, tradeId: 'a,"b"' },
    { ...own, kind: 'state', seq: 2, state: 'STALE', reason: 'SILENCE' },
    { ...own, kind: 'tradesMissed' },
    { ...own, kind: 'end' },
  ] as unknown as RecordedEvent[];

  it('is exact', () => {
    const name = `venue_b,${market.address}`;
    expect(textOf(events).split('\n').slice(1)).toEqual([
      `${name},gap,${START},,,,,,,,,START,,`,
      `${name},book,${START},${START - 1},,7,1,,,,LIVE,SNAPSHOT,4294967295,`,
      `${name},level,${START},${START - 1},,7,1,bid,0.47,3.000001,,,,`,
      `${name},level,${START},${START - 1},,7,1,ask,0.525,9007199254.740991,,,,`,
      `${name},change,${START},${START - 1},${START - 9},7,2,bid,0.47,0,,,,`,
      `${name},change,${START},${START - 1},${START - 9},7,2,ask,0.0001,0.01,,,1,`,
      `${name},trade,${START},${START - 1},,7,2,,0.47,0.000001,,,,"a,""b"""`,
      `${name},state,${START},,,7,2,,,,STALE,SILENCE,,`,
      `${name},trades_missed,${START},,,,,,,,,,,`,
      `${name},end,${START},,,,,,,,,,,`,
      '',
    ]);
  });

  it('of a file is the same, under its name only when it is whole', async () => {
    const path = join(folder, 'whole.csv');
    const writer = new CsvWriter(path, () => {});
    for (const event of events) writer.write(event);
    expect(existsSync(path)).toBe(false);
    expect(await writer.close()).toEqual([path]);
    expect(readFileSync(path, 'utf8')).toBe(textOf(events));
    expect(() => new CsvWriter(path, () => {})).toThrow(`${path}: exists already`);
  });

  it('that fails leaves nothing', () => {
    const own = join(folder, 'failed');
    writeFileSync(join(folder, 'other'), '');
    const before = readdirSync(folder);
    const writer = new CsvWriter(own, () => {});
    writer.write(events[0]!);
    writer.abandon();
    expect(readdirSync(folder)).toEqual(before);
  });
});
