// The long runners of `npm run` list their options with `--help`, and name an unknown one, before they start.

import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { OwnProcess } from '../support/child-process.ts';

const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Readonly<Record<string, string>> };
const RUNNERS = ['bench', 'budget', 'faults', 'soak', 'soak:memory', 'fuzz', 'mutants'];

async function said(name: string, option: string) {
  const runner = new OwnProcess([scripts[name]!.replace(/^node /, ''), option]);
  return { code: await runner.ended, stdout: runner.stdout, stderr: runner.stderr };
}

it.each(RUNNERS)('npm run %s', async name => {
  const help = await said(name, '--help');
  expect(help).toEqual({ code: 0, stdout: expect.any(String), stderr: '' });
  const [first, , ...options] = help.stdout.trimEnd().split('\n');
  expect(first).toBe(`npm run ${name} -- [options]`);
  for (const line of options) expect(line).toMatch(/^ {2}--[a-z-]+( [A-Z]+)? {2,}\S/);
  expect(options.length).toBeGreaterThan(2);
  const mistake = `Unknown option '--no-such-thing'\n\n${help.stdout}`;
  expect(await said(name, '--no-such-thing')).toEqual({ code: 2, stdout: '', stderr: mistake });
});
