// The range that the gateway states for each order, beside the queue of the paper exchange. QUEUE_ORDERS and QUEUE_SEED choose other runs.

import { expect, it } from 'vitest';
import { Random } from '../../../src/core/runtime/random.ts';
import { type Others, type Own, World } from './queue-world.ts';

const ORDERS = Number(process.env.QUEUE_ORDERS ?? 10_000);
const FIRST_SEED = Number(process.env.QUEUE_SEED ?? 7_400_000);
const STEPS = 300;
const STEPS_TO_COMPARISON = 12;
const MODELS = ['proportional', 'pessimistic', 'optimistic'] as const;

async function play(seed: number, others: Others): Promise<readonly Own[]> {
  const world = new World(new Random(seed), others, MODELS[seed % MODELS.length]!);
  await world.open();
  for (let step = 0; step < STEPS; step++) {
    world.step();
    if (step % STEPS_TO_COMPARISON === 0) world.compare();
  }
  world.close();
  return world.own.filter(({ samples }) => samples > 0);
}

it.each([
  ['a crowd of accounts trades', 'crowd'],
  ['the paper house trades, which guesses where cancels were', 'shown'],
  ['the book is that of the venue, without the caller’s orders', 'venue'],
] as const)(
  'has the true queue of at least 99 in 100 of 10 000 orders where %s',
  async (_name, others) => {
    const orders: Own[] = [];
    for (let seed = FIRST_SEED; orders.length < ORDERS; seed++) orders.push(...(await play(seed, others)));
    for (const [kind, some] of Map.groupBy(orders, it => it.kind)) console.log(`${others}, ${kind}: ${said(some)}`);
    console.log(`${others}: ${said(orders)}`);
    for (const kind of ['YES', 'NO', 'part filled', 'replaced']) expect(orders.some(it => it.kind === kind)).toBe(true);
    expect(orders.filter(it => it.isSummed).length / orders.length).toBeGreaterThanOrEqual(0.99);
    expect(shareOf(orders)).toBeGreaterThanOrEqual(0.99);
    // A range that always contains the true value could still be too wide to be useful.
    expect(medianWidthOf(orders)).toBeLessThanOrEqual(10);
  },
  120_000,
);

function shareOf(orders: readonly Own[]): number {
  return orders.filter(({ isRight }) => isRight).length / orders.length;
}

/** Returns the median, over all orders, of the order's mean range in shares. */
function medianWidthOf(orders: readonly Own[]): number {
  return orders.map(({ width, samples }) => width / samples).toSorted((a, b) => a - b)[orders.length >> 1]!;
}

function said(orders: readonly Own[]): string {
  const right = (100 * shareOf(orders)).toFixed(2);
  return `${orders.length} orders, ${right} % right, median width ${medianWidthOf(orders).toFixed(1)} shares`;
}
