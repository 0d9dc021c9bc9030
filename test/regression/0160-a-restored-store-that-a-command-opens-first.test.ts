// Found by restoring a backup and checking it before the gateway was started: the check built the state anew, and the gateway, which
// then found it whole, never said that the store was rebuilt, after which cursors of the channel `orders` may have expired.

import { mkdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { storeCommand } from '../../src/cli/store.ts';
import { wallTimers } from '../../src/runtime/timers.ts';
import { openOrderStore } from '../../src/store/order-store.ts';
import { CommandRig } from '../cli/command-rig.ts';

const REBUILT = 'the order store was rebuilt from checkpoint and journal\n';
let rig: CommandRig;
beforeEach(async () => {
  rig = new CommandRig();
  mkdirSync(rig.dataDir);
  const folder = join(rig.dataDir, 'orders');
  await (await openOrderStore({ folder, mode: 'process-safe', role: 'owner', timers: wallTimers })).close();
  await rig.run(storeCommand, 'backup', rig.file('copy'));
  mkdirSync(rig.file('restored'));
  renameSync(rig.file('copy'), join(rig.file('restored'), 'orders'));
});
afterEach(() => rig.remove());

const restored = (...args: string[]) => rig.run(storeCommand, ...args, '--data-dir', rig.file('restored'));

it.each(['check', 'export', 'compact'])('store %s says so, once', async name => {
  expect(await restored(name)).toMatchObject({ code: 0, err: REBUILT });
  expect(await restored('check')).toMatchObject({ code: 0, err: '' });
});
