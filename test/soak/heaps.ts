// The memory that the gateway's threads report after a garbage collection (collect.ts): of each, and of all together.

import { readFileSync } from 'node:fs';
import type { Point } from './trend.ts';

export const COLLECT_EVERY_MS = 15_000;
const HOUR_MS = 3_600_000;

/** One line of the file. */
export interface HeapLine {
  /** Its number and its entry file. */
  readonly thread: string;
  /** When it was to collect, the same for all threads; milliseconds of the epoch. */
  readonly at: number;
  /** Objects and code. */
  readonly heapBytes: number;
  /** Buffers, and what else objects keep outside of the heap. */
  readonly externalBytes: number;
}

type Amount = 'heapBytes' | 'externalBytes';

/** Since `from`, milliseconds of the epoch. */
export function heapLinesIn(path: string, from: number): readonly HeapLine[] {
  const lines = readFileSync(path, 'utf8').trimEnd().split('\n');
  return lines.map(line => JSON.parse(line) as HeapLine).filter(({ at }) => at >= from);
}

/** Bytes by hour, of each thread in the order of their numbers. */
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
