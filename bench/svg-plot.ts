// Lines over logarithmic axes as SVG, for bench/plots. A tenfold growth has the same length everywhere, and a straight line is a
// power. Benchmark runner.

export interface Plot {
  readonly title: string;
  readonly x: Axis;
  readonly y: Axis;
  readonly lines: readonly Line[];
}

export interface Axis {
  readonly label: string;
  /** The marks of the axis with their labels. The default is powers of ten. */
  readonly marks?: readonly Mark[];
}

export interface Mark {
  readonly at: number;
  readonly text: string;
}

export interface Line {
  readonly name: string;
  /** Values of zero or less have no place on such an axis and are left out. */
  readonly points: readonly Point[];
  /** Whether the line is dashed, as for a baseline. */
  readonly isDashed?: boolean;
}

export type Point = readonly [x: number, y: number];

const WIDTH = 980;
const HEIGHT = 460;
/** The margins. The lines' names are to the right. */
const LEFT = 80;
const RIGHT = 370;
const TOP = 48;
const BOTTOM = 60;
const LEGEND_STEP = 22;
/** Most people with colour blindness can distinguish these. */
const COLOURS = ['#0072b2', '#d55e00', '#009e73', '#cc79a7', '#e69f00', '#56b4e9', '#000000'];

export function plotSvg({ title, x, y, lines }: Plot): string {
  const shown = lines.map(line => ({ ...line, points: line.points.filter(([a, b]) => a > 0 && b > 0) }));
  const points = shown.flatMap(it => it.points);
  const across = scaleOf(
    x,
    points.map(([value]) => value),
    LEFT,
    WIDTH - RIGHT,
  );
  const up = scaleOf(
    y,
    points.map(([, value]) => value),
    HEIGHT - BOTTOM,
    TOP,
  );
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" font-family="sans-serif" font-size="13">`,
    `<title>${escaped(title)}</title>`,
    `<rect width="${WIDTH}" height="${HEIGHT}" fill="#ffffff"/>`,
    text(LEFT, 26, title, 'font-size="16" font-weight="bold"'),
    ...across.marks.map(({ at, text: words }) => {
      const place = round(across.place(at));
      const line = `<line x1="${place}" y1="${TOP}" x2="${place}" y2="${HEIGHT - BOTTOM}" stroke="#dddddd"/>`;
      return `${line}${text(place, HEIGHT - BOTTOM + 20, words, 'text-anchor="middle"')}`;
    }),
    ...up.marks.map(({ at, text: words }) => {
      const place = round(up.place(at));
      const line = `<line x1="${LEFT}" y1="${place}" x2="${WIDTH - RIGHT}" y2="${place}" stroke="#dddddd"/>`;
      return `${line}${text(LEFT - 8, place + 4, words, 'text-anchor="end"')}`;
    }),
    text((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 16, x.label, 'text-anchor="middle"'),
    text(0, 0, y.label, `text-anchor="middle" transform="translate(20 ${(TOP + HEIGHT - BOTTOM) / 2}) rotate(-90)"`),
    ...shown.map((line, index) => lineSvg(line, index, across, up)),
    '</svg>',
    '',
  ].join('\n');
}

interface Scale {
  readonly marks: readonly Mark[];
  place(value: number): number;
}

/** Maps values to pixels from the first to the last mark, which enclose all values. */
function scaleOf({ marks }: Axis, values: readonly number[], from: number, to: number): Scale {
  const chosen = marks ?? powersOfTen(values);
  const all = [...values, ...chosen.map(({ at }) => at)].map(Math.log10);
  const [least, most] = [Math.min(...all), Math.max(...all)];
  const width = most - least || 1;
  return { marks: chosen, place: value => from + ((Math.log10(value) - least) / width) * (to - from) };
}

/** Returns the powers that are needed to enclose all values. */
function powersOfTen(values: readonly number[]): Mark[] {
  if (values.length === 0) return [];
  const first = Math.floor(Math.log10(Math.min(...values)));
  const last = Math.max(first + 1, Math.ceil(Math.log10(Math.max(...values))));
  return Array.from({ length: last - first + 1 }, (_, index) => {
    const at = 10 ** (first + index);
    return { at, text: at < 1 ? String(at) : at.toLocaleString('en-US') };
  });
}

function lineSvg({ name, points, isDashed = false }: Line, index: number, across: Scale, up: Scale): string {
  const colour = COLOURS[index % COLOURS.length]!;
  const places = points.map(([x, y]) => [round(across.place(x)), round(up.place(y))] as const);
  const stroke = `fill="none" stroke="${colour}" stroke-width="2"${isDashed ? ' stroke-dasharray="6 4"' : ''}`;
  const legendY = TOP + 10 + index * LEGEND_STEP;
  const legendX = WIDTH - RIGHT + 16;
  return [
    `<polyline points="${places.map(place => place.join(',')).join(' ')}" ${stroke}/>`,
    ...places.map(([x, y]) => `<circle cx="${x}" cy="${y}" r="3" fill="${colour}"/>`),
    `<line x1="${legendX}" y1="${legendY}" x2="${legendX + 24}" y2="${legendY}" ${stroke}/>`,
    text(legendX + 32, legendY + 4, name),
  ].join('');
}

function text(x: number, y: number, words: string, attributes = ''): string {
  return `<text x="${x}" y="${y}" ${attributes}>${escaped(words)}</text>`;
}

/** Rounds to a tenth of a pixel. */
function round(pixels: number): number {
  return Math.round(10 * pixels) / 10;
}

function escaped(words: string): string {
  return words.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
