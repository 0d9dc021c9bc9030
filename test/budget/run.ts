// Counts the work of an order: `npm run budget`.

import { readFileSync, writeFileSync } from 'node:fs';
import { NO_LIMITS } from '../../src/core/domain/identity.ts';
import { runnerOptions } from '../support/runner-options.ts';
import { faultsOf, lowered, readCeilings, writeCeilings } from './ceilings.ts';
import { type Budget, COUNTED, FIGURES, measureBudgets, measureShares, type Shares, SIZES } from './measure.ts';
import { EVERY_LIMIT, OPERATIONS } from './operations.ts';

const USAGE = `npm run budget -- [options]
  --only TEXT     the operations whose names contain the text (${OPERATIONS.map(it => it.name).join(', ')})
  --top THREAD    the functions of a thread (${COUNTED.join(', ')}) by calls and by allocated bytes; of one operation
  --lines NUMBER  how many of them (40)
  --json FILE     writes the figures
  --limits        sets every limit of the actor, none of which refuses anything
  --lower         lowers the ceilings to the figures that are below them`;

const {
  only = '',
  top,
  lines = '40',
  json,
  limits = false,
  lower = false,
} = runnerOptions(USAGE, {
  only: { type: 'string' },
  top: { type: 'string' },
  lines: { type: 'string' },
  json: { type: 'string' },
  limits: { type: 'boolean' },
  lower: { type: 'boolean' },
});

// The gateway and the paper exchanges end with this process.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));

const operations = OPERATIONS.filter(({ name }) => name.includes(only));
const actorLimits = limits ? EVERY_LIMIT : NO_LIMITS;
const report = (words: string): void => console.error(words);
if (top === undefined) {
  const budgets = await measureBudgets(operations, SIZES, report, actorLimits);
  for (const [name, budget] of Object.entries(budgets)) console.log(`${name}\n${tableOf(budget)}\n`);
  if (json !== undefined) writeFileSync(json, `${JSON.stringify(budgets, null, 2)}\n`);
  for (const fault of faultsOf(budgets, readCeilings())) console.log(fault);
  if (lower) writeCeilings(lowered(budgets, readCeilings()));
} else {
  const { calls, bytes } = await measureShares(operations[0]!, top, SIZES, report, actorLimits);
  for (const [words, shares] of [
    ['calls', calls],
    ['bytes', bytes],
  ] as const)
    console.log(`${words}\n${highest(shares)}\n`);
}
process.exit(0);

function tableOf(budget: Budget): string {
  const rows = [['', ...FIGURES]];
  for (const [thread, figures] of Object.entries(budget)) {
    rows.push([thread, ...FIGURES.map(it => figures[it].toFixed(figures[it] >= 100 ? 0 : 1))]);
  }
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map(row => row[column]!.length)));
  return rows.map(row => row.map((text, column) => text.padStart(widths[column]!)).join('  ')).join('\n');
}

function highest(shares: Shares): string {
  const sum = [...shares.values()].reduce((total, more) => total + more, 0);
  const rows = [...shares].toSorted(([, one], [, other]) => other - one).slice(0, Number(lines));
  return [['all', sum] as const, ...rows]
    .map(([at, more]) => `${more.toFixed(1).padStart(10)}  ${withLine(at)}`)
    .join('\n');
}

/** Stripped types leave every character where it was. */
function withLine(at: string): string {
  const [, file, offset, name] = /^(.+):@(\d+) (.*)$/.exec(at) ?? [];
  if (file === undefined) return at;
  const text = readFileSync(new URL(`../../src/${file}`, import.meta.url), 'utf8');
  return `${file}:${text.slice(0, Number(offset)).split('\n').length} ${name}`;
}
