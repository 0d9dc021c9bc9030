// Runs a command that reads LMDB's files in a child process: LMDB trusts them, and a damaged page can kill the process silently. The parent
// then reports the damage and its repair.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { constants } from 'node:os';
import type { RunCommand } from './command-io.ts';

/** First argument of such a child process. */
const HERE = 'here';

/** Signals that end a process which reads damaged pages, LMDB's assertions included. */
const CRASHES: ReadonlySet<NodeJS.Signals> = new Set(['SIGSEGV', 'SIGBUS', 'SIGABRT', 'SIGILL', 'SIGFPE', 'SIGTRAP']);

/** The data that the command reads, and its repair if that data ends the command. */
interface CrashWords {
  readonly what: string;
  readonly advice: string;
}

export function watchedCommand(name: string, run: RunCommand, { what, advice }: CrashWords): RunCommand {
  return async (args, io) => {
    const [first, ...rest] = args;
    if (first === HERE) return run(rest, io);
    const ended = await runChild(name, args);
    if (typeof ended === 'number') return ended;
    const isCrash = CRASHES.has(ended);
    const words = isCrash
      ? `${what} cannot be read (${ended}): stop the gateway, and ${advice} (docs/OPERATIONS.md, Backups)`
      : `ended (${ended})`;
    io.err(`crossbook: ${words}\n`);
    return isCrash ? 1 : 128 + constants.signals[ended];
  };
}

/** Exit code, or the signal that ended the child. The child prints its own output. */
async function runChild(name: string, args: readonly string[]): Promise<number | NodeJS.Signals> {
  const child = spawn(process.execPath, [...process.execArgv, process.argv[1]!, name, HERE, ...args], {
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
