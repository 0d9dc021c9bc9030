// The campaign: runs all rows, several stages at a time, since most of the time is waiting.

import type { Outcome } from './outcome.ts';
import { playStage } from './play-stage.ts';
import type { Row } from './row.ts';
import { CLOCK_ROWS } from './rows/clocks.ts';
import { DISK_ROWS } from './rows/disks.ts';
import { FULL_DISK_ROWS } from './rows/full-disks.ts';
import { PROCESS_ROWS } from './rows/processes.ts';
import { REQUEST_ROWS } from './rows/requests.ts';
import { STORE_ROWS } from './rows/stores.ts';
import { STREAM_ROWS } from './rows/streams.ts';
import { VENUE_ROWS } from './rows/venues.ts';

export const ROWS: readonly Row[] = [
  ...REQUEST_ROWS,
  ...STREAM_ROWS,
  ...VENUE_ROWS,
  ...PROCESS_ROWS,
  ...DISK_ROWS,
  ...FULL_DISK_ROWS,
  ...STORE_ROWS,
  ...CLOCK_ROWS,
];

/** Few enough that a row which spoils its stage costs little, enough that starting processes is not most of the work. */
const ROWS_PER_STAGE_MAX = 8;

interface CampaignOptions {
  readonly rows: readonly Row[];
  readonly seed: number;
  /** The number of stages that run at the same time. */
  readonly lanes: number;
  /** Called with each result, and once more if the end of its stage was wrong. */
  readonly onPlayed: (outcome: Outcome) => void;
}

/** Returns the outcomes in the order of the rows. */
export async function campaign({ rows, seed, lanes, onPlayed }: CampaignOptions): Promise<readonly Outcome[]> {
  const waiting = batches(rows);
  const played = new Map<string, Outcome>();
  const lane = async (): Promise<void> => {
    for (let batch = waiting.shift(); batch !== undefined; batch = waiting.shift()) {
      const outcomes = await playStage(batch, seed, onPlayed);
      for (const outcome of outcomes) played.set(outcome.fault, outcome);
      if (outcomes.length < batch.length) waiting.unshift(batch.slice(outcomes.length));
    }
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  return rows.map(({ fault }) => played.get(fault)!);
}

/** Returns groups of rows that share a stage. */
function batches(rows: readonly Row[]): (readonly Row[])[] {
  const all: Row[][] = [];
  for (const row of rows) {
    const last = all.at(-1);
    const isAlone = [row, ...(last ?? [])].some(({ setting }) => setting !== undefined);
    if (last === undefined || isAlone || last.length === ROWS_PER_STAGE_MAX) all.push([row]);
    else last.push(row);
  }
  return all;
}
