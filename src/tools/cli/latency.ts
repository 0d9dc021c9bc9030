// `crossbook latency` shows how long orders and cancels have taken at the venues, as the running gateway has measured it. `export` writes
// the measurement in the form that the paper exchanges take (docs/PAPER.md).

import { VENUES, type Venue } from '../../core/domain/market.ts';
import type { LatencyBucket, VenueLatencies } from '../../core/wire/reports.ts';
import { limits } from '../../limits.ts';
import { type Arguments, type CommandIo, dataDirOf, UsageError, withSubcommands } from './command-io.ts';
import { askGateway, readVenue } from './gateway-request.ts';
import { tableText } from './output.ts';

export const LATENCY_USAGE = `  latency show [--data-dir DIR]
      prints the durations of orders and cancels at each venue since the start, from the writing of the request to the reading of its answer
  latency export --venue VENUE [--feed MS] [--data-dir DIR]
      writes the durations of one venue as a file for CROSSBOOK_PAPER_LATENCY: a hundred equally likely durations
      --feed  how old books are when they arrive, in milliseconds, default 0: the gateway cannot measure it without the venue's clock
      --data-dir DIR, default CROSSBOOK_DATA_DIR, else ./data

    crossbook latency show
    crossbook latency export --venue venue_b --feed 5 > latency.json
`;

/** The number of durations of each kind in a file. */
const SAMPLES = 100;
const WAYS = ['order', 'cancel'] as const;
const US_PER_MS = 1_000;

export const latencyCommand = withSubcommands('latency', {
  show: { run: show },
  export: { options: ['venue', 'feed'], run: exportFile },
});

async function show(args: Arguments, io: CommandIo): Promise<void> {
  const measured = await readLatencies(dataDirOf(args, io));
  const rows = VENUES.flatMap(venue => WAYS.map(way => rowOf(venue, way, measured[venue][way])));
  io.out(tableText(['venue', 'request', 'count', 'p50 ms', 'p90 ms', 'p99 ms'], rows));
}

function rowOf(venue: Venue, way: string, buckets: readonly LatencyBucket[]): readonly string[] {
  const quantiles = [0.5, 0.9, 0.99].map(share => quantileUs(buckets, share));
  return [
    venue,
    way,
    String(countOf(buckets)),
    ...quantiles.map(us =>
      us === null ? '–' : us === Number.POSITIVE_INFINITY ? 'more' : String(Math.round(us) / US_PER_MS),
    ),
  ];
}

async function exportFile(args: Arguments, io: CommandIo): Promise<void> {
  const venue = readVenue('--venue', args.required('venue'));
  const feed = args.one('feed') ?? '0';
  if (!/^\d+(\.\d+)?$/.test(feed) || Number(feed) > limits.paperLatencyMsMax)
    throw new UsageError(`--feed: must be milliseconds from 0 to ${limits.paperLatencyMsMax}`);
  const measured = (await readLatencies(dataDirOf(args, io)))[venue];
  const [order, cancel] = [samplesOf(measured.order), samplesOf(measured.cancel)];
  if (order.length === 0) throw new UsageError(`--venue: this gateway has sent no order to ${venue} since its start`);
  // If no cancel was measured, the durations of orders stand for cancels.
  const file = { feed: [Number(feed)], order, cancel: cancel.length === 0 ? order : cancel };
  io.out(`${JSON.stringify(file)}\n`);
}

async function readLatencies(dataDir: string): Promise<VenueLatencies> {
  return (await askGateway(dataDir, { op: 'latencies' })).report as VenueLatencies;
}

/** Turns a histogram into equally likely durations in milliseconds, rounded up to the microsecond. Empty if nothing was measured. */
export function samplesOf(buckets: readonly LatencyBucket[]): readonly number[] {
  if (countOf(buckets) === 0) return [];
  return Array.from({ length: SAMPLES }, (_, at) => {
    const us = quantileUs(buckets, (at + 0.5) / SAMPLES)!;
    return Math.min(Math.ceil(us) / US_PER_MS, limits.paperLatencyMsMax);
  });
}

/** The end of the bucket with this quantile, in microseconds. It is infinite beyond the last end. Returns null if nothing was measured. */
function quantileUs(buckets: readonly LatencyBucket[], share: number): number | null {
  const rank = share * countOf(buckets);
  let sum = 0;
  for (const { endUs, count } of buckets) {
    sum += count;
    if (sum >= rank) return endUs ?? Number.POSITIVE_INFINITY;
  }
  return null;
}

function countOf(buckets: readonly LatencyBucket[]): number {
  return buckets.reduce((sum, { count }) => sum + count, 0);
}
