// `npm run bench` runs every suite of this folder in a process of its own, several times, one after the other. Figures worth comparing need an
// otherwise idle machine.

import { fork, type StdioOptions, spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { wordsOf } from '../src/core/domain/error-words.ts';
import { Progress } from '../src/tools/cli/progress.ts';
import { START_ENVIRONMENT } from '../test/support/child-process.ts';
import { runnerOptions } from '../test/support/runner-options.ts';
import { changesTable, compareRows, readRows } from './compare.ts';
import { latencySection } from './latency-report.ts';
import { describeMachine, otherLoad } from './machine.ts';
import { completed, type Figure, markdownReport, problemsOf, summarise, textTable } from './report.ts';
import { scalingSections } from './scaling-report.ts';
import type { SuiteAnswer, SuiteRequest } from './suite-process.ts';
import { plotSvg } from './svg-plot.ts';

const folder = new URL('./', import.meta.url);
/** The settings of `npm start`: books on pages of 2 MB, and no collection only because a thread is quiet. */
const AS_STARTED = {
  env: { ...process.env, ...START_ENVIRONMENT },
  execArgv: [...process.execArgv, '--no-memory-reducer'],
};
const USAGE = `npm run bench -- [options]

  --json FILE      also writes [{name, value, unit, baseline, ratio}]
  --results        also writes bench/RESULTS.md and bench/plots
  --compare FILE   also shows what has changed since the run that wrote this JSON, worst first
  --complete FILE  also takes from that JSON what this run has not: an earlier one of this machine, of which a suite failed
  --only PREFIX    only rows whose name starts so
  --runs N         fresh processes per suite (default 3; one for suites that take minutes or have rounds of their own)
  --long           also ten million stored orders (gigabytes of temporary files), and an hour of the web page
  --smoke          once and tiny, several at a time: shows that the benchmarks still work`;
const args = runnerOptions(USAGE, {
  json: { type: 'string' },
  results: { type: 'boolean', default: false },
  compare: { type: 'string' },
  complete: { type: 'string' },
  only: { type: 'string', default: '' },
  runs: { type: 'string', default: '3' },
  long: { type: 'boolean', default: false },
  smoke: { type: 'boolean', default: false },
});
const runCount = args.smoke ? 1 : Math.max(1, Number.parseInt(args.runs, 10) || 1);
// The earlier rows are read before the long run, so that an unreadable file fails at once.
const earlier = args.compare === undefined ? null : readRows(readFileSync(args.compare, 'utf8'));
const started = args.complete === undefined ? [] : readRows(readFileSync(args.complete, 'utf8'));

const machine = describeMachine();
console.log(`${machine.join('\n')}\n`);
const load = args.smoke ? null : otherLoad();
if (load !== null) console.warn(`${load}\n`);
const startedMs = performance.now();
const suites = readdirSync(folder).filter(name => name.endsWith('.bench.ts') && isAsked(name));
const bar = new Progress(
  process.stderr.isTTY ? text => process.stderr.write(text) : undefined,
  'suites',
  suites.length,
);
/** The suites that could not run. Each is a defect, but the other figures stay. */
const failures: string[] = [];
const measured = await figuresOfAll(suites);
bar.end();
const figures = completed(measured, started);
console.log(`${textTable(figures)}\n\nall of it took ${secondsSince(startedMs)} s`);
const sections = [latencySection(figures), ...scalingSections(figures)].filter(section => section !== null);
for (const { title, paragraphs } of sections) console.log(`\n${title}\n\n${paragraphs.join('\n\n')}`);
const defects = [...problemsOf(figures), ...failures];

const rows = figures.map(({ name, value, unit, baseline, ratio }) => ({ name, value, unit, baseline, ratio }));
if (args.json !== undefined) writeFileSync(args.json, `${JSON.stringify(rows, null, 2)}\n`);
// The page is not written without these rows, because it would look complete.
if (args.results && defects.length === 0) writeResults();
if (earlier !== null) {
  const asked = earlier.filter(({ name }) => name.startsWith(args.only));
  console.log(`\nsince ${args.compare}:\n\n${changesTable(compareRows(asked, rows))}`);
}

if (defects.length > 0) throw new Error(defects.join('\n'));

function writeResults(): void {
  writeFileSync(new URL('RESULTS.md', folder), markdownReport(machine, runCount, figures, sections));
  const plots = new URL('plots/', folder);
  mkdirSync(plots, { recursive: true });
  for (const { file, plot } of sections.flatMap(it => it.plots)) writeFileSync(new URL(file, plots), plotSvg(plot));
}

/**
 * Returns whether the file may have requested rows. A suite names its area in its own text, in quotes. So most suites need no process to show that
 * they have none of the rows.
 */
function isAsked(file: string): boolean {
  const [area = ''] = args.only.split('/');
  return readFileSync(new URL(file, folder), 'utf8').includes(`'${area}`);
}

/** Runs one suite after the other. A smoke run plays as many at once as the machine has cores. */
async function figuresOfAll(files: readonly string[]): Promise<Figure[]> {
  const found: Figure[][] = files.map(() => []);
  const upcoming = files.entries();
  let done = 0;
  const goOn = async (): Promise<void> => {
    for (const [index, file] of upcoming) {
      bar.reach(done);
      found[index] = await figuresOf(file);
      done += 1;
    }
  };
  await Promise.all(Array.from({ length: args.smoke ? availableParallelism() : 1 }, goOn));
  return found.flat();
}

/** Runs the suite as many times as it can afford. Logs the duration, which shows the long suites. */
async function figuresOf(file: string): Promise<Figure[]> {
  const beganMs = performance.now();
  const runs: SuiteAnswer[] = [];
  try {
    do runs.push(await runSuite(file));
    while (runs.length < runs[0]!.runs);
  } catch (error) {
    failures.push(wordsOf(error));
  }
  const figures = summarise(runs.map(({ rows }) => rows));
  bar.end();
  if (figures.length > 0) console.log(`${file}: ${figures.length} rows in ${secondsSince(beganMs)} s`);
  return figures;
}

/** Returns the rows of one suite. Syncs first, since some suites write gigabytes. Windows has no such command. */
function runSuite(file: string): Promise<SuiteAnswer> {
  if (!args.smoke) spawnSync('sync');
  return new Promise((resolve, reject) => {
    const stdio: StdioOptions = ['ignore', 'inherit', 'inherit', 'ipc'];
    const child = fork(new URL('suite-process.ts', folder), { ...AS_STARTED, stdio });
    let answer: SuiteAnswer | null = null;
    child.once('message', message => {
      answer = message as SuiteAnswer;
    });
    child.once('error', reject);
    child.once('exit', code => {
      if (answer === null) reject(new Error(`${file} ended with code ${code} and without rows`));
      else resolve(answer);
    });
    const { smoke, long: isLong, only } = args;
    child.send({ file: new URL(file, folder).href, smoke, isLong, only, runs: runCount } satisfies SuiteRequest);
  });
}

function secondsSince(ms: number): string {
  return ((performance.now() - ms) / 1_000).toFixed(0);
}
