// Requests of the stream's client about markets of the catalog: asked now, after every reconnection, and again when one was refused for now.
// Portable.

import { type ClientMessage, OUTCOME, type OutcomesAcknowledgement } from '../../core/wire/messages.ts';
import { limits } from '../../limits.ts';
import type { ErrorMessage } from './market-requests.ts';
import { retryPauseMs } from './subscription-requests.ts';

export interface OutcomeRequestsParts {
  send(message: ClientMessage): void;
  nextId(): string;
  readonly timers: { after(delayMs: number, task: () => void): () => void };
  onRefused(refusal: { code: string; message: string; market: null; asksAgainInMs: number | null }): void;
}

/** A subscription without an answer yet. */
interface Asked {
  readonly catalogMarkets: readonly string[];
  /** Refusals of the whole message in a row. */
  readonly refusals: number;
}

export class OutcomeRequests {
  readonly #parts: OutcomeRequestsParts;
  /** Interval in milliseconds by market of the catalog. */
  readonly #wanted = new Map<string, number>();
  /** Requests by id: an error message does not repeat its request. */
  readonly #asked = new Map<string, Asked>();
  readonly #repeats = new Set<() => void>();

  constructor(parts: OutcomeRequestsParts) {
    this.#parts = parts;
  }

  subscribe(catalogMarkets: readonly string[], minIntervalMs: number): void {
    for (const id of catalogMarkets) this.#wanted.set(id, minIntervalMs);
    this.#ask(catalogMarkets);
  }

  unsubscribe(catalogMarkets: readonly string[]): void {
    for (const id of catalogMarkets) this.#wanted.delete(id);
    for (const part of partsOf(catalogMarkets)) {
      this.#parts.send({ op: 'unsubscribe', id: this.#parts.nextId(), channel: OUTCOME, catalogMarkets: part });
    }
  }

  /** Call when a connection opens. */
  subscribeAll(): void {
    this.#asked.clear();
    this.#ask([...this.#wanted.keys()]);
  }

  /** Call when the connection is lost. */
  reset(): void {
    for (const cancel of this.#repeats) cancel();
    this.#repeats.clear();
    this.#asked.clear();
  }

  answered({ type, id, rejected }: Pick<OutcomesAcknowledgement, 'type' | 'id' | 'rejected'>): void {
    if (type === 'unsubscribed') return;
    this.#asked.delete(id);
    const again: string[] = [];
    for (const { catalogMarket, code, message } of rejected) {
      const isOver = code === 'UNKNOWN_MARKET';
      if (isOver) this.#wanted.delete(catalogMarket);
      else again.push(catalogMarket);
      const asksAgainInMs = isOver ? null : limits.streamRetryMs;
      this.#parts.onRefused({ code, message: `${catalogMarket}: ${message}`, market: null, asksAgainInMs });
    }
    if (again.length > 0) this.#askAgain(limits.streamRetryMs, { catalogMarkets: again, refusals: 0 });
  }

  /** A whole subscription is refused, as by the rate of reads; or each of its markets. False: the message is about something else. */
  refused({ id, code, message, rejectedCatalogMarkets: rejected }: ErrorMessage): boolean {
    const asked = this.#asked.get(id ?? '');
    if (rejected !== undefined) {
      // An error without an id is news: the catalog no longer has the markets.
      const isWanted = asked !== undefined || id === null;
      this.answered({ type: isWanted ? 'subscribed' : 'unsubscribed', id: id ?? '', rejected });
      return true;
    }
    if (asked === undefined) return false;
    this.#asked.delete(id ?? '');
    const refusals = asked.refusals + 1;
    const asksAgainInMs = retryPauseMs(refusals);
    this.#askAgain(asksAgainInMs, { ...asked, refusals });
    this.#parts.onRefused({ code, message, market: null, asksAgainInMs });
    return true;
  }

  #askAgain(pauseMs: number, { catalogMarkets, refusals }: Asked): void {
    const cancel = this.#parts.timers.after(pauseMs, () => {
      this.#repeats.delete(cancel);
      const wanted = catalogMarkets.filter(it => this.#wanted.has(it));
      this.#ask(wanted, refusals);
    });
    this.#repeats.add(cancel);
  }

  #ask(catalogMarkets: readonly string[], refusals = 0): void {
    const byInterval = Map.groupBy(catalogMarkets, id => this.#wanted.get(id) ?? 0);
    for (const [minIntervalMs, alike] of byInterval) {
      for (const part of partsOf(alike)) {
        const request = { op: 'subscribe', id: this.#parts.nextId(), channel: OUTCOME } as const;
        this.#asked.set(request.id, { catalogMarkets: part, refusals });
        this.#parts.send({ ...request, minIntervalMs, catalogMarkets: part });
      }
    }
  }
}

function* partsOf(ids: readonly string[]): Iterable<readonly string[]> {
  const max = limits.marketsPerSubscribeMax;
  for (let start = 0; start < ids.length; start += max) yield ids.slice(start, start + max);
}
