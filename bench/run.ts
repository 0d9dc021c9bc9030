// `npm run bench`: every suite of this folder in a process of its own, several times, one after the other. Figures worth
// comparing need an otherwise idle machine.
//
//   --json FILE     also writes [{name, value, unit, baseline, ratio}]
//   --results       also writes bench/RESULTS.md
//   --only PREFIX   only rows whose name starts so
//   --runs N        fresh processes per suite (default 3)
//   --smoke         once and tiny, in seconds: shows that the benchmarks still work

import { fork } from 'node:child_process';
import { readdirSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import type { BenchRow } from './harness.ts';
import { describeMachine } from './machine.ts';
import { type Figure, markdownReport, problemsOf, summarise, textTable } from './report.ts';
import type { SuiteRequest } from './suite-process.ts';

const folder = new URL('./', import.meta.url);
const { values: args } = parseArgs({
  options: {
    json: { type: 'string' },
    results: { type: 'boolean', default: false },
    only: { type: 'string', default: '' },
    runs: { type: 'string', default: '3' },
    smoke: { type: 'boolean', default: false },
  },
});
const runCount = args.smoke ? 1 : Math.max(1, Number.parseInt(args.runs, 10) || 1);

const machine = describeMachine();
console.log(`${machine.join('\n')}\n`);
const figures: Figure[] = [];
for (const file of readdirSync(folder).filter(name => name.endsWith('.bench.ts'))) {
  const runs: BenchRow[][] = [];
  for (let run = 0; run < runCount; run++) runs.push(await runSuite(file));
  figures.push(...summarise(runs));
}
console.log(textTable(figures));
const problems = problemsOf(figures);
if (problems.length > 0) throw new Error(problems.join('\n'));

if (args.json !== undefined) {
  const rows = figures.map(({ name, value, unit, baseline, ratio }) => ({ name, value, unit, baseline, ratio }));
  writeFileSync(args.json, `${JSON.stringify(rows, null, 2)}\n`);
}
if (args.results) writeFileSync(new URL('RESULTS.md', folder), markdownReport(machine, runCount, figures));

/** The rows of one suite, or a failure of the whole run: a benchmark that cannot run is a defect. */
function runSuite(file: string): Promise<BenchRow[]> {
  return new Promise((resolve, reject) => {
    const child = fork(new URL('suite-process.ts', folder), { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
    let rows: BenchRow[] | null = null;
    child.once('message', message => {
      rows = message as BenchRow[];
    });
    child.once('error', reject);
    child.once('exit', code => {
      if (rows === null) reject(new Error(`${file} ended with code ${code} and without rows`));
      else resolve(rows);
    });
    child.send({ file: new URL(file, folder).href, smoke: args.smoke, only: args.only } satisfies SuiteRequest);
  });
}
