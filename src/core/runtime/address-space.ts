// The address space that the process may use, and uses. The maps of the stores and WebAssembly's reserves need much of it; without it
// native code ends the process without a message. Known on Linux only; elsewhere there is no limit.

import { readFileSync } from 'node:fs';
import { limits } from '../../limits.ts';
import { ConfigError } from './setting-values.ts';

const KIB = 1_024;
/** Each thread needs this: WebAssembly reserves 10 GiB for the HTTP parser, V8 the rest. */
const THREAD_BYTES = 11 * KIB * KIB * KIB;
/** Threads other than the check workers, including the venues'. */
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

/** Bytes left below the limit of `ulimit -v`. */
export function addressSpaceLeft(): number {
  const max = addressSpaceMax();
  if (max === Number.POSITIVE_INFINITY) return max;
  const [, used] = /^VmSize:\s+(\d+) kB/m.exec(textOf('/proc/self/status')) ?? [];
  return max - Number(used ?? 0) * KIB;
}

/** The number in the unit of `ulimit -v`. */
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

/** Throws a ConfigError: without address space native code ends the process without a message. */
export function needAddressSpace(poolThreads: number): void {
  const least = addressSpaceMin(poolThreads);
  const max = addressSpaceMax();
  if (max >= least) return;
  const rule = `and must be at least ${inKib(least)}, or unlimited: it is reserved, no memory`;
  throw new ConfigError(`the limit of address space (ulimit -v) is ${inKib(max)}, ${rule}`);
}
