// How long each venue's feed has sent nothing. The counters of frames are looked at often, since no time is written for each frame. Main
// thread.

import { perVenue, VENUES, type Venue } from '../../domain/market.ts';
import type { FeedCounters } from '../../metrics/feed-counters.ts';

interface Seen {
  frames: number;
  /** When their number last changed, by the monotonic clock. */
  atMs: number;
}

export class FeedAges {
  readonly #counters: Readonly<Record<Venue, Pick<FeedCounters, 'read'>>>;
  readonly #seen: Readonly<Record<Venue, Seen>>;

  constructor(counters: Readonly<Record<Venue, Pick<FeedCounters, 'read'>>>, nowMs: number) {
    this.#counters = counters;
    this.#seen = perVenue(venue => ({ frames: counters[venue].read('frames'), atMs: nowMs }));
  }

  /** Call often: an age is exact to the time between two calls. */
  look(nowMs: number): void {
    for (const venue of VENUES) {
      const frames = this.#counters[venue].read('frames');
      const seen = this.#seen[venue];
      if (frames === seen.frames) continue;
      seen.frames = frames;
      seen.atMs = nowMs;
    }
  }

  /** Milliseconds since the last frame; since the start if there was none. */
  ageMs(venue: Venue, nowMs: number): number {
    return nowMs - this.#seen[venue].atMs;
  }
}
