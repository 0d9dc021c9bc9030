// `crossbook start`, `crossbook doctor` and `crossbook venue-b`: the process becomes another program of this installation, which may import any room.

import { fileURLToPath } from 'node:url';
import { type CommandIo, runCommand } from './command-io.ts';

export const START_USAGE = `  start [OPTION]…
      runs the gateway in this process, as npm start does; its settings are in docs/OPERATIONS.md
`;

export const DOCTOR_USAGE = `  doctor [--venues] [--json] [--data-dir DIR]
      looks at settings and what they name, clock, disk, limits, keys, addresses, venues and NATS, as the gateway would start with them here and now,
      and says what to do; exit code 1 if something keeps it from trading
      --venues: reads a few public objects of the real venues instead, and prints the fields that nobody reads, unknown words, and what is missing
`;

export const VENUE_B_USAGE = `  venue-b cash [--pod ID]
      the cash of the pod's account at venue B on each shard; an order can use that of its market's shard
  venue-b transfer --from SHARD --to SHARD --usd AMOUNT [--pod ID] [--confirm WORDS]
      moves cash; says without --confirm what it would do, and the words for it
      both of venue-b read CROSSBOOK_PODS_FILE
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

/** Returns only if the process cannot become another program. */
function become(program: string, args: readonly string[], io: CommandIo): Promise<number> {
  return runCommand(io, () => {
    const { execve } = process;
    if (execve === undefined) throw new Error('this system cannot replace a process: use npm start');
    const path = fileURLToPath(new URL(program, import.meta.url));
    execve(process.execPath, [process.execPath, ...process.execArgv, path, ...args], process.env);
  });
}
