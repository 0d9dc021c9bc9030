// Programs from Debian's packages that some tests run. .ci/debian-packages lists them; .ci/run installs them and sets
// CROSSBOOK_SKIP_NOTHING, so that a missing one fails the run instead of skipping its tests.

import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

const LIST = new URL('../../.ci/debian-packages', import.meta.url);

/** The command that shows each package, by the package's name. */
const probes: ReadonlyMap<string, string> = new Map(
  readFileSync(LIST, 'utf8')
    .split('\n')
    .filter(line => line !== '' && !line.startsWith('#'))
    .map(line => [line.slice(0, line.indexOf(' ')), line.slice(line.indexOf(' ') + 1)]),
);

/** Returns true, for `it.skipIf`, if a package is missing. Throws if no test may be skipped, and for a package that is not listed. */
export function lacks(...packages: readonly string[]): boolean {
  const missing = packages.filter(name => !isInstalled(name));
  if (missing.length > 0 && process.env.CROSSBOOK_SKIP_NOTHING !== undefined) {
    throw new Error(`CROSSBOOK_SKIP_NOTHING is set, and packages are missing: ${missing.join(' ')}`);
  }
  return missing.length > 0;
}

/** Prints, for the test run, the packages whose tests are skipped and the command that installs the packages. */
export function nameMissingPackages(): void {
  const missing = [...probes.keys()].filter(name => !isInstalled(name));
  if (missing.length === 0) return;
  console.warn(`Tests that need these packages are skipped. To install them: apt-get install ${missing.join(' ')}\n`);
}

function isInstalled(name: string): boolean {
  const probe = probes.get(name);
  if (probe === undefined) throw new Error(`.ci/debian-packages does not list ${name}`);
  return spawnSync('sh', ['-c', probe], { stdio: 'ignore' }).status === 0;
}
