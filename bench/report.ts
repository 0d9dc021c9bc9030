// Combines the rows of several runs into one figure each, and formats them as a table in the terminal and as RESULTS.md. Benchmark
// runner.

import { type BenchRow, median } from './harness.ts';
import type { Plot } from './svg-plot.ts';

export interface Figure extends BenchRow {
  /**
   * The spread: (largest − smallest) / median over the runs, or over the rounds of a single run, in percent. Null without runs or rounds to
   * compare.
   */
  readonly spreadPercent: number | null;
  /** Whether the figure is taken from an earlier run. */
  readonly isEarlier: boolean;
}

/** Makes one figure for each row name, from the medians over the runs, in the order of the first run. */
export function summarise(runs: readonly (readonly BenchRow[])[]): Figure[] {
  return (runs[0] ?? []).map(first => {
    const rows = runs.flatMap(run => run.filter(row => row.name === first.name));
    const values = rows.map(row => row.value);
    const value = median(values);
    const spreading = rows.length > 1 ? values : (first.rounds ?? values);
    const ratios = rows.flatMap(row => (row.ratio === null ? [] : [row.ratio]));
    return {
      ...first,
      value,
      ratio: ratios.length === 0 ? null : median(ratios),
      spreadPercent: spreading.length < 2 ? null : spreadOf(spreading),
      isEarlier: false,
    };
  });
}

/**
 * Returns this run's figures, and an earlier run's figures for rows that this run lacks, from the same machine. It serves a run with a failed
 * suite. Rows of an area stay together.
 */
export function completed(figures: readonly Figure[], earlier: readonly BenchRow[]): Figure[] {
  const known = new Set(figures.map(({ name }) => name));
  const rest = earlier
    .filter(({ name }) => !known.has(name))
    .map(row => ({ ...row, spreadPercent: null, isEarlier: true }));
  const areaOf = ({ name }: BenchRow): string => name.slice(0, name.indexOf('/') + 1);
  const areas = new Set([...rest, ...figures].map(areaOf));
  return [...areas].flatMap(area => [...figures, ...rest].filter(figure => areaOf(figure) === area));
}

function spreadOf(values: readonly number[]): number {
  const middle = Math.abs(median(values));
  return middle === 0 ? 0 : (100 * (Math.max(...values) - Math.min(...values))) / middle;
}

const NAME = /^[a-z]+\/[\w+@-]+( [\w .-]+)?$/;

/** Returns problems that make figures incomparable or impossible to find again. Empty without problems. */
export function problemsOf(figures: readonly BenchRow[]): readonly string[] {
  const seen = new Set<string>();
  return figures.flatMap(({ name, value, unit, baseline, ratio }) => {
    const isTwice = seen.has(name);
    seen.add(name);
    return [
      ...(NAME.test(name) ? [] : [`${name}: is not named area/what`]),
      ...(isTwice ? [`${name}: is there twice`] : []),
      ...(Number.isFinite(value) ? [] : [`${name}: has no value`]),
      ...(unit === '' ? [`${name}: has no unit`] : []),
      ...((ratio === null) === (baseline === '') ? [] : [`${name}: a ratio and what it is to go together`]),
    ];
  });
}

const HEAD = ['name', 'value', 'unit', 'spread', 'ratio', 'baseline'];

const RIGHT = [1, 3, 4];

export function textTable(figures: readonly Figure[]): string {
  return columns([HEAD, ...figures.map(cells)], RIGHT);
}

/** Returns rows as aligned columns. Columns in `right` are right-aligned. */
export function columns(rows: readonly (readonly string[])[], right: readonly number[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map(row => row[column]!.length)));
  const pad = (cell: string, column: number) =>
    right.includes(column) ? cell.padStart(widths[column]!) : cell.padEnd(widths[column]!);
  return rows.map(row => row.map(pad).join('  ').trimEnd()).join('\n');
}

/** A part of the rows in a table of their own, with plots beside RESULTS.md. */
export interface Section {
  readonly title: string;
  /** The paragraphs, as Markdown. */
  readonly paragraphs: readonly string[];
  readonly plots: readonly NamedPlot[];
}

export interface NamedPlot {
  /** The file's name in the folder of plots. */
  readonly file: string;
  readonly plot: Plot;
}

/** Returns RESULTS.md, which only `npm run bench -- --results` writes. */
export function markdownReport(
  machine: readonly string[],
  runs: number,
  figures: readonly Figure[],
  sections: readonly Section[],
): string {
  return [
    '# Benchmark results',
    '',
    `Written by \`npm run bench -- --results\`; do not edit. Median of ${runs} runs, each in a fresh process, or of the rounds of a`,
    'single one; spread is (largest − smallest) / median over them, or `earlier` of a row that an earlier run on this machine measured; ratio',
    'says how many times better than the baseline measured beside it.',
    '',
    ...machine.map(fact => `- ${fact}`),
    '',
    ...sections.flatMap(({ title, paragraphs, plots }) => [
      `## ${title}`,
      '',
      ...paragraphs.flatMap(paragraph => [paragraph, '']),
      ...plots.flatMap(({ file, plot }) => [`![${plot.title}](plots/${file})`, '']),
    ]),
    '## All rows',
    '',
    markdownTable(HEAD, figures.map(cells)),
    '',
  ].join('\n');
}

export function markdownTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [head, head.map(() => '---'), ...rows].map(texts => `| ${texts.join(' | ')} |`).join('\n');
}

function cells(figure: Figure): string[] {
  const { name, unit, spreadPercent, isEarlier, ratio, baseline } = figure;
  const spread = spreadPercent === null ? '' : `${spreadPercent.toFixed(0)} %`;
  return [
    name,
    valueText(figure),
    unit,
    isEarlier ? 'earlier' : spread,
    ratio === null ? '' : `${ratio.toFixed(2)}×`,
    baseline,
  ];
}

/** Returns the value as text. A search without a result shows that it is below the lowest tried value. */
export function valueText({ value, lowest }: BenchRow): string {
  return value === 0 && lowest !== undefined ? `< ${threeDigits(lowest)}` : threeDigits(value);
}

/** Formats at least three significant digits. More would claim a precision that no benchmark here has. */
export function threeDigits(value: number): string {
  const decimals = Math.min(6, Math.max(0, 2 - Math.floor(Math.log10(Math.abs(value) || 1))));
  return value.toLocaleString('en-US', { minimumFractionDigits: decimals, maximumFractionDigits: decimals });
}
