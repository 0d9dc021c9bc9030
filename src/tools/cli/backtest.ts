// `crossbook backtest` runs a gateway and the paper exchanges on a recording, with a bot as their caller, until the recording ends. The
// gateway is a child process whose clock is the recording's.

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { UnixMillis } from '../../core/domain/numbers.ts';
import { type Latency, QUEUE_MODELS, readLatency } from '../../core/runtime/paper-terms.ts';
import { ConfigError, readChoice } from '../../core/runtime/setting-values.ts';
import { readSpeed, readStep } from '../../core/runtime/start-options.ts';
import { formatTime } from '../../core/wire/time-text.ts';
import { limits } from '../../limits.ts';
import type { FromBacktest, ToBacktest } from '../../market-data/recording/backtest.ts';
import { type Arguments, type CommandIo, readArguments, runCommand, UsageError } from './command-io.ts';
import { timeIn } from './record-export.ts';
import { writeReport } from './report.ts';

/** The interval at which a backtest checks whether its bot has ended. */
const GROUP_LOOK_MS = 20;

export const BACKTEST_USAGE = `  backtest --recording DIR [--from TIME] [--to TIME] [--speed max|N] [--step MS] [--latency MS] [--queue MODEL] [--seed N] [--out DIR]
           -- COMMAND…
      runs COMMAND, a bot, against paper exchanges that play a recording; ends with the recording, or with the bot
      --recording  a folder of CROSSBOOK_RECORD_DIR or of crossbook record import
      --from, --to the part that plays (2026-11-26T06:00:00Z)
      --speed      max (default): the clock moves as soon as nothing is under way; N: N times as fast as recorded
      --step       delivers the records of each MS milliseconds together at their end: faster, but less exact
      --latency    the latency of orders and cancels: feed=5,order=20,cancel=20 in milliseconds, or a file of JSON
      --queue      which cancels count as ahead of an order: proportional (default), pessimistic, optimistic
      --out        the folder for report.html, its tables, the gateway's data and log; default ./backtest, must not exist
      the bot finds CROSSBOOK_URL, CROSSBOOK_PORT and CROSSBOOK_KEY_FILE in its environment
      exit code: the bot's, if it ended before the recording; else 0

    crossbook backtest --recording recordings -- node examples/maker.ts KXNBAGAME-26NOV21BOSLAL-BOS
    crossbook backtest --recording recordings --speed 10 --latency feed=5,order=20,cancel=20 -- ./bot
`;

/** The variables of a bot’s environment. With the last variable, commands find the key, too. */
const BOT_VARIABLES = ['CROSSBOOK_URL', 'CROSSBOOK_PORT', 'CROSSBOOK_KEY_FILE', 'CROSSBOOK_DATA_DIR'] as const;
const OPTIONS = ['recording', 'from', 'to', 'speed', 'step', 'latency', 'queue', 'seed', 'out'];

export async function backtestCommand(args: readonly string[], io: CommandIo): Promise<number> {
  let code: number | null = null;
  const failed = await runCommand(io, async () => {
    const read = readArguments(args, { options: OPTIONS, positionals: ['COMMAND'], hasMore: true });
    const [options, settings] = [gatewayOptions(read), gatewaySettings(read)];
    const out = resolve(read.one('out') ?? './backtest');
    if (existsSync(out)) throw new UsageError(`--out: ${out} exists already`);
    mkdirSync(out, { recursive: true });
    const gateway = new BacktestGateway(out, options, { ...withoutOurs(io.env), ...settings });
    try {
      const origin = await gateway.listening;
      const env = { ...io.env, ...fewThreads(io.env), ...addressFor(origin, out) };
      code = await runBot(read.positionals, gateway, env, io);
    } finally {
      await gateway.close();
    }
    const page = await reportOf(read, out, code === null ? null : gateway.leftAt);
    io.err(`crossbook: ${page}\n`);
  });
  return failed === 0 ? (code ?? 0) : failed;
}

function gatewayOptions(args: Arguments): string[] {
  const [from, to] = [timeIn(args, 'from'), timeIn(args, 'to')];
  if (from !== null && to !== null && from >= to) throw new UsageError('--to: must be after --from');
  const speed = args.one('speed') ?? 'max';
  asUsage(() => readSpeed(speed, true));
  const step = args.one('step') ?? '0';
  asUsage(() => readStep(step));
  const options: [string, string | number | null][] = [
    ['replay', resolve(args.required('recording'))],
    ['speed', speed],
    ['step', step],
    ['from', from],
    ['to', to],
    ['seed', args.one('seed') ?? null],
  ];
  return ['--backtest', ...options.flatMap(([name, value]) => (value === null ? [] : [`--${name}`, String(value)]))];
}

function gatewaySettings(args: Arguments): Record<string, string> {
  const [latency, queue] = [args.one('latency'), args.one('queue')];
  if (latency !== undefined) asUsage(() => readLatency('--latency', latency));
  if (queue !== undefined) asUsage(() => readChoice('--queue', queue, QUEUE_MODELS));
  return {
    ...(latency === undefined ? {} : { CROSSBOOK_PAPER_LATENCY: latency }),
    ...(queue === undefined ? {} : { CROSSBOOK_PAPER_QUEUE: queue }),
  };
}

function asUsage(read: () => unknown): void {
  try {
    read();
  } catch (error) {
    throw error instanceof ConfigError ? new UsageError(error.message) : error;
  }
}

/**
 * Writes the report of the backtest. Resolves to the path of its page. The report goes up to `leftAt`, the time at which the bot ended
 * before the recording; null means that it did not.
 */
function reportOf(args: Arguments, out: string, leftAt: UnixMillis | null): Promise<string> {
  const [recording, bot] = [args.required('recording'), args.positionals.join(' ')];
  const latency = args.one('latency');
  const words = latency === undefined ? 'none' : latencyWords(readLatency('--latency', latency));
  const queue = args.one('queue') ?? QUEUE_MODELS[0];
  const step = Number(args.one('step') ?? '0');
  const facts = [`Bot: ${bot}.`, `Recording: ${recording}.`, `Latency: ${words}. Queue: ${queue}.`];
  if (step > 0) facts.push(`Step: ${step} ms.`);
  if (leftAt !== null) facts.push(`The bot ended at ${formatTime(leftAt)}, before the recording.`);
  const source = {
    dataDir: join(out, 'data'),
    recording,
    actor: null,
    from: timeIn(args, 'from'),
    // The bot may have seen the events of its last millisecond.
    to: leftAt === null ? timeIn(args, 'to') : ((leftAt + 1) as UnixMillis),
  };
  return writeReport(source, out, 'Backtest', facts);
}

/** A latency in words, such as `feed 5 ms, order 18 to 25 ms (half up to 20)`. */
function latencyWords(latency: Latency): string {
  const ways = Object.entries(latency).map(([way, samples]) => {
    const sorted = samples.toSorted((one, other) => one - other);
    const [least, middle, most] = [sorted[0], sorted[(sorted.length - 1) >> 1], sorted.at(-1)];
    return least === most ? `${way} ${least} ms` : `${way} ${least} to ${most} ms (half up to ${middle})`;
  });
  return ways.join(', ');
}

/** The variables that give a program on Node fewer threads. The clock looks at all threads before each step. */
function fewThreads({ NODE_OPTIONS = '' }: CommandIo['env']): Record<string, string> {
  return { NODE_OPTIONS: `${NODE_OPTIONS} --v8-pool-size=0`, UV_THREADPOOL_SIZE: '1' };
}

/** The environment without the settings of any other gateway, which must not affect the backtest. */
function withoutOurs(env: CommandIo['env']): CommandIo['env'] {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith('CROSSBOOK_')));
}

function addressFor(origin: string, out: string): Record<string, string> {
  const data = join(out, 'data');
  const values = [origin, new URL(origin).port, join(data, 'demo', 'key.json'), data];
  return Object.fromEntries(BOT_VARIABLES.map((name, index) => [name, values[index]!]));
}

class BacktestGateway {
  /** Resolves to the gateway's address. Rejects if the gateway does not start. */
  readonly listening: Promise<string>;
  /** Resolves when the recording has ended. Rejects if the gateway ends before the recording. */
  readonly finished: Promise<void>;
  /** The time at which the gateway was asked to end, by the recording's clock. Null before. */
  leftAt: UnixMillis | null = null;
  readonly #child: ChildProcess;
  readonly #exited: Promise<unknown>;

  constructor(out: string, options: readonly string[], env: CommandIo['env']) {
    const logPath = join(out, 'gateway.log');
    const log = openSync(logPath, 'a');
    const main = fileURLToPath(new URL('../../main.ts', import.meta.url));
    const own = {
      CROSSBOOK_PORT: '0',
      CROSSBOOK_DATA_DIR: join(out, 'data'),
      CROSSBOOK_WARM_UP: 'off',
      CROSSBOOK_POOL_THREADS: '1',
    };
    this.#child = spawn(process.execPath, [...process.execArgv, main, ...options], {
      env: { ...env, ...fewThreads(env), ...own },
      stdio: ['ignore', log, log, 'ipc'],
    });
    closeSync(log);
    this.#exited = once(this.#child, 'exit');
    const [listening, finished] = [Promise.withResolvers<string>(), Promise.withResolvers<void>()];
    this.listening = listening.promise;
    this.finished = finished.promise;
    this.#child.on('message', (message: FromBacktest) => {
      if (message.type === 'listening') listening.resolve(message.origin);
      else if (message.type === 'leaving') this.leftAt = message.at;
      else finished.resolve();
    });
    void this.#exited.then(() => {
      const fault = new Error(`the gateway has ended: ${lastWords(logPath)}`);
      listening.reject(fault);
      finished.reject(fault);
    });
    // Nobody waits for this promise if the bot ends first. Its rejection must not count as unhandled then.
    this.finished.catch(() => {});
  }

  /** Names the bot's process to the gateway, whose clock must wait for the bot's threads, too. */
  nameBot(bot: number): void {
    this.#child.send({ bot } satisfies ToBacktest);
  }

  async close(): Promise<void> {
    this.#child.kill('SIGTERM');
    await this.#exited;
  }
}

/** The last line of a log that is meant for the operator, or the path of the log. */
function lastWords(path: string): string {
  const lines = readFileSync(path, 'utf8').trimEnd().split('\n');
  return lines.findLast(line => line.startsWith('crossbook: '))?.slice('crossbook: '.length) ?? path;
}

/** Runs the bot. Resolves to its exit code, or to null if the recording ended first. */
async function runBot(
  [command, ...args]: readonly string[],
  gateway: BacktestGateway,
  env: CommandIo['env'],
  io: CommandIo,
): Promise<number | null> {
  // The bot gets a process group of its own, because npx or a shell in front of the bot does not pass signals on.
  const bot = spawn(command!, args, { env, stdio: ['ignore', 'inherit', 'inherit'], detached: true });
  const failed = once(bot, 'error').then(([error]) => Promise.reject(error as Error));
  const exited = once(bot, 'exit').then(([code]) => (code as number | null) ?? 1);
  if (bot.pid !== undefined) gateway.nameBot(bot.pid);
  const interrupt = (): void => void signalGroup(bot, 'SIGTERM');
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, interrupt);
  try {
    const ended = await Promise.race([failed, exited, gateway.finished]);
    if (ended !== undefined) {
      io.err(`crossbook: the bot ended before the recording, with exit code ${ended}\n`);
      return ended;
    }
    const endsAtMs = performance.now() + limits.backtestBotEndMs;
    signalGroup(bot, 'SIGTERM');
    // The bot may take longer to end than npx or a shell in front of it.
    while (signalGroup(bot, 0) && performance.now() < endsAtMs) await pause(GROUP_LOOK_MS);
    return null;
  } finally {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.off(signal, interrupt);
    signalGroup(bot, 'SIGKILL');
  }
}

/** Signals the process and all that it has started. Returns false if all of them have ended. */
function signalGroup({ pid }: ChildProcess, signal: 'SIGTERM' | 'SIGKILL' | 0): boolean {
  if (pid === undefined) return false;
  try {
    return process.kill(-pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false;
    throw error;
  }
}
