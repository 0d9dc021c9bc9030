// The container's root file system, made as deploy/rootfs makes it, and run as deploy/Containerfile says: without root, on a read-only root, with
// the data volume. No container runtime is needed: bubblewrap gives it namespaces of its own. buildah makes the image, where it can.

import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { json } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { lacks } from '../support/debian-packages.ts';
import { eventually } from '../support/eventually.ts';
import { endWithUs } from '../support/reaped.ts';
import { removeFolder, temporaryFolder } from '../support/temporary-folder.ts';

const UID = 10_001;
const containerfile = readFileSync('deploy/Containerfile', 'utf8');
const of = (name: string): string[] =>
  Array.from(containerfile.matchAll(new RegExp(`^${name} (.*)$`, 'gm')), ([, rest]) => rest!);
const settings = Object.fromEntries(
  of('ENV')
    .flatMap(it => it.split(' '))
    .map(it => it.split(/=(.*)/s) as [string, string]),
);
const [HEALTH_PORT, PORT] = ['19464', '18080'];
const [, health = ''] = /CMD (\[.*\])$/.exec(of('HEALTHCHECK')[0]!)!;

const isMissing = lacks('mmdebstrap', 'buildah', 'bubblewrap');
/** A kernel or a sandbox may give no namespaces, not even to root. */
const hasNamespaces =
  process.getuid?.() === 0 &&
  spawnSync('bwrap', ['--ro-bind', '/', '/', '--unshare-pid', '--proc', '/proc', 'true']).status === 0;
if (!isMissing && !hasNamespaces) console.warn('the image is not run: bwrap gets no namespaces here');

describe.skipIf(isMissing || !hasNamespaces)('the image', () => {
  const folder = temporaryFolder();
  // The user of the image passes through.
  chmodSync(folder, 0o711);
  const [root, data] = [join(folder, 'build/root'), join(folder, 'data')];
  afterAll(() => removeFolder(folder));

  beforeAll(() => {
    const { status, stdout, stderr } = spawnSync('deploy/rootfs', [join(folder, 'build')], { encoding: 'utf8' });
    // It fails above its bound of size.
    expect([status, stderr, stdout]).toEqual([0, stderr, expect.stringMatching(/with Debian's part: \d+ MB/)]);
    mkdirSync(data, { mode: 0o700 });
    chownSync(data, UID, UID);
  });

  /** A command in the file system of the image, which it cannot write; its network is this machine's. */
  function inside(command: readonly string[], ...more: readonly string[]): [string, string[]] {
    const own = { CROSSBOOK_PORT: PORT, CROSSBOOK_METRICS_PORT: HEALTH_PORT, CROSSBOOK_HOST: '127.0.0.1' };
    const variables = Object.entries({ ...settings, ...own }).flatMap(([name, value]) => ['--setenv', name, value]);
    const options = `--unshare-all --share-net --uid ${UID} --gid ${UID} --as-pid-1 --die-with-parent --clearenv
      --ro-bind ${root} / --bind ${data} /var/lib/crossbook --tmpfs /tmp --dev /dev --proc /proc --chdir ${of('WORKDIR')[0]}`;
    const user = [`--reuid=${UID}`, `--regid=${UID}`, '--clear-groups'];
    return ['setpriv', [...user, 'bwrap', ...options.split(/\s+/), ...variables, ...more, '--', ...command]];
  }
  const run = (...command: readonly string[]) => spawnSync(...inside(command), { encoding: 'utf8' });

  it('starts without root, is healthy, places an order, and drains at SIGTERM', async () => {
    const entry = [...JSON.parse(of('ENTRYPOINT')[0]!), ...JSON.parse(of('CMD')[0]!)] as string[];
    const child = spawn(...inside(entry, '--info-fd', '3'), { stdio: ['ignore', 'pipe', 'inherit', 'pipe'] });
    child.stdout?.resume();
    endWithUs(child);
    // It comes in pieces.
    const info = (await json(child.stdio[3] as Readable)) as { readonly 'child-pid': number };
    const closed = once(child, 'close');
    await eventually(() =>
      expect(run(...(JSON.parse(health.replace('9464', HEALTH_PORT)) as string[])).status).toBe(0),
    );
    expect(existsSync(join(data, 'demo/key.json'))).toBe(true);
    const found = await eventually(() => {
      const { stdout } = run('bin/crossbook', 'markets', '--venue', 'venue_b', '--executable', '--count', '1');
      const [ticker] = /KX[A-Z0-9.-]*/.exec(stdout) ?? [];
      expect(ticker).toBeDefined();
      return ticker!;
    });
    const order = ['order', 'submit', found, 'buy-yes', '3', '--price', '0.99', '--time-in-force', 'IOC'];
    expect(run('bin/crossbook', ...order).stdout).toMatch(/ {2}FILLED {2}/);
    expect(run('touch', 'file').stderr).toMatch(/Read-only file system/);
    process.kill(info['child-pid'], 'SIGTERM');
    expect((await closed)[0]).toBe(0);
  });

  it('is made by buildah, where it can', ({ skip }) => {
    const buildah = (...args: string[]) =>
      spawnSync(
        'buildah',
        ['--root', join(folder, 'storage'), '--runroot', join(folder, 'run'), '--storage-driver', 'vfs', ...args],
        {
          encoding: 'utf8',
        },
      );
    if (buildah('from', 'scratch').status !== 0) {
      return skip('the image is not built: buildah cannot work here');
    }
    const build = [
      'build',
      '--format',
      'docker',
      '--isolation',
      'chroot',
      '--file',
      'deploy/Containerfile',
      '--tag',
      'crossbook',
    ];
    expect(buildah(...build, join(folder, 'build'))).toMatchObject({ status: 0 });
    const { OCIv1, Docker } = JSON.parse(buildah('inspect', '--type', 'image', 'crossbook').stdout);
    expect(OCIv1.config).toMatchObject({
      User: '10001:10001',
      StopSignal: 'SIGTERM',
      Volumes: { '/var/lib/crossbook': {} },
    });
    expect(Docker.config.Healthcheck.Test).toEqual(['CMD', ...JSON.parse(health)]);
  });
});
