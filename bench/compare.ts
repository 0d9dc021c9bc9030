// Compares an earlier run's rows with the rows of this run, worst first: what a change has cost or gained. Benchmark runner. If rows have a ratio,
// the ratio decides. Its baseline ran beside it, so a slower machine or a busy neighbour changes the ratio less than the value. Nothing is called a
// regression here: every machine has its own noise.

import type { BenchRow } from './harness.ts';
import { columns, valueText } from './report.ts';

export interface Change {
  readonly name: string;
  readonly unit: string;
  /** The old value, formatted for people. */
  readonly old: string;
  readonly now: string;
  /** The change of the value, in percent of the old value. */
  readonly percent: number;
  /** The change of the ratio, in percent of the old ratio. Null unless both runs have a ratio. */
  readonly ratioPercent: number | null;
  /** The factor of the change: above 1 is worse, below 1 is better. */
  readonly worse: number;
}

export interface Changes {
  /** The changed rows, worst first. */
  readonly rows: readonly Change[];
  /** The names that only one of the runs has. */
  readonly gone: readonly string[];
  readonly added: readonly string[];
}

/** Matches rows by name and unit. A row with another unit is another row. */
export function compareRows(old: readonly BenchRow[], now: readonly BenchRow[]): Changes {
  const [before, after] = [byName(old), byName(now)];
  const rows = now.flatMap(row => {
    const earlier = before.get(keyOf(row));
    return earlier === undefined ? [] : [changeOf(earlier, row)];
  });
  return {
    rows: rows.toSorted((one, other) => other.worse - one.worse),
    gone: old.filter(row => !after.has(keyOf(row))).map(it => it.name),
    added: now.filter(row => !before.has(keyOf(row))).map(it => it.name),
  };
}

/** Reads the rows that `--json` has written. Throws for other text. */
export function readRows(text: string): readonly BenchRow[] {
  const rows: unknown = JSON.parse(text);
  if (!Array.isArray(rows) || !rows.every(isRow)) throw new Error('not a list of {name, value, unit, baseline, ratio}');
  return rows;
}

const HEAD = ['name', 'old', 'new', 'unit', 'value', 'ratio', 'worse'];
const RIGHT = [1, 2, 4, 5, 6];

export function changesTable({ rows, gone, added }: Changes): string {
  const lines = rows.map(({ name, old, now, unit, percent, ratioPercent, worse }) => [
    name,
    old,
    now,
    unit,
    signed(percent),
    ratioPercent === null ? '' : signed(ratioPercent),
    `${worse.toFixed(2)}×`,
  ]);
  const only = (words: string, names: readonly string[]) => names.map(name => `${words}: ${name}`);
  return [columns([HEAD, ...lines], RIGHT), ...only('no longer there', gone), ...only('new', added)].join('\n');
}

function changeOf(old: BenchRow, now: BenchRow): Change {
  const value = isRate(now.unit) ? times(now.value, old.value) : times(old.value, now.value);
  const ratio = old.ratio === null || now.ratio === null ? null : times(now.ratio, old.ratio);
  return {
    name: now.name,
    unit: now.unit,
    old: valueText(old),
    now: valueText(now),
    percent: percentOf(old.value, now.value),
    ratioPercent: old.ratio === null || now.ratio === null ? null : percentOf(old.ratio, now.ratio),
    worse: ratio ?? value,
  };
}

/** Returns whether more is better, as for rates. For times, memory and losses less is better. */
function isRate(unit: string): boolean {
  return unit.endsWith('/s');
}

/** Returns `other` divided by `one`, or 1 if they are equal. */
function times(one: number, other: number): number {
  return one === other ? 1 : other / one;
}

function percentOf(old: number, now: number): number {
  return 100 * (times(old, now) - 1);
}

function signed(percent: number): string {
  const text = percent.toFixed(Math.abs(percent) < 10 ? 1 : 0);
  return `${percent > 0 ? '+' : ''}${text} %`;
}

function byName(rows: readonly BenchRow[]): ReadonlyMap<string, BenchRow> {
  return new Map(rows.map(row => [keyOf(row), row]));
}

function keyOf({ name, unit }: BenchRow): string {
  return `${name} ${unit}`;
}

function isRow(value: unknown): value is BenchRow {
  if (typeof value !== 'object' || value === null) return false;
  const { name, value: figure, unit, ratio } = value as Partial<BenchRow>;
  const isText = typeof name === 'string' && typeof unit === 'string';
  return isText && typeof figure === 'number' && (ratio === null || typeof ratio === 'number');
}
