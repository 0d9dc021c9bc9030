// Formats how cost grows: a table and a plot for each dimension. Benchmark runner.

import type { BenchRow } from './harness.ts';
import { markdownTable, type Section, threeDigits } from './report.ts';
import { type Dimension, MEASURES, type MeasureName } from './scaling-measures.ts';
import type { Point } from './svg-plot.ts';

const ROW = /^scaling\/([\w-]+)@(\d+)$/;
/** The tolerated excess of a power, since caches end and machines are busy. */
const TOLERANCE = 0.15;

const DIMENSIONS: Readonly<Record<Dimension, string>> = {
  books: 'live books',
  subscribers: 'subscribers of one book',
  orders: 'stored orders',
  workers: 'check workers',
};

/** Returns one section for each dimension that has rows. */
export function scalingSections(rows: readonly BenchRow[]): Section[] {
  const measured = pointsOf(rows);
  return (Object.keys(DIMENSIONS) as Dimension[]).flatMap(dimension => {
    const names = [...measured.keys()].filter(name => MEASURES[name].dimension === dimension);
    return names.length === 0 ? [] : [sectionOf(dimension, new Map(names.map(name => [name, measured.get(name)!])))];
  });
}

function sectionOf(dimension: Dimension, measured: ReadonlyMap<MeasureName, readonly Point[]>): Section {
  const title = `How cost grows with ${DIMENSIONS[dimension]}`;
  const counts = [...new Set([...measured.values()].flat().map(([count]) => count))].toSorted(
    (one, other) => one - other,
  );
  const lines = [...measured].map(([name, points]) => {
    const { words, unit, power } = MEASURES[name];
    const values = new Map(points);
    const cells = counts.map(count => (values.has(count) ? threeDigits(values.get(count)!) : ''));
    return [`${words}, ${unit}`, ...cells, ...powerCells(points, power, unit)];
  });
  const head = [DIMENSIONS[dimension], ...counts.map(count => count.toLocaleString('en-US')), 'power', 'should be', ''];
  const file = `scaling-${dimension}.svg`;
  const plotted = [...measured].map(([name, points]) => {
    const { words, unit } = MEASURES[name];
    return { name: `${words}, ${unit}`, points };
  });
  const [x, y] = [{ label: DIMENSIONS[dimension] }, { label: 'as each line says' }];
  return {
    title,
    paragraphs: [markdownTable(head, lines)],
    plots: [{ file, plot: { title, x, y, lines: plotted } }],
  };
}

function powerCells(points: readonly Point[], should: number, unit: string): string[] {
  const power = powerOf(points);
  if (power === null) return ['', String(should), ''];
  // For a rate, more is better.
  const isWorse = unit.endsWith('/s') ? power < should - TOLERANCE : power > should + TOLERANCE;
  return [power.toFixed(2), String(should), isWorse ? '**worse**' : ''];
}

/** Returns the slope of the best straight line through the points on logarithmic axes. Returns null for fewer than two points. */
export function powerOf(points: readonly Point[]): number | null {
  const logs = points
    .filter(([count, value]) => count > 0 && value > 0)
    .map(([x, y]) => [Math.log(x), Math.log(y)] as const);
  const mean = (at: 0 | 1) => logs.reduce((sum, point) => sum + point[at], 0) / logs.length;
  const [meanX, meanY] = [mean(0), mean(1)];
  const spread = logs.reduce((sum, [x]) => sum + (x - meanX) ** 2, 0);
  if (!(spread > 0)) return null;
  return logs.reduce((sum, [x, y]) => sum + (x - meanX) * (y - meanY), 0) / spread;
}

function pointsOf(rows: readonly BenchRow[]): ReadonlyMap<MeasureName, readonly Point[]> {
  const found = new Map<MeasureName, Point[]>();
  for (const { name, value } of rows) {
    const [, measure = '', count] = ROW.exec(name) ?? [];
    if (!isMeasure(measure)) continue;
    const points = found.get(measure) ?? [];
    points.push([Number(count), value]);
    found.set(measure, points);
  }
  return found;
}

function isMeasure(name: string): name is MeasureName {
  return Object.hasOwn(MEASURES, name);
}
