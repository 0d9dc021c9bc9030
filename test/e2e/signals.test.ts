// Signals to a gateway, and the end of its process.

import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { refuseProcessOne } from '../../src/core/runtime/process-life.ts';
import { ConfigError } from '../../src/core/runtime/setting-values.ts';
import { OwnProcess, type Signal, START_FLAGS } from '../support/child-process.ts';

// A second signal ended the gateway in the middle of its shutdown, and so did a different signal.
describe('0133: a signal while it ends', () => {
  let folder: string;
  let gateway: OwnProcess;
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'crossbook-signals-'));
    gateway = new OwnProcess(['src/main.ts'], { CROSSBOOK_PORT: '0', CROSSBOOK_DATA_DIR: join(folder, 'data') });
    await gateway.said(/^crossbook listening/);
  });
  afterEach(async () => {
    gateway.signal('SIGKILL');
    await gateway.ended;
    rmSync(folder, { recursive: true });
  });

  it.each<[Signal, readonly Signal[]]>([
    ['SIGINT', ['SIGINT']],
    ['SIGTERM', ['SIGINT', 'SIGHUP', 'SIGTERM']],
  ])('%s, and then %j for as long as it lives, is an end like any other', async (first, then) => {
    let isOver = false;
    void gateway.ended.then(() => {
      isOver = true;
    });
    gateway.signal(first);
    while (!isOver) {
      for (const name of then) gateway.signal(name);
      await turn();
    }
    expect([await gateway.ended, gateway.endedBy]).toEqual([0, null]);
  });
});

// SIGUSR1 makes Node open its debugger on a local port, where every user of the machine may read keys and act as the gateway. Now none of our
// processes, however started, listens to this signal.
it('0135: opens nothing in a gateway, which goes on', async () => {
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
  ['package.json', 'src/tools/cli/crossbook.ts'],
  ['deploy/crossbook.service', 'src/main.ts'],
])('0135: %s starts %s with the flags that are tested here', (file, program) => {
  expect(readFileSync(file, 'utf8')).toContain(`node ${START_FLAGS.join(' ')} ${program}`);
});

// Linux ignores a SIGKILL that process 1 of a namespace sends to itself. So the gateway went on after an error of its main thread, a failed engine, a
// hang, or the loss of its pod.
describe('3206: a process that cannot end itself', () => {
  it('a start as process 1 is refused', () => {
    expect(() => refuseProcessOne(1)).toThrow(ConfigError);
    expect(() => refuseProcessOne()).not.toThrow();
  });

  it('the image has an init', () => {
    expect(readFileSync('deploy/Containerfile', 'utf8')).toMatch(/^ENTRYPOINT \["tini", "--", /m);
  });

  // Only root can make a process namespace.
  it.skipIf(process.getuid?.() !== 0)('the gateway says so, and ends', () => {
    const gateway = [process.execPath, ...START_FLAGS, 'src/main.ts'];
    const ended = spawnSync('unshare', ['--pid', '--fork', ...gateway], {
      encoding: 'utf8',
      env: { PATH: process.env.PATH, CROSSBOOK_DATA_DIR: '/nowhere' },
    });
    expect([ended.status, ended.stderr]).toEqual([1, expect.stringContaining('start it under an init')]);
  });
});
