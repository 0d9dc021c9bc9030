// `npm run faults`: causes every known fault against real processes while orders are sent. The exit code is 1 if anything was lost, doubled or
// contradicted.

import { writeFileSync } from 'node:fs';
import { runnerOptions } from '../support/runner-options.ts';
import { campaign, ROWS } from './campaign.ts';
import { lineOf, pageOf } from './table.ts';

const USAGE = `npm run faults -- [options]

  --seed S      of what is drawn (default 1)
  --only WORDS  rows whose words have these in them
  --lanes N     rows at the same time (default 3)
  --results     writes test/faults/RESULTS.md`;
const values = runnerOptions(USAGE, {
  seed: { type: 'string', default: '1' },
  only: { type: 'string', default: '' },
  lanes: { type: 'string', default: '3' },
  results: { type: 'boolean', default: false },
});
const [seed, lanes] = [Number(values.seed), Number(values.lanes)];
const rows = ROWS.filter(({ group, fault }) => `${group}: ${fault}`.includes(values.only));
const isUsable = Number.isInteger(seed) && Number.isInteger(lanes) && lanes > 0 && rows.length > 0;
if (!isUsable || (values.results && values.only !== '')) {
  console.error('--seed and --lanes must be whole numbers, --only must fit a row, --results takes all rows');
  process.exit(2);
}

// The child processes end with this process.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));

const outcomes = await campaign({ rows, seed, lanes, onPlayed: outcome => console.log(lineOf(outcome)) });
if (values.results) writeFileSync(new URL('RESULTS.md', import.meta.url), pageOf(outcomes, seed));
const wrong = outcomes.filter(outcome => outcome.wrong.length > 0);
console.log(wrong.length === 0 ? 'all as it must be' : `wrong: ${wrong.map(({ fault }) => fault).join('; ')}`);
process.exit(wrong.length === 0 ? 0 : 1);
