// The day of an instant in a zone. Pure.

import { isoDayMillisOf, isoMillisOf } from '../../core/domain/iso-time.ts';
import type { UnixMillis } from '../../core/domain/numbers.ts';

const FORMATS = new Map<string, Intl.DateTimeFormat>();

/** A date such as `2026-11-20`. */
export function localDate(at: UnixMillis, zone: string): string {
  let format = FORMATS.get(zone);
  if (format === undefined) {
    format = new Intl.DateTimeFormat('en-CA', { timeZone: zone, year: 'numeric', month: '2-digit', day: '2-digit' });
    FORMATS.set(zone, format);
  }
  return format.format(at);
}

/** The instant of a wall-clock time in a zone. In the repeated hour of autumn it is the first one. */
export function instantOf(date: string, hour: number, minute: number, zone: string): UnixMillis {
  const wall = isoDayMillisOf(date)! + (hour * 60 + minute) * 60_000;
  const guess = wall - (wallOf(wall, zone) - wall);
  // The offset may differ there.
  return (guess + (wall - wallOf(guess, zone))) as UnixMillis;
}

/** The wall-clock time there, as if it were UTC. */
function wallOf(at: number, zone: string): number {
  return isoMillisOf(new Date(at).toLocaleString('sv-SE', { timeZone: zone }))!;
}
