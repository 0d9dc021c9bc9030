// The machine, runtime and package versions of a measurement. Benchmark runner.

import { readFileSync } from 'node:fs';
import { arch, availableParallelism, cpus, loadavg, release, totalmem, type } from 'node:os';

/** Returns one line for each fact, as `name: value`. */
export function describeMachine(): string[] {
  return [
    `machine: ${cpus()[0]?.model.trim() ?? arch()}, ${availableParallelism()} cores, ${Math.round(totalmem() / 2 ** 30)} GiB`,
    `system: ${type()} ${release()} ${arch()}`,
    `runtime: Node ${process.versions.node}, V8 ${process.versions.v8}`,
    `packages: ${packageVersions().join(', ')}`,
    `load before: ${loadavg()
      .map(it => it.toFixed(2))
      .join(', ')} (1, 5 and 15 minutes)`,
  ];
}

/** The load average above which figures are not worth keeping. */
const LOAD_MAX = 0.3;

/** Returns a warning if the machine was not idle. Returns null if it was idle, or if the system does not say. */
export function otherLoad(): string | null {
  const [lastMinute = 0] = loadavg();
  if (lastMinute <= LOAD_MAX) return null;
  return `WARNING: load ${lastMinute.toFixed(2)} in the last minute: the machine was not idle, the figures will not be comparable`;
}

function packageVersions(): string[] {
  const root = new URL('../', import.meta.url);
  const { dependencies } = readJson<{ dependencies: Record<string, string> }>(new URL('package.json', root));
  return Object.keys(dependencies)
    .filter(name => name !== 'node')
    .map(
      name => `${name} ${readJson<{ version: string }>(new URL(`node_modules/${name}/package.json`, root)).version}`,
    );
}

function readJson<T>(url: URL): T {
  return JSON.parse(readFileSync(url, 'utf8')) as T;
}
