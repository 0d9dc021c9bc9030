// When systemd is notified: once, and only when the gateway is ready. A program of the same name stands in for systemd-notify.

import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { silentLog } from '../../../src/core/runtime/log.ts';
import { notifyReady } from '../../../src/core/runtime/process-life.ts';
import { eventually } from '../../support/eventually.ts';
import { removeFolder, temporaryFolder } from '../../support/temporary-folder.ts';

const folder = temporaryFolder();
const path = process.env.PATH;
afterAll(() => {
  process.env.PATH = path;
  removeFolder(folder);
});

it('systemd is notified once, when the gateway is ready', async () => {
  const notices = join(folder, 'notices');
  const program = join(folder, 'systemd-notify');
  writeFileSync(program, `#!/bin/sh\necho "$@" >> ${notices}\n`);
  chmodSync(program, 0o700);
  process.env.PATH = `${folder}:${path}`;
  let [isReady, looks] = [false, 0];
  const stop = notifyReady(() => {
    looks += 1;
    return isReady;
  }, silentLog);
  await eventually(() => expect(looks).toBeGreaterThan(3));
  expect(existsSync(notices)).toBe(false);
  isReady = true;
  await eventually(() => expect(readFileSync(notices, 'utf8')).toBe('--ready\n'));
  stop();
});
