// Found by starting two gateways in two process namespaces on one data directory, as a rolling update of containers does. The id of the first
// is nobody's in the second, which took it for dead. Both appended to one journal, and traded for the same accounts.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { takeOwnership } from '../../src/store/owner-lock.ts';
import { removeFolder, temporaryFolder } from '../support/temporary-folder.ts';

const CHILD = join(import.meta.dirname, '0150-owns-a-folder.ts');
let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => removeFolder(folder));

it('keeps the store as long as it lives, though its id is another’s here', async () => {
  const owner = spawn(process.execPath, [CHILD, folder], { stdio: ['ignore', 'pipe', 'ignore'] });
  const ended = once(owner, 'exit');
  await once(owner.stdout, 'data');
  const file = join(folder, 'owner');
  const [, boot] = readFileSync(file, 'utf8').split(' ');
  // Our own id, and the start of a process that is not here.
  const foreign = `${process.pid} ${boot} 1\n`;
  writeFileSync(file, foreign);
  expect(() => takeOwnership(folder)).toThrow(`is open in another process or container (lock file ${file})`);
  expect(readFileSync(file, 'utf8')).toBe(foreign);
  owner.kill('SIGKILL');
  await ended;
  takeOwnership(folder)();
});
