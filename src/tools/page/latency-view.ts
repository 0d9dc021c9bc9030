// Latency by stage: the median and the 99th percentile over time, and how all durations since the page was opened are distributed. Browser.

import type { PodLatency } from '../../core/generated/api-types.ts';
import type { Desk } from './desk.ts';
import type { LatencyHistory } from './latency-history.ts';
import { AgeView } from './silence-view.ts';
import { effect, html, type Plot, type PlotData, type PlotOptions, plot } from './view.ts';

const STAGES: Readonly<Record<PodLatency['stage'], string>> = {
  submit: 'submit, from request to answer',
  cancel: 'cancel, from request to answer',
  signature: 'check of a signature',
  venue_a: 'venue A, from order to answer',
  venue_b: 'venue B, from order to answer',
  main_loop: 'lag of the main thread',
  engine_loop: 'lag of the engine',
};

const WIDTH = 460;
const HEIGHT = 180;

export function LatencyView({ desk }: { readonly desk: Desk }) {
  const { latency } = desk;
  const stages = Object.entries(STAGES) as [PodLatency['stage'], string][];
  return html`<section class="latency" aria-label="latency">
    <h2>Latency <select aria-label="stage" onChange=${(event: Event) =>
      latency.choose((event.currentTarget as HTMLSelectElement).value as PodLatency['stage'])}>
      ${stages.map(([stage, words]) => html`<option key=${stage} value=${stage}>${words}</option>`)}
    </select><${AgeView} desk=${desk} /></h2>
    <div class="plots">
      <div ref=${mounted(overTime, () => timeData(latency))} />
      <div ref=${mounted(distribution, () => distributionData(latency))} />
    </div>
  </section>`;
}

/** A plot for as long as its element is there; it draws again when the data change. */
function mounted(options: PlotOptions, read: () => PlotData): (element: HTMLElement | null) => void {
  let shown: Plot | null = null;
  let stop = (): void => {};
  return element => {
    stop();
    shown?.destroy();
    shown = null;
    if (element === null) return;
    const drawn = plot(options, read(), element);
    shown = drawn;
    stop = effect(() => drawn.setData(read()));
  };
}

function timeData({ points }: LatencyHistory): PlotData {
  const shown = points.value;
  return [shown.map(({ atS }) => atS), shown.map(({ p50 }) => p50), shown.map(({ p99 }) => p99)];
}

function distributionData({ counted }: LatencyHistory): PlotData {
  const shown = counted.value.filter(({ endUs }) => endUs !== null);
  return [shown.map(({ endUs }) => (endUs ?? 0) / 1_000), shown.map(({ count }) => count)];
}

const AXIS = { stroke: '#8895a3', grid: { stroke: '#8895a330' }, ticks: { stroke: '#8895a330' } };
const SIZE = { width: WIDTH, height: HEIGHT };

const overTime: PlotOptions = {
  ...SIZE,
  title: 'milliseconds, each second',
  axes: [AXIS, { ...AXIS, size: 56 }],
  series: [{}, { label: 'p50', stroke: '#30a46c', width: 1.5 }, { label: 'p99', stroke: '#e5484d', width: 1.5 }],
};

const distribution: PlotOptions = {
  ...SIZE,
  title: 'how many, by milliseconds',
  scales: { x: { time: false, distr: 3 } },
  axes: [AXIS, { ...AXIS, size: 56 }],
  series: [{ label: 'ms' }, { label: 'count', fill: '#3e8ed060', stroke: '#3e8ed0', width: 1.5 }],
};
