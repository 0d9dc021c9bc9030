// The time that the gateway adds to an order for one caller on one connection who waits for each answer. Measures round trips through the gateway
// and directly to the venue, in turns, for orders and cancels. Also measures the gateway's own times by stage, and retries, which never
// reach a venue, in turns with a signed `whoami`. The caller's signing is excluded, the gateway's for the venue is included. After each
// step the venue's list is counted: a wrong number ends the run.

import { type BenchOptions, type BenchRow, type BenchSuite, closing, percentile, row, timesLess } from './harness.ts';
import { addedRow, PERCENTILES, roundTrips } from './load/added-time.ts';
import type { OneCallerAnswer, OneCallerRequest } from './load/order-messages.ts';
import { type Desk, OrderRig, RATE_PROFILE } from './load/order-rig.ts';
import { insideUs, type Stages } from './load/server-timing.ts';

const ORDERS = 1_000;
const SMOKE_ORDERS = 20;
/** Orders of one turn. */
const BLOCK = 50;
const ROUNDS = 5;
/** The warm-up rounds, which compile the code. */
const WARM_ROUNDS = 5;

/** The stages of `Server-Timing` for a new order, in their order. */
const STAGES = ['parse', 'auth', 'admit', 'store', 'venue'];

/** A desk of the bench. `isBeside` means that it serves only for comparison, which needs only its submissions. */
interface Place extends Desk {
  readonly isBeside: boolean;
}

const PLACES: Readonly<Record<'process-safe' | 'power-safe', readonly Place[]>> = {
  'process-safe': [
    { name: 'venue-b', venue: 'venue_b', isBeside: false },
    { name: 'venue-a', venue: 'venue_a', isBeside: false },
  ],
  'power-safe': [
    { name: 'venue-b-power-safe', venue: 'venue_b', isBeside: true },
    { name: 'venue-a-power-safe', venue: 'venue_a', isBeside: true },
  ],
};

export const suite: BenchSuite = {
  name: 'order/one-caller',
  rowNames: ['order/submit-added', 'order/submit-inside', 'order/cancel-added', 'order/replay'],
  runsMax: 1,
  async run(options) {
    const rows: BenchRow[] = [];
    for (const durability of ['process-safe', 'power-safe'] as const) {
      const desks = PLACES[durability];
      await closing(await OrderRig.start({ desks, durability, paperMode: 'exact' }), async rig => {
        for (const place of desks) rows.push(...rowsOf(place, await roundsAt(place, rig, options)));
      });
    }
    return rows;
  },
};

interface Round {
  readonly submitted: OneCallerAnswer;
  readonly replayed: OneCallerAnswer;
  readonly cancelled: OneCallerAnswer;
}

async function roundsAt(place: Place, rig: OrderRig, { smoke }: BenchOptions): Promise<readonly Round[]> {
  const caller = rig.thread('one-caller-worker.ts', rig.waysOf(place));
  const ask = (request: OneCallerRequest) => caller.ask<OneCallerAnswer>(request);
  const count = smoke ? SMOKE_ORDERS : ORDERS;
  const round = async (): Promise<Round> => {
    const submitted = await ask({ op: 'submit', count, block: BLOCK });
    await rig.expectResting(place, count);
    const replayed = await ask({ op: 'replay', block: BLOCK });
    await rig.expectResting(place, count);
    const cancelled = await ask({ op: 'cancel', block: BLOCK });
    await rig.expectResting(place, 0);
    return { submitted, replayed, cancelled };
  };
  for (let warm = 0; warm < (smoke ? 0 : WARM_ROUNDS); warm++) await round();
  const rounds: Round[] = [];
  for (let index = 0; index < (smoke ? 1 : ROUNDS); index++) rounds.push(await round());
  await caller.kill();
  return rounds;
}

function rowsOf({ name: place, isBeside }: Place, rounds: readonly Round[]): BenchRow[] {
  const submitted = rounds.map(it => it.submitted);
  const submission = [
    ...addedRows(`order/submit-added ${place}`, submitted),
    stageRow(`order/submit-inside ${place} p50`, submitted, insideUs, 0.5),
    stageRow(`order/submit-inside ${place} p99`, submitted, insideUs, 0.99),
  ];
  if (isBeside) return submission;
  const cancelled = rounds.map(it => it.cancelled);
  return [
    ...submission,
    ...STAGES.map(name => stageRow(`order/submit-inside ${place} ${name}`, submitted, it => it[name]!, 0.5)),
    ...addedRows(`order/cancel-added ${place}`, cancelled),
    ...PERCENTILES.flatMap(([words, fraction]) => replayRows(place, words, rounds, fraction)),
  ];
}

/** Makes the rows of the time beyond the venue's round trip, and the rows of the comparison beside it. */
function addedRows(name: string, rounds: readonly OneCallerAnswer[]): BenchRow[] {
  const baseline = `the same caller straight to the venue; ${RATE_PROFILE}`;
  return PERCENTILES.flatMap(([words, fraction]) => [
    addedRow(`${name} ${words}`, rounds, { way: 'gateway', fraction, baseline }),
    row(`${name} direct ${words}`, roundTrips(rounds, 'venue', fraction), 'µs'),
  ]);
}

function replayRows(place: string, words: string, rounds: readonly Round[], fraction: number): BenchRow[] {
  const us = (of: keyof Round, way: string) =>
    roundTrips(
      rounds.map(it => it[of]),
      way,
      fraction,
    );
  const [again, first, whoami] = [us('replayed', 'gateway'), us('submitted', 'gateway'), us('replayed', 'whoami')];
  const beside = (name: string, baseline: string, other: readonly number[]): BenchRow => {
    const ratio = timesLess(again, other);
    return { ...row(`${name} ${place} ${words}`, again, 'µs'), baseline: `${baseline}; ${RATE_PROFILE}`, ratio };
  };
  return [
    beside('order/replay', 'the same requests the first time', first),
    beside('order/replay-beside-whoami', 'a signed whoami of the same caller, in turns', whoami),
    row(`order/replay-beside-whoami ${place} whoami ${words}`, whoami, 'µs'),
  ];
}

function stageRow(name: string, rounds: readonly OneCallerAnswer[], of: (stages: Stages) => number, fraction: number) {
  const us = rounds.map(({ stages }) => percentile(stages.map(of), fraction));
  return row(name, us, 'µs');
}
