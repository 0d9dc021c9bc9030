// How much faster than real time a backtest plays. Fifty markets change a thousand times a second, and a maker quotes ten of them. The command, its
// gateway and the bot are processes, as a user starts them.

import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { OwnProcess, START_FLAGS } from '../test/support/child-process.ts';
import { makeRecording } from '../test/support/made-recording.ts';
import { type BenchRow, type BenchSuite, closing, row } from './harness.ts';
import type { Quoted } from './load/quoting-bot.ts';

const [MARKETS, CHANGES_PER_S, SECONDS, SMOKE_SECONDS] = [50, 1_000, 120, 2];
const MB = 1024 * 1024;
const PAGE_BYTES = 4_096;
const SAMPLE_MS = 500;
const BOT = [process.execPath, ...START_FLAGS, 'bench/load/quoting-bot.ts'];

export const suite: BenchSuite = {
  name: 'backtest/',
  runsMax: 1,
  async run({ smoke }) {
    const folder = mkdtempSync(join(tmpdir(), 'crossbook-bench-'));
    const rig = { close: () => rmSync(folder, { recursive: true }) };
    return closing(rig, () => played(folder, smoke ? SMOKE_SECONDS : SECONDS));
  },
};

async function played(folder: string, seconds: number): Promise<BenchRow[]> {
  const recording = join(folder, 'recording');
  await makeRecording({ folder: recording, markets: MARKETS, changesPerS: CHANGES_PER_S, seconds });
  const args = ['backtest', '--recording', recording, '--out', join(folder, 'out'), '--', ...BOT];
  const command = new OwnProcess(['src/tools/cli/crossbook.ts', ...args]);
  const heldMb: number[] = [];
  const sampling = setInterval(() => heldMb.push(...gatewayMb(command.pid)), SAMPLE_MS);
  const code = await command.ended;
  clearInterval(sampling);
  if (code !== 0) throw new Error(`the backtest has failed: ${command.stderr}`);
  const { playedMs, updates, requests } = JSON.parse(command.stdout) as Quoted;
  const speed = (seconds * 1_000) / playedMs;
  // The first third includes the start, and code that is not compiled yet.
  const early = heldMb[Math.floor(heldMb.length / 3)] ?? 0;
  const late = heldMb.at(-1) ?? 0;
  return [
    {
      name: 'backtest/speed',
      value: speed,
      unit: 'times real time',
      baseline: 'the time of the recording',
      ratio: speed,
    },
    { name: 'backtest/memory', value: late, unit: 'MB', baseline: 'after a third of the time', ratio: early / late },
    row('backtest/updates', updates / seconds, '/recorded s'),
    row('backtest/requests', requests / seconds, '/recorded s'),
  ];
}

/** The memory of the command's gateway, in MB. Empty before the gateway has started, and after it has ended. */
function gatewayMb(command: number): number[] {
  try {
    const threads = readdirSync(`/proc/${command}/task`);
    const children = threads.flatMap(id => readFileSync(`/proc/${command}/task/${id}/children`, 'utf8').split(' '));
    const gateway = children.find(
      pid => pid !== '' && readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('--backtest'),
    );
    const pages = gateway === undefined ? undefined : readFileSync(`/proc/${gateway}/statm`, 'utf8').split(' ')[1];
    return pages === undefined ? [] : [(Number(pages) * PAGE_BYTES) / MB];
  } catch {
    // A thread or a process has ended since its id was read.
    return [];
  }
}
