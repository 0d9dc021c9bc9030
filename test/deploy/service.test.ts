// deploy/crossbook.service: systemd can read it, it is hardened, and the gateway tells systemd when it is ready.

import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { OwnProcess, START_FLAGS } from '../support/child-process.ts';
import { lacks } from '../support/debian-packages.ts';
import { eventually } from '../support/eventually.ts';
import { removeFolder, temporaryFolder } from '../support/temporary-folder.ts';

const UNIT = readFileSync('deploy/crossbook.service', 'utf8');
const INSTALLED = '/opt/crossbook';
/** `systemd-analyze security`, from 0 to 100; what V8 and the network need is the rest. */
const EXPOSURE_MAX = 16;

const folder = temporaryFolder();
afterAll(() => removeFolder(folder));

function settingOf(name: string): readonly string[] {
  return Array.from(UNIT.matchAll(new RegExp(`^${name}=(.*)$`, 'gm')), ([, value]) => value!);
}

it('starts the gateway as npm start does', () => {
  expect(settingOf('ExecStart')).toEqual([
    [`${INSTALLED}/node_modules/.bin/node`, ...START_FLAGS, 'src/main.ts'].join(' '),
  ]);
  expect(settingOf('WorkingDirectory')).toEqual([INSTALLED]);
  expect(existsSync('node_modules/.bin/node')).toBe(true);
});

it('gives the C library the settings that npm start gives it', () => {
  const start = JSON.parse(readFileSync('package.json', 'utf8')).scripts.start as string;
  const [tunables] = start.split(' exec ');
  expect(tunables).toMatch(/^GLIBC_TUNABLES=\S+$/);
  expect(settingOf('Environment')).toContain(tunables);
  expect(readFileSync('deploy/Containerfile', 'utf8')).toContain(` ${tunables}\n`);
});

it('has a reload read the settings of its start again', () => {
  const [file] = settingOf('EnvironmentFile');
  expect(settingOf('Environment')).toContain(`CROSSBOOK_ENV_FILE=${file}`);
  expect(settingOf('ExecReload')).toEqual(['kill -HUP $MAINPID']);
});

it('the example of settings names known ones, in the folders of the unit', () => {
  const settings = readFileSync('deploy/crossbook.env.example', 'utf8').matchAll(/^(\w+)=(.*)$/gm);
  const config = readFileSync('src/config.ts', 'utf8');
  const found = Array.from(settings, ([, name, value]) => [name!, value!] as const);
  expect(found.filter(([name]) => !config.includes(`'${name}'`))).toEqual([]);
  expect(Object.fromEntries(found)).toMatchObject({
    CROSSBOOK_DATA_DIR: `/var/lib/${settingOf('StateDirectory')[0]}`,
    CROSSBOOK_UNIX_SOCKET: `/run/${settingOf('RuntimeDirectory')[0]}/gateway.sock`,
  });
});

it('the example has every setting of the manual, with its default if there is one', () => {
  const example = readFileSync('deploy/crossbook.env.example', 'utf8');
  const shown = new Map(Array.from(example.matchAll(/^#?(CROSSBOOK_\w+)=(.*)$/gm), ([, name, value]) => [name, value]));
  const rows = readFileSync('docs/OPERATIONS.md', 'utf8').matchAll(/^\| (`CROSSBOOK_[^|]+)\| *([^|]*?) *\|/gm);
  const known = [...rows].flatMap(([, names = '', standard = '']) =>
    Array.from(names.matchAll(/`(\S+)`/g), ([, name = '']) => ({
      name: name.replace('…', 'CROSSBOOK_VENUE'),
      standard,
    })),
  );
  expect([...shown.keys()].toSorted()).toEqual(known.map(({ name }) => name).toSorted());
  const others = known.filter(({ name, standard }) => /^[\w.-]+$/.test(standard) && shown.get(name) !== standard);
  expect(others).toEqual([]);
});

describe.skipIf(lacks('systemd'))('systemd', () => {
  /** The program must exist, so the unit is read as if it was installed here. */
  const path = join(folder, 'crossbook.service');
  writeFileSync(path, UNIT.replaceAll(INSTALLED, resolve('.')));
  const analyze = (...args: readonly string[]) => {
    const { status, stdout, stderr } = spawnSync('systemd-analyze', [...args, path], { encoding: 'utf8' });
    return { status, text: `${stdout}${stderr}` };
  };

  it('finds nothing wrong in the unit', () => {
    expect(analyze('verify', '--man=no')).toEqual({ status: 0, text: '' });
  });

  it('finds the service exposed to little', () => {
    const found = analyze('security', '--offline=true', '--no-pager', `--threshold=${EXPOSURE_MAX}`);
    expect(found.status, found.text).toBe(0);
    const least = analyze('security', '--offline=true', '--no-pager', '--threshold=1');
    expect(least.status, 'a threshold is respected').not.toBe(0);
  });

  it('hears of the gateway once it is ready', async () => {
    const socket = join(folder, 'notify.sock');
    const receiver = spawn('python3', ['test/deploy/notified.py', socket], { stdio: ['ignore', 'pipe', 'inherit'] });
    let heard = '';
    receiver.stdout.setEncoding('utf8').on('data', text => {
      heard += text;
    });
    await eventually(() => expect(heard).toBe('bound\n'));
    const gateway = new OwnProcess(['src/main.ts'], {
      CROSSBOOK_PORT: '0',
      CROSSBOOK_DATA_DIR: join(folder, 'data'),
      CROSSBOOK_POOL_THREADS: '1',
      NOTIFY_SOCKET: socket,
    });
    const [, url] = await gateway.said(/listening on (\S+)/);
    await once(receiver, 'exit');
    expect(heard).toBe('bound\nREADY=1\nBARRIER=1\n');
    await expect.poll(async () => (await fetch(`${url}/readyz`)).status).toBe(200);
    await eventually(() => expect(gateway.stderr).toContain('systemd is notified: ready'));
    gateway.signal('SIGTERM');
    expect(await gateway.ended).toBe(0);
  });

  it('that cannot be notified is no reason to end', async () => {
    const gateway = new OwnProcess(['src/main.ts'], {
      CROSSBOOK_PORT: '0',
      CROSSBOOK_DATA_DIR: join(folder, 'data'),
      CROSSBOOK_POOL_THREADS: '1',
      NOTIFY_SOCKET: join(folder, 'nobody.sock'),
    });
    await gateway.said(/listening on/);
    await eventually(() => expect(gateway.stderr).toContain('systemd is not notified'));
    gateway.signal('SIGTERM');
    expect(await gateway.ended).toBe(0);
  });
});
