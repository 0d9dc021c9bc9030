// How cost grows: the exponent by count, and the tables that state the expected one.

import { describe, expect, it } from 'vitest';
import type { BenchRow } from '../../bench/harness.ts';
import { scalingRow } from '../../bench/scaling-measures.ts';
import { powerOf, scalingSections } from '../../bench/scaling-report.ts';

const COUNTS = [1, 10, 100, 1_000];
const grown = (power: number) => COUNTS.map(count => [count, 3 * count ** power] as const);

describe('the power with which something grows', () => {
  it.each([0, 0.5, 1, 2])('is %d', power => {
    expect(powerOf(grown(power))).toBeCloseTo(power, 10);
  });

  it('is that of the nearest line', () => {
    expect(
      powerOf([
        [1, 1],
        [10, 20],
        [100, 100],
      ]),
    ).toBeCloseTo(1, 10);
  });

  it('leaves out what has no logarithm', () => {
    expect(powerOf([...grown(1), [10_000, 0]])).toBeCloseTo(1, 10);
  });

  it.each([
    [[]],
    [[[1, 1]]],
    [
      [
        [5, 1],
        [5, 2],
      ],
    ],
  ] as const)('is not known of %j', points => {
    expect(powerOf(points)).toBeNull();
  });
});

describe('sections', () => {
  const rowsOf = (power: number): BenchRow[] => [
    ...grown(power).map(([count, value]) => scalingRow('subscribers-cpu', count, value)),
    { ...scalingRow('subscribers-cpu', 1, 1), name: 'other/row@1' },
  ];

  it.each([
    [0.9, ''],
    [1.1, ''],
    [1.3, '**worse**'],
  ])('say of the power %d whether it is worse than it should be', (power, verdict) => {
    const [section, ...others] = scalingSections(rowsOf(power));
    expect(others).toEqual([]);
    const [, , line] = section!.paragraphs[0]!.split('\n');
    expect(line!.split(' | ').slice(-3)).toEqual([power.toFixed(2), '1', `${verdict} |`]);
    expect(section!.plots[0]!.plot.lines[0]!.points).toHaveLength(COUNTS.length);
  });

  it('take a rate that does not grow for worse', () => {
    const rows = [scalingRow('workers-rate', 1, 1_000), scalingRow('workers-rate', 2, 1_100)];
    expect(scalingSections(rows)[0]!.paragraphs[0]).toContain('| 0.14 | 1 | **worse** |');
  });
});
