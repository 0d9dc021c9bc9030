// V8 ignores a setting that it does not know. This release of V8 knows each of our settings.

import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

it('V8 knows each setting', () => {
  const ours = readFileSync('src/core/runtime/v8-flags.ts', 'utf8').matchAll(/setFlagsFromString\('(--[a-z-]+)/g);
  const names = Array.from(ours, ([, name]) => name!);
  expect(names).toContain('--heap-growing-percent');
  const known = execFileSync(process.execPath, ['--v8-options'], { encoding: 'utf8' });
  expect(names.filter(name => !known.includes(`  ${name.replace(/^--no-/, '--')} (`))).toEqual([]);
});
