// Found by setting a limit of `99999999999`. The answer demanded a decimal with at most 6 decimals, which it is, and did not name the
// bound.

import { expect, it, onTestFinished } from 'vitest';
import { limitsCommand } from '../../src/cli/limits.ts';
import { podsCommand } from '../../src/cli/pods.ts';
import { CommandRig } from '../cli/command-rig.ts';

it.each([
  [
    '--notional-max',
    '9007199254.740991',
    '9007199254.740992',
    'a decimal below 9007199254.740992, of at most 6 decimals',
  ],
  ['--position-max', '9007199254.740991', '9007199255', 'a decimal below 9007199254.740992, of at most 6 decimals'],
  ['--open-orders-max', '999999999', '1000000000', 'a whole number below 1000000000'],
])('%s may be %s, and the refusal of %s names the bound', async (option, most, more, rule) => {
  const rig = new CommandRig();
  onTestFinished(() => rig.remove());
  await rig.run(podsCommand, 'create', 'desk');
  await rig.run(podsCommand, 'add-actor', 'desk', 'maker');
  const set = (value: string) => rig.run(limitsCommand, 'set', '--actor', 'maker', option, value);
  expect((await set(most)).code).toBe(0);
  expect(await set(more)).toEqual({ code: 2, out: '', err: `crossbook: ${option}: must be ${rule}, or none\n` });
});
