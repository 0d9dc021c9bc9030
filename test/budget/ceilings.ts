// Ceilings of the figures, which only go down. They are in `ceilings.json`.

import { readFileSync, writeFileSync } from 'node:fs';
import { limits } from '../../src/limits.ts';
import type { Budget, FigureName } from './measure.ts';

type OfOperation = Readonly<Record<string, Budget>>;
/** By operation, thread and figure. */
export type Ceilings = Readonly<
  Record<string, Readonly<Record<string, Readonly<Partial<Record<FigureName, number>>>>>>
>;

const FILE = new URL('ceilings.json', import.meta.url);
/** Calls of two runs differ by some per cent. A ceiling is the lowest figure of several runs. */
const TOLERANCE = 0.08;
/** Bytes and promises differ more: what an idle gateway does in a window is taken off them. */
const TOLERANCES: Partial<Record<FigureName, number>> = { bytes: 0.2, promises: 0.2 };
/** Beside it: a part of an operation. Two operations of an idle gateway in one window are 2.4 promises for each order. */
const SLACK: Partial<Record<FigureName, number>> = { bytes: 4_000, promises: 3, functions: 5, files: 2 };
const LEAST_SLACK = 0.5;
/** The venue's answer and its news of the same orders reach the engine in one turn or in two. The engine writes the journal once a turn. */
const SLACK_OF_BATCH: Partial<Record<FigureName, number>> = { journalWrites: 1 };
const BATCH = `batch of ${limits.batchOrdersMax}`;

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
    const slack = (operation === BATCH ? SLACK_OF_BATCH[figure] : undefined) ?? SLACK[figure] ?? LEAST_SLACK;
    const most = ceiling * (1 + (TOLERANCES[figure] ?? TOLERANCE)) + slack;
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
