// For `crossbook start`, `crossbook doctor` and `crossbook venue-b`, the process becomes another program of this installation, which may
// import any room. Commands that read LMDB's files run in a child process. LMDB trusts its files, so a damaged page can kill the process
// without a message.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { constants } from 'node:os';
import { fileURLToPath } from 'node:url';
import { type Command, type CommandIo, type RunCommand, runCommand } from './command-io.ts';

export const START_USAGE = `  start [OPTION]…
      runs the gateway in this process, as npm start does; its settings are in docs/OPERATIONS.md

    crossbook start
    CROSSBOOK_PORT=8081 crossbook start
`;

export const DOCTOR_USAGE = `  doctor [--venues] [--json] [--data-dir DIR]
      checks settings, the files that settings name, clock, disk, limits, keys, addresses, venues and NATS, as a gateway that starts here and now
      would find them, and says what to do; exit code 1 if something keeps the gateway from trading
      --venues: reads a few public objects of the real venues instead, and prints unread fields, unknown words and missing fields

    crossbook doctor
    crossbook doctor --venues
`;

export const VENUE_B_USAGE = `  venue-b cash [--pod ID]
      the cash of the pod's account at venue B on each shard; an order can use that of its market's shard
  venue-b transfer --from SHARD --to SHARD --usd AMOUNT [--pod ID] [--confirm WORDS]
      moves cash; says without --confirm what it would do, and the words for it
      both of venue-b read CROSSBOOK_PODS_FILE

    crossbook venue-b cash
    crossbook venue-b transfer --from 0 --to 1 --usd 250
`;

export function startCommand(args: readonly string[], io: CommandIo): Promise<number> {
  return become('../../main.ts', args, io);
}

export function doctorCommand(args: readonly string[], io: CommandIo): Promise<number> {
  return become('./doctor.ts', args, io);
}

export function venueBProgram(args: readonly string[], io: CommandIo): Promise<number> {
  return become('./venue-b.ts', args, io);
}

/** Replaces this process by the program. Returns only if that fails. */
function become(program: string, args: readonly string[], io: CommandIo): Promise<number> {
  return runCommand(io, () => {
    const { execve } = process;
    if (execve === undefined) throw new Error('this system cannot replace a process: use npm start');
    const path = fileURLToPath(new URL(program, import.meta.url));
    execve(process.execPath, [process.execPath, ...process.execArgv, path, ...args], process.env);
  });
}

/** The first argument of a child process that reads LMDB's files. */
const CHILD_MARK = 'here';

/** The signals that end a process which reads damaged pages, including those of LMDB's assertions. */
const CRASHES: ReadonlySet<NodeJS.Signals> = new Set(['SIGSEGV', 'SIGBUS', 'SIGABRT', 'SIGILL', 'SIGFPE', 'SIGTRAP']);

/** The name of the data that the command reads, and how to repair that data if it kills the command. */
interface CrashWords {
  readonly what: string;
  readonly advice: string;
}

export function watched(name: string, usage: string, run: RunCommand, { what, advice }: CrashWords): Command {
  const runWatched: RunCommand = async (args, io) => {
    const [first, ...rest] = args;
    if (first === CHILD_MARK) return run(rest, io);
    const ended = await runChild(name, args);
    if (typeof ended === 'number') return ended;
    const isCrash = CRASHES.has(ended);
    const words = isCrash
      ? `${what} cannot be read (${ended}): stop the gateway, and ${advice} (docs/OPERATIONS.md, Backups)`
      : `ended (${ended})`;
    io.err(`crossbook: ${words}\n`);
    return isCrash ? 1 : 128 + constants.signals[ended];
  };
  return { usage, run: runWatched };
}

/** Runs the command in a child process, which prints its own output. Resolves to the exit code, or to the signal that ended the child. */
async function runChild(name: string, args: readonly string[]): Promise<number | NodeJS.Signals> {
  const child = spawn(process.execPath, [...process.execArgv, process.argv[1]!, name, CHILD_MARK, ...args], {
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
