// Found by killing a gateway under a parent that does not wait for its children (a container without an init). The process becomes a
// zombie, which answers to its id and has its start time. The next start was refused for as long as the parent lived.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { nodeFiles } from '../../src/store/files.ts';
import { isOwned, takeOwnership } from '../../src/store/owner-lock.ts';
import { removeFolder, temporaryFolder } from '../support/temporary-folder.ts';

const CHILD = join(import.meta.dirname, '0150-owns-a-folder.ts');
/** What would be read for the state of a live process, by a reader that takes the name's end for granted. */
const TITLE = 'gate) R (way';
let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => removeFolder(folder));

it('owns nothing any more', async () => {
  const owner = spawn(process.execPath, [`--title=${TITLE}`, CHILD, folder], { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(owner, 'exit');
  await once(owner.stdout, 'data');
  expect(isOwned(nodeFiles, folder)).toBe(true);
  expect(() => takeOwnership(folder)).toThrow(`is open in process ${owner.pid}`);
  owner.kill('SIGKILL');
  // This process is its parent, and asks for it only when the event loop turns.
  while (!isZombie(owner.pid!));
  expect(isOwned(nodeFiles, folder)).toBe(false);
  takeOwnership(folder)();
  expect(isZombie(owner.pid!)).toBe(true);
  await ended;
});

/** With all of its threads. */
function isZombie(pid: number): boolean {
  const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
  return stat.startsWith(`${pid} (${TITLE}) Z `) && readdirSync(`/proc/${pid}/task`).length === 1;
}
