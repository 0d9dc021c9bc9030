// docs/LIMITS.md says of each limit what it is.

import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { protectionLimits } from '../../src/core/domain/protection.ts';
import { limits } from '../../src/limits.ts';

const ROW = /^\| `(\w+)` \| ([\d ]+) \| .+ \| `(test\/[\w/.-]+\.test\.ts)` \|$/;

it('each limit of docs/LIMITS.md is there once, with its value and a test that names it', () => {
  const rows = readFileSync('docs/LIMITS.md', 'utf8')
    .split('\n')
    .filter(line => line.startsWith('| `'));
  const reported = rows
    .map(row => ROW.exec(row) ?? [row])
    .map(([row, name, value, test]) => ({ row, name, value, test }));
  expect(reported.filter(({ name }) => name === undefined)).toEqual([]);
  expect(reported.length).toBeGreaterThan(0);
  expect(new Set(reported.map(({ name }) => name)).size).toBe(reported.length);
  const known: Readonly<Record<string, unknown>> = { ...limits, ...protectionLimits };
  for (const { row, name, value, test } of reported) {
    expect(Number(value!.replaceAll(' ', '')), row).toBe(known[name!]);
    expect(readFileSync(test!, 'utf8'), row).toMatch(new RegExp(`\\b${name}\\b`));
  }
});
