// Found by sending SIGUSR1: Node opens its debugger on a local port. There every user of the machine may read keys and act as the gateway.
// No process of ours, however started, listens to that signal now.

import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { OwnProcess, START_FLAGS } from '../support/child-process.ts';

it('opens nothing in a gateway, which goes on', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'crossbook-debugger-'));
  const gateway = new OwnProcess(['src/main.ts'], { CROSSBOOK_PORT: '0', CROSSBOOK_DATA_DIR: join(folder, 'data') });
  await gateway.said(/^crossbook listening/);
  gateway.signal('SIGUSR1');
  gateway.signal('SIGTERM');
  expect(await gateway.ended).toBe(0);
  expect(gateway.stderr).not.toContain('Debugger');
  rmSync(folder, { recursive: true });
});

it.each([
  ['package.json', 'src/main.ts'],
  ['package.json', 'src/cli/crossbook.ts'],
  ['deploy/crossbook.service', 'src/main.ts'],
])('%s starts %s with the flags that are tested here', (file, program) => {
  expect(readFileSync(file, 'utf8')).toContain(`node ${START_FLAGS.join(' ')} ${program}`);
});
