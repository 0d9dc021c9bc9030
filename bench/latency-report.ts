// Formats the rows of orders under load: a table for each rate, and a plot. Benchmark runner.

import type { BenchRow } from './harness.ts';
import { markdownTable, type Section, threeDigits, valueText } from './report.ts';
import type { Line, Plot } from './svg-plot.ts';

/** The form of the rows' names: `order/under-load@RATE WHAT PERCENTILE`. */
const ROW = /^order\/under-load@(\d+) (.+) (p[\d.]+|max)$/;
const PERCENTILES = ['p50', 'p90', 'p99', 'p99.9', 'max'] as const;
type Percentile = (typeof PERCENTILES)[number];
/** The positions in the plot: one order in this many is slower. The maximum has its own position. */
const ONE_OF: Readonly<Record<Percentile, number>> = { p50: 2, p90: 10, p99: 100, 'p99.9': 1_000, max: 10_000 };
const MARKS = PERCENTILES.map(text => ({ at: ONE_OF[text], text }));

const WORDS = `Microseconds, from the moment when an order was due. \`added\` is the distribution through the gateway less that of the same orders
straight to the venue (\`direct\`), percentile by percentile. The stages are what the gateway says of its own time; \`outside\` is the rest of
the way, sockets and callers. \`book\` is from a change of a book to its ten subscribers.`;

interface Distribution {
  readonly perSecond: number;
  readonly what: string;
  readonly us: ReadonlyMap<string, number>;
}

/** Returns null if no such rows exist. */
export function latencySection(rows: readonly BenchRow[]): Section | null {
  const distributions = distributionsOf(rows);
  if (distributions.length === 0) return null;
  const lines = distributions.map(({ perSecond, what, us }) => {
    const cells = PERCENTILES.map(percentile => us.get(percentile)).map(it =>
      it === undefined ? '' : threeDigits(it),
    );
    return [perSecond.toLocaleString('en-US'), what, ...cells];
  });
  return {
    title: 'Orders under load',
    paragraphs: [WORDS, markdownTable(['orders/s', 'what', ...PERCENTILES], lines), ...heldLines(rows)],
    plots: [{ file: 'latency.svg', plot: plotOf(distributions) }],
  };
}

function distributionsOf(rows: readonly BenchRow[]): Distribution[] {
  const found = new Map<string, { perSecond: number; what: string; us: Map<string, number> }>();
  for (const { name, value } of rows) {
    const [, perSecond, what = '', percentile = ''] = ROW.exec(name) ?? [];
    if (perSecond === undefined) continue;
    const key = `${perSecond} ${what}`;
    const distribution = found.get(key) ?? { perSecond: Number(perSecond), what, us: new Map() };
    distribution.us.set(percentile, value);
    found.set(key, distribution);
  }
  return [...found.values()];
}

/** Returns the plot, which leaves out the stages. Only the table shows them. */
function plotOf(distributions: readonly Distribution[]): Plot {
  const lines = ['added', 'direct'].flatMap(kind =>
    distributions
      .filter(({ what }) => what === kind)
      .map(({ perSecond, us }): Line => {
        const words = kind === 'added' ? 'added by the gateway' : 'the venue alone';
        return {
          name: `${words}, ${perSecond.toLocaleString('en-US')}/s`,
          points: PERCENTILES.flatMap(percentile => {
            const value = us.get(percentile);
            return value === undefined ? [] : [[ONE_OF[percentile], value] as const];
          }),
          isDashed: kind === 'direct',
        };
      }),
  );
  const x = { label: 'percentile of orders', marks: MARKS };
  return { title: 'Time of an order under load', x, y: { label: 'microseconds' }, lines };
}

function heldLines(rows: readonly BenchRow[]): string[] {
  const held = rows.find(({ name }) => name === 'order/under-load held');
  return held === undefined ? [] : [`Highest rate held with a p99 below 5 ms: ${valueText(held)} orders/s.`];
}
