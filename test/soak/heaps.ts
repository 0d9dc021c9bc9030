// The memory that the gateway's threads report after a garbage collection (collect.ts): for each thread, and for all together.

import { readFileSync } from 'node:fs';
import type { Point } from './trend.ts';

export const COLLECT_EVERY_MS = 15_000;
const HOUR_MS = 3_600_000;

/** One line of the file. */
export interface HeapLine {
  /** The number and the entry file of the thread. */
  readonly thread: string;
  /** The planned time of the collection, which is the same for all threads, in milliseconds of the epoch. */
  readonly at: number;
  /** The bytes of objects and code. */
  readonly heapBytes: number;
  /** The bytes of buffers and of other memory that objects keep outside of the heap. */
  readonly externalBytes: number;
}

type Amount = 'heapBytes' | 'externalBytes';

/** Returns the lines since `from`, in milliseconds of the epoch. */
export function heapLinesIn(path: string, from: number): readonly HeapLine[] {
  const lines = readFileSync(path, 'utf8').trimEnd().split('\n');
  return lines.map(line => JSON.parse(line) as HeapLine).filter(({ at }) => at >= from);
}

/** Returns the bytes over time in hours, for each thread in the order of their numbers. */
export function pointsByThread(lines: readonly HeapLine[], amount: Amount): ReadonlyMap<string, readonly Point[]> {
  const inOrder = lines.toSorted((one, other) => numberOf(one) - numberOf(other));
  const byThread = Map.groupBy(inOrder, ({ thread }) => thread);
  return new Map(
    [...byThread].map(([thread, its]) => [thread, its.map(line => ({ x: line.at / HOUR_MS, y: line[amount] }))]),
  );
}

function numberOf({ thread }: HeapLine): number {
  return Number.parseInt(thread, 10);
}
