// `crossbook record import`: one command turns captures into a recording and prints what it has read. A refusal is one line.

import { existsSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readArguments } from '../../../src/tools/cli/command-io.ts';
import { recordCommand } from '../../../src/tools/cli/record.ts';
import { recordImport } from '../../../src/tools/cli/record-export.ts';
import { OwnProcess } from '../../support/child-process.ts';
import { CommandRig } from './command-rig.ts';

const NEVER = '/proc/none/deep';

const FRAMES = [
  { type: 'orderbook_snapshot', sid: 1, seq: 1, msg: { market_ticker: 'KXT-1', yes_dollars_fp: [['0.4700', '3.00']] } },
  { type: 'ticker', sid: 2, msg: { market_ticker: 'KXT-1' } },
  {
    type: 'orderbook_delta',
    sid: 1,
    seq: 2,
    msg: { market_ticker: 'KXT-1', side: 'yes', price_dollars: '0.4700', delta_fp: '1.00' },
  },
];
const LINES = FRAMES.map((raw, index) => `${JSON.stringify({ recv_ms: 1_790_000_000_000 + index, raw })}\n`).join('');

/** The sequence that clears the line of a terminal. */
const CLEAR = '\r\x1b[K';

let rig: CommandRig;
beforeEach(() => {
  rig = new CommandRig();
});
afterEach(() => rig.remove());

function capture(name: string, text: string): string {
  writeFileSync(rig.file(name), text);
  return rig.file(name);
}

it('makes a recording that is whole', async () => {
  const [file, to] = [capture('a.jsonl', LINES), rig.file('recording')];
  expect(await rig.run(recordCommand, 'import', file, '--to', to)).toEqual({
    code: 0,
    out: `${file}: 3 frames play; skipped: none\nvenue_b: 1 markets recorded\n`,
    err: '',
  });
  const { code, out } = await rig.run(recordCommand, 'check', to);
  expect([code, out]).toEqual([0, expect.stringMatching(/^whole: 1 files, 5 events, 2 gaps/)]);
});

it('draws how far it is on a terminal, and clears it', async () => {
  const drawn: string[] = [];
  const args = readArguments([capture('a.jsonl', LINES), '--to', rig.file('to')], {
    options: ['to'],
    positionals: ['FILE'],
  });
  await recordImport.run(args, { out: () => {}, err: () => {}, env: {}, progress: text => void drawn.push(text) });
  expect(drawn[0]!.replace(CLEAR, '')).toMatch(/^import \[#+\.+\] \d+ %/);
  expect(drawn.at(-1)).toBe(CLEAR);
});

describe('refused', () => {
  it.each([
    [
      'a file that cannot be played',
      'hello\n',
      1,
      /^crossbook: .*a\.jsonl: line 1: no JSON; expected frames of a venue/,
    ],
    [
      'one that is damaged',
      `${LINES}{"recv_ms":"x","raw":{}}\n`,
      1,
      /^crossbook: .*a\.jsonl: line 4: recv_ms is not a time: "x"\n$/,
    ],
  ])('%s', async (_, text, code, why) => {
    const to = rig.file('recording');
    const said = await rig.run(recordCommand, 'import', capture('a.jsonl', text), '--to', to);
    expect([said.code, said.out, existsSync(to)]).toEqual([code, '', false]);
    expect(said.err).toMatch(why);
  });

  it('a file that is not there, no file and no folder', async () => {
    const to = rig.file('recording');
    const none = await rig.run(recordCommand, 'import', rig.file('none'), '--to', to);
    expect([none.code, none.err]).toEqual([1, expect.stringMatching(/none: cannot be read \(ENOENT/)]);
    expect(await rig.run(recordCommand, 'import', '--to', to)).toMatchObject({
      code: 2,
      err: 'crossbook: FILE: is required\n',
    });
    expect(await rig.run(recordCommand, 'import', 'a')).toMatchObject({
      code: 2,
      err: 'crossbook: --to: is required\n',
    });
  });
});

// This runs in a process of its own, since the command used to never return.
it('a folder that the system does not make is refused', async () => {
  const args = ['src/tools/cli/crossbook.ts', 'record', 'import', capture('a.jsonl', LINES), '--to', NEVER];
  const command = new OwnProcess(args);
  expect([await command.ended, command.stderr]).toEqual([
    1,
    expect.stringMatching(/^crossbook: ENOENT: .*'\/proc\/none'\n$/),
  ]);
});
