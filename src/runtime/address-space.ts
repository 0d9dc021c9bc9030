// How much address space the process may have, and how much it has: the maps of the stores and WebAssembly's reserves take a lot of it,
// and without it native parts end the process without a word. Linux tells; elsewhere there is no limit.

import { readFileSync } from 'node:fs';
import { limits } from '../limits.ts';

const KIB = 1_024;
/** Of a thread: WebAssembly reserves 10 GiB for the parser of HTTP, V8 the rest. */
const THREAD_BYTES = 11 * KIB * KIB * KIB;
/** Threads beside the check workers, the venues' among them. */
const OTHER_THREADS = 9;

/** Bytes that `ulimit -v` allows; Infinity without a limit. */
export function addressSpaceMax(): number {
  const [, softLimit] = /^Max address space +(\d+)/m.exec(textOf('/proc/self/limits')) ?? [];
  return softLimit === undefined ? Number.POSITIVE_INFINITY : Number(softLimit);
}

/** Bytes that the gateway maps and reserves at most. */
export function addressSpaceMin(checkWorkers: number): number {
  const { storeStateBytesMax, keyStoreBytes, catalogStoreBytes } = limits;
  return storeStateBytesMax + keyStoreBytes + catalogStoreBytes + (checkWorkers + OTHER_THREADS) * THREAD_BYTES;
}

/** Of those that `ulimit -v` allows, the bytes that are left. */
export function addressSpaceLeft(): number {
  const max = addressSpaceMax();
  if (max === Number.POSITIVE_INFINITY) return max;
  const [, used] = /^VmSize:\s+(\d+) kB/m.exec(textOf('/proc/self/status')) ?? [];
  return max - Number(used ?? 0) * KIB;
}

/** As `ulimit -v` takes it. */
export function inKib(bytes: number): string {
  return `${Math.ceil(bytes / KIB)} KiB`;
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
