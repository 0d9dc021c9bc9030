// Files of a recording. Our reader and a naive reader, which knows only the document, read what was written. They report cut or damaged parts, and
// never return such parts as data.

import { copyFileSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 as crcOf } from 'node:zlib';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { BID } from '../../../src/core/domain/market.ts';
import type { UnixMillis } from '../../../src/core/domain/numbers.ts';
import { fileName, type RecordedEvent, RecordingFault } from '../../../src/market-data/recording/format.ts';
import { openRecording } from '../../../src/market-data/recording/open-recording.ts';
import { type FileFault, RecordingFile } from '../../../src/market-data/recording/recorded-file.ts';
import { naiveLines } from '../../support/naive-recording.ts';
import { testFolder } from '../../support/test-folder.ts';
import { anyEvents, lineOf, MARKETS } from './recorded-events.ts';
import { RecorderRig } from './recorder-rig.ts';

const START = 1_795_000_000_000 as UnixMillis;
const SESSION = 0xdead_beef;

let folder: string;
beforeEach(() => {
  folder = testFolder();
});

/** Writes the events, and flushes after each event with an index in `flushes`. */
async function write(
  events: readonly RecordedEvent[],
  { session = SESSION, number = 1, startedAt = START, flushes = [], isClosed = true }: Partial<Options> = {},
): Promise<RecordingFile> {
  const file = new RecordingFile({ folder, startedAt, session, number });
  for (const [index, event] of events.entries()) {
    file.add(event);
    if (flushes.includes(index)) file.flush();
  }
  if (isClosed) await file.close((startedAt + 3_600_000) as UnixMillis);
  else {
    file.flush();
    file.abandon();
  }
  return file;
}
interface Options {
  readonly session: number;
  readonly number: number;
  readonly startedAt: UnixMillis;
  readonly flushes: readonly number[];
  readonly isClosed: boolean;
}

function readAll(): { lines: string[]; faults: FileFault[] } {
  const faults: FileFault[] = [];
  const recording = openRecording(folder);
  const lines = [...recording.events(fault => faults.push(fault))].map(lineOf);
  return { lines, faults: [...recording.faults, ...faults] };
}

const flushes = fc.array(fc.nat(40), { maxLength: 10 });
const isCut = (line: string): boolean => line.endsWith('gap CUT');
/** Removes the gaps that the reader adds at the end. */
const written = (lines: readonly string[]): readonly string[] =>
  lines.slice(0, lines.findLastIndex(it => !isCut(it)) + 1);
const gap = (at: number, market = MARKETS[1]!): RecordedEvent => ({
  kind: 'gap',
  why: 'START',
  market,
  at: (START + at) as UnixMillis,
});

describe('a file', () => {
  it('has what was added, also to a reader that knows only the document', async () => {
    await fc.assert(
      fc.asyncProperty(anyEvents, flushes, async (events, at) => {
        const { path } = await write(events, { flushes: at });
        const lines = events.map(lineOf);
        expect(readAll()).toEqual({ lines, faults: [] });
        expect(naiveLines(readFileSync(path))).toEqual(lines);
        rmSync(path);
      }),
    );
  });

  it('without its end has what stands before, and the reader reports the cut', async () => {
    await fc.assert(
      fc.asyncProperty(anyEvents, flushes, fc.nat(), fc.boolean(), async (events, at, seed, isClosed) => {
        const { path } = await write(events, { flushes: at, isClosed });
        const bytes = readFileSync(path);
        const kept = bytes.subarray(0, seed % bytes.length);
        writeFileSync(path, kept);
        const { lines, faults } = readAll();
        const expected = naiveLines(kept) ?? [];
        expect(lines.slice(0, expected.length)).toEqual(expected);
        expect(lines.slice(expected.length).every(isCut)).toBe(true);
        expect(events.map(lineOf).slice(0, expected.length)).toEqual(expected);
        expect(faults).toMatchObject([{ path, what: 'cut' }]);
        rmSync(path);
      }),
    );
  });

  it('with a flipped bit never has another event than what was added', async () => {
    await fc.assert(
      fc.asyncProperty(anyEvents, flushes, fc.nat(), async (events, at, seed) => {
        const { path } = await write(events, { flushes: at });
        const bytes = readFileSync(path);
        const bit = seed % (bytes.length * 8);
        bytes[bit >> 3]! ^= 1 << (bit & 7);
        writeFileSync(path, bytes);
        const { lines, faults } = readAll();
        const all = events.map(lineOf);
        const read = written(lines);
        expect(read).toEqual(written(all.slice(0, read.length)));
        expect(faults).toHaveLength(1);
        expect(faults[0]!.words).toContain(path);
        rmSync(path);
      }),
    );
  });

  it('that ends with zeros, as a power cut leaves it, was cut off there', async () => {
    const { path, bytes } = await write([gap(0)], { isClosed: false });
    writeFileSync(path, Buffer.concat([readFileSync(path), Buffer.alloc(4_096)]));
    const { lines, faults } = readAll();
    expect(lines).toEqual([lineOf(gap(0)), lineOf({ ...gap(0), why: 'CUT' } as RecordedEvent)]);
    expect(faults).toEqual([
      { path, what: 'cut', soundBytes: bytes, words: `${path}: the file ends with 4096 zeros, at byte ${bytes}` },
    ]);
  });

  it('says what it holds, by its last block or by all of them', async () => {
    const events = [gap(0), gap(1, MARKETS[0]), gap(2), { ...gap(3), kind: 'tradesMissed' } as RecordedEvent];
    const counts = [
      { ...MARKETS[1], books: 0, changes: 0, trades: 0, gaps: 2 },
      { ...MARKETS[0], books: 0, changes: 0, trades: 0, gaps: 1 },
    ];
    const { path } = await write(events);
    const contents = () => openRecording(folder).files[0]!.contents();
    expect(contents()).toEqual({ isClosed: true, endedAt: START + 3_600_000, markets: counts });
    writeFileSync(path, readFileSync(path).subarray(0, -1));
    expect(contents()).toEqual({ isClosed: false, endedAt: START + 3, markets: counts });
  });

  it('of another version is not read', async () => {
    const { path } = await write([gap(0)]);
    const bytes = readFileSync(path);
    bytes.writeUInt32LE(2, 8);
    bytes.writeUInt32LE(crcOf(bytes.subarray(0, 28)), 28);
    writeFileSync(path, bytes);
    expect(readAll()).toEqual({
      lines: [],
      faults: [
        {
          path,
          what: 'damaged',
          soundBytes: 0,
          words: `${path}: its format has the version 2; this program reads 1`,
        },
      ],
    });
  });

  it('never takes the name of another one', async () => {
    const paths = [await write([gap(0)]), await write([gap(0)])].map(({ path }) => path);
    expect(paths).toEqual([join(folder, fileName(START)), join(folder, fileName((START + 1) as UnixMillis))]);
  });
});

describe('a recording', () => {
  it('whose files follow each other has no gap between them, and the same market in each', async () => {
    await write([gap(0)], { number: 1 });
    await write([gap(10)], { number: 2, startedAt: (START + 10) as UnixMillis });
    const [first, second] = [...openRecording(folder).events()];
    expect([first, second].map(it => it!.kind)).toEqual(['gap', 'gap']);
    expect(first!.market).toBe(second!.market);
    expect(readAll().lines.filter(isCut)).toEqual([]);
  });

  it('has a gap where a file is missing, or one was not closed', async () => {
    const atOf = (number: number): UnixMillis => (START + number) as UnixMillis;
    for (const number of [1, 3, 4]) {
      await write([gap(number)], { number, startedAt: atOf(number), isClosed: number !== 3 });
    }
    const cut = (at: number): string => lineOf({ ...gap(at), why: 'CUT' } as RecordedEvent);
    expect(readAll().lines).toEqual([lineOf(gap(1)), cut(1), lineOf(gap(3)), cut(3), lineOf(gap(4))]);
  });

  it('has its files in the order of their headers, not of their names', async () => {
    const first = await write([gap(0)], { number: 1 });
    await write([gap(10)], { number: 2, startedAt: (START + 10) as UnixMillis });
    renameSync(first.path, join(folder, fileName((START + 20) as UnixMillis)));
    expect(readAll()).toEqual({ lines: [gap(0), gap(10)].map(lineOf), faults: [] });
  });

  it('has a copied file once, and names the copy', async () => {
    const { path } = await write([gap(0), gap(1)]);
    const copy = join(folder, fileName((START + 5) as UnixMillis));
    copyFileSync(path, copy);
    const words = `${copy}: a copy of ${path}, or of a part of it`;
    expect(readAll()).toMatchObject({ lines: [gap(0), gap(1)].map(lineOf), faults: [{ path: copy, words }] });
    // The whole file counts.
    writeFileSync(path, readFileSync(path).subarray(0, -20));
    expect(readAll()).toMatchObject({ lines: [gap(0), gap(1)].map(lineOf), faults: [{ path }] });
  });

  it('of two recorders at once is said to be so, and all of it is read', async () => {
    const one = await write([gap(0), gap(20)], { session: 1 });
    const other = await write([gap(10), gap(30)], { session: 2, startedAt: (START + 10) as UnixMillis });
    const cut = lineOf({ ...gap(20), why: 'CUT' } as RecordedEvent);
    const { lines, faults } = readAll();
    expect(lines).toEqual([...[gap(0), gap(20)].map(lineOf), cut, ...[gap(10), gap(30)].map(lineOf)]);
    const why = 'two recorders have written there, or the clock was set back';
    expect(faults).toMatchObject([{ what: 'damaged', words: `${other.path}: begins before ${one.path} ends: ${why}` }]);
  });

  it('is not where there is no file of one', () => {
    writeFileSync(join(folder, 'notes.txt'), '');
    expect(() => openRecording(folder)).toThrow(RecordingFault);
    expect(() => openRecording(join(folder, 'nowhere'))).toThrow(/nowhere: no recording is there/);
  });
});

// Its own time never decreases, as a file's times do not. After the clock was set back by an hour, it stood still for an hour. Nothing was
// written until a block was full. No file was followed by another, no old one was removed, and nobody looked whether the disk had room for
// the journal of orders.
describe('3203: a recording after the clock was set back', () => {
  const HOUR_MS = 3_600_000;
  let rig: RecorderRig;
  beforeEach(() => {
    rig = new RecorderRig();
  });
  afterEach(() => rig.remove());

  /** Records a market and sets the clock back. */
  function setBack(): ReturnType<RecorderRig['openBook']> {
    const book = rig.openBook();
    rig.write(book, [[BID, 4_000, 10]], true);
    rig.list('KX-1', book);
    rig.follow();
    rig.now += 1_000 - HOUR_MS;
    rig.follow();
    return book;
  }

  it('looks at the disk', () => {
    rig.recorder.abandon();
    rig.recorder = rig.record({ diskFreeBytesMin: 1_000 });
    setBack();
    rig.free = 999;
    rig.now += 1_000;
    expect(() => rig.recorder.turn()).toThrow('diskFreeBytesMin');
    rig.recorder.abandon();
  });

  it('begins another file where one is full', () => {
    rig.recorder.abandon();
    rig.recorder = rig.record({ recordingFileBytesMax: 1 });
    setBack();
    const files = readdirSync(rig.folder).length;
    // The previous file is closed first.
    for (const _ of [1, 2]) {
      rig.now += 1_000;
      rig.follow();
    }
    expect(readdirSync(rig.folder).length).toBeGreaterThan(files);
  });

  it('writes what was added some time before', () => {
    const book = setBack();
    rig.write(book, [[BID, 4_100, 10]]);
    rig.follow();
    rig.now += 1_000;
    rig.follow();
    rig.recorder.abandon();
    const kinds = Array.from(
      openRecording(rig.folder).events(() => {}),
      it => it.kind,
    );
    expect(kinds).toContain('changes');
  });
});
