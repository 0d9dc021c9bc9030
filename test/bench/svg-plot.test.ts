// Plots of benchmarks are well-formed XML, and their lines follow the figures.

import { describe, expect, it } from 'vitest';
import { type Plot, plotSvg } from '../../bench/svg-plot.ts';
import { xmlProblem } from '../support/well-formed-xml.ts';

const PLOT: Plot = {
  title: 'a & b',
  x: { label: 'books < 20' },
  y: { label: 'µs' },
  lines: [
    {
      name: 'up',
      points: [
        [1, 1],
        [10, 10],
        [100, 100],
      ],
    },
    {
      name: 'flat',
      points: [
        [1, 10],
        [100, 10],
      ],
      isDashed: true,
    },
  ],
};

/** Pixels of each line's points. */
function placesOf(svg: string): number[][][] {
  return [...svg.matchAll(/<polyline points="([^"]*)"/g)].map(([, points = '']) =>
    points
      .split(' ')
      .filter(point => point !== '')
      .map(point => point.split(',').map(Number)),
  );
}

describe('a plot', () => {
  it('is well-formed with any words', () => {
    expect(xmlProblem(plotSvg(PLOT))).toBeNull();
    expect(plotSvg(PLOT)).toContain('a &amp; b');
  });

  it('goes up and to the right by as much for every tenfold', () => {
    const [[first, second, third], [left, right]] = placesOf(plotSvg(PLOT)) as [number[][], number[][]];
    expect(second![0]! - first![0]!).toBeCloseTo(third![0]! - second![0]!, 0);
    expect(first![1]! - second![1]!).toBeCloseTo(second![1]! - third![1]!, 0);
    expect(third![1]).toBeLessThan(first![1]!);
    expect(left![1]).toBe(right![1]);
  });

  it('leaves out what has no logarithm', () => {
    const lines = [
      {
        name: 'x',
        points: [
          [1, 0],
          [10, -1],
          [100, 5],
        ] as const,
      },
    ];
    expect(placesOf(plotSvg({ ...PLOT, lines }))[0]).toHaveLength(1);
  });

  it('has the marks it is given', () => {
    const x = {
      label: 'percentile',
      marks: [
        { at: 1, text: 'p50' },
        { at: 100, text: 'p99' },
      ],
    };
    expect(plotSvg({ ...PLOT, x })).toMatch(/>p50<.*>p99</s);
  });

  it.each([[[]], [[{ name: 'none', points: [] }]], [[{ name: 'one', points: [[5, 5]] as const }]]])(
    'of %j is valid, too',
    lines => {
      expect(xmlProblem(plotSvg({ ...PLOT, lines }))).toBeNull();
      expect(plotSvg({ ...PLOT, lines })).not.toMatch(/NaN|Infinity|undefined/);
    },
  );
});

describe('the judge of XML', () => {
  it.each([
    '<a><b></a></b>',
    '<a>',
    '<a/><b/>',
    '<a b=c/>',
    '<a>&</a>',
    '<a>x < y</a>',
    'x',
    '<a b="1" b="2"/>',
    '<a></a>x',
  ])('turns %s down', text => {
    expect(xmlProblem(text)).not.toBeNull();
  });
});
