// `npm run mutants`: makes each small change of mutants.ts in a copy of the sources and runs the tests that belong to it. All of them
// must pass without a change, and one must fail with it: a change that no test notices has survived. Exit code 1 if one has, or if a
// run says nothing: its tests could not be loaded, or took too long.

import { spawn } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { runnerOptions } from '../support/runner-options.ts';
import { MUTANTS, type Mutant, mutated } from './mutants.ts';

const USAGE = `npm run mutants -- [options]

  --only NAME  those whose name contains it
  --seconds N  for the tests of each change (default 180)
  --fast       without the tests of the sources as they are, which come first`;
const values = runnerOptions(USAGE, {
  only: { type: 'string', default: '' },
  seconds: { type: 'string', default: '180' },
  fast: { type: 'boolean', default: false },
});
const seconds = Number(values.seconds);
const chosen = MUTANTS.filter(({ name }) => name.includes(values.only));
if (!Number.isInteger(seconds) || seconds < 1 || chosen.length === 0) {
  console.error(`--seconds must be a whole number from 1 on, --only a part of a name; nothing was run\n\n${USAGE}`);
  process.exit(2);
}

const root = resolve(import.meta.dirname, '../..');
const folder = mkdtempSync(join(tmpdir(), 'crossbook-mutants-'));
const SOURCES = [
  'src',
  'test',
  'proto',
  'docs',
  '.ci',
  'clients',
  'bench',
  'site',
  'package.json',
  'tsconfig.json',
  'vitest.config.ts',
  'README.md',
];
for (const name of SOURCES) cpSync(join(root, name), join(folder, name), { recursive: true });
symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));

type Verdict = 'passed' | 'failed' | 'not loaded' | 'too long';
let stop = (): void => {};

/** The verdict of the tests on the copy as it is now. */
async function verdictOf(tests: readonly string[], secondsMax: number): Promise<Verdict> {
  const report = join(folder, 'report.json');
  rmSync(report, { force: true });
  const vitest = join(root, 'node_modules/vitest/vitest.mjs');
  const options = ['run', '--bail', '1', '--reporter=json', `--outputFile=${report}`];
  const env = { ...process.env, CROSSBOOK_DATA: process.env.CROSSBOOK_DATA ?? resolve(root, '../shared/data') };
  // A group of its own: its threads and processes end with it.
  const child = spawn(process.execPath, [vitest, ...options, ...tests], {
    cwd: folder,
    stdio: 'ignore',
    detached: true,
    env,
  });
  stop = () => process.kill(-child.pid!, 'SIGKILL');
  let isTooLong = false;
  const timer = setTimeout(() => {
    isTooLong = true;
    stop();
  }, secondsMax * 1_000);
  const code = await new Promise(done => child.once('exit', done));
  clearTimeout(timer);
  stop = () => {};
  if (isTooLong) return 'too long';
  if (code === 0) return 'passed';
  if (!existsSync(report)) return 'not loaded';
  const { numFailedTests } = JSON.parse(readFileSync(report, 'utf8')) as { readonly numFailedTests: number };
  return numFailedTests > 0 ? 'failed' : 'not loaded';
}

const WORDS: Readonly<Record<Verdict, string>> = {
  passed: 'SURVIVED',
  failed: 'caught',
  'not loaded': 'SAID NOTHING: its tests could not be loaded',
  'too long': `SAID NOTHING: its tests took more than ${seconds} s`,
};

async function run({ file, tests, ...mutant }: Mutant): Promise<boolean> {
  const path = join(folder, file);
  const source = readFileSync(path, 'utf8');
  writeFileSync(path, mutated({ file, tests, ...mutant }, source));
  const verdict = await verdictOf(tests, seconds);
  writeFileSync(path, source);
  console.log(`${WORDS[verdict]}: ${mutant.name} (${file})`);
  return verdict === 'failed';
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    stop();
    process.exit(1);
  });
}
process.once('exit', () => rmSync(folder, { recursive: true, force: true }));

if (!values.fast) {
  const tests = [...new Set(chosen.flatMap(({ tests }) => tests))];
  const verdict = await verdictOf(tests, seconds * tests.length);
  if (verdict !== 'passed') {
    console.error(`without a change the tests ${verdict === 'failed' ? 'fail' : 'say nothing'}: run them first`);
    process.exit(1);
  }
}
let survivors = 0;
for (const mutant of chosen) if (!(await run(mutant))) survivors += 1;
console.log(`${chosen.length - survivors} of ${chosen.length} caught`);
process.exit(survivors === 0 ? 0 : 1);
