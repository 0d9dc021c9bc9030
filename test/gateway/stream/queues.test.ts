// The range that the gateway states for each order, beside the queue that the paper exchange has. QUEUE_ORDERS and QUEUE_SEED play others.

import { expect, it } from 'vitest';
import { Random } from '../../../src/core/runtime/random.ts';
import { type Own, World } from './queue-world.ts';

const ORDERS = Number(process.env.QUEUE_ORDERS ?? 10_000);
const FIRST_SEED = Number(process.env.QUEUE_SEED ?? 7_400_000);
const STEPS = 300;
const STEPS_TO_COMPARISON = 12;
/**
 * A crowd of accounts in every other world. Else the paper house of a venue’s book, which guesses where cancels were.
 * Books are those of the exchange, or those of the venue without the caller’s orders.
 */
const OTHERS = ['crowd', 'shown', 'crowd', 'venue'] as const;
const MODELS = ['proportional', 'pessimistic', 'optimistic'] as const;

async function play(seed: number): Promise<readonly Own[]> {
  const others = OTHERS[seed % OTHERS.length]!;
  const model = MODELS[Math.floor(seed / OTHERS.length) % MODELS.length]!;
  const world = new World(new Random(seed), others, model);
  await world.open();
  for (let step = 0; step < STEPS; step++) {
    world.step();
    if (step % STEPS_TO_COMPARISON === 0) world.compare();
  }
  world.close();
  return world.own.filter(({ samples }) => samples > 0);
}

it('has the true queue of at least 99 % of 10 000 orders', async () => {
  const orders: Own[] = [];
  for (let seed = FIRST_SEED; orders.length < ORDERS; seed++) orders.push(...(await play(seed)));
  for (const by of ['others', 'kind'] as const)
    for (const [name, some] of Map.groupBy(orders, it => it[by])) console.log(`${name}: ${said(some)}`);
  console.log(`all: ${said(orders)}`);
  for (const kind of ['YES', 'NO', 'part filled', 'replaced']) expect(orders.some(it => it.kind === kind)).toBe(true);
  expect(shareOf(orders)).toBeGreaterThanOrEqual(0.99);
}, 120_000);

function shareOf(orders: readonly Own[]): number {
  return orders.filter(({ isRight }) => isRight).length / orders.length;
}

function said(orders: readonly Own[]): string {
  const samples = orders.reduce((sum, own) => sum + own.samples, 0);
  const width = orders.reduce((sum, own) => sum + own.width, 0) / samples;
  return `${orders.length} orders, ${(100 * shareOf(orders)).toFixed(2)} % right, mean width ${width.toFixed(1)} shares`;
}
