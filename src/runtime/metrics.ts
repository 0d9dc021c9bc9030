// Counters and latency histograms in shared memory: every thread adds to the same block and no count is lost, and the main
// thread reads them for /metrics without asking anybody. Every value is a 64-bit integer changed by one atomic instruction.
// Names and labels are resolved to slots at registration; counting takes a slot. Any thread.

import { BUCKETS, bucketOf } from './histogram.ts';
import {
  COUNTERS,
  type CounterName,
  type Family,
  type GaugeName,
  HISTOGRAMS,
  type HistogramName,
  LABEL_VALUES,
  type LabelValues,
} from './metric-table.ts';

/** What makes a second Metrics, on this or another thread, count in the same block. */
export interface MetricsParts {
  /** Values of the label `operation`. */
  readonly operations: readonly string[];
  readonly memory?: SharedArrayBuffer;
}

/** One row of a family: its values of the labels, and where it is counted. */
export interface Series {
  readonly values: readonly string[];
  readonly slot: number;
}

/** One row of a gauge. */
export interface GaugeRow {
  /** Of its labels, in their order. */
  readonly values: readonly string[];
  readonly value: number;
}

interface HistogramReading {
  /** An element per bucket of histogram.ts. */
  readonly counts: readonly number[];
  readonly count: number;
  readonly sumUs: number;
}

const ONE = 1n;
/** The sum, in nanoseconds, comes after the buckets. */
const HISTOGRAM_SLOTS = BUCKETS + 1;

/** By status: its place among the values of its label. */
const STATUS_PLACES = Array.from({ length: 600 }, (_, status) => {
  const label = LABEL_VALUES.status.find(it => it === String(status)) ?? `${Math.floor(status / 100)}xx`;
  return (LABEL_VALUES.status as readonly string[]).indexOf(label);
});

export class Metrics {
  /** For the constructor of another thread's Metrics. */
  readonly shared: Required<MetricsParts>;
  readonly counters: ReadonlyMap<CounterName, readonly Series[]>;
  readonly histograms: ReadonlyMap<HistogramName, readonly Series[]>;
  readonly #gauges = new Map<GaugeName, () => readonly GaugeRow[]>();
  readonly #values: BigInt64Array;

  constructor({ operations, memory }: MetricsParts) {
    const odd = operations.find(name => !/^\w+$/.test(name));
    if (odd !== undefined) throw new TypeError(`operation ${odd}: must be letters, digits and underscores`);
    const labelValues = { ...LABEL_VALUES, operation: operations };
    let slots = 0;
    const place = <Name extends string>(families: Readonly<Record<Name, Family>>, slotsEach: number) => {
      const placed = new Map<Name, readonly Series[]>();
      for (const name of Object.keys(families) as Name[]) {
        const start = slots;
        const rows = combinations(families[name].labels.map(label => labelValues[label]));
        const series = rows.map((values, row) => ({ values, slot: start + row * slotsEach }));
        placed.set(name, series);
        slots += rows.length * slotsEach;
      }
      return placed;
    };
    this.counters = place(COUNTERS, 1);
    this.histograms = place(HISTOGRAMS, HISTOGRAM_SLOTS);
    this.shared = { operations, memory: memory ?? new SharedArrayBuffer(slots * BigInt64Array.BYTES_PER_ELEMENT) };
    this.#values = new BigInt64Array(this.shared.memory, 0, slots);
  }

  /** The slot of a counter, for `add`. Throws for a label value that is not in the table. */
  counter<N extends CounterName>(name: N, ...values: LabelValues<(typeof COUNTERS)[N]['labels']>): number {
    return slotOf(name, this.counters.get(name)!, values);
  }

  /** The slot of a histogram, for `observe`. Throws for a label value that is not in the table. */
  histogram<N extends HistogramName>(name: N, ...values: LabelValues<(typeof HISTOGRAMS)[N]['labels']>): number {
    return slotOf(name, this.histograms.get(name)!, values);
  }

  /** Says who knows the value of a gauge without labels: on the thread that renders /metrics. */
  gauge(name: GaugeName, read: () => number): void {
    this.gaugeRows(name, () => [{ values: [], value: read() }]);
  }

  /** The same of a gauge that may have labels. */
  gaugeRows(name: GaugeName, read: () => readonly GaugeRow[]): void {
    this.#gauges.set(name, read);
  }

  /** What is to be called with each answer of one operation. */
  answers(operation: string): (status: number, durationUs: number) => void {
    const first = this.counter('http_requests_total', operation, '1xx');
    const durations = this.histogram('http_request_seconds', operation);
    return (status, durationUs) => {
      this.add(first + STATUS_PLACES[status]!);
      this.observe(durations, durationUs);
    };
  }

  add(counter: number, by = 1): void {
    Atomics.add(this.#values, counter, by === 1 ? ONE : BigInt(by));
  }

  observe(histogram: number, durationUs: number): void {
    Atomics.add(this.#values, histogram + bucketOf(durationUs), ONE);
    Atomics.add(this.#values, histogram + BUCKETS, BigInt(Math.round(durationUs * 1_000)));
  }

  count(counter: number): number {
    return Number(Atomics.load(this.#values, counter));
  }

  reading(histogram: number): HistogramReading {
    const counts = Array.from({ length: BUCKETS }, (_, bucket) => this.count(histogram + bucket));
    const count = counts.reduce((sum, it) => sum + it, 0);
    return { counts, count, sumUs: this.count(histogram + BUCKETS) / 1_000 };
  }

  /** None while nobody has said who knows. */
  rowsOf(name: GaugeName): readonly GaugeRow[] {
    return this.#gauges.get(name)?.() ?? [];
  }
}

function slotOf(name: string, series: readonly Series[], values: readonly string[]): number {
  const found = series.find(it => it.values.every((value, index) => value === values[index]));
  if (found === undefined) throw new TypeError(`${name} has no series ${values.join(', ')}`);
  return found.slot;
}

/** Every choice of one value from each list; one empty choice from none. The last list turns fastest. */
function combinations(lists: readonly (readonly string[])[]): string[][] {
  return lists.reduce<string[][]>((rows, list) => rows.flatMap(row => list.map(value => [...row, value])), [[]]);
}
