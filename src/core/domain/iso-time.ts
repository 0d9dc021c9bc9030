// Parses times written as ISO 8601 text with a valid calendar date. A time without a zone is UTC. `Date.parse` would read it as
// local time, and the 30th of February as the 2nd of March. Pure.

import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from './durations.ts';

const DATE = /^(\d{4})-(\d\d)-(\d\d)/;
/** The part of the text after the date. The zone is `Z`, `+02:00`, `+0200` or `+02`. */
const TIME = /^[Tt ](\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,9}))?)?(?:[Zz]|([+-])(\d\d)(?::?(\d\d))?)?$/;
const DATE_LENGTH = '2026-11-20'.length;
const MILLI_DIGITS = 3;
const MONTH_DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
const FEBRUARY = 2;
const EPOCH_YEAR = 1970;

/** Returns the Unix milliseconds of a date and time such as `2026-11-20T18:30:00Z`, or null for other text. Finer decimals are cut off. */
export function isoMillisOf(text: string): number | null {
  const day = isoDayMillisOf(text.slice(0, DATE_LENGTH));
  const [, hour, minute, second = '0', fraction = '', sign = '+', zoneHour = '0', zoneMinute = '0'] =
    TIME.exec(text.slice(DATE_LENGTH)) ?? [];
  if (day === null || hour === undefined || minute === undefined) return null;
  const [clock, zone] = [clockMillisOf(hour, minute, second), clockMillisOf(zoneHour, zoneMinute, '0')];
  if (clock === null || zone === null) return null;
  const millis = Number(fraction.slice(0, MILLI_DIGITS).padEnd(MILLI_DIGITS, '0'));
  return day + clock + millis - (sign === '-' ? -zone : zone);
}

/** Returns the Unix milliseconds at which a UTC day such as `2026-11-20` begins, or null for other text. */
export function isoDayMillisOf(text: string): number | null {
  const [whole, ...parts] = DATE.exec(text) ?? [];
  const [year = 0, month = 0, day = 0] = parts.map(Number);
  const days = (MONTH_DAYS[month - 1] ?? 0) + (month === FEBRUARY && isLeap(year) ? 1 : 0);
  if (whole !== text || day < 1 || day > days) return null;
  const monthDays = MONTH_DAYS.slice(0, month - 1).reduce((sum, length) => sum + length, 0);
  const leapDay = month > FEBRUARY && isLeap(year) ? 1 : 0;
  return (daysBefore(year) - daysBefore(EPOCH_YEAR) + monthDays + leapDay + day - 1) * DAY_MS;
}

function clockMillisOf(hour: string, minute: string, second: string): number | null {
  const [hours, minutes, seconds] = [Number(hour), Number(minute), Number(second)];
  if (hours > 23 || minutes > 59 || seconds > 59) return null;
  return hours * HOUR_MS + minutes * MINUTE_MS + seconds * SECOND_MS;
}

function isLeap(year: number): boolean {
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
}

/** Returns the number of days from the beginning of year 1 to the beginning of `year`. */
function daysBefore(year: number): number {
  const years = year - 1;
  return years * 365 + Math.floor(years / 4) - Math.floor(years / 100) + Math.floor(years / 400);
}
