// `crossbook record list` and `check` on recordings that are whole, cut off, damaged, or contradictory.

import { readFileSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { BID, type Level } from '../../../src/core/domain/market.ts';
import type { MicroShares, Ticks, UnixMillis } from '../../../src/core/domain/numbers.ts';
import { checksumLevels } from '../../../src/market-data/book/checksum.ts';
import type { RecordedEvent } from '../../../src/market-data/recording/format.ts';
import { RecordingFile } from '../../../src/market-data/recording/recorded-file.ts';
import { recordCommand } from '../../../src/tools/cli/record.ts';
import { CommandRig } from './command-rig.ts';

const START = Date.UTC(2026, 10, 26, 6, 45) as UnixMillis;
const END = (START + 900_000) as UnixMillis;
const NAME = '20261126T064500000Z.xrec';

let rig: CommandRig;
let folder: string;
beforeEach(() => {
  rig = new CommandRig();
  folder = rig.file('recording');
});
afterEach(() => rig.remove());

const run = (...args: string[]) => rig.run(recordCommand, ...args);

function events(checksum?: number): RecordedEvent[] {
  const market = { venue: 'venue_b', address: 'KX-1' } as const;
  const bids: Level[] = [{ price: 4_000 as Ticks, size: 10_000 as MicroShares }];
  const common = { market, at: START, epoch: 7, venueTime: START, receivedAt: START };
  const size = 20_000 as MicroShares;
  return [
    { ...common, kind: 'gap', why: 'START' },
    {
      ...{ ...common, kind: 'book', seq: 1, state: 'LIVE', reason: 'SNAPSHOT', lastTrade: 0 as Ticks },
      ...{ bids, asks: [], checksum: checksumLevels(bids, []) },
    },
    {
      ...{ ...common, kind: 'changes', seq: 2, changes: [{ side: BID, price: 4_000 as Ticks, size }] },
      checksum: checksum ?? checksumLevels([{ price: 4_000 as Ticks, size }], []),
    },
  ];
}

async function record(all: readonly RecordedEvent[]): Promise<string> {
  const file = new RecordingFile({ folder, startedAt: START, session: 1, number: 1 });
  for (const event of all) file.add(event);
  await file.close(END);
  return file.path;
}

describe('crossbook record list', () => {
  it('has a line for each file, or for each market', async () => {
    const path = await record(events());
    const counts = '1 books, 1 changes, 0 trades, 1 gaps';
    const span = `${NAME}  2026-11-26T06:45:00.000Z to`;
    expect(await run('list', folder)).toEqual({
      code: 0,
      out: `${span} 2026-11-26T07:00:00.000Z  0 MB  1 markets, ${counts}\n`,
      err: '',
    });
    expect(await run('list', folder, '--markets')).toEqual({ code: 0, out: `venue_b KX-1  ${counts}\n`, err: '' });
    writeFileSync(path, readFileSync(path).subarray(0, -1));
    expect((await run('list', folder)).out).toBe(
      `${span} 2026-11-26T06:45:00.000Z  0 MB  1 markets, ${counts}, not closed\n`,
    );
  });

  it('of a folder without a recording says so', async () => {
    expect(await run('list', rig.folder)).toMatchObject({
      code: 1,
      err: expect.stringContaining('no recording is there'),
    });
  });
});

describe('crossbook record check', () => {
  it('says that a recording is whole', async () => {
    await record(events());
    const out = 'whole: 1 files, 3 events, 1 gaps, each book and change with its checksum\n';
    expect(await run('check', folder)).toEqual({ code: 0, out, err: '' });
  });

  it('names a file that was not closed, which is no damage', async () => {
    const path = await record(events());
    writeFileSync(path, readFileSync(path).subarray(0, -20));
    const { code, err } = await run('check', folder);
    expect([code, err]).toEqual([
      0,
      expect.stringMatching(/^.*\.xrec: the file ends with \d+ bytes of a block, at byte \d+\n$/),
    ]);
  });

  it('fails at a byte that was changed', async () => {
    const path = await record(events());
    const bytes = readFileSync(path);
    bytes[60]! ^= 1;
    writeFileSync(path, bytes);
    const { code, err } = await run('check', folder);
    expect(code).toBe(1);
    expect(err).toBe(`${path}: a block does not match its checksum, at byte 32\ncrossbook: 1 faults\n`);
  });

  it('fails at books that do not have their checksum', async () => {
    await record(events(5));
    const { code, err } = await run('check', folder);
    expect(code).toBe(1);
    expect(err).toBe('venue_b KX-1: the levels do not make the checksum at epoch 7, seq 2\ncrossbook: 1 faults\n');
  });

  it('fails where a change is missing', async () => {
    const [gap, book, changes] = events() as [RecordedEvent, RecordedEvent, RecordedEvent];
    await record([gap, book, { ...changes, seq: 3 } as RecordedEvent]);
    const { err } = await run('check', folder);
    expect(err).toBe('venue_b KX-1: a change is missing at epoch 7, seq 3\ncrossbook: 1 faults\n');
  });
});
