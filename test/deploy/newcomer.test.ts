// A newcomer's first order on a Debian 12 that has no Node: its minimal root file system, in namespaces of its own. Debian's packages are installed,
// and the commands of the documents run as they stand. image.test.ts has the third way, which needs no Node outside of the image.

import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { steadyPort } from '../soak/steady-port.ts';
import { lacks } from '../support/debian-packages.ts';
import { blocksOf } from '../support/documents.ts';
import { removeFolder, temporaryFolder } from '../support/temporary-folder.ts';

const README = readFileSync('README.md', 'utf8');
const [START = ''] = blocksOf(README, '## Start', 'sh');
const [PATH_LINE = '', ...TYPED] = blocksOf(README, '## A first order', 'sh')[0]!.split('\n');
const [DEBIAN = '', NPX = ''] = blocksOf(readFileSync('docs/OPERATIONS.md', 'utf8'), '## From a bare Debian 12', 'sh');
const LONGEST_MS = 20 * 60_000;

const canRun = !lacks('mmdebstrap', 'bubblewrap') && process.getuid?.() === 0;
const hasNamespaces =
  canRun && spawnSync('bwrap', '--bind / / --unshare-pid --proc /proc true'.split(' ')).status === 0;
if (canRun && !hasNamespaces) console.warn('no newcomer is tried: bwrap gets no namespaces here');

describe.skipIf(!hasNamespaces)('a newcomer without Node', () => {
  const folder = temporaryFolder();
  const [root, given] = [join(folder, 'root'), join(folder, 'given')];
  afterAll(() => removeFolder(folder));

  beforeAll(() => {
    mkdirSync(given);
    run('mmdebstrap', '--quiet', '--variant=apt', '--dpkgopt=force-unsafe-io', 'bookworm', root);
    writeFileSync(join(root, 'etc/resolv.conf'), readFileSync('/etc/resolv.conf'));
    run('git', 'clone', '--quiet', '--bare', '--depth', '1', `file://${resolve('.')}`, join(given, 'crossbook.git'));
    run('npm', 'pack', '--silent', '--pack-destination', given);
    // It trusts the registry that this machine trusts.
    writeFileSync(join(given, 'authorities.crt'), readFileSync(realpathSync('/etc/ssl/certs/ca-certificates.crt')));
  }, LONGEST_MS);

  /** All at once: the commands of the first terminal, and once the gateway listens and lists, those of the second. */
  async function firstOrder(prepare: string, start: string, crossbook: string): Promise<string> {
    const script = `${DEBIAN}
      ${prepare}
      (${start}) > ~/said 2>&1 &
      until grep -q '^crossbook listening' ~/said; do kill -0 $! || { cat ~/said; exit 1; }; sleep 1; done
      ${crossbook}
      until crossbook markets --venue venue_b --executable --count 1 | grep -q KX; do sleep 1; done
      ${TYPED.join('\n')}`;
    const environment = {
      PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
      HOME: '/root',
      CROSSBOOK_PORT: String(await steadyPort()),
      NODE_EXTRA_CA_CERTS: '/srv/authorities.crt',
      npm_config_registry: run('npm', 'config', 'get', 'registry').trim(),
    };
    const options =
      `--bind ${root} / --ro-bind ${given} /srv --dev /dev --proc /proc --perms 1777 --tmpfs /tmp --unshare-pid
      --die-with-parent --cap-add ALL --clearenv --chdir /root`.split(/\s+/);
    const variables = Object.entries(environment).flatMap(([name, value]) => ['--setenv', name, value]);
    return run('bwrap', ...options, ...variables, 'bash', '-euo', 'pipefail', '-c', script);
  }

  it.each([
    ['by a clone', 'git clone --quiet file:///srv/crossbook.git && cd crossbook', START, PATH_LINE],
    ['by npm', 'mkdir new && cd new && cp /srv/*.tgz .', NPX, `crossbook() { ${NPX.trim()} "$@"; }`],
  ])(
    'places a first order %s',
    async (way, ...commands) => {
      const begunAt = performance.now();
      const said = await firstOrder(...commands);
      console.warn(`from nothing to an order ${way}: ${Math.round((performance.now() - begunAt) / 1_000)} s`);
      expect(said).toMatch(/^[\da-f-]{36} {2}FILLED {2}\S/m);
      expect(said).toMatch(/^KX\S+ +YES +3 /m);
    },
    LONGEST_MS,
  );
});

function run(command: string, ...args: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync(command, args, { encoding: 'utf8', maxBuffer: 64 << 20 });
  expect(status, `${command}: ${stderr}${stdout}`).toBe(0);
  return stdout;
}
