// A few rows of the fault campaign, on real processes. `npm run faults` runs all rows, and writes test/faults/RESULTS.md.

import { expect, it } from 'vitest';
import { campaign, ROWS } from './campaign.ts';

const SEED = Number(process.env.FAULTS_SEED ?? 1);
const PLAYED = ['a new order: its answer lost', 'a check worker dies', 'the engine dies', 'a second gateway'];

it('nothing is lost or doubled, and clients hear of it', { timeout: 600_000 }, async () => {
  const rows = ROWS.filter(({ fault }) => PLAYED.some(words => fault.startsWith(words)));
  const outcomes = await campaign({ rows, seed: SEED, lanes: 1, onPlayed: () => {} });
  expect(
    outcomes.map(({ wrong }) => wrong),
    `FAULTS_SEED=${SEED}`,
  ).toEqual(PLAYED.map(() => []));
});
