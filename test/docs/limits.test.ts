// docs/LIMITS.md says of each limit what it is.

import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { limits } from '../../src/limits.ts';

const ROW = /^\| `(\w+)` \| ([\d ]+) \| .+ \| (?:`test\/[\w/.-]+\.test\.ts`|none) \|$/;

it('each limit of docs/LIMITS.md is there once, with its value and its test, or that it has none', () => {
  const rows = readFileSync('docs/LIMITS.md', 'utf8')
    .split('\n')
    .filter(line => line.startsWith('| `'));
  const told = rows.map(row => ROW.exec(row) ?? [row]).map(([row, name, value]) => ({ row, name, value }));
  expect(told.filter(({ name }) => name === undefined)).toEqual([]);
  expect(told.length).toBeGreaterThan(0);
  expect(new Set(told.map(({ name }) => name)).size).toBe(told.length);
  const known: Readonly<Record<string, unknown>> = limits;
  for (const { row, name, value } of told) expect(Number(value!.replaceAll(' ', '')), row).toBe(known[name!]);
});
