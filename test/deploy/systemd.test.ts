// deploy/crossbook.service, started by a systemd that is process 1 of its own namespaces (systemd-root): ready, confined, reloaded, started
// again after kill -9, and stopped.

import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, existsSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { steadyPort } from '../soak/steady-port.ts';
import { lacks } from '../support/debian-packages.ts';
import { eventually } from '../support/eventually.ts';
import { endWithUs } from '../support/reaped.ts';
import { removeFolder, temporaryFolder } from '../support/temporary-folder.ts';

const folder = temporaryFolder();
const port = await steadyPort();
copyFileSync('deploy/crossbook.service', join(folder, 'crossbook.service'));
writeFileSync(
  join(folder, 'crossbook.env'),
  `CROSSBOOK_DATA_DIR=/var/lib/crossbook\nCROSSBOOK_PORT=${port}\nCROSSBOOK_WARM_UP=off\n`,
);
const asProcess1 = (...command: readonly string[]) =>
  ['test/deploy/systemd-root', [resolve('.'), folder, ...command]] as const;

/** Without its processes. */
function removeGroup(pid: number): void {
  const [, groups] = /^\S+ (\S+) cgroup2 /m.exec(readFileSync('/proc/mounts', 'utf8')) ?? [];
  const remove = (path: string): void => {
    for (const entry of readdirSync(path, { withFileTypes: true }))
      if (entry.isDirectory()) remove(join(path, entry.name));
    rmdirSync(path);
  };
  const group = join(groups ?? '', `crossbook-test-${pid}`);
  if (existsSync(group)) remove(group);
}

/** A kernel or a sandbox may give no namespaces or no control group, not even to root. */
function isRefused(): boolean {
  if (lacks('systemd')) return true;
  const { pid, status, stderr } = spawnSync(...asProcess1('true'), { encoding: 'utf8' });
  removeGroup(pid);
  if (status !== 0)
    console.warn(`the unit is not started: this machine gives no systemd namespaces of its own: ${stderr}`);
  return status !== 0;
}

describe.skipIf(isRefused())('systemd', () => {
  let manager: ChildProcess;
  /** The process id of systemd, as seen from outside. */
  let pid: string;

  beforeAll(async () => {
    const [file, args] = asProcess1('/lib/systemd/systemd', '--system', '--unit=basic.target', '--show-status=no');
    manager = spawn(file, args, { stdio: 'ignore' });
    endWithUs(manager);
    const own = `/proc/${manager.pid}/task/${manager.pid}/children`;
    pid = await eventually(() => {
      const [found = ''] = readFileSync(own, 'utf8').split(' ');
      expect(readFileSync(`/proc/${found}/comm`, 'utf8')).toBe('systemd\n');
      return found;
    });
    await eventually(() => expect(systemctl('is-system-running')).toBe('running'));
  });
  afterAll(async () => {
    const ended = once(manager, 'close');
    process.kill(Number(pid), 'SIGKILL');
    await ended;
    await eventually(() => removeGroup(manager.pid!));
    removeFolder(folder);
  });

  function systemctl(...args: readonly string[]): string {
    return spawnSync('nsenter', ['--target', pid, '--mount', '--pid', 'systemctl', ...args], {
      encoding: 'utf8',
    }).stdout.trim();
  }

  function shown(): Readonly<Record<string, string>> {
    const lines = systemctl('show', 'crossbook', '--property=MainPID,NRestarts,ActiveState,Result,ExecMainStatus');
    return Object.fromEntries(lines.split('\n').map(line => line.split('=')));
  }

  const readiness = async (): Promise<number> => (await fetch(`http://127.0.0.1:${port}/readyz`)).status;

  it('counts the gateway as started once it is ready', async () => {
    expect(systemctl('start', 'crossbook')).toBe('');
    expect([shown().ActiveState, await readiness()]).toEqual(['active', 200]);
  });

  it('confines it as the unit says', () => {
    const status = readFileSync(join('/proc', pid, 'root', 'proc', shown().MainPID!, 'status'), 'utf8');
    const found = Object.fromEntries(
      Array.from(status.matchAll(/^(\w+):\s+(\S+)/gm), ([, name, value]) => [name, value]),
    );
    expect(found).toMatchObject({
      CapBnd: '0000000000000000',
      CapEff: '0000000000000000',
      NoNewPrivs: '1',
      Seccomp: '2',
    });
    expect(found.Uid).not.toBe('0');
  });

  it('reloads it in the same process', async () => {
    const { MainPID } = shown();
    systemctl('reload', 'crossbook');
    expect([shown(), await readiness()]).toEqual([expect.objectContaining({ MainPID, Result: 'success' }), 200]);
  });

  it('starts it again after kill -9', async () => {
    const { MainPID } = shown();
    systemctl('kill', '--signal=KILL', '--kill-who=main', 'crossbook');
    await eventually(() => expect(shown().NRestarts).toBe('1'));
    // It waits for the start that is under way.
    systemctl('start', 'crossbook');
    expect(shown()).toMatchObject({ NRestarts: '1', ActiveState: 'active' });
    expect(shown().MainPID).not.toBe(MainPID);
    // The first request may take a connection of the killed process.
    await eventually(async () => expect(await readiness()).toBe(200));
  });

  it('stops it in order', () => {
    systemctl('stop', 'crossbook');
    expect(shown()).toMatchObject({ ActiveState: 'inactive', Result: 'success', ExecMainStatus: '0' });
  });
});
