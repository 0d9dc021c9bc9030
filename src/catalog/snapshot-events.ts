// Reads the events of a catalog from shared memory. Check workers and main thread.

import { HOLE, type SnapshotSections } from './snapshot-layout.ts';

export const EVENT_STATUSES = ['SCHEDULED', 'LIVE', 'ENDED'] as const;
export type EventStatus = (typeof EVENT_STATUSES)[number];

/** Position of an event in the order of lists. */
export interface EventPlace {
  /** Unix milliseconds. */
  readonly startsAt: number;
  readonly id: string;
}

export interface EventQuery {
  /** Indices in COMPETITIONS; null: any. */
  readonly competitions: ReadonlySet<number> | null;
  readonly status: EventStatus | null;
  /** Unix milliseconds; from inclusive, to exclusive. */
  readonly startsAfter: number;
  readonly startsBefore: number;
  /** Only events after this place; null means from the first. */
  readonly after: EventPlace | null;
  readonly rowsMax: number;
  /** Unix milliseconds. */
  readonly now: number;
}

export class SnapshotEvents {
  readonly #sections: SnapshotSections;

  constructor(sections: SnapshotSections) {
    this.#sections = sections;
  }

  /** The event that has or had this id; null if none. */
  named(name: string): number | null {
    const { counts, names, nameStart, named } = this.#sections;
    const nameAt = (at: number): string => names.toString('latin1', nameStart[at]!, nameStart[at + 1]!);
    const at = lowerBound(counts.names, it => nameAt(it) >= name);
    return at < counts.names && nameAt(at) === name ? named[at]! : null;
  }

  /** Events by (startsAt, id). */
  find({ competitions, status, startsAfter, startsBefore, after, rowsMax, now }: EventQuery): readonly number[] {
    const { counts, startsAt } = this.#sections;
    const first = lowerBound(
      counts.events,
      at => startsAt[at]! >= startsAfter && (after === null || this.#isBeyond(at, after)),
    );
    const found: number[] = [];
    for (let place = first; place < counts.events && startsAt[place]! < startsBefore; place++) {
      if (found.length === rowsMax) return found;
      if (competitions !== null && !competitions.has(this.competitionAt(place))) continue;
      if (status !== null && this.#statusAt(place, now) !== status) continue;
      found.push(place);
    }
    return found;
  }

  /** The index in COMPETITIONS. */
  competitionAt(place: number): number {
    return this.#sections.competitions[place]!;
  }

  placeOf(place: number): EventPlace {
    const { startsAt, eventIds, eventIdStart } = this.#sections;
    return {
      startsAt: startsAt[place]!,
      id: eventIds.toString('latin1', eventIdStart[place]!, eventIdStart[place + 1]!),
    };
  }

  /** The event as JSON text. */
  textAt(place: number, now: number): string {
    const { eventTexts, eventStart } = this.#sections;
    const text = eventTexts.toString('utf8', eventStart[place]!, eventStart[place + 1]!);
    return text.replace(HOLE, `"${this.#statusAt(place, now)}"`);
  }

  #isBeyond(place: number, after: EventPlace): boolean {
    const { startsAt, id } = this.placeOf(place);
    return startsAt > after.startsAt || (startsAt === after.startsAt && id > after.id);
  }

  #statusAt(place: number, now: number): EventStatus {
    const { isOver, startsAt } = this.#sections;
    if (isOver[place] === 1) return 'ENDED';
    return startsAt[place]! <= now ? 'LIVE' : 'SCHEDULED';
  }
}

/** The first index in 0 … count − 1 for which the condition holds, given that it holds for all later ones; `count` if there is none. */
export function lowerBound(count: number, isSo: (at: number) => boolean): number {
  let [low, high] = [0, count];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (isSo(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}
