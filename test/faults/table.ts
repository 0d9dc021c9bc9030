// Writes outcomes as lines of the terminal, and as the page test/faults/RESULTS.md.

import type { Seen } from './diary.ts';
import type { Outcome } from './outcome.ts';

export function lineOf(outcome: Outcome): string {
  const { fault, seen, reported, notes, wrong, tookMs } = outcome;
  const parts = [
    `${verdictOf(outcome)}  ${fault}  (${Math.round(tookMs / 1_000)} s)`,
    `A: ${wordsOf(seen.venue_a)}`,
    `B: ${wordsOf(seen.venue_b)}`,
    ...notes.map(note => `note: ${note}`),
    ...(reported.length === 0 ? [] : [`reported by ${reported.join(', ')}`]),
    ...wrong.map(it => `WRONG ${it}`),
  ];
  return parts.join('\n      ');
}

export function pageOf(outcomes: readonly Outcome[], seed: number): string {
  const groups = Map.groupBy(outcomes, ({ group }) => group);
  const sections = [...groups].map(([group, rows]) => `## ${group}\n\n${HEAD}\n${rows.map(rowOf).join('\n')}\n`);
  return `${INTRODUCTION.replace('SEED', String(seed))}\n${sections.join('\n')}`;
}

const INTRODUCTION = `# Faults played

This page is for operators and authors of bots who want to know what a fault looks like before they meet it. Each row is a fault of the venues or of the
gateway itself, injected while three actors of two pods send orders to both venues. This command wrote the table, against real processes on loopback:

    npm run faults -- --results --seed SEED

\`--only WORDS\` plays the rows that contain these words. The exit code is 1 if anything is wrong. The rows are in \`test/faults/rows\`.

- **answers**: the different answers to one order, in order; at venue A, then at venue B if they differ. Answers to cancels follow where they are not 200 or
  409. Clients send the same key and body again until the order is decided. \`answer lost\` means that the connection ended after the request was sent,
  \`not reached\` that it was refused.
- **unserved**: at each venue the longest time from an undecided answer to the next decided one.
- **reported by**: warnings of the log in quotes, and metrics that rose (docs/OPERATIONS.md).
- **nothing lost**: \`ok\` if every order answered 201 is at its venue once, and no other order is. Each key still has its answer, and no fill is missing or
  doubled. Positions, fees and balances are the venues' to the micro-dollar. Followers of the stream got each event once and in order. The gateway ended with
  exit code 0 and a sound store.
`;

const HEAD = '| fault | answers | unserved, A / B | reported by | nothing lost |\n|---|---|---|---|---|';

function rowOf(outcome: Outcome): string {
  const { fault, seen, reported, notes } = outcome;
  const unserved = [seen.venue_a, seen.venue_b].map(({ unservedMs }) => secondsOf(unservedMs)).join(' / ');
  const answers = new Set([answersIn(seen.venue_a), answersIn(seen.venue_b)]);
  const cells = [
    [fault, ...new Set(notes)].join('; '),
    [...answers].join(' / '),
    unserved,
    reported.join(', '),
    verdictOf(outcome),
  ];
  return `| ${cells.map(cell => cell.replaceAll('|', '\\|')).join(' | ')} |`;
}

/** Returns the different answers without their counts. Answers to cancels are listed only if they say more than done or already over. */
function answersIn({ orders, cancels }: Seen): string {
  const unusual = [...cancels.keys()].filter(words => words !== '200' && words !== '409').toSorted();
  const shown = [...orders.keys()].toSorted().join(', ');
  return unusual.length === 0 ? shown : `${shown}; cancels ${unusual.join(', ')}`;
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
