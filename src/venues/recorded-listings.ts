// The venues' listings of recorded markets, in a file for each day beside the recording. A backtest shows these listings in its catalog.
// Each line is an event as it was at a time. The catalog thread writes the files; threads that play a recording read them.

import { appendFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { wordsOf } from '../core/domain/error-words.ts';
import { isObject, parseJson } from '../core/domain/json.ts';
import type { Venue } from '../core/domain/market.ts';
import type { UnixMillis } from '../core/domain/numbers.ts';
import { nodeFiles } from '../core/store/files.ts';
import { StoreError } from '../core/store/store-error.ts';
import type { OutcomeRoute, VenueEvent } from './discovery.ts';

interface Line {
  /** The version of the line. Raise it with every change of `VenueEvent`. */
  readonly version: number;
  readonly at: UnixMillis;
  readonly event: VenueEvent;
}

const VERSION = 1;
const LISTINGS = /^\d{8}\.listings$/;
const RECORDED = /^\d{8}T.*\.xrec$/;
const DAY_DIGITS = 8;

export class ListingRecorder {
  readonly #folder: string;
  readonly #markets = new Set<string>();
  /** The events as they are in the present day's file. */
  readonly #written = new Map<string, VenueEvent>();
  #day = '';

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Notes that the market is recorded from now on. */
  add(venue: Venue, address: string): void {
    this.#markets.add(`${venue} ${address}`);
  }

  /** Writes the events that have changed. An event that has not changed must be the same object as before. Throws a StoreError. */
  write(events: readonly VenueEvent[], at: UnixMillis): void {
    const day = new Date(at).toISOString().slice(0, 10).replaceAll('-', '');
    if (day !== this.#day) this.#begin(day);
    const news = events.filter(event => this.#written.get(keyOf(event)) !== event && this.#isRecorded(event));
    if (news.length === 0) return;
    const lines = news.map(event => `${JSON.stringify({ version: VERSION, at, event } satisfies Line)}\n`);
    const path = join(this.#folder, `${day}.listings`);
    try {
      appendFileSync(path, lines.join(''), { mode: 0o600 });
    } catch (error) {
      throw new StoreError(`${path}: ${wordsOf(error)}`);
    }
    for (const event of news) this.#written.set(keyOf(event), event);
  }

  /** Begins the file of a day, which has all events anew. So an older file can be removed with the last recording of its day. */
  #begin(day: string): void {
    this.#day = day;
    this.#written.clear();
    const names = nodeFiles.list(this.#folder);
    const oldest =
      names
        .filter(name => RECORDED.test(name))
        .sort()[0]
        ?.slice(0, DAY_DIGITS) ?? day;
    for (const name of names) if (LISTINGS.test(name) && name < oldest) nodeFiles.remove(join(this.#folder, name));
  }

  #isRecorded({ markets }: VenueEvent): boolean {
    return markets.some(({ outcomes }) => outcomes.some(({ route }) => this.#markets.has(nameOf(route))));
  }
}

/**
 * Returns each event as it was at `from`, or as it was first known if that was later. If `from` is null, each event is as it was first
 * known. Empty if the recording has no listings.
 */
export function recordedListings(folder: string, from: UnixMillis | null): readonly VenueEvent[] {
  const events = new Map<string, VenueEvent>();
  for (const name of nodeFiles.list(folder).sort()) {
    if (!LISTINGS.test(name)) continue;
    for (const text of readFileSync(join(folder, name), 'utf8').split('\n')) {
      const line = parseJson(text);
      // The last line is skipped if it was cut off.
      if (!isLine(line)) continue;
      const key = keyOf(line.event);
      if (!events.has(key) || (from !== null && line.at <= from)) events.set(key, line.event);
    }
  }
  return [...events.values()];
}

function isLine(value: unknown): value is Line {
  return isObject(value) && value.version === VERSION;
}

function keyOf({ venue, eventId }: VenueEvent): string {
  return `${venue} ${eventId}`;
}

function nameOf(route: OutcomeRoute): string {
  if (route.venue === 'venue_c') return '';
  return `${route.venue} ${route.venue === 'venue_a' ? route.tokenId : route.ticker}`;
}
