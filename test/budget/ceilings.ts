// Ceilings of the figures, which only go down. They are in `ceilings.json`.

import { readFileSync, writeFileSync } from 'node:fs';
import type { Budget, FigureName } from './measure.ts';

type OfOperation = Readonly<Record<string, Budget>>;
/** By operation, thread and figure. */
export type Ceilings = Readonly<
  Record<string, Readonly<Record<string, Readonly<Partial<Record<FigureName, number>>>>>>
>;

const FILE = new URL('ceilings.json', import.meta.url);
/** Runs differ by that much on a busy machine. */
const TOLERANCE = 0.08;
/** Beside it: a part of an operation. */
const SLACK: Partial<Record<FigureName, number>> = { bytes: 2_500, functions: 3, files: 1 };
const LEAST_SLACK = 0.5;

/**
 * The speed of the machine decides how many reads and writes a turn of an event loop joins. V8 frees buffers when it likes. The writes of the
 * journal are a figure of their own.
 */
const PRINTED_ONLY: readonly FigureName[] = ['buffers', 'reads', 'writes'];

export function readCeilings(): Ceilings {
  return JSON.parse(readFileSync(FILE, 'utf8')) as Ceilings;
}

export function writeCeilings(ceilings: Ceilings): void {
  writeFileSync(FILE, `${JSON.stringify(ceilings, null, 2)}\n`);
}

/** A line for each figure above its ceiling, or without one. */
export function faultsOf(measured: OfOperation, ceilings: Ceilings): string[] {
  return held(measured).flatMap(({ operation, thread, figure, value }) => {
    const ceiling = ceilings[operation]?.[thread]?.[figure];
    const words = `${operation}, ${thread}: ${value} ${figure}`;
    if (ceiling === undefined) return [`${words}, without a ceiling`];
    const most = ceiling * (1 + TOLERANCE) + (SLACK[figure] ?? LEAST_SLACK);
    return value <= most ? [] : [`${words}, above the ceiling ${ceiling}`];
  });
}

/** The lower one of each figure and its ceiling. */
export function lowered(measured: OfOperation, ceilings: Ceilings): Ceilings {
  const lower: Record<string, Record<string, Partial<Record<FigureName, number>>>> = structuredClone(ceilings);
  for (const { operation, thread, figure, value } of held(measured)) {
    const ofOperation = lower[operation] ?? {};
    const ofThread = ofOperation[thread] ?? {};
    ofThread[figure] = Math.min(value, ofThread[figure] ?? value);
    lower[operation] = { ...ofOperation, [thread]: ofThread };
  }
  return lower;
}

interface Held {
  readonly operation: string;
  readonly thread: string;
  readonly figure: FigureName;
  readonly value: number;
}

function held(measured: OfOperation): Held[] {
  return Object.entries(measured).flatMap(([operation, budget]) =>
    Object.entries(budget).flatMap(([thread, figures]) =>
      (Object.entries(figures) as [FigureName, number][])
        .filter(([figure]) => !PRINTED_ONLY.includes(figure))
        .map(([figure, value]) => ({ operation, thread, figure, value: rounded(value) })),
    ),
  );
}

function rounded(value: number): number {
  return Number(value.toFixed(value >= 100 ? 0 : 1));
}
