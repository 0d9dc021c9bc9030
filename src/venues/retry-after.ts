// How long a venue asks us to wait: `Retry-After`, in seconds or as a date, within bounds.

import { retryAfterSeconds } from '../net/retry-after.ts';

/** Whole seconds from 1 to `maxS`; `otherwiseS` if the venue states none. `headers`: by lower-case name. */
export function retryAfterS(headers: ReadonlyMap<string, string>, otherwiseS: number, maxS: number): number {
  const text = headers.get('retry-after') ?? '';
  const seconds = retryAfterSeconds(text, headers.get('date') ?? '', Date.now()) ?? otherwiseS;
  return Math.min(Math.max(seconds, 1), maxS);
}
