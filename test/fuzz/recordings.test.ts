// Files of a recording with bytes changed, cut and spliced. The reader ends with the events of the sound blocks, as a naive reader has them, or with
// a fault that names the file. Blocks with a recalculated checksum reach the decoder. It reads or refuses them, and never fails in another way.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect } from 'vitest';
import type { UnixMillis } from '../../src/core/domain/numbers.ts';
import { nodeFiles } from '../../src/core/store/files.ts';
import { fileName, type RecordedEvent } from '../../src/market-data/recording/format.ts';
import { openRecording } from '../../src/market-data/recording/open-recording.ts';
import { RecordDecoder, RecordEncoder } from '../../src/market-data/recording/record-codec.ts';
import { RecordingFile } from '../../src/market-data/recording/recorded-file.ts';
import { anyEvents, lineOf } from '../market-data/recording/recorded-events.ts';
import { naiveLines } from '../support/naive-recording.ts';
import { damagedBytes } from './damaged-bytes.ts';
import { fuzz } from './fuzz.ts';

const START = 1_795_000_000_000 as UnixMillis;
const folder = mkdtempSync(join(tmpdir(), 'crossbook-fuzz-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Returns the bytes of a file with these events, in blocks of four events. */
function fileOf(events: readonly RecordedEvent[]): Buffer {
  const chunks: Buffer[] = [];
  const files = { ...nodeFiles, append: (_: unknown, bytes: Uint8Array) => void chunks.push(Buffer.from(bytes)) };
  const written = join(folder, 'written');
  const file = new RecordingFile({ folder: written, startedAt: START, session: 1, number: 1, files });
  for (const [index, event] of events.entries()) {
    file.add(event);
    if (index % 4 === 3) file.flush();
  }
  // The file appends at once.
  void file.close(START).catch(() => {});
  rmSync(written, { recursive: true });
  return Buffer.concat(chunks);
}

fuzz({
  name: 'recordings',
  inputs: damagedBytes(anyEvents.map(fileOf), ['XBOOKREC', 'XEND']),
  runs: 300,
  check(bytes) {
    const path = join(folder, fileName(START));
    writeFileSync(path, bytes);
    const recording = openRecording(folder);
    const faults = [...recording.faults];
    const lines = [...recording.events(fault => faults.push(fault))].map(lineOf);
    const expected = naiveLines(bytes) ?? [];
    expect(lines.slice(0, expected.length)).toEqual(expected);
    expect(lines.slice(expected.length).every(line => line.endsWith('gap CUT'))).toBe(true);
    for (const { words } of faults) expect(words).toContain(path);
    rmSync(path);
  },
});

fuzz({
  name: 'records of a recording',
  inputs: damagedBytes(
    anyEvents.map(events => {
      const encoder = new RecordEncoder();
      for (const event of events) encoder.add(event);
      return Buffer.from(encoder.take().payload);
    }),
  ),
  runs: 400,
  check(payload) {
    const decoder = new RecordDecoder((venue, address) => ({ venue, address }));
    const events: RecordedEvent[] = [];
    try {
      for (const event of decoder.events(payload, START)) events.push(event);
    } catch (error) {
      expect(error).toBeInstanceOf(RangeError);
    }
    // A record that was read can be written, and is then read as the same record.
    const encoder = new RecordEncoder();
    const markets = new Map(events.map(({ market }) => [`${market.venue} ${market.address}`, market]));
    const named = events.map(event => ({
      ...event,
      market: markets.get(`${event.market.venue} ${event.market.address}`)!,
    }));
    for (const event of named) encoder.add(event);
    const { payload: again, startedAt } = encoder.take();
    const reader = new RecordDecoder((venue, address) => ({ venue, address }));
    expect([...reader.events(Buffer.from(again), startedAt)].map(lineOf)).toEqual(events.map(lineOf));
  },
});
