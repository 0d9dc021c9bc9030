// The day of an instant in a zone. Pure.

import type { UnixMillis } from '../../domain/numbers.ts';

const FORMATS = new Map<string, Intl.DateTimeFormat>();

/** `2026-11-20`. */
export function localDate(at: UnixMillis, zone: string): string {
  let format = FORMATS.get(zone);
  if (format === undefined) {
    format = new Intl.DateTimeFormat('en-CA', { timeZone: zone, year: 'numeric', month: '2-digit', day: '2-digit' });
    FORMATS.set(zone, format);
  }
  return format.format(at);
}

/** The instant of a wall clock in a zone: of the two in the hour that is repeated in autumn the first. */
export function instantOf(date: string, hour: number, minute: number, zone: string): UnixMillis {
  const wall = Date.parse(`${date}T00:00:00Z`) + (hour * 60 + minute) * 60_000;
  const shown = Date.parse(`${wallText(wall, zone)}Z`);
  const guess = wall - (shown - wall);
  // The offset may be another one there.
  return (guess + (wall - Date.parse(`${wallText(guess, zone)}Z`))) as UnixMillis;
}

function wallText(at: number, zone: string): string {
  return new Date(at).toLocaleString('sv-SE', { timeZone: zone }).replace(' ', 'T');
}
