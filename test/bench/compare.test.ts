// Comparison of two benchmark runs: what has changed, and what is worse.

import { describe, expect, it } from 'vitest';
import { changesTable, compareRows, readRows } from '../../bench/compare.ts';
import type { BenchRow } from '../../bench/harness.ts';

const row = (name: string, value: number, unit: string, ratio: number | null = null): BenchRow => ({
  name,
  value,
  unit,
  baseline: ratio === null ? '' : 'another',
  ratio,
});
const changeOf = (old: BenchRow, now: BenchRow) => compareRows([old], [now]).rows[0];

describe('a row of two runs', () => {
  it.each([
    ['a time that grows is worse', row('a/b', 10, 'µs'), row('a/b', 15, 'µs'), 1.5, 50],
    ['a time that shrinks is better', row('a/b', 10, 'µs'), row('a/b', 5, 'µs'), 0.5, -50],
    ['a rate that grows is better', row('a/b', 10, 'orders/s'), row('a/b', 20, 'orders/s'), 0.5, 100],
    ['a rate that shrinks is worse', row('a/b', 10, 'M/s'), row('a/b', 5, 'M/s'), 2, -50],
    ['nothing and nothing are the same', row('a/b', 0, 'deliveries'), row('a/b', 0, 'deliveries'), 1, 0],
    ['something lost where nothing was', row('a/b', 0, 'deliveries'), row('a/b', 3, 'deliveries'), Infinity, Infinity],
  ])('%s', (_words, old, now, worse, percent) => {
    expect(changeOf(old, now)).toMatchObject({ worse, percent, ratioPercent: null });
  });

  it('is judged by its ratio, if it has one: the machine may be slower today', () => {
    expect(changeOf(row('a/b', 10, 'µs', 2), row('a/b', 20, 'µs', 4))).toMatchObject({
      worse: 0.5,
      percent: 100,
      ratioPercent: 100,
    });
  });

  it('is judged by its value, if its ratio is new', () => {
    expect(changeOf(row('a/b', 10, 'µs'), row('a/b', 20, 'µs', 4))).toMatchObject({ worse: 2, ratioPercent: null });
  });
});

describe('two runs', () => {
  const old = [row('a/same', 1, 'µs'), row('a/worse', 1, 'µs'), row('a/gone', 1, 'µs'), row('a/unit', 1, 'µs')];
  const now = [row('a/same', 1, 'µs'), row('a/worse', 3, 'µs'), row('a/new', 1, 'µs'), row('a/unit', 1, 'ms')];

  it('has the worst first, and says what only one of them has', () => {
    const { rows, gone, added } = compareRows(old, now);
    expect(rows.map(it => it.name)).toEqual(['a/worse', 'a/same']);
    expect({ gone, added }).toEqual({ gone: ['a/gone', 'a/unit'], added: ['a/new', 'a/unit'] });
  });

  it('is a table', () => {
    const [head, worst, , ...only] = changesTable(compareRows(old, now)).split('\n');
    expect(head).toMatch(/^name +old +new +unit +value +ratio +worse$/);
    expect(worst).toMatch(/^a\/worse +1\.00 +3\.00 +µs +\+200 % +3\.00×$/);
    expect(only).toEqual(['no longer there: a/gone', 'no longer there: a/unit', 'new: a/new', 'new: a/unit']);
  });
});

describe('the rows of an earlier run', () => {
  it('are what --json has written', () => {
    const rows = [row('a/b', 1, 'µs'), row('a/c', 2, 'M/s', 3)];
    expect(readRows(JSON.stringify(rows))).toEqual(rows);
  });

  it.each(['{}', '[1]', '[null]', '[{"name":"a/b","value":"1","unit":"µs","ratio":null}]', '[{"name":"a/b"}]'])(
    'are not %s',
    text => {
      expect(() => readRows(text)).toThrow('not a list of {name, value, unit, baseline, ratio}');
    },
  );
});
