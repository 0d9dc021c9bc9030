// The programs that docs/RECORDING.md shows, run as they are printed, one after another: a capture becomes a recording, and is exported.

import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { recordCommand } from '../../../src/tools/cli/record.ts';
import { lacks } from '../../support/debian-packages.ts';
import { shownPrograms } from '../../support/document-examples.ts';

const TICKER = 'KXNBAGAME-26NOV21BOSLAL-BOS';
const programs = shownPrograms().filter(({ path }) => path === 'docs/RECORDING.md');
const inShell = programs.filter(({ language }) => language === 'sh');
const inPython = programs.filter(({ language }) => language === 'python');

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'recording-document-'));
  writeFileSync(join(folder, 'capture.json'), JSON.stringify([snapshot, delta(2, 1_790_000_000_000)]));
  writeFileSync(
    join(folder, 'more.jsonl'),
    `${JSON.stringify({ recv_ms: 1_790_000_005_000, raw: delta(3, 1_790_000_004_990) })}\n`,
  );
});
afterAll(() => rmSync(folder, { recursive: true }));

const snapshot = {
  ...{ type: 'orderbook_snapshot', sid: 1, seq: 1 },
  msg: { market_ticker: TICKER, yes_dollars_fp: [['0.4700', '3.00']], no_dollars_fp: [['0.4800', '2.00']] },
};
const delta = (seq: number, ts_ms: number) => ({
  ...{ type: 'orderbook_delta', sid: 1, seq },
  msg: { market_ticker: TICKER, side: 'yes', price_dollars: '0.4700', delta_fp: '1.00', ts_ms },
});

/** Returns the arguments of a `crossbook record` line, with paths in the folder. */
function argumentsOf(line: string): string[] {
  const words = [...line.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain!);
  expect(words.slice(0, 3)).toEqual(['npx', 'crossbook', 'record']);
  const args = words.slice(3);
  const isPath = (word: string, before: string): boolean =>
    !word.startsWith('--') && before !== '--market' && !(args[0] === 'export' && before === '--to');
  return args.map((word, at) => (at > 0 && isPath(word, args[at - 1]!) ? join(folder, word) : word));
}

it('the document’s commands do what it says of them', async () => {
  expect(inShell.length).toBeGreaterThan(0);
  for (const line of inShell.flatMap(({ text }) => text.trimEnd().split('\n'))) {
    const errors: string[] = [];
    const code = await recordCommand(argumentsOf(line), {
      out: () => {},
      err: text => void errors.push(text),
      env: {},
    });
    expect([line, code, errors]).toEqual([line, 0, []]);
  }
  expect(existsSync(join(folder, 'recording.parquet'))).toBe(true);
  expect(readdirSync(join(folder, 'hftbacktest'))).toEqual([`venue_b-${TICKER}.npz`]);
  const rows = readFileSync(join(folder, 'changes.csv'), 'utf8').trimEnd().split('\n');
  expect(rows.filter(row => row.includes(',change,')).map(row => row.split(',')[10])).toEqual(['4', '5']);
});

it.skipIf(lacks('python3-numpy'))(
  'the document’s program reads what the commands wrote (absent: python3-numpy)',
  async () => {
    expect(inPython.length).toBeGreaterThan(0);
    for (const { text } of inPython) {
      const { stdout } = await promisify(execFile)('/usr/bin/python3', ['-c', text], { cwd: folder });
      expect(stdout).toBe('6 0.0 0.52\n');
    }
  },
);
