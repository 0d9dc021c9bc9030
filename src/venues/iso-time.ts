// Text times of venues. Pure.

import { isoMillisOf } from '../domain/iso-time.ts';
import { type UnixMillis, unixMillisOf } from '../domain/numbers.ts';

/**
 * A date with a time of day, such as `2026-06-11T06:31:29.957081Z` or `2026-10-08 02:00:00+00`; null for anything else.
 */
export function isoTimeOf(text: string): UnixMillis | null {
  const millis = isoMillisOf(text);
  return millis === null ? null : unixMillisOf(millis);
}
