// Writes outcomes as lines of the terminal, and as the page docs/FAULTS.md.

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

const BY_HAND = '<!-- What follows is written by hand';

/** The part of the page that no run writes; empty if there is none. */
export function byHandIn(page: string): string {
  const at = page.indexOf(BY_HAND);
  return at < 0 ? '' : page.slice(at);
}

const INTRODUCTION = `# Faults

Every fault of the paper exchanges and of the gateway itself, injected while three actors of two pods send orders to both venues, with
the outcome. Written by

    npm run faults -- --results --seed SEED

against real processes on loopback, never by hand. \`--only WORDS\` plays the rows that contain these words. The exit code is 1 if anything
is wrong. The rows are in \`test/faults/rows\`.

- **at venue A, at venue B**: the different answers to one order, in order, and how many orders got them; then the same for cancels.
  Clients retry by the rules: under the same key with the same body, until the order is decided. \`answer lost\` is a connection that ended
  after the request was sent, \`not reached\` one that was refused; 409 means that the order had ended.
- **unserved**: at each venue the longest time from an undecided answer to the next decided one.
- **reported by**: warnings of the log in quotes, and metrics that rose (docs/OPERATIONS.md).
- **nothing lost**: \`ok\` if afterwards every order answered 201 is at its venue once, no other order is, each key still has its answer, no
  fill is missing or doubled, positions, fees and balances are the venues' to the micro-dollar, followers of the stream got each
  event once and in order, and the gateway ended with exit code 0 and a sound store.
`;

const HEAD =
  '| fault | at venue A | at venue B | unserved, A / B | reported by | nothing lost |\n|---|---|---|---|---|---|';

function rowOf(outcome: Outcome): string {
  const { fault, seen, reported, notes } = outcome;
  const unserved = [seen.venue_a, seen.venue_b].map(({ unservedMs }) => secondsOf(unservedMs)).join(' / ');
  const what = [fault, ...new Set(notes)].join('; ');
  const cells = [what, wordsOf(seen.venue_a), wordsOf(seen.venue_b), unserved, reported.join(', '), verdictOf(outcome)];
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
