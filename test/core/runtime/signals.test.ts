// A signal that comes while the gateway opens its addresses is heard, and acts once they are open.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { expect, it } from 'vitest';

it('4027: a signal before all is open ends nothing half, and is not forgotten', async () => {
  const child = spawn(process.execPath, ['test/core/runtime/signals-child.ts'], { stdio: ['pipe', 'pipe', 'ignore'] });
  const said: string[] = [];
  const lines = createInterface(child.stdout);
  lines.on('line', line => said.push(line));
  await once(lines, 'line');
  child.kill('SIGTERM');
  child.kill('SIGHUP');
  child.stdin.write('go on\n');
  const [code] = await once(child, 'exit');
  expect([code, said]).toEqual([0, ['hears false', 'open', 'stop']]);
});
