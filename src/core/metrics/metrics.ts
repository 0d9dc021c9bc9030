// Counters and latency histograms in shared memory. Every thread adds to the same block without losing a count, and the main thread reads
// the block for /metrics without a message. Every value is a 64-bit integer changed by one atomic instruction. Registration resolves names
// and labels to slots; counting takes a slot. Any thread.

import {
  COUNTERS,
  type CounterName,
  type Family,
  type FEED_COUNTERS,
  type GaugeName,
  HISTOGRAMS,
  type HistogramName,
  LABEL_VALUES,
  type LabelValues,
  type STREAM_COUNTERS,
} from './metric-table.ts';

// The buckets of a log-linear histogram. Each decade from 1 us is cut into 36 buckets, as wide as a quarter of the decade's start. So round
// decimal bounds are bucket ends, and a bucket's middle is within 12.5 % of its values. A bucket includes its end, as Prometheus' `le`
// does. Pure arithmetic.

const BUCKETS_PER_UNIT = 4;
/** The number of buckets in a decade: units from 1 to 10, without the first unit, which belongs to the decade before. */
const BUCKETS_PER_DECADE = 9 * BUCKETS_PER_UNIT;

/** The end of the last bucket but one. Longer durations fall into the last bucket. */
export const LONGEST_US = 60_000_000;

const LAST_BUCKET = 1 + placeOf(LONGEST_US) + 1;
/** The number of buckets of one histogram. The first ends at 1 us; the last has all durations beyond `LONGEST_US`. */
export const BUCKETS = LAST_BUCKET + 1;

export function bucketOf(microseconds: number): number {
  if (microseconds > LONGEST_US) return LAST_BUCKET;
  return microseconds > 1 ? 1 + placeOf(microseconds) : 0;
}

/** Returns the end of a bucket in microseconds. */
export function bucketEndUs(bucket: number): number {
  if (bucket === LAST_BUCKET) return Number.POSITIVE_INFINITY;
  if (bucket === 0) return 1;
  const place = bucket - 1;
  const start = 10 ** Math.floor(place / BUCKETS_PER_DECADE);
  return (start * (BUCKETS_PER_UNIT + 1 + (place % BUCKETS_PER_DECADE))) / BUCKETS_PER_UNIT;
}

/** Returns the index of a duration among the buckets between the first and the last. */
function placeOf(microseconds: number): number {
  let start = 1;
  let decade = 0;
  while (microseconds > start * 10) {
    start *= 10;
    decade += 1;
  }
  return decade * BUCKETS_PER_DECADE + Math.ceil((microseconds * BUCKETS_PER_UNIT) / start) - BUCKETS_PER_UNIT - 1;
}

// ── Metrics ──────────────────────────────────────────────────────────────────────────────────────────────────────────

/** The parts that let a second Metrics, on any thread, count in the same block. */
export interface MetricsParts {
  /** The values of the label `operation`. */
  readonly operations: readonly string[];
  readonly memory?: SharedArrayBuffer;
}

/** One series of a family: its label values, and its slot. */
export interface Series {
  readonly values: readonly string[];
  readonly slot: number;
}

export interface GaugeRow {
  /** The label values, in the sequence of the gauge's labels. */
  readonly values: readonly string[];
  readonly value: number;
}

/** The functions that read the counters of each venue. */
interface VenueCounterReaders {
  readonly feed: Readonly<Record<string, (name: keyof typeof FEED_COUNTERS) => number>>;
  readonly stream: Readonly<Record<string, (name: keyof typeof STREAM_COUNTERS) => number>>;
}

interface HistogramReading {
  /** The counts, one for each bucket. */
  readonly counts: readonly number[];
  readonly count: number;
  readonly sumUs: number;
}

const ONE = 1n;
/** The number of slots of a histogram. The sum, in nanoseconds, comes after the buckets. */
const HISTOGRAM_SLOTS = BUCKETS + 1;

/** The index of each status among the label values. */
const STATUS_PLACES = Array.from({ length: 600 }, (_, status) => {
  const label = LABEL_VALUES.status.find(it => it === String(status)) ?? `${Math.floor(status / 100)}xx`;
  return (LABEL_VALUES.status as readonly string[]).indexOf(label);
});

export class Metrics {
  /** The parts to give to the constructor on another thread. */
  readonly shared: Required<MetricsParts>;
  readonly counters: ReadonlyMap<CounterName, readonly Series[]>;
  readonly histograms: ReadonlyMap<HistogramName, readonly Series[]>;
  readonly #gauges = new Map<GaugeName, () => readonly GaugeRow[]>();
  readonly #values: BigInt64Array;
  #venueReaders: VenueCounterReaders | null = null;

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

  /** Returns the slot of a counter, for `add`. Throws a TypeError for a label value that is not in the table. */
  counter<N extends CounterName>(name: N, ...values: LabelValues<(typeof COUNTERS)[N]['labels']>): number {
    return slotOf(name, this.counters.get(name)!, values);
  }

  /** Returns the slot of a histogram, for `observe`. Throws a TypeError for a label value that is not in the table. */
  histogram<N extends HistogramName>(name: N, ...values: LabelValues<(typeof HISTOGRAMS)[N]['labels']>): number {
    return slotOf(name, this.histograms.get(name)!, values);
  }

  /** Sets the source of a gauge without labels, on the thread that renders /metrics. */
  gauge(name: GaugeName, read: () => number): void {
    this.gaugeRows(name, () => [{ values: [], value: read() }]);
  }

  /** Sets the source of a gauge that may have labels. */
  gaugeRows(name: GaugeName, read: () => readonly GaugeRow[]): void {
    this.#gauges.set(name, read);
  }

  /** Returns a function that counts one answer of the operation. */
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

  /** Counts a rare event. Each call looks the series up. */
  count<N extends CounterName>(name: N, ...values: LabelValues<(typeof COUNTERS)[N]['labels']>): void {
    this.add(this.counter(name, ...values));
  }

  /** Returns the value of a counter. */
  read(counter: number): number {
    return Number(Atomics.load(this.#values, counter));
  }

  reading(histogram: number): HistogramReading {
    const counts = Array.from({ length: BUCKETS }, (_, bucket) => this.read(histogram + bucket));
    const count = counts.reduce((sum, it) => sum + it, 0);
    return { counts, count, sumUs: this.read(histogram + BUCKETS) / 1_000 };
  }

  /** Sets the source of the counters that are kept for each venue. */
  countersByVenue(readers: VenueCounterReaders): void {
    this.#venueReaders = readers;
  }

  /** The source of the counters that are kept for each venue. Null while they have no source. */
  get venueReaders(): VenueCounterReaders | null {
    return this.#venueReaders;
  }

  /** Returns the rows of a gauge. Empty while the gauge has no source. */
  rowsOf(name: GaugeName): readonly GaugeRow[] {
    return this.#gauges.get(name)?.() ?? [];
  }
}

function slotOf(name: string, series: readonly Series[], values: readonly string[]): number {
  const found = series.find(it => it.values.every((value, index) => value === values[index]));
  if (found === undefined) throw new TypeError(`${name} has no series ${values.join(', ')}`);
  return found.slot;
}

/** Returns all combinations of one value from each list; without lists, one empty combination. The last list varies fastest. */
function combinations(lists: readonly (readonly string[])[]): string[][] {
  return lists.reduce<string[][]>((rows, list) => rows.flatMap(row => list.map(value => [...row, value])), [[]]);
}
