// Requests of the stream's client about markets of the catalog: asked now, after every reconnection, and again when one was refused for now.
// Portable.

import { limits } from '../limits.ts';
import { type ClientMessage, OUTCOME, type OutcomesAcknowledgement } from '../wire/messages.ts';

export interface OutcomeRequestsParts {
  send(message: ClientMessage): void;
  nextId(): string;
  readonly timers: { after(delayMs: number, task: () => void): () => void };
  onRefused(refusal: { code: string; message: string; market: null; asksAgainInMs: number | null }): void;
}

export class OutcomeRequests {
  readonly #parts: OutcomeRequestsParts;
  /** Interval in milliseconds by market of the catalog. */
  readonly #wanted = new Map<string, number>();
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
    this.#ask([...this.#wanted.keys()]);
  }

  /** Call when the connection is lost. */
  reset(): void {
    for (const cancel of this.#repeats) cancel();
    this.#repeats.clear();
  }

  answered({ type, rejected }: OutcomesAcknowledgement): void {
    if (type === 'unsubscribed') return;
    const again: string[] = [];
    for (const { catalogMarket, code, message } of rejected) {
      const isOver = code === 'UNKNOWN_MARKET';
      if (isOver) this.#wanted.delete(catalogMarket);
      else again.push(catalogMarket);
      const asksAgainInMs = isOver ? null : limits.streamRetryMs;
      this.#parts.onRefused({ code, message: `${catalogMarket}: ${message}`, market: null, asksAgainInMs });
    }
    if (again.length === 0) return;
    const cancel = this.#parts.timers.after(limits.streamRetryMs, () => {
      this.#repeats.delete(cancel);
      this.#ask(again.filter(id => this.#wanted.has(id)));
    });
    this.#repeats.add(cancel);
  }

  #ask(catalogMarkets: readonly string[]): void {
    const byInterval = Map.groupBy(catalogMarkets, id => this.#wanted.get(id) ?? 0);
    for (const [minIntervalMs, alike] of byInterval) {
      for (const part of partsOf(alike)) {
        const request = { op: 'subscribe', id: this.#parts.nextId(), channel: OUTCOME } as const;
        this.#parts.send({ ...request, minIntervalMs, catalogMarkets: part });
      }
    }
  }
}

function* partsOf(ids: readonly string[]): Iterable<readonly string[]> {
  const max = limits.marketsPerSubscribeMax;
  for (let start = 0; start < ids.length; start += max) yield ids.slice(start, start + max);
}
