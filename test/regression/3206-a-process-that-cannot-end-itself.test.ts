// Found by starting the gateway as the image did, as process 1 of a container. Linux ignores a SIGKILL that such a process sends to itself. So
// after an error of its main thread, a failed engine, a hang, or the loss of its pod, the gateway went on.

import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { refuseInit } from '../../src/runtime/process-end.ts';
import { ConfigError } from '../../src/runtime/setting-values.ts';
import { START_FLAGS } from '../support/child-process.ts';

it('a start as process 1 is refused', () => {
  expect(() => refuseInit(1)).toThrow(ConfigError);
  expect(() => refuseInit()).not.toThrow();
});

it('the image has an init', () => {
  expect(readFileSync('deploy/Containerfile', 'utf8')).toMatch(/^ENTRYPOINT \["tini", "--", /m);
});

// A process namespace of one's own is root's.
it.skipIf(process.getuid?.() !== 0)('the gateway says so, and ends', () => {
  const gateway = [process.execPath, ...START_FLAGS, 'src/main.ts'];
  const ended = spawnSync('unshare', ['--pid', '--fork', ...gateway], {
    encoding: 'utf8',
    env: { PATH: process.env.PATH, CROSSBOOK_DATA_DIR: '/nowhere' },
  });
  expect([ended.status, ended.stderr]).toEqual([1, expect.stringContaining('start it under an init')]);
});
