// The address space that the process uses and may use. The maps of the stores and WebAssembly's reserves need much address space. Without
// enough, native code ends the process without a message. Known on Linux only; elsewhere no limit counts.

import { readFileSync } from 'node:fs';
import { limits } from '../../limits.ts';
import { ConfigError } from './setting-values.ts';

const KIB = 1_024;
/** The address space that each thread needs: WebAssembly reserves 10 GiB for the HTTP parser, V8 the rest. */
const THREAD_BYTES = 11 * KIB * KIB * KIB;
/** The number of threads other than the check workers, the venues' threads included. */
const OTHER_THREADS = 9;

/** Returns the bytes that `ulimit -v` allows; Infinity means no limit. */
export function addressSpaceMax(): number {
  const [, softLimit] = /^Max address space +(\d+)/m.exec(textOf('/proc/self/limits')) ?? [];
  return softLimit === undefined ? Number.POSITIVE_INFINITY : Number(softLimit);
}

/** Returns the largest number of bytes that the gateway maps and reserves. */
export function addressSpaceMin(checkWorkers: number): number {
  const { storeStateBytesMax, keyStoreBytes, catalogStoreBytes } = limits;
  return storeStateBytesMax + keyStoreBytes + catalogStoreBytes + (checkWorkers + OTHER_THREADS) * THREAD_BYTES;
}

/** Returns the bytes that are left below the limit of `ulimit -v`. */
export function addressSpaceLeft(): number {
  const max = addressSpaceMax();
  if (max === Number.POSITIVE_INFINITY) return max;
  const [, used] = /^VmSize:\s+(\d+) kB/m.exec(textOf('/proc/self/status')) ?? [];
  return max - Number(used ?? 0) * KIB;
}

/** Returns the number of bytes in the unit of `ulimit -v`, as text. */
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

/** Throws a ConfigError if the address space is too small: native code would end the process without a message. */
export function needAddressSpace(poolThreads: number): void {
  const least = addressSpaceMin(poolThreads);
  const max = addressSpaceMax();
  if (max >= least) return;
  const rule = `and must be at least ${inKib(least)}, or unlimited: the gateway reserves address space, not memory`;
  throw new ConfigError(`the limit of address space (ulimit -v) is ${inKib(max)}, ${rule}`);
}
