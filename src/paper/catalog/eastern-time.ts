// Dates as both venues write them: in US Eastern time, the zone of most of these games. Pure.

import { isoDayMillisOf, isoMillisOf } from '../../core/domain/iso-time.ts';
import type { UnixMillis } from '../../core/domain/numbers.ts';

interface EasternTime {
  /** The date as in slugs: `2026-11-21`. */
  readonly date: string;
  /** The date as in tickers: `26NOV21`. */
  readonly compactDate: string;
  /** The time of day, such as `1930`. */
  readonly clock: string;
  /** The day without the year: `Nov 21`. */
  readonly shortDay: string;
  /** The day with the year: `Nov 21, 2026`. */
  readonly day: string;
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

const format = new Intl.DateTimeFormat('en-US', {
  timeZone: 'America/New_York',
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
});

/**
 * Returns the instant of a local time, such as `2026-11-21`, `1930`. In the repeated hour of autumn it is the first of two. NaN for a time
 * that does not exist.
 */
export function easternInstant(date: string, clock: string): UnixMillis {
  const [summer, winter] = ['-04:00', '-05:00'].map(
    offset => isoMillisOf(`${date}T${clock.slice(0, 2)}:${clock.slice(2)}:00${offset}`) ?? Number.NaN,
  ) as [UnixMillis, UnixMillis];
  return Number.isNaN(summer) || easternTime(summer).clock === clock ? summer : winter;
}

/** Reads a date such as `26NOV21`. Returns null for text that is no day. */
export function dateOfCompact(text: string): string | null {
  const [, year, month = '', day] = /^(\d\d)([A-Z]{3})(\d\d)$/.exec(text) ?? [];
  const index = MONTHS.findIndex(it => it.toUpperCase() === month);
  const date = `20${year}-${String(index + 1).padStart(2, '0')}-${day}`;
  return index === -1 || isoDayMillisOf(date) === null ? null : date;
}

/** The last answer is kept, because a game's listings ask for its start a dozen times. */
let last: { readonly at: UnixMillis; readonly time: EasternTime } | null = null;

export function easternTime(at: UnixMillis): EasternTime {
  if (last?.at !== at) last = { at, time: formatted(at) };
  return last.time;
}

function formatted(at: UnixMillis): EasternTime {
  const parts = new Map(format.formatToParts(at).map(({ type, value }) => [type, value]));
  const [year = '', month = '', day = '', hour = '', minute = ''] = ['year', 'month', 'day', 'hour', 'minute'].map(
    type => parts.get(type as Intl.DateTimeFormatPartTypes) ?? '',
  );
  const shortMonth = MONTHS[Number(month) - 1]!;
  return {
    date: `${year}-${month}-${day}`,
    compactDate: `${year.slice(2)}${shortMonth.toUpperCase()}${day}`,
    clock: `${hour}${minute}`,
    shortDay: `${shortMonth} ${Number(day)}`,
    day: `${shortMonth} ${Number(day)}, ${year}`,
  };
}
