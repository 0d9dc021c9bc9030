// What the gateway's threads say is left after they have collected their garbage (collect.ts): of each, and of all together.

import { readFileSync } from 'node:fs';
import type { Point } from './trend.ts';

export const COLLECT_EVERY_MS = 15_000;
const MINUTE_MS = 60_000;

/** One line of the file. */
export interface HeapLine {
  /** Its number and its entry file. */
  readonly thread: string;
  /** When it was to collect, the same for all threads; milliseconds of the epoch. */
  readonly at: number;
  readonly bytes: number;
}

/** Since `from`, milliseconds of the epoch. */
export function heapLinesIn(path: string, from: number): readonly HeapLine[] {
  const lines = readFileSync(path, 'utf8').trimEnd().split('\n');
  return lines.map(line => JSON.parse(line) as HeapLine).filter(({ at }) => at >= from);
}

/** Bytes by minute, of each thread in the order of their numbers. */
export function pointsByThread(lines: readonly HeapLine[]): ReadonlyMap<string, readonly Point[]> {
  const inOrder = lines.toSorted((one, other) => numberOf(one) - numberOf(other));
  const byThread = Map.groupBy(inOrder, ({ thread }) => thread);
  return new Map(
    [...byThread].map(([thread, its]) => [thread, its.map(({ at, bytes }) => ({ x: at / MINUTE_MS, y: bytes }))]),
  );
}

/** Bytes by minute, of all threads: at the moments at which each of them has collected. One that is starved leaves some out. */
export function pointsOfAll(lines: readonly HeapLine[]): readonly Point[] {
  const threads = new Set(lines.map(({ thread }) => thread)).size;
  return [...Map.groupBy(lines, ({ at }) => at)]
    .filter(([, said]) => said.length === threads)
    .map(([at, said]) => ({ x: at / MINUTE_MS, y: said.reduce((sum, { bytes }) => sum + bytes, 0) }));
}

function numberOf({ thread }: HeapLine): number {
  return Number.parseInt(thread, 10);
}
