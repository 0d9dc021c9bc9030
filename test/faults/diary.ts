// The answers to clients under one fault: for each order and each cancel one answer after the other, and how long nobody was served.

import type { Venue } from '../../src/core/domain/market.ts';
import type { Result } from '../../src/core/domain/result.ts';
import type { ApiAnswer, ApiFailure } from '../../src/tools/client/api-failure.ts';
import type { Heard } from '../soak/trader.ts';

export interface Seen {
  /** Answers to one order, each once, in the order in which they came first (`502 → 201`): how often. */
  readonly orders: ReadonlyMap<string, number>;
  readonly cancels: ReadonlyMap<string, number>;
  /** The longest time from an answer that decided nothing to the next that did. */
  readonly unservedMs: number;
}

interface Page {
  /** By idempotency key. */
  readonly orders: Map<string, Set<string>>;
  readonly cancels: Map<string, Set<string>>;
  unservedMs: number;
  unservedSince: number | null;
}

export class Diary {
  readonly #pages: Readonly<Record<Venue, Page>> = { venue_a: newPage(), venue_b: newPage() };

  readonly hear = ({ what, venue, idempotencyKey, answer }: Heard): void => {
    const page = this.#pages[venue];
    const answers = page[`${what}s`];
    answers.set(idempotencyKey, (answers.get(idempotencyKey) ?? new Set()).add(wordsOf(answer)));
    const now = performance.now();
    if (!isDecided(answer)) page.unservedSince ??= now;
    else if (page.unservedSince !== null) {
      page.unservedMs = Math.max(page.unservedMs, now - page.unservedSince);
      page.unservedSince = null;
    }
  };

  get seen(): Readonly<Record<Venue, Seen>> {
    return { venue_a: seenOn(this.#pages.venue_a), venue_b: seenOn(this.#pages.venue_b) };
  }
}

function newPage(): Page {
  return { orders: new Map(), cancels: new Map(), unservedMs: 0, unservedSince: null };
}

function seenOn({ orders, cancels, unservedMs }: Page): Seen {
  return { orders: counted(orders), cancels: counted(cancels), unservedMs: Math.round(unservedMs) };
}

function counted(answers: ReadonlyMap<string, ReadonlySet<string>>): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const words of answers.values()) {
    const story = [...words].join(' → ');
    counts.set(story, (counts.get(story) ?? 0) + 1);
  }
  return counts;
}

function isDecided(answer: Result<unknown, ApiFailure>): boolean {
  return answer.ok || (answer.error.kind === 'refused' && answer.error.status < 500);
}

function wordsOf(answer: Result<ApiAnswer<unknown>, ApiFailure>): string {
  if (answer.ok) return String(answer.value.status);
  const { error } = answer;
  switch (error.kind) {
    case 'refused':
      // Each other status has one code.
      return error.status === 400 ? `400 ${error.code}` : String(error.status);
    case 'unknown-outcome':
      return error.status === null ? 'answer lost' : String(error.status);
    case 'unreachable':
      return 'not reached';
    case 'unreadable':
      return `${error.status}, not the gateway’s`;
    default:
      return error satisfies never;
  }
}
