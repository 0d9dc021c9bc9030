// One schedule: a simulated venue, a machine whose disk fails, a gateway that dies and restarts, and its traders, all from one seed. In the
// end all faults stop for a while, and the invariants are checked.

import { wordsOf } from '../../src/core/domain/error-words.ts';
import { isAutomatic } from '../../src/core/domain/wallet-action.ts';
import { ACTORS } from './gateway.ts';
import { Happenings } from './happenings.ts';
import { faultsOf } from './invariants.ts';
import { Rig } from './rig.ts';
import { shrunk } from './shrink.ts';
import { trade } from './traders.ts';
import { useWallet } from './wallet-users.ts';

const TRADING_MS = 40_000;
/** Longer than the proof of absence, a pause between looks, and a reading of the account, one after the other. */
const REST_MS = 90_000;
/**
 * A comparison of holdings finds a transfer, or a payout that no list has shown. The holdings must be unchanged for minutes before the
 * comparison.
 */
const PAID_MS = 480_000;
/** The time by which the gateway has heard of an order's end, or read it. */
const HEARD_MS = 15_000;
/** The most plays of a shrink, which take some seconds. */
const SHRINK_PLAYS_MAX = 600;
/** The names of limits in the words of a refusal. */
const LIMIT = /exposureMax|podExposureMax|notionalMax|sizeMax|openOrdersMax|positionMax|collar/;
const WITHOUT_RECORD = /orderRateMax|collarWithoutBook/;
/** The parts of a fault that differ between two schedules that fail in the same way. */
const NAMES = /[0-9a-f-]{6,}|\d+/g;

/** The number of schedules in which each thing happened, so that nothing counts as tested which never happens. */
export type Coverage = Map<string, number>;

interface Outcome {
  readonly faults: readonly string[];
  readonly orders: number;
  /** The numbers of the schedule's happenings. */
  readonly happened: readonly number[];
}

/**
 * Plays a schedule. With `kept`, only these happenings take place; null means all. Rejects with the seed, also if the schedule has no end.
 */
export async function simulate(
  seed: number,
  coverage: Coverage,
  kept: ReadonlySet<number> | null = null,
): Promise<Outcome> {
  const happenings = new Happenings(seed, kept);
  try {
    return await played(happenings, coverage);
  } catch (error) {
    const only = kept === null ? 'SIM_SCHEDULES=1' : `SIM_HAPPENINGS=${[...kept].join(',')}`;
    throw new Error(`SIM_SEED=${seed} ${only}: ${wordsOf(error)}`, { cause: error });
  }
}

async function played(happenings: Happenings, coverage: Coverage): Promise<Outcome> {
  const rig = new Rig(happenings, what => coverage.set(what, (coverage.get(what) ?? 0) + 1));
  const { schedule, wire, answers } = rig;
  rig.start();
  rig.plan(TRADING_MS);
  for (const actorId of ACTORS) void trade(rig.market(), actorId, 6);
  if (wire.venue === 'venue_a') for (const actorId of ACTORS) void useWallet(rig.market(), actorId, TRADING_MS);
  await schedule.run(TRADING_MS);
  wire.exchange.quiet();
  wire.becomePerfect();
  rig.becomePerfect();
  await schedule.run(REST_MS);
  const { exchange, wallet } = wire;
  const actionsOver = async (): Promise<void> => {
    for (let left = 30; left > 0 && rig.hasOpenActions(); left -= 1) await schedule.run(REST_MS);
  };
  // Actions wait for each other, and for the deadlines of those that the chain does not take.
  await actionsOver();
  const isComparedLate =
    exchange.markets.payouts().size > 0 || exchange.transfers.length > 0 || wallet.executed.length > 0;
  if (isComparedLate) await schedule.run(PAID_MS);
  // Actions that nobody requests may begin late.
  await actionsOver();
  // An order that is good till a time may end at the last moment.
  while (schedule.now() - wire.exchange.changedAt < HEARD_MS) await schedule.run(HEARD_MS);
  for (const answer of [...answers.values()].flat()) {
    rig.count(answer.type === 'made' ? 'answer made' : `answer ${answer.kind}`);
    const [limit = null] = answer.type === 'made' ? [] : (WITHOUT_RECORD.exec(answer.message) ?? []);
    if (limit !== null) rig.count(`refused for ${limit}`);
    if (answer.type === 'refused' && answer.message.includes('the loss limit')) rig.count('refused for a loss');
  }
  rig.end();
  const ended = rig.ended();
  for (const action of ended.store.allActions())
    if (isAutomatic(action)) rig.count(`redeem of itself ${action.status}`);
  for (const { order } of ended.store.allOrders()) {
    if (order.replaces !== null) rig.count(`replace ${order.status}`);
    const [limit = null] = LIMIT.exec(order.error?.message ?? '') ?? [];
    if (limit !== null) rig.count(`refused for ${limit}`);
  }
  const { happened } = happenings;
  return { faults: [...rig.faults, ...faultsOf(ended)], orders: wire.exchange.orders.size, happened };
}

/** Finds few happenings of the schedule with which it still fails. */
export function shrink(
  seed: number,
  happened: readonly number[],
  fails: (faults: readonly string[], coverage: Coverage) => boolean,
): Promise<readonly number[]> {
  const replay = async (kept: ReadonlySet<number>): Promise<readonly number[] | null> => {
    const coverage: Coverage = new Map();
    const again = await simulate(seed, coverage, kept);
    return fails(again.faults, coverage) ? again.happened : null;
  };
  return shrunk(happened, replay, SHRINK_PLAYS_MAX);
}

/** Returns null if the schedule does not fail. Otherwise returns how to play it again with few happenings, and the faults of that play. */
export async function failureOf(seed: number, { faults, happened }: Outcome): Promise<string | null> {
  if (faults.length === 0) return null;
  const kindOf = (fault: string): string => fault.replace(NAMES, '#');
  const kinds = new Set(faults.map(kindOf));
  const few = await shrink(seed, happened, again => again.some(fault => kinds.has(kindOf(fault))));
  const left = await simulate(seed, new Map(), new Set(few));
  return [
    `SIM_SEED=${seed} SIM_SCHEDULES=1`,
    ...faults,
    `with ${few.length} of its ${happened.length} happenings: SIM_SEED=${seed} SIM_HAPPENINGS=${few.join(',')}`,
    ...left.faults,
  ].join('\n');
}
