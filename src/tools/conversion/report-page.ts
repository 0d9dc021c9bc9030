// A trade report as a page that needs no network, and as CSV. Pure.

import { formatMicroDollars, type MicroDollars } from '../../core/domain/numbers.ts';
import { csvLine } from './csv.ts';
import { HORIZONS_S, type MarketResult } from './reported-market.ts';
import type { Point, TradeReport } from './trade-report.ts';

const [WIDTH, HEIGHT, MARGIN] = [900, 220, 60];
const STYLE = `body{font:14px system-ui,sans-serif;max-width:960px;margin:2em auto;padding:0 1em;color:#222}table{border-collapse:collapse;width:100%}
td,th{padding:.3em .6em;text-align:right;border-bottom:1px solid #ddd}td:first-child,th:first-child{text-align:left}svg{width:100%}`;

type Cell = string | number;

export interface ReportTable {
  readonly head: readonly string[];
  readonly rows: readonly (readonly Cell[])[];
}

const HEAD = [
  ...[
    'market',
    'orders',
    'fills',
    'fill ratio %',
    'bought',
    'sold',
    'held',
    'realized',
    'unrealized',
    'fees',
    'profit',
    'paid out',
  ],
  'time at the best price %',
  'queue',
  ...HORIZONS_S.map(s => `against after ${s} s`),
];

const REFUSAL_HEAD = ['reason', 'orders'];
const GAP_HEAD = ['time', 'market', 'why', 'seconds', 'open orders'];

function cells(result: MarketResult): Cell[] {
  const { market, orders, fills, ordered, filled, bought, sold, held, realized, unrealized, fees, paidOut, queue } =
    result;
  return [
    ...[market, orders, fills, share(filled, ordered)],
    ...[bought, sold, held, realized, unrealized, fees, realized + unrealized - fees, paidOut].map(amount),
    share(result.bestMs, result.restedMs),
    queue.shares === 0 ? '' : amount(queue.sum / queue.shares),
    // Ticks are shown as cents.
    ...result.against.map(({ sum, shares }) => (shares === 0 ? '' : Math.round(sum / shares) / 100)),
  ];
}

/** Sums the results of several markets into one. */
function sumOf(market: string, results: readonly MarketResult[]): MarketResult {
  const sum = (of: (it: MarketResult) => number): number => results.reduce((total, it) => total + of(it), 0);
  return {
    market,
    orders: sum(it => it.orders),
    fills: sum(it => it.fills),
    ordered: sum(it => it.ordered),
    filled: sum(it => it.filled),
    bought: sum(it => it.bought),
    sold: sum(it => it.sold),
    held: sum(it => Math.abs(it.held)),
    realized: sum(it => it.realized),
    unrealized: sum(it => it.unrealized),
    fees: sum(it => it.fees),
    paidOut: sum(it => it.paidOut),
    queue: { sum: sum(it => it.queue.sum), shares: sum(it => it.queue.shares) },
    restedMs: sum(it => it.restedMs),
    bestMs: sum(it => it.bestMs),
    against: HORIZONS_S.map((_, index) => ({
      sum: sum(it => it.against[index]!.sum),
      shares: sum(it => it.against[index]!.shares),
    })),
  };
}

function resultRows({ markets }: TradeReport): Cell[][] {
  const byVenue = [...Map.groupBy(markets, ({ market }) => market.split(' ')[0]!)];
  const venues = byVenue.map(([venue, results]) => sumOf(`all of ${venue}`, results));
  return [...markets, ...venues, sumOf('all', markets)].map(cells);
}

/** Returns the page, and its tables by name. */
export function reportOf(report: TradeReport, title: string, facts: readonly string[]) {
  const { points, gaps, refusals } = report;
  const pointHead = ['time', 'profit', 'realized', 'fees', 'held'];
  const pointRows = points.map(({ at, profit, realized, fees, held }) => [
    time(at),
    ...[profit, realized, fees, held].map(amount),
  ]);
  const gapRows = gaps.map(({ at, market, why, ms, open }): Cell[] => [time(at), market, why, ms / 1_000, open]);
  const hiding = gapRows.filter(row => row.at(-1) !== 0);
  const refused = [...refusals].toSorted(([, one], [, other]) => other - one);
  const held = points.map(it => ({ ...it, profit: it.held }));
  const page = [
    `<!doctype html><html lang="en"><meta charset="utf-8"><title>${escaped(title)}</title><style>${STYLE}</style>`,
    `<h1>${escaped(title)}</h1>`,
    ...facts.map(fact => `<p>${escaped(fact)}</p>`),
    `<p>Largest drawdown: ${amount(report.drawdown)} dollars.</p>`,
    `<h2>Profit over time, in dollars</h2>${plot(points)}<h2>Shares held over time, in all markets</h2>${plot(held)}`,
    `<h2>Markets</h2>${htmlTable(HEAD, resultRows(report))}`,
    '<p>Sizes are in shares of YES, money in dollars. Held shares are valued at the middle of the last known book. <i>Against</i> is how far the',
    'middle moved against the fills, in cents a share: above zero, somebody knew better. <i>Queue</i> is how many shares were displayed at the price of a',
    'resting order when it came, for each share that it filled. <i>Paid out</i> is what payouts and redemptions have paid, which is in <i>realized</i>.</p>',
    `<h2>Refused orders</h2>${htmlTable(REFUSAL_HEAD, refused)}`,
    `<h2>Gaps of the recording while orders were open</h2>${htmlTable(GAP_HEAD, hiding)}`,
    `<p>What happened in a gap is not known: trades then may have filled these orders. ${gaps.length - hiding.length} more gaps met no open order.</p></html>`,
  ];
  return {
    page: `${page.join('\n')}\n`,
    tables: {
      markets: { head: HEAD, rows: resultRows(report) },
      profit: { head: pointHead, rows: pointRows },
      refusals: { head: REFUSAL_HEAD, rows: refused },
      gaps: { head: GAP_HEAD, rows: gapRows },
    },
  };
}

function plot(points: readonly Point[]): string {
  const [first, last] = [points[0]?.at ?? 0, points.at(-1)?.at ?? 0];
  const values = points.map(({ profit }) => profit);
  const [low, high] = [Math.min(0, ...values), Math.max(0, ...values)];
  const x = (at: number): number => MARGIN + Math.round(((WIDTH - MARGIN) * (at - first)) / Math.max(1, last - first));
  const y = (value: number): number =>
    HEIGHT - MARGIN / 3 - ((HEIGHT - MARGIN) * (value - low)) / Math.max(1, high - low);
  const line = points.map(({ at, profit }) => `${x(at)},${y(profit)}`).join(' ');
  const mark = (value: number): string =>
    `<text x="0" y="${y(value)}">${amount(value)}</text><path d="M${MARGIN} ${y(value)}H${WIDTH}" stroke="#ccc"/>`;
  const marks = [...new Set([low, 0, high])].map(mark).join('');
  const ends = `<text x="${MARGIN}" y="${HEIGHT}">${time(first)}</text><text x="${WIDTH}" y="${HEIGHT}" text-anchor="end">${time(last)}</text>`;
  const path = `<polyline points="${line}" fill="none" stroke="#0072b2" stroke-width="1.5"/>`;
  return `<svg viewBox="0 0 ${WIDTH} ${HEIGHT + 4}" font-size="11">${marks}${path}${ends}</svg>`;
}

function htmlTable(head: readonly string[], rows: readonly (readonly Cell[])[]): string {
  if (rows.length === 0) return '<p>none</p>';
  const line = (cell: 'th' | 'td', row: readonly Cell[]): string =>
    `<tr>${row.map(it => `<${cell}>${escaped(String(it))}</${cell}>`).join('')}</tr>`;
  return `<table>${line('th', head)}${rows.map(row => line('td', row)).join('')}</table>`;
}

export function csvOf({ head, rows }: ReportTable): string {
  return [head, ...rows].map(row => `${csvLine(row)}\n`).join('');
}

/** A part of a whole, in percent. */
function share(part: number, whole: number): Cell {
  return whole === 0 ? '' : Math.round((1_000 * part) / whole) / 10;
}

function amount(value: number): string {
  return formatMicroDollars(Math.round(value) as MicroDollars);
}

function time(at: number): string {
  return new Date(at).toISOString();
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}
