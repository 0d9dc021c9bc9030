// Outcomes as lines for whoever waits, and as the page docs/FAULTS.md.

import type { Seen } from './diary.ts';
import type { Outcome } from './outcome.ts';

export function lineOf(outcome: Outcome): string {
  const { fault, seen, told, notes, wrong, tookMs } = outcome;
  const parts = [
    `${verdictOf(outcome)}  ${fault}  (${Math.round(tookMs / 1_000)} s)`,
    `A: ${wordsOf(seen.venue_a)}`,
    `B: ${wordsOf(seen.venue_b)}`,
    ...notes.map(note => `note: ${note}`),
    ...(told.length === 0 ? [] : [`told by ${told.join(', ')}`]),
    ...wrong.map(it => `WRONG ${it}`),
  ];
  return parts.join('\n      ');
}

export function pageOf(outcomes: readonly Outcome[], seed: number): string {
  const groups = Map.groupBy(outcomes, ({ group }) => group);
  const sections = [...groups].map(([group, rows]) => `## ${group}\n\n${HEAD}\n${rows.map(rowOf).join('\n')}\n`);
  return `${INTRODUCTION.replace('SEED', String(seed))}\n${sections.join('\n')}`;
}

const INTRODUCTION = `# Faults

Written by \`npm run faults -- --results --seed SEED\`, never by hand.
`;

const HEAD =
  '| fault | at venue A | at venue B | unserved, A / B | told by | nothing lost |\n|---|---|---|---|---|---|';

function rowOf(outcome: Outcome): string {
  const { fault, seen, told, notes } = outcome;
  const unserved = [seen.venue_a, seen.venue_b].map(({ unservedMs }) => secondsOf(unservedMs)).join(' / ');
  const what = [fault, ...notes].join('; ');
  const cells = [what, wordsOf(seen.venue_a), wordsOf(seen.venue_b), unserved, told.join(', '), verdictOf(outcome)];
  return `| ${cells.map(cell => cell.replaceAll('|', '\\|')).join(' | ')} |`;
}

function verdictOf({ skipped, wrong }: Outcome): string {
  if (skipped !== null) return `not run: ${skipped}`;
  return wrong.length === 0 ? 'ok' : `WRONG: ${wrong.length}`;
}

function wordsOf({ orders, cancels }: Seen): string {
  const shown = (counts: ReadonlyMap<string, number>): string =>
    [...counts]
      .sort(([one], [other]) => one.localeCompare(other))
      .map(([words, times]) => `${words} ×${times}`)
      .join(', ');
  return cancels.size === 0 ? shown(orders) : `${shown(orders)}; cancels ${shown(cancels)}`;
}

function secondsOf(ms: number): string {
  return ms === 0 ? '–' : `${(ms / 1_000).toFixed(1)} s`;
}
