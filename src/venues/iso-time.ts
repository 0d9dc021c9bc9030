// Times as venues write them in text. Pure.

import { type UnixMillis, unixMillisOf } from '../domain/numbers.ts';

const RFC_3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d/;

/** Null of anything but RFC 3339, such as `2026-06-11T06:31:29.957081Z`: Date.parse makes times of far less, of "5" a day in May. */
export function isoTimeOf(text: string): UnixMillis | null {
  return RFC_3339.test(text) ? unixMillisOf(Date.parse(text)) : null;
}
