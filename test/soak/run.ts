// `npm run soak`: runs soaks one after the other, each from the next seed, and prints their events. The exit code is 1 if anything was wrong.

import { runnerOptions } from '../support/runner-options.ts';
import { soak } from './soak.ts';

const USAGE = `npm run soak -- [options]

  --orders N   of each soak (default 2000)
  --seed S     of the first (default: from the clock; it is printed)
  --minutes M  as long as they are not over another one begins (default 0: one soak)`;
const values = runnerOptions(USAGE, {
  orders: { type: 'string', default: '2000' },
  seed: { type: 'string', default: String(Math.floor(Date.now() / 1_000)) },
  minutes: { type: 'string', default: '0' },
});
const [orders, firstSeed, minutes] = [values.orders, values.seed, values.minutes].map(Number) as [
  number,
  number,
  number,
];
if (![orders, firstSeed, minutes].every(value => Number.isInteger(value) && value >= 0) || orders === 0) {
  console.error('--orders, --seed and --minutes must be whole numbers; there must be orders');
  process.exit(2);
}

// The child processes end with this process.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));

const ORDERS_PER_KILL = 75;
const until = Date.now() + minutes * 60_000;
const failed: number[] = [];
for (let seed = firstSeed; ; seed += 1) {
  const startedAt = Date.now();
  const options = { seed, orders, kills: Math.ceil(orders / ORDERS_PER_KILL), isPatient: true, settleMs: 60_000 };
  const { faults, coverage } = await soak(options);
  const table = [...coverage].sort().map(([what, times]) => `${String(times).padStart(9)}  ${what}`);
  console.log(
    `--seed ${seed} --orders ${orders}: ${Math.round((Date.now() - startedAt) / 1_000)} s\n${table.join('\n')}`,
  );
  for (const fault of faults) console.log(`WRONG ${fault}`);
  if (faults.length > 0) failed.push(seed);
  if (Date.now() >= until) break;
}
console.log(failed.length === 0 ? 'all as it must be' : `wrong with the seeds ${failed.join(', ')}`);
process.exit(failed.length === 0 ? 0 : 1);
