// Found by changing bytes of the key store. A digit that became another one was read as if it had been set: another limit of an actor, another public
// key. Rows of orders and of the catalog had checksums, and those of keys had none.

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { limitsCommand } from '../../src/cli/limits.ts';
import { podsCommand } from '../../src/cli/pods.ts';
import { CommandRig } from '../cli/command-rig.ts';

let rig: CommandRig;
let folder: string;
beforeEach(async () => {
  rig = new CommandRig();
  folder = join(rig.dataDir, 'keys');
  for (const args of [
    ['create', 'desk'],
    ['add-actor', 'desk', 'maker'],
  ])
    expect((await rig.run(podsCommand, ...args)).code).toBe(0);
  expect((await rig.run(limitsCommand, 'set', '--actor', 'maker', '--notional-max', '123.45')).code).toBe(0);
});
afterEach(() => rig.remove());

it('is refused, with what to do', async () => {
  const path = join(folder, 'data.mdb');
  const bytes = readFileSync(path);
  const digits = Buffer.from('"notionalMax":123450000');
  // Free pages may have it as well.
  for (let at = bytes.indexOf(digits); at >= 0; at = bytes.indexOf(digits, at + 1))
    bytes[at + digits.indexOf('1')] = '9'.charCodeAt(0);
  writeFileSync(path, bytes);
  const words = 'record "actor/desk/maker": is not what was written: restore a backup (docs/OPERATIONS.md, Backups)';
  const { code, err } = await rig.run(limitsCommand, 'list');
  expect([code, err]).toEqual([1, `crossbook: key store ${folder}: ${words}\n`]);
});
