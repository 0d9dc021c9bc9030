// The measures of growing cost, and how each should grow. Rows are `scaling/NAME@COUNT` of several suites. The runner makes tables and plots of
// these rows.

import { type BenchRow, row } from './harness.ts';

export type Dimension = 'books' | 'subscribers' | 'orders' | 'workers';

export interface Measure {
  readonly dimension: Dimension;
  readonly words: string;
  readonly unit: string;
  /** The expected power of the count: 0 for the cost of one item, and 1 for the cost of all items. */
  readonly power: 0 | 1;
}

export const MEASURES = {
  'books-change': { dimension: 'books', words: 'a change: book and tape', unit: 'ns', power: 0 },
  'books-frame': { dimension: 'books', words: 'a frame of venue B, bytes to book and tape', unit: 'ns', power: 0 },
  'books-read': { dimension: 'books', words: 'ten best levels of a book, read', unit: 'ns', power: 0 },
  'books-memory': { dimension: 'books', words: 'memory of all', unit: 'MB', power: 1 },
  'subscribers-cpu': { dimension: 'subscribers', words: 'processor time of a delta to all', unit: 'µs', power: 1 },
  'subscribers-p50': { dimension: 'subscribers', words: 'delta to subscriber, p50', unit: 'µs', power: 1 },
  'subscribers-p99': { dimension: 'subscribers', words: 'delta to subscriber, p99', unit: 'µs', power: 1 },
  'orders-intent': { dimension: 'orders', words: 'an intent recorded', unit: 'µs', power: 0 },
  'orders-page': { dimension: 'orders', words: 'a page of 100', unit: 'µs', power: 0 },
  'orders-open': { dimension: 'orders', words: 'the history opened and loaded', unit: 'ms', power: 1 },
  'orders-disk': { dimension: 'orders', words: 'the history on disk', unit: 'MB', power: 1 },
  'workers-rate': { dimension: 'workers', words: 'new orders', unit: 'orders/s', power: 1 },
} as const satisfies Readonly<Record<string, Measure>>;

export type MeasureName = keyof typeof MEASURES;

export function scalingRow(name: MeasureName, count: number, value: number): BenchRow {
  return row(`scaling/${name}@${count}`, value, MEASURES[name].unit);
}
