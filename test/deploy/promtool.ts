// deploy/alerts.yml as data, and Debian's promtool, which checks and evaluates it.

import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parse } from 'yaml';
import { removeFolder, temporaryFolder } from '../support/temporary-folder.ts';

export const ALERTS_FILE = resolve('deploy/alerts.yml');

export interface Alert {
  readonly alert: string;
  readonly expr: string;
  readonly for?: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
}

export function readAlerts(): readonly Alert[] {
  const { groups } = parse(readFileSync(ALERTS_FILE, 'utf8')) as { readonly groups: { readonly rules: Alert[] }[] };
  return groups.flatMap(({ rules }) => rules);
}

/** The complaints of promtool; empty if there are none. */
export function promtool(...args: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync('promtool', args, { encoding: 'utf8' });
  return status === 0 ? '' : `${stdout}${stderr}`;
}

/** As `promtool`, with a file of this content as the last argument: JSON is YAML, too. */
export function promtoolOn(content: object, ...args: readonly string[]): string {
  const folder = temporaryFolder();
  const path = join(folder, 'input.yml');
  writeFileSync(path, JSON.stringify(content));
  try {
    return promtool(...args, path);
  } finally {
    removeFolder(folder);
  }
}
