// The time that the gateway adds to a lone order, by account: venue B with an RSA key or an Ed25519 key, and venue A. One caller sends orders to
// the gateway and to the venues for all three accounts, in turns.

import { type BenchRow, type BenchSuite, closing, row, timesLess } from './harness.ts';
import { added, roundTrips } from './load/added-time.ts';
import type { OneCallerAnswer, OneCallerData, OneCallerRequest } from './load/order-messages.ts';
import { type Desk, OrderRig, RATE_PROFILE, type Ways } from './load/order-rig.ts';

const NAME = 'order/account-added';
const ED25519: Desk = { name: 'venue-b', venue: 'venue_b' };
const OTHERS: readonly Desk[] = [
  { name: 'venue-b-rsa', venue: 'venue_b', keyType: 'rsa' },
  { name: 'venue-a', venue: 'venue_a' },
];
const DESKS = [ED25519, ...OTHERS];
const BASELINE = `what is added at venue B with an Ed25519 account, in the same turns; ${RATE_PROFILE}`;

/** The orders in a round, and in a turn. The first orders compile the code. */
const ORDERS = 400;
const SMOKE_ORDERS = 20;
const BLOCK = 50;
const WARM_ROUNDS = 8;
const ROUNDS = 7;

export const suite: BenchSuite = {
  name: NAME,
  runsMax: 1,
  async run({ smoke }) {
    return closing(
      await OrderRig.start({ desks: DESKS, durability: 'process-safe', paperMode: 'exact' }),
      async rig => {
        const caller = rig.thread('one-caller-worker.ts', waysOf(rig));
        const [warmRounds, rounds, count] = smoke ? [0, 1, SMOKE_ORDERS] : [WARM_ROUNDS, ROUNDS, ORDERS];
        const answers: OneCallerAnswer[] = [];
        while (answers.length < warmRounds + rounds) {
          const request: OneCallerRequest = { op: 'submit', count, block: BLOCK };
          answers.push(await caller.ask<OneCallerAnswer>(request));
        }
        for (const desk of DESKS) await rig.expectResting(desk, answers.length * count);
        return rowsOf(answers.slice(warmRounds));
      },
    );
  },
};

type Kind = keyof Ways;

function waysOf(rig: OrderRig): OneCallerData {
  const named = DESKS.flatMap(desk => {
    const { gateway, venue } = rig.waysOf(desk);
    return [
      [wayOf(desk, 'gateway'), gateway],
      [wayOf(desk, 'venue'), venue],
    ] as const;
  });
  return Object.fromEntries(named);
}

/** Returns the name of the path. The callers' thread knows one gateway, by this name. */
function wayOf(desk: Desk, kind: Kind): string {
  return desk === ED25519 ? kind : `${desk.name} ${kind}`;
}

/** Makes rows of medians only: the difference of two tails has no meaning. */
function rowsOf(rounds: readonly OneCallerAnswer[]): BenchRow[] {
  const addedTo = (desk: Desk) => added(rounds, wayOf(desk, 'gateway'), 0.5, wayOf(desk, 'venue'));
  const least = addedTo(ED25519);
  const beside = (desk: Desk): BenchRow => {
    const ours = addedTo(desk);
    const ratio = timesLess(ours, least);
    return { ...row(`${NAME} ${desk.name} p50`, ours, 'µs'), baseline: BASELINE, ratio };
  };
  const direct = (desk: Desk): BenchRow =>
    row(`${NAME} ${desk.name} direct p50`, roundTrips(rounds, wayOf(desk, 'venue'), 0.5), 'µs');
  return [row(`${NAME} ${ED25519.name} p50`, least, 'µs'), ...OTHERS.map(beside), ...DESKS.map(direct)];
}
