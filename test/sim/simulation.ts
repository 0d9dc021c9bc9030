// One schedule: a simulated venue, a machine whose disk fails, a gateway that dies and restarts, and its traders, all from one seed. In the
// end all faults stop for a while, and the invariants are checked.

import { Random } from '../../src/runtime/random.ts';
import { ACTORS } from './gateway.ts';
import { faultsOf } from './invariants.ts';
import { Rig } from './rig.ts';
import { trade } from './traders.ts';

const TRADING_MS = 40_000;
/** Longer than absence takes to be proven, a pause between looks, and a reading of the account, one after the other. */
const REST_MS = 90_000;
/** By then its end has been heard of, or read. */
const HEARD_MS = 15_000;

/** What happened in how many schedules, so that nothing is believed to be tested which never happens. */
export type Coverage = Map<string, number>;

interface Outcome {
  readonly faults: readonly string[];
  readonly orders: number;
}

export async function simulate(seed: number, coverage: Coverage): Promise<Outcome> {
  const rig = new Rig(new Random(seed), what => coverage.set(what, (coverage.get(what) ?? 0) + 1));
  const { schedule, wire, answers } = rig;
  rig.start();
  rig.plan(TRADING_MS);
  for (const actorId of ACTORS) void trade(rig.market(), actorId, 6);
  await schedule.run(TRADING_MS);
  wire.exchange.quiet();
  wire.becomePerfect();
  rig.becomePerfect();
  await schedule.run(REST_MS);
  // An order that is good till a time may end at the last moment.
  while (schedule.now() - wire.exchange.changedAt < HEARD_MS) await schedule.run(HEARD_MS);
  for (const answer of [...answers.values()].flat())
    rig.count(answer.type === 'made' ? 'answer made' : `answer ${answer.kind}`);
  rig.end();
  const ended = rig.ended();
  for (const { order } of ended.store.allOrders()) if (order.replaces !== null) rig.count(`replace ${order.status}`);
  return { faults: [...rig.faults, ...faultsOf(ended)], orders: wire.exchange.orders.size };
}
