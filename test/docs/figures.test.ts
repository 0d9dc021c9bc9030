// The figures at the head of docs/PERFORMANCE.md are rows of bench/RESULTS.md as they stand there, thousands set apart as everywhere in the documents.

import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { figuresOf, withFigures } from '../support/make-figures.ts';

const read = (path: string): string => readFileSync(path, 'utf8');

it('the figures of docs/PERFORMANCE.md are those of the last full run; if not: npm run make:figures', () => {
  const page = read('docs/PERFORMANCE.md');
  expect(withFigures(page, read('bench/RESULTS.md'))).toBe(page);
});

it('a row is quoted whole, and one that was not measured is left out', () => {
  const results =
    '- machine: M\n- runtime: N\n\n| book/apply | 25.9 | M/s | 2 % | 3.05× | a float book |\n| start/1m-orders | 1,368 | ms | 2 % |  |  |\n| other | 1 | x |  |  |  |\n';
  expect(figuresOf(results).split('\n').slice(4)).toEqual([
    '| deltas applied to 1 000 books | 25.9 M/s | 3.05× a float book | `book/apply` |',
    '| a start with a million orders in the store | 1 368 ms |  | `start/1m-orders` |',
    '',
  ]);
  expect(figuresOf(results)).toContain('Measured on M; N.');
});
