// Found by `pods take` with a mistyped data directory. The command made that folder, with the id of a new gateway in it, and gave the pod to that.
// The owner of the pod was refused from then on, and nobody traded.

import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { podsCommand } from '../../src/cli/pods.ts';
import { CommandRig } from '../cli/command-rig.ts';

let rig: CommandRig;
beforeEach(() => {
  rig = new CommandRig();
  rig.env = {
    CROSSBOOK_DURABILITY: 'replicated',
    CROSSBOOK_NATS: 'nats://127.0.0.1:1',
    CROSSBOOK_PUBLIC_URL: 'http://standby.example:8080',
  };
});
afterEach(() => rig.remove());

it('is refused where there is no data directory, and makes none', async () => {
  const { code, err } = await rig.run(podsCommand, 'take', 'desk');
  expect([code, err]).toEqual([2, expect.stringContaining(`${rig.dataDir} has no pods/desk.secret`)]);
  expect(existsSync(rig.dataDir)).toBe(false);
});

it('is refused where the data directory is of other pods', async () => {
  mkdirSync(rig.dataDir);
  expect((await rig.run(podsCommand, 'take', 'desk')).code).toBe(2);
  expect(readdirSync(rig.dataDir)).toEqual([]);
});
