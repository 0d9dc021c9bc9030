// `crossbook record export`: the selection of rows, times and place, and the refusals, which come before anything is written.

import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { UnixMillis } from '../../../src/core/domain/numbers.ts';
import type { RecordedEvent } from '../../../src/market-data/recording/format.ts';
import { RecordingFile } from '../../../src/market-data/recording/recorded-file.ts';
import { recordCommand } from '../../../src/tools/cli/record.ts';
import { OwnProcess } from '../../support/child-process.ts';
import { CommandRig } from './command-rig.ts';

const NEVER = '/proc/none/deep';

const START = Date.UTC(2026, 10, 26, 6, 45) as UnixMillis;
const B = { venue: 'venue_b', address: 'KXT-26NOV21-YES' } as const;
const A = { venue: 'venue_a', address: '7'.repeat(77) } as const;

let rig: CommandRig;
let folder: string;
beforeEach(async () => {
  rig = new CommandRig();
  folder = rig.file('recording');
  await record();
});
afterEach(() => rig.remove());

const run = (...args: string[]) => rig.run(recordCommand, 'export', folder, ...args);

/** Records two markets. The book of venue B changes twice, a minute apart. */
async function record(startedAt = START, session = 1): Promise<void> {
  const own = { at: startedAt, receivedAt: startedAt, venueTime: 0, epoch: 7, seq: 1 };
  const book = { kind: 'book', state: 'LIVE', reason: 'SNAPSHOT', checksum: 5, lastTrade: 0, bids: [], asks: [] };
  const change = (seq: number, size: number): object => {
    const at = startedAt + 60_000 * (seq - 1);
    return {
      ...own,
      market: B,
      at,
      receivedAt: at,
      kind: 'changes',
      seq,
      checksum: seq,
      changes: [{ side: 0, price: 4_700, size }],
    };
  };
  const events = [
    ...[A, B].flatMap(market => [
      { ...own, market, kind: 'gap', why: 'START' },
      { ...own, market, ...book },
    ]),
    ...[change(2, 1_000_000), change(3, 2_500_000)],
  ] as unknown as RecordedEvent[];
  const file = new RecordingFile({ folder, startedAt, session, number: 1 });
  for (const event of events) file.add(event);
  await file.close((startedAt + 200_000) as UnixMillis);
}

/** Returns kind, market and size of each row. */
function rowsOf(csv: string): string[] {
  const lines = csv.trimEnd().split('\n').slice(1);
  return lines.map(line => {
    const [venue, , kind, , , , , , , , size] = line.split(',');
    return `${kind} ${venue!.slice(-1)}${size === '' ? '' : ` ${size}`}`;
  });
}

describe('csv', () => {
  it('goes to standard output, all of it', async () => {
    const { code, out, err } = await run('--to', 'csv');
    expect([code, err]).toEqual([0, '']);
    expect(rowsOf(out)).toEqual(['gap a', 'book a', 'gap b', 'book b', 'change b 1', 'change b 2.5']);
  });

  it('of some markets', async () => {
    expect(rowsOf((await run('--to', 'csv', '--market', 'venue_b:KXT*')).out)).toHaveLength(4);
    expect(rowsOf((await run('--to', 'csv', '--market', `venue_a:${A.address}`)).out)).toEqual(['gap a', 'book a']);
  });

  it('of a time begins with the books of its start', async () => {
    const { out } = await run('--to', 'csv', '--from', '2026-11-26T06:46:30Z', '--to-time', '2026-11-26T07:00:00Z');
    expect(rowsOf(out)).toEqual(['gap a', 'book a', 'gap b', 'book b', 'level b 1', 'change b 2.5']);
    const before = await run('--to', 'csv', '--to-time', '2026-11-26T06:46:30Z', '--market', 'venue_b:*');
    expect(rowsOf(before.out)).toEqual(['gap b', 'book b', 'change b 1']);
  });

  it('of a time has what was recorded after the clock was set back, though it stands behind what is later', async () => {
    await record((START + 30_000) as UnixMillis, 2);
    const market = ['--to', 'csv', '--market', 'venue_b:*', '--to-time', '2026-11-26T06:46:45Z'];
    const { out, err } = await run(...market);
    const session = ['gap b', 'book b', 'change b 1'];
    expect(rowsOf(out)).toEqual([...session, ...session]);
    expect(err).toContain('two recorders have written there, or the clock was set back');
    const part = await run(...market, '--from', '2026-11-26T06:45:50Z');
    expect(rowsOf(part.out)).toEqual([...session, 'gap b', ...session]);
    const early = await run('--to', 'csv', '--market', 'venue_b:*', '--to-time', '2026-11-26T06:45:30Z');
    expect([rowsOf(early.out), early.err]).toEqual([['gap b', 'book b'], '']);
  });

  it('goes to a file, which is named', async () => {
    const out = rig.file('out.csv');
    const said = await run('--to', 'csv', '--out', out);
    expect(said).toEqual({ code: 0, out: `${out}\n`, err: '' });
    expect(rowsOf(readFileSync(out, 'utf8'))).toHaveLength(6);
  });
});

it('parquet and hftbacktest go to a file and a folder', async () => {
  const [file, to] = [rig.file('out.parquet'), rig.file('hft')];
  expect(await run('--to', 'parquet', '--out', file)).toEqual({ code: 0, out: `${file}\n`, err: '' });
  expect(readFileSync(file).toString('latin1', 0, 4)).toBe('PAR1');
  const { code, out } = await run('--to', 'hftbacktest', '--out', to);
  expect([code, out.trimEnd().split('\n').sort()]).toEqual([
    0,
    readdirSync(to)
      .map(name => join(to, name))
      .sort(),
  ]);
  expect(readdirSync(to)).toHaveLength(2);
});

describe('refused', () => {
  it.each([
    [['--to', 'xml'], '--to: must be csv, parquet or hftbacktest'],
    [[], '--to: is required'],
    [['--to', 'parquet'], '--out: is required with --to parquet'],
    [['--to', 'csv', '--from', 'yesterday'], '--from: must be a time such as 2026-11-26T06:00:00Z'],
    [
      ['--to', 'csv', '--from', '2026-11-26T07:00:00Z', '--to-time', '2026-11-26T07:00:00Z'],
      '--to-time: must be after --from',
    ],
    [['--to', 'csv', '--market', 'KXT-26NOV21-YES'], '--market: "KXT-26NOV21-YES" is none of the entries'],
  ])('%j', async (args, words) => {
    const { code, out, err } = await run(...args);
    expect([code, out]).toEqual([2, '']);
    expect(err).toContain(`crossbook: ${words}`);
  });

  it('a market that was not recorded', async () => {
    const out = rig.file('none.csv');
    expect(await run('--to', 'csv', '--out', out, '--market', 'venue_b:KXELSE')).toMatchObject({
      code: 1,
      err: `crossbook: ${folder}: has none of these markets\n`,
    });
    expect(existsSync(out)).toBe(false);
  });

  it('a folder without a recording', async () => {
    const { code, err } = await rig.run(recordCommand, 'export', rig.folder, '--to', 'csv');
    expect(code).toBe(1);
    expect(err).toContain('no recording is there');
  });

  it('a file that exists, and it stays', async () => {
    const out = rig.file('mine.csv');
    writeFileSync(out, 'mine');
    expect(await run('--to', 'csv', '--out', out)).toEqual({
      code: 1,
      out: '',
      err: `crossbook: ${out}: exists already\n`,
    });
    expect(readFileSync(out, 'utf8')).toBe('mine');
  });
});

it('an export names a damaged file, and exports what stands before the damage', async () => {
  const [name] = readdirSync(folder);
  const path = join(folder, name!);
  const bytes = readFileSync(path);
  writeFileSync(path, bytes.subarray(0, bytes.length - 30));
  const { code, out, err } = await run('--to', 'csv');
  expect(code).toBe(0);
  expect(err).toMatch(/^crossbook: read up to there: .*xrec: the file ends with \d+ bytes of a block, at byte \d+\n$/);
  expect(rowsOf(out).slice(-2)).toEqual(['gap a', 'gap b']);
});

// This runs in a process of its own, since the command used to never return.
it('a folder that the system does not make is refused', async () => {
  const args = ['src/tools/cli/crossbook.ts', 'record', 'export', folder, '--to', 'hftbacktest', '--out', NEVER];
  const command = new OwnProcess(args);
  expect([await command.ended, command.stderr]).toEqual([
    1,
    expect.stringMatching(/^crossbook: ENOENT: .*'\/proc\/none'\n$/),
  ]);
});
