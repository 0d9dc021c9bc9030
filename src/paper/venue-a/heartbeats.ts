// The dead man's switch (venue-a.md §3.8). After its first heartbeat a key must send more, each with the id of the one before.
// If it stops, all its orders are cancelled; a new first heartbeat starts again.

import type { UnixMillis } from '../../core/domain/numbers.ts';
import { fail, ok, type Result } from '../../core/domain/result.ts';
import type { Random } from '../../core/runtime/random.ts';
import type { Timers } from '../../core/runtime/timers.ts';
import { limits } from '../../limits.ts';
import { uuid } from '../ids.ts';

interface Beat {
  readonly id: string;
  readonly at: UnixMillis;
}

export class Heartbeats {
  readonly #timers: Timers;
  readonly #random: Random;
  readonly #onSilence: (owner: string) => void;
  /** Heartbeats by API key, oldest first. */
  readonly #beats = new Map<string, Beat>();
  #stop: (() => void) | null = null;

  constructor(timers: Timers, random: Random, onSilence: (owner: string) => void) {
    this.#timers = timers;
    this.#random = random;
    this.#onSilence = onSilence;
  }

  /** The next id to echo; a refusal has the expected one. */
  beat(owner: string, id: string): Result<string, string> {
    const expected = this.#beats.get(owner)?.id ?? '';
    if (id !== expected) return fail(expected);
    if (expected === '' && this.#beats.size >= limits.paperApiKeysMax) return fail('');
    const next = { id: uuid(this.#random), at: this.#timers.now() };
    this.#beats.delete(owner);
    this.#beats.set(owner, next);
    if (this.#stop === null) this.#watch();
    return ok(next.id);
  }

  close(): void {
    this.#stop?.();
    this.#stop = null;
  }

  #watch(): void {
    this.#stop = this.#timers.after(limits.paperVenueAHeartbeatCheckMs, () => {
      this.#stop = null;
      const silentSince = this.#timers.now() - limits.paperVenueAHeartbeatMs;
      for (const [owner, { at }] of this.#beats) {
        if (at > silentSince) break;
        this.#beats.delete(owner);
        this.#onSilence(owner);
      }
      if (this.#beats.size > 0) this.#watch();
    });
  }
}
