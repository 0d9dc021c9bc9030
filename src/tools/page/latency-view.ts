// Shows the latency by stage: the median and the 99th percentile over time, and the distribution of all durations since the page was
// opened. Browser.

import type { PodLatency } from '../../core/generated/api-types.ts';
import { AXIS, type ChartOptions, charted } from './chart.ts';
import type { Desk } from './desk.ts';
import type { LatencyHistory } from './latency-history.ts';
import { AgeView } from './silence-view.ts';
import { html, type PlotData } from './view.ts';

const STAGES: Readonly<Record<PodLatency['stage'], string>> = {
  submit: 'submit, from request to answer',
  cancel: 'cancel, from request to answer',
  signature: 'check of a signature',
  venue_a: 'venue A, from order to answer',
  venue_b: 'venue B, from order to answer',
  main_loop: 'lag of the main thread',
  engine_loop: 'lag of the engine',
};

export function LatencyView({ desk }: { readonly desk: Desk }) {
  const { latency } = desk;
  const stages = Object.entries(STAGES) as [PodLatency['stage'], string][];
  return html`<section class="latency" data-tab="pod" aria-label="latency">
    <h2>Latency <select aria-label="stage" onChange=${(event: Event) =>
      latency.choose((event.currentTarget as HTMLSelectElement).value as PodLatency['stage'])}>
      ${stages.map(([stage, words]) => html`<option key=${stage} value=${stage}>${words}</option>`)}
    </select><${AgeView} desk=${desk} /></h2>
    <div class="plots">
      <div class="chart" ref=${charted(overTime, () => timeData(latency))} />
      <div class="chart" ref=${charted(distribution, () => distributionData(latency))} />
    </div>
  </section>`;
}

function timeData({ points }: LatencyHistory): PlotData {
  const shown = points.value;
  return [shown.map(({ atS }) => atS), shown.map(({ p50 }) => p50), shown.map(({ p99 }) => p99)];
}

function distributionData({ counted }: LatencyHistory): PlotData {
  const shown = counted.value.filter(({ endUs }) => endUs !== null);
  return [shown.map(({ endUs }) => (endUs ?? 0) / 1_000), shown.map(({ count }) => count)];
}

const overTime: ChartOptions = {
  title: 'milliseconds, each second',
  axes: [AXIS, { ...AXIS, size: 56 }],
  series: [{}, { label: 'p50', stroke: '#30a46c', width: 1.5 }, { label: 'p99', stroke: '#e5484d', width: 1.5 }],
};

const distribution: ChartOptions = {
  title: 'how many, by milliseconds',
  scales: { x: { time: false, distr: 3 } },
  axes: [AXIS, { ...AXIS, size: 56 }],
  series: [{ label: 'ms' }, { label: 'count', fill: '#3e8ed060', stroke: '#3e8ed0', width: 1.5 }],
};
