// Renders metrics in Prometheus' text format 0.0.4. The series of an operation or of a venue's request appear with their first count, since
// most installations never call most operations. Faults of an operation appear from the start, because a rate misses the first count of a
// new series.

import {
  COUNTERS,
  type Family,
  FEED_COUNTERS,
  GAUGES,
  type GaugeName,
  HISTOGRAMS,
  STREAM_COUNTERS,
} from './metric-table.ts';
import { bucketOf, type Metrics, type Series } from './metrics.ts';

const PREFIX = 'crossbook_';

/** The bounds in seconds. Each bound is a bucket's end, so the counts are exact. */
const LE_SECONDS = [
  0.000025, 0.00005, 0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10,
  60,
];
const LE_BUCKETS = LE_SECONDS.map(seconds => bucketOf(Math.round(seconds * 1_000_000)));

/** Returns the text of the whole page. */
export function prometheusText(metrics: Metrics): string {
  const { feed = {}, stream = {} } = metrics.venueReaders ?? {};
  const lines = [...venueLines('feed', FEED_COUNTERS, feed), ...venueLines('stream', STREAM_COUNTERS, stream)];
  for (const [name, series] of metrics.counters) {
    const shown = series.filter(it => isShown(COUNTERS[name], it, metrics.read(it.slot)));
    if (shown.length > 0) lines.push(...heading(name, COUNTERS[name], 'counter'));
    for (const it of shown)
      lines.push(`${PREFIX}${name}${braces(labelsOf(COUNTERS[name], it.values))} ${metrics.read(it.slot)}`);
  }
  for (const name of Object.keys(GAUGES) as GaugeName[]) {
    const rows = metrics.rowsOf(name);
    const type = name.endsWith('_total') ? 'counter' : 'gauge';
    if (rows.length > 0) lines.push(...heading(name, GAUGES[name], type));
    for (const { values, value } of rows)
      lines.push(`${fullName(name)}${braces(labelsOf(GAUGES[name], values))} ${value}`);
  }
  for (const [name, series] of metrics.histograms) {
    const rows = series.flatMap(it => histogramLines(metrics, name, HISTOGRAMS[name], it));
    if (rows.length > 0) lines.push(...heading(name, HISTOGRAMS[name], 'histogram'), ...rows);
  }
  return `${lines.join('\n')}\n`;
}

function venueLines<Name extends string>(
  kind: 'feed' | 'stream',
  helps: Readonly<Record<Name, string>>,
  readers: Readonly<Record<string, (name: Name) => number>>,
): string[] {
  if (Object.keys(readers).length === 0) return [];
  return (Object.keys(helps) as Name[]).flatMap(name => {
    const metric = `${kind}_${name.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`)}_total`;
    const rows = Object.entries(readers).map(
      ([venue, read]) => `${PREFIX}${metric}${braces([`venue="${venue}"`])} ${read(name)}`,
    );
    return [...heading(metric, { help: helps[name] }, 'counter'), ...rows];
  });
}

function histogramLines(metrics: Metrics, name: string, family: Family, series: Series): string[] {
  const { counts, count, sumUs } = metrics.reading(series.slot);
  if (!isShown(family, series, count)) return [];
  const labels = labelsOf(family, series.values);
  const lines: string[] = [];
  let below = 0;
  let bucket = 0;
  for (const [index, bound] of LE_SECONDS.entries()) {
    for (; bucket <= LE_BUCKETS[index]!; bucket++) below += counts[bucket]!;
    lines.push(`${PREFIX}${name}_bucket${braces([...labels, `le="${bound}"`])} ${below}`);
  }
  lines.push(`${PREFIX}${name}_bucket${braces([...labels, 'le="+Inf"'])} ${count}`);
  lines.push(`${PREFIX}${name}_sum${braces(labels)} ${sumUs / 1_000_000}`);
  lines.push(`${PREFIX}${name}_count${braces(labels)} ${count}`);
  return lines;
}

function isShown({ labels }: Family, { values }: Series, count: number): boolean {
  const isFirstShownWhenUsed = labels.includes('operation') || labels.includes('request');
  return count > 0 || !isFirstShownWhenUsed || values.includes('5xx');
}

function fullName(name: string): string {
  return name.startsWith('process_') ? name : `${PREFIX}${name}`;
}

/** Returns the header lines of a family. */
function heading(name: string, { help }: Pick<Family, 'help'>, type: 'counter' | 'gauge' | 'histogram'): string[] {
  return [`# HELP ${fullName(name)} ${help}`, `# TYPE ${fullName(name)} ${type}`];
}

function labelsOf(family: { readonly labels: readonly string[] }, values: readonly string[]): string[] {
  return family.labels.map((label, index) => `${label}="${values[index]}"`);
}

function braces(labels: readonly string[]): string {
  return labels.length === 0 ? '' : `{${labels.join(',')}}`;
}
