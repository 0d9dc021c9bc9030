// How long a venue asks to be left alone: `Retry-After` in seconds, within bounds. As a date it is not read. Pure.

/** Whole seconds from 1 to `maxS`; `otherwiseS` where the venue does not say. `headers`: by lower-case name. */
export function retryAfterS(headers: ReadonlyMap<string, string>, otherwiseS: number, maxS: number): number {
  const text = headers.get('retry-after') ?? '';
  const seconds = /^\d{1,9}$/.test(text) ? Number(text) : otherwiseS;
  return Math.min(Math.max(seconds, 1), maxS);
}
