// Benchmarks run at toy size and return readable rows. The test looks at no figure. `.ci/run` starts every suite so; that takes as long as
// a fifth of the tests. The runner refuses unreadable rows of any suite.

import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { alternate, median, percentile } from '../../bench/harness.ts';
import { problemsOf, summarise, textTable } from '../../bench/report.ts';

const folder = mkdtempSync(join(tmpdir(), 'crossbook-bench-'));
afterAll(() => rmSync(folder, { recursive: true }));

describe('npm run bench -- --smoke', () => {
  it('writes well-formed rows', () => {
    const file = join(folder, 'rows.json');
    const parameters = ['bench/run.ts', '--smoke', '--only', 'book/', '--json', file];
    const printed = execFileSync(process.execPath, parameters, { encoding: 'utf8' });
    const rows = JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>[];
    for (const row of rows) {
      expect(Object.keys(row)).toEqual(['name', 'value', 'unit', 'baseline', 'ratio']);
      expect(row.name).toMatch(/^[a-z]+\/[\w+@-]+( [\w -]+)?$/);
      expect(row.value).toBeTypeOf('number');
      expect(row.unit).not.toBe('');
      expect(row.ratio === null).toBe(row.baseline === '');
      expect(printed).toContain(`${row.name} `);
    }
    const names = rows.map(row => row.name);
    expect(new Set(names).size).toBe(names.length);
    expect(names).toEqual(expect.arrayContaining(['book/apply', 'book/apply+tape', 'book/read-top10']));
    expect(printed).toMatch(/^machine: .*, \d+ cores/m);
    expect(printed).toContain(`Node ${process.versions.node}`);
  });

  it('runs only what is asked for', () => {
    const printed = execFileSync(process.execPath, ['bench/run.ts', '--smoke', '--only', 'memory/'], {
      encoding: 'utf8',
    });
    expect(printed.match(/^[a-z]+\/\S+/gm)).toEqual(['memory/books', 'memory/books-baseline']);
  });
});

describe('the harness', () => {
  it('does each work in turns, as many times as it reports', () => {
    const counts = [0, 0];
    const works = counts.map((_, index) => (times: number) => {
      for (let done = 0; done < times; done++) counts[index] = counts[index]! + 1;
      return times;
    });
    const samples = alternate(works, { smoke: true });
    expect(samples.map(rounds => rounds.length)).toEqual([3, 3]);
    expect(Math.min(...counts)).toBeGreaterThan(0);
  });

  it('takes medians and nearest ranks', () => {
    expect(median([3, 1, 2])).toBe(2);
    expect(percentile([4, 1, 3, 2], 0.99)).toBe(4);
    expect(percentile([], 0.5)).toBeNaN();
  });
});

describe('the report', () => {
  const row = (value: number, ratio: number) => ({ name: 'a/b', value, unit: 'ns', baseline: 'c', ratio });

  it('has the medians of the runs and their spread', () => {
    const [figure] = summarise([[row(10, 2)], [row(12, 3)], [row(11, 4)]]);
    expect(figure).toMatchObject({ value: 11, ratio: 3 });
    expect(figure!.spreadPercent).toBeCloseTo(18.18, 1);
  });

  it('has the spread of the rounds, where there was one run', () => {
    const [figure] = summarise([[{ ...row(10, 2), rounds: [9, 10, 11] }]]);
    expect(figure!.spreadPercent).toBeCloseTo(20, 1);
    expect(summarise([[row(10, 2)]])[0]!.spreadPercent).toBeNull();
  });

  it.each([
    [[row(1, 2)], []],
    [[{ ...row(1, 2), name: 'a' }], ['a: is not named area/what']],
    [[row(1, 2), row(1, 2)], ['a/b: is there twice']],
    [[row(Number.NaN, 2)], ['a/b: has no value']],
    [[{ ...row(1, 2), unit: '' }], ['a/b: has no unit']],
    [[{ ...row(1, 2), ratio: null }], ['a/b: a ratio and what it is to go together']],
    [[{ ...row(1, 2), baseline: '' }], ['a/b: a ratio and what it is to go together']],
  ])('of %j finds %j', (rows, problems) => {
    expect(problemsOf(rows)).toEqual(problems);
  });

  it('aligns its columns', () => {
    const [head, line] = textTable(summarise([[row(1_234.5, 2)]])).split('\n');
    expect(head).toMatch(/^name +value +unit +spread +ratio +baseline$/);
    expect(line).toMatch(/^a\/b +1,235 +ns +2\.00× +c$/);
  });
});
