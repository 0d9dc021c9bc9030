// The answers to clients under one fault: the answers to each order and each cancel in their order, and the longest time without service.

import type { Venue } from '../../src/core/domain/market.ts';
import type { Result } from '../../src/core/domain/result.ts';
import type { ApiAnswer, ApiFailure } from '../../src/tools/client/api-failure.ts';
import type { Heard } from '../soak/trader.ts';

export interface Seen {
  /** The count of each sequence of answers to an order (`502 → 201`). A sequence has each answer once, in the order of first arrival. */
  readonly orders: ReadonlyMap<string, number>;
  readonly cancels: ReadonlyMap<string, number>;
  /** The longest time from an undecided answer to the next decided answer. */
  readonly unservedMs: number;
}

interface Page {
  /** The answers to each order, by idempotency key. */
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
      // Each status but 400 has only one code.
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
