// Times as JSON text (contract §1: ISO-8601, UTC, milliseconds, `Z`). A buffer keeps the last text: within a minute, only seconds and
// milliseconds are rewritten, eight bytes of twenty-four. Main thread; `formatTime` on any thread.

import { literal, threeDigits, twoDigits, writeLiteral } from '../domain/decimal-bytes.ts';
import { MINUTE_MS } from '../domain/durations.ts';
import { TIME_MAX, type UnixMillis } from '../domain/numbers.ts';

const PLACEHOLDER = '0000-00-00T00:00:00.000Z';
const VENUE_TIME = ',"venueTime":"';
const RECEIVED_AT = '","receivedAt":"';
const WITHOUT_VENUE_TIME = ',"venueTime":null,"receivedAt":"';
const END = '"}';

const COLON = 0x3a;
const POINT = 0x2e;
const LETTER_Z = 0x5a;

const encoder = new TextEncoder();

/** Returns a time in the form of contract §1, with milliseconds and `Z`. */
export function formatTime(time: UnixMillis): string {
  return new Date(Math.min(time, TIME_MAX)).toISOString();
}

/** Writes the end of every delta and trade, from the venue's time to the closing brace. Each codec has one. */
export class TimesText {
  readonly #stated = encoder.encode(VENUE_TIME + PLACEHOLDER + RECEIVED_AT + PLACEHOLDER + END);
  readonly #unstated = encoder.encode(WITHOUT_VENUE_TIME + PLACEHOLDER + END);
  readonly #venueTime = new TimeText(this.#stated, VENUE_TIME.length);
  readonly #receivedAt = new TimeText(this.#stated, (VENUE_TIME + PLACEHOLDER + RECEIVED_AT).length);
  readonly #receivedAtAlone = new TimeText(this.#unstated, WITHOUT_VENUE_TIME.length);

  /** Writes both times at `at`, at most 84 bytes. Returns the end. A venue time of 0 becomes null. */
  write(bytes: Uint8Array, at: number, venueTime: UnixMillis, receivedAt: UnixMillis): number {
    if (venueTime === 0) {
      this.#receivedAtAlone.set(receivedAt);
      bytes.set(this.#unstated, at);
      return at + this.#unstated.length;
    }
    this.#venueTime.set(venueTime);
    this.#receivedAt.set(receivedAt);
    bytes.set(this.#stated, at);
    return at + this.#stated.length;
  }
}

/** A time at a fixed place of a buffer. */
class TimeText {
  readonly #view: DataView;
  readonly #at: number;
  #minuteStart = Number.NaN;

  constructor(bytes: Uint8Array<ArrayBuffer>, at: number) {
    this.#view = new DataView(bytes.buffer);
    this.#at = at;
  }

  set(time: UnixMillis): void {
    let inMinute = time - this.#minuteStart;
    if (!(inMinute >= 0 && inMinute < MINUTE_MS)) inMinute = this.#enterMinute(time);
    const seconds = ((inMinute | 0) / 1_000) | 0;
    const millis = (inMinute | 0) - seconds * 1_000;
    this.#view.setInt32(this.#at + 16, COLON | (twoDigits(seconds) << 8) | (POINT << 24), true);
    this.#view.setInt32(this.#at + 20, threeDigits(millis) | (LETTER_Z << 24), true);
  }

  #enterMinute(time: UnixMillis): number {
    const bounded = Math.min(time, TIME_MAX) as UnixMillis;
    writeLiteral(this.#view, this.#at, literal(formatTime(bounded).slice(0, 16)));
    this.#minuteStart = bounded - (bounded % MINUTE_MS);
    return bounded - this.#minuteStart;
  }
}
