// Plots of benchmarks are well-formed XML, and their lines follow the figures.

import { describe, expect, it } from 'vitest';
import { type Plot, plotSvg } from '../../bench/svg-plot.ts';

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

// Whether a text is well-formed XML of the plain kind: elements, attributes and text, no declarations, comments or CDATA.

const TAG = /<(\/?)([A-Za-z][\w-]*)((?:\s+[\w:-]+="[^"<]*")*)\s*(\/?)>/y;
const TEXT = /[^<]+/y;
const LOOSE_AMPERSAND = /&(?!(?:amp|lt|gt|quot|apos|#\d+);)/;

/** The first fault of the XML; null if there is none. */
function xmlProblem(text: string): string | null {
  const open: string[] = [];
  let hasRoot = false;
  for (let at = 0; at < text.length; ) {
    TEXT.lastIndex = at;
    const [words = ''] = TEXT.exec(text) ?? [];
    if (words.trim() !== '' && open.length === 0) return `text outside of the root at ${at}`;
    if (LOOSE_AMPERSAND.test(words)) return `a loose & after ${at}`;
    at += words.length;
    if (at === text.length) break;
    TAG.lastIndex = at;
    const [tag, end, name = '', attributes = '', empty] = TAG.exec(text) ?? [];
    if (tag === undefined) return `no tag at ${at}: ${text.slice(at, at + 40)}`;
    const names = [...attributes.matchAll(/([\w:-]+)="/g)].map(it => it[1]);
    if (new Set(names).size < names.length) return `an attribute twice at ${at}`;
    if (LOOSE_AMPERSAND.test(attributes)) return `a loose & at ${at}`;
    at += tag.length;
    if (end === '/') {
      if (open.pop() !== name) return `</${name}> ends nothing before ${at}`;
      continue;
    }
    if (open.length === 0 && hasRoot) return `a second root before ${at}`;
    hasRoot = true;
    if (empty === '') open.push(name);
  }
  if (open.length > 0) return `<${open.at(-1)}> has no end`;
  return hasRoot ? null : 'no element';
}
