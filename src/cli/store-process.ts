// `crossbook store` as a process that is watched. LMDB trusts the files that it reads: a damaged one can end the process, without a word.
// Then another one, which reads everything but the state, says what is left and how to go on.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { constants } from 'node:os';
import { type CommandIo, dataDirOf, readArguments } from './command-io.ts';
import { EXPLAIN, REBUILD, storeCommand } from './store.ts';

/** First word of what such a process is asked for. */
const HERE = 'here';

/** How the system, and LMDB's assertions, end a process that reads nonsense. */
const CRASHES: ReadonlySet<NodeJS.Signals> = new Set(['SIGSEGV', 'SIGBUS', 'SIGABRT', 'SIGILL', 'SIGFPE', 'SIGTRAP']);

export async function watchedStoreCommand(args: readonly string[], io: CommandIo): Promise<number> {
  const [name, ...rest] = args;
  if (name === HERE) return storeCommand(rest, io);
  const ended = await run(args);
  if (typeof ended === 'number') return ended;
  if (!CRASHES.has(ended)) return endedBy(ended, io);
  const positionals = name === 'backup' ? ['FOLDER'] : [];
  const dataDir = dataDirOf(readArguments(rest, { options: ['data-dir'], positionals }), io);
  const about = [ended, '--data-dir', dataDir];
  if (name !== 'compact') return last(await run([EXPLAIN, ...about]), io);
  const rebuilt = await run([REBUILD, ...about]);
  return last(rebuilt === 0 ? await run(args) : rebuilt, io);
}

function last(ended: number | NodeJS.Signals, io: CommandIo): number {
  return typeof ended === 'number' ? ended : endedBy(ended, io);
}

function endedBy(signal: NodeJS.Signals, io: CommandIo): number {
  const words = CRASHES.has(signal) ? 'neither the state nor the checkpoint can be read: restore a backup' : 'ended';
  io.err(`crossbook: ${words} (${signal})\n`);
  return CRASHES.has(signal) ? 1 : 128 + constants.signals[signal];
}

/** Exit code, or the signal that has ended it. It says what it has to say by itself. */
async function run(args: readonly string[]): Promise<number | NodeJS.Signals> {
  const child = spawn(process.execPath, [...process.execArgv, process.argv[1]!, 'store', HERE, ...args], {
    stdio: 'inherit',
  });
  const passOn = (signal: NodeJS.Signals): void => void child.kill(signal);
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  for (const signal of signals) process.on(signal, passOn);
  try {
    const [code, signal] = await once(child, 'exit');
    return signal ?? code;
  } finally {
    for (const signal of signals) process.off(signal, passOn);
  }
}
