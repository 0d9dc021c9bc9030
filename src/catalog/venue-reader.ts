// Reads one venue's list continuously: everything first, then news, and everything again from time to time. Requests are slow, to spare the
// venue. When the venue fails, known events stay, and the reader tries again after a pause. Catalog thread.

import { VENUES } from '../core/domain/market.ts';
import type { UnixMillis } from '../core/domain/numbers.ts';
import { ok } from '../core/domain/result.ts';
import type { HttpGet } from '../core/net/http.ts';
import type { Timers } from '../core/runtime/timers.ts';
import { limits } from '../limits.ts';
import {
  type DiscoveryPage,
  type ListedVenue,
  NO_EVENTS,
  type PageAnswer,
  type VenueDiscovery,
  type VenueEvent,
} from '../venues/discovery.ts';
import { venueADiscovery } from '../venues/venue-a/discovery.ts';
import { createVenueBSigner } from '../venues/venue-b/auth.ts';
import { venueBDiscovery } from '../venues/venue-b/discovery.ts';
import { venueCDiscovery } from '../venues/venue-c/discovery.ts';
import type { KnownEvents } from './known-events.ts';

/** The URLs of the venues' lists, with the keys to read them. */
export interface DiscoveryTargets {
  readonly gammaUrl: string;
  readonly venueB: { readonly restUrl: string; readonly keyId: string; readonly privateKeyPem: string };
  /** The address of venue C. Null means that venue C is not read. */
  readonly venueC: { readonly url: string; readonly apiKey: string } | null;
}

/** Recorded lists that stand in for those of the venues. */
export interface RecordedLists {
  readonly recorded: readonly VenueEvent[];
}

/** Returns the lists that make the catalog: those of both trading venues, and of venue C if its address is set. */
export function discoveriesOf(
  targets: DiscoveryTargets | RecordedLists,
  get: HttpGet,
  timers: Timers,
): readonly VenueDiscovery[] {
  if ('recorded' in targets) return VENUES.map(venue => recordedDiscovery(venue, targets.recorded));
  const { restUrl, keyId, privateKeyPem } = targets.venueB;
  const traded: readonly VenueDiscovery[] = [
    venueADiscovery({ gammaUrl: targets.gammaUrl, get }),
    venueBDiscovery({ restUrl, sign: createVenueBSigner(keyId, privateKeyPem), get, timers }),
  ];
  return targets.venueC === null ? traded : [...traded, venueCDiscovery({ ...targets.venueC, get })];
}

function recordedDiscovery(venue: ListedVenue, all: readonly VenueEvent[]): VenueDiscovery {
  const events = all.filter(event => event.venue === venue);
  const page = (its: Partial<DiscoveryPage>): Promise<PageAnswer> => Promise.resolve(ok({ ...NO_EVENTS, ...its }));
  return {
    venue,
    rowsMax: Math.max(1, events.length),
    pagePauseMs: 0,
    listed: () => page({ events }),
    news: () => page({}),
    unlisted: () => page({}),
  };
}

interface VenueReaderParts {
  readonly discovery: VenueDiscovery;
  readonly known: KnownEvents;
  readonly timers: Timers;
  /** Called when the events of a page are in `known`. */
  readonly onChange: () => void;
  /** Called when a reading of the whole list is complete. */
  readonly onRead: () => void;
  readonly onFailure: (words: string) => void;
  readonly onLeftOut: (why: 'malformed' | 'no-room', objects: number) => void;
}

type AskPage = (cursor: string | null, rows: number) => Promise<PageAnswer>;

export class VenueReader {
  readonly #parts: VenueReaderParts;
  /** The number of failures in a row, over all requests. */
  #failures = 0;
  /** The number of readings in a row whose pages had no end. `#failures` does not count them, because their pages arrive. */
  #endless = 0;
  #hasStopped = false;
  #endPause: () => void = () => {};

  constructor(parts: VenueReaderParts) {
    this.#parts = parts;
  }

  /** Resolves when the reader has stopped. */
  async run(): Promise<void> {
    const { discovery, known, timers, onRead } = this.#parts;
    while (!this.#hasStopped) {
      let readAt = timers.now();
      const staleAt = timers.elapsed() + limits.catalogReadMs;
      known.beginReading();
      if (!(await this.#pages((cursor, rows) => discovery.listed(cursor, rows)))) continue;
      if (await this.#readUnlisted()) known.endReading();
      if (this.#hasStopped) return;
      onRead();
      while (!this.#hasStopped && timers.elapsed() < staleAt) {
        await this.#pause(limits.catalogNewsMs);
        const since = (readAt - limits.catalogNewsOverlapMs) as UnixMillis;
        const startedAt = timers.now();
        const isRead = await this.#pages((cursor, rows) => discovery.news(since, cursor, rows));
        if (isRead) readAt = startedAt;
      }
    }
  }

  stop(): void {
    this.#hasStopped = true;
    this.#endPause();
  }

  /**
   * Asks the venue for known events that it did not list, before they count as gone. Returns false if the venue does not answer; the events
   * then stay.
   */
  async #readUnlisted(): Promise<boolean> {
    const { discovery, known } = this.#parts;
    const eventIds = known.unlisted();
    return eventIds.length === 0 || this.#pages((cursor, rows) => discovery.unlisted(eventIds, cursor, rows));
  }

  /**
   * Reads every page of a reading. Returns false if the reading is incomplete, because the reader was stopped or a page failed too often.
   */
  async #pages(ask: AskPage): Promise<boolean> {
    const { rowsMax, pagePauseMs } = this.#parts.discovery;
    let cursor: string | null = null;
    const seen = new Set<string | null>([null]);
    let [rows, attempts] = [rowsMax, 0];
    for (let page = 0; page < limits.catalogPagesMax; page++) {
      if (this.#hasStopped) return false;
      const answer: PageAnswer = await ask(cursor, rows);
      if (this.#hasStopped) return false;
      if (answer.ok) {
        this.#take(answer.value);
        cursor = answer.value.next;
        if (cursor === null) {
          this.#endless = 0;
          return true;
        }
        if (seen.has(cursor)) return this.#hasNoEnd('a page leads back to one before it');
        seen.add(cursor);
        attempts = 0;
        await this.#pause(pagePauseMs);
        continue;
      }
      await this.#failed(answer.error);
      attempts += 1;
      if (attempts === limits.catalogPageAttemptsMax) return false;
      // The page may have been too large for one answer, so the next request asks for half of the rows.
      rows = Math.max(1, rows >> 1);
    }
    return this.#hasNoEnd('the pages have no end (catalogPagesMax)');
  }

  async #hasNoEnd(words: string): Promise<false> {
    this.#failures = Math.max(this.#failures, this.#endless);
    this.#endless += 1;
    await this.#failed(words);
    return false;
  }

  #take({ events, malformed }: DiscoveryPage): void {
    const { known, onChange, onLeftOut } = this.#parts;
    this.#failures = 0;
    const withoutRoom = events.reduce((sum, event) => sum + known.put(event), 0);
    if (malformed > 0) onLeftOut('malformed', malformed);
    if (withoutRoom > 0) onLeftOut('no-room', withoutRoom);
    if (events.length > 0) onChange();
  }

  #failed(words: string): Promise<void> {
    this.#parts.onFailure(words);
    const pauseMs = Math.min(limits.catalogBackoffMinMs * 2 ** this.#failures, limits.catalogBackoffMaxMs);
    this.#failures += 1;
    return this.#pause(pauseMs);
  }

  #pause(pauseMs: number): Promise<void> {
    if (this.#hasStopped) return Promise.resolve();
    return new Promise(resolve => {
      const cancel = this.#parts.timers.after(pauseMs, resolve);
      this.#endPause = () => {
        cancel();
        resolve();
      };
    });
  }
}
