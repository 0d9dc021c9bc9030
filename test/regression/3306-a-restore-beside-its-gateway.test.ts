// Found by asking who is who after a restore. A data directory that was restored beside its gateway had the id of that one. Of a replicated pod
// both were owners, and each start ended the other. A second restore into one folder took the draft of the first.

import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { backupCommand, restoreCommand } from '../../src/cli/backup.ts';
import { openKeyStore } from '../../src/store/key-store.ts';
import { takeOwnership } from '../../src/store/owner-lock.ts';
import { gatewayIdIn } from '../../src/store/secret-file.ts';
import { CommandRig } from '../cli/command-rig.ts';

let rig: CommandRig;
let copy: string;
let back: string;
let id: string;
beforeEach(async () => {
  rig = new CommandRig();
  [copy, back] = [rig.file('copy'), rig.file('back')];
  id = gatewayIdIn(rig.dataDir);
  await openKeyStore(join(rig.dataDir, 'keys')).close();
  expect((await rig.run(backupCommand, copy)).code).toBe(0);
});
afterEach(() => rig.remove());

const restore = () => rig.run(restoreCommand, copy, '--data-dir', back);

it('a restored data directory is that of another gateway, and the restore says so', async () => {
  expect(await restore()).toMatchObject({ code: 0, out: expect.stringContaining('crossbook pods take POD') });
  expect(readdirSync(back)).toEqual(['keys']);
  expect(gatewayIdIn(back)).not.toBe(id);
});

it('a restore beside another into the same folder is refused, and changes nothing', async () => {
  const draft = join(back, 'restoring');
  mkdirSync(join(draft, 'data'), { recursive: true });
  writeFileSync(join(draft, 'data', 'part'), 'of the other');
  const end = takeOwnership(draft);
  const refused = await restore();
  expect([refused.code, refused.err]).toEqual([1, expect.stringContaining(`is open in process ${process.pid}`)]);
  expect(readFileSync(join(draft, 'data', 'part'), 'utf8')).toBe('of the other');
  end();
  expect((await restore()).code).toBe(0);
  expect(existsSync(draft)).toBe(false);
});
