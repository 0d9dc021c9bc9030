// Puts the figures of bench/RESULTS.md that matter most to a reader into docs/PERFORMANCE.md, between its two markers. Run this after a
// full benchmark (`npm run make:figures`). test/docs/figures.test.ts compares the two files, so that nobody types a figure.

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = join(import.meta.dirname, '../..');
const BEGIN = '<!-- figures: made by npm run make:figures -->\n';
const END = '<!-- end of figures -->\n';

/** The rows by their names in RESULTS.md, in the order of the page. Rows that were not measured are left out. */
const ROWS: readonly (readonly [name: string, what: string])[] = [
  ['order/submit-added venue-b p50', 'time that the gateway adds to an order to venue B, median'],
  ['order/submit-added venue-b p99', 'time that the gateway adds to an order to venue B, 99th percentile'],
  [
    'order/least-added gateway p50',
    'time that the gateway adds to a lone order, in turns with the least gateway, median',
  ],
  ['order/least-throughput gateway', 'orders to venue B over 64 connections, in turns with the least gateway'],
  [
    'order/under-load@1000 added p99',
    'time added to an order at 1 000 a second, beside 2 000 book changes a second, 99th percentile',
  ],
  ['stream/wire-to-wire@2000 p50', 'a book update from the venue’s socket to a subscriber, 2 000 a second, median'],
  ['stream/fanout', 'updates delivered to 100 subscribers, none lost'],
  ['book/apply', 'deltas applied to 1 000 books'],
  ['http/time-signed p50', 'a signed request, median'],
  ['start/1m-orders', 'a start with a million orders in the store'],
];

/** Returns the text between the markers, made from RESULTS.md. */
export function figuresOf(results: string): string {
  const facts = results.match(/^- (machine|runtime): .*$/gm)?.map(line => line.slice(line.indexOf(': ') + 2)) ?? [];
  const rows = new Map(
    [...results.matchAll(/^\| (.+?) \|$/gm)].map(([, cells]) => {
      const [name = '', value = '', unit = '', , ratio = '', baseline = ''] = cells!.split('|').map(it => it.trim());
      return [name, { value, unit, ratio, baseline }] as const;
    }),
  );
  const shown = ROWS.flatMap(([name, what]) => {
    const row = rows.get(name);
    if (row === undefined) return [];
    // A negative baseline says nothing, and is left out.
    const beside = row.ratio === '' || row.ratio.startsWith('-') ? '' : `${row.ratio} ${row.baseline}`;
    // The documents separate thousands by a space.
    const value = row.value.replaceAll(',', ' ');
    return [`| ${what} | ${value} ${row.unit} | ${beside} | \`${name}\` |`];
  });
  return [
    `Measured on ${facts.join('; ')}.`,
    '',
    '| what | figure | ratio to a baseline of the same run (above 1: better than it) | row of `bench/RESULTS.md` |',
    '|---|--:|---|---|',
    ...shown,
    '',
  ].join('\n');
}

/** Returns the page with the figures of `results`. Throws if the page lacks the markers. */
export function withFigures(page: string, results: string): string {
  const [from, to] = [page.indexOf(BEGIN), page.indexOf(END)];
  if (from < 0 || to < from) throw new Error(`docs/PERFORMANCE.md must have ${BEGIN.trim()} and ${END.trim()}`);
  return page.slice(0, from + BEGIN.length) + figuresOf(results) + page.slice(to);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const path = join(ROOT, 'docs/PERFORMANCE.md');
  writeFileSync(path, withFigures(readFileSync(path, 'utf8'), readFileSync(join(ROOT, 'bench/RESULTS.md'), 'utf8')));
}
