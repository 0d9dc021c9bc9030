// How many sockets of callers the process has files for: beyond its limit the system lets nobody in, and nothing else be opened, while the
// main thread asks again and again. Node raises the limit to the hard one as it starts. Main thread, at the start.

import { readFileSync } from 'node:fs';
import { limits } from '../limits.ts';

export interface ConnectionRoom {
  readonly openFilesMax: number;
  /** For each address that is listened on. */
  readonly connectionsMax: number;
  /** What `openFilesMax` must be at least for anybody to be served. */
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

function readOpenFilesMax(): number {
  const [, softLimit] = /^Max open files +(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? [];
  return softLimit === undefined ? Number.POSITIVE_INFINITY : Number(softLimit);
}
