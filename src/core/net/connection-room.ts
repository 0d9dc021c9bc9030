// The number of callers' sockets for which the process's file limit has room. Beyond this limit the system accepts no connection and opens
// no file, and the main thread retries in a loop. Node raises the soft limit to the hard limit at its start. Main thread, at the start.

import { readFileSync } from 'node:fs';
import { limits } from '../../limits.ts';

export interface ConnectionRoom {
  readonly openFilesMax: number;
  /** The largest number of connections of each listening address. */
  readonly connectionsMax: number;
  /** The smallest `openFilesMax` with which the gateway can serve callers. */
  readonly openFilesMin: number;
}

export function connectionRoom(addresses: number): ConnectionRoom {
  const { ownFilesMin, httpConnectionsMin, httpConnectionsMax } = limits;
  const openFilesMax = readOpenFilesMax();
  const room = Math.floor((openFilesMax - ownFilesMin) / addresses);
  return {
    openFilesMax,
    connectionsMax: Math.min(room, httpConnectionsMax),
    openFilesMin: ownFilesMin + addresses * httpConnectionsMin,
  };
}

/** Returns infinity if the system does not say, as on macOS. */
function readOpenFilesMax(): number {
  if (process.platform !== 'linux') return Number.POSITIVE_INFINITY;
  const [, softLimit] = /^Max open files +(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? [];
  return softLimit === undefined ? Number.POSITIVE_INFINITY : Number(softLimit);
}
