// Shows the profit of the day, in dollars and over time. Browser.

import { formatMicroDollars, MICROS_PER_DOLLAR, type MicroDollars } from '../../core/domain/numbers.ts';
import { AXIS, type ChartOptions, charted } from './chart.ts';
import type { DayPnl } from './day-pnl.ts';
import type { Desk } from './desk.ts';
import { AgeView } from './silence-view.ts';
import { dollarsText } from './texts.ts';
import { html, type PlotData } from './view.ts';

const MINUTES_PER_HOUR = 60;
const MINUTES_PER_DAY = 24 * MINUTES_PER_HOUR;

export function PnlView({ desk }: { readonly desk: Desk }) {
  return html`<section class="pnl" data-tab="positions" aria-label="profit of the day">
    <h2>PnL of the day <${SumView} desk=${desk} /><${AgeView} desk=${desk} /></h2>
    <div class="chart" ref=${charted(options, () => dataOf(desk.pnl))} />
  </section>`;
}

function SumView({ desk }: { readonly desk: Desk }) {
  const { points } = desk.pnl.day.value;
  const [first, last] = [points[0], points.at(-1)];
  if (first === undefined || last === undefined) return null;
  const text = dollarsText(formatMicroDollars((last[1] - first[1]) as MicroDollars));
  return html`<b class=${text.startsWith('-') ? 'ask' : 'bid'}>${text}</b> <small>since ${clock(first[0])} UTC, after fees</small>`;
}

function clock(minute: number): string {
  const parts = [Math.floor(minute / MINUTES_PER_HOUR), minute % MINUTES_PER_HOUR];
  return parts.map(it => String(it).padStart(2, '0')).join(':');
}

/** The hours that the plot shows: at least an hour, so that the first minutes do not fill the plot. */
function hoursOf(first: number, last: number): [number, number] {
  const from = Math.min(first, MINUTES_PER_DAY - MINUTES_PER_HOUR);
  return [from, Math.max(last, from + MINUTES_PER_HOUR)];
}

function dataOf({ day }: DayPnl): PlotData {
  const { points } = day.value;
  const first = points[0]?.[1] ?? 0;
  return [points.map(([minute]) => minute), points.map(([, total]) => (total - first) / MICROS_PER_DOLLAR)];
}

const options: ChartOptions = {
  scales: { x: { time: false, range: (_, first, last) => hoursOf(first ?? 0, last ?? 0) } },
  legend: { show: false },
  axes: [
    { ...AXIS, values: (_: unknown, minutes: number[]) => minutes.map(it => (Number.isInteger(it) ? clock(it) : '')) },
    { ...AXIS, size: 64 },
  ],
  series: [{}, { label: 'dollars', stroke: '#3e8ed0', fill: '#3e8ed030', width: 1.5 }],
};
