// Both real exchanges on one virtual clock with a season of games going on, as the composition has them, without sockets.

import type { UnixMillis } from '../../src/core/domain/numbers.ts';
import { Random } from '../../src/core/runtime/random.ts';
import type { Timers } from '../../src/core/runtime/timers.ts';
import type { Catalog } from '../../src/paper/catalog/listings.ts';
import { Agenda } from '../../src/paper/flow/market-flow.ts';
import { type SeasonTerms, seasonTrading } from '../../src/paper/trading.ts';
import { VenueAExchange } from '../../src/paper/venue-a/exchange.ts';
import { VenueBExchange } from '../../src/paper/venue-b/exchange.ts';
import { NO_FAULTS } from '../support/no-faults.ts';

interface Waiting {
  readonly task: () => void;
  isCancelled: boolean;
}

/** Virtual timers for weeks: the many that wait cost nothing. */
class CalendarTimers implements Timers {
  readonly #agenda = new Agenda<Waiting>();
  #now: number;
  pending = 0;

  constructor(startMs: UnixMillis) {
    this.#now = startMs;
  }

  now(): UnixMillis {
    return this.#now as UnixMillis;
  }

  elapsed(): number {
    return this.#now;
  }

  after(delayMs: number, task: () => void): () => void {
    const waiting = { task, isCancelled: false };
    this.#agenda.add(this.#now + Math.max(0, delayMs), waiting);
    this.pending += 1;
    return () => {
      if (!waiting.isCancelled) this.pending -= 1;
      waiting.isCancelled = true;
    };
  }

  advance(byMs: number): void {
    const target = this.#now + byMs;
    for (let due = this.#agenda.take(target); due !== null; due = this.#agenda.take(target)) {
      if (due.task.isCancelled) continue;
      due.task.isCancelled = true;
      this.pending -= 1;
      this.#now = due.at;
      due.task.task();
    }
    this.#now = target;
  }
}

export class SeasonRig {
  readonly timers: CalendarTimers;
  readonly venueA: VenueAExchange;
  readonly venueB: VenueBExchange;
  readonly trading: ReturnType<typeof seasonTrading>;

  constructor(now: UnixMillis, catalog: Catalog, terms: SeasonTerms) {
    this.timers = new CalendarTimers(now);
    const common = { timers: this.timers, faults: NO_FAULTS };
    this.venueA = new VenueAExchange({ ...common, ...catalog.venueA, random: new Random(1) });
    this.venueB = new VenueBExchange({ ...common, ...catalog.venueB, random: new Random(2) });
    const { timers, venueA, venueB } = this;
    this.trading = seasonTrading({ timers, venueA, venueB, catalog }, terms);
  }

  /** Ids of all games on either venue. */
  get games(): Set<string> {
    return new Set([...this.venueA.events, ...this.venueB.events].map(({ game }) => game.id));
  }
}
