// Query parameters of venue A's public APIs: repeated, comma-separated, absent or invalid ones. Unknown ones are ignored, as
// at the venue (venue-a.md §7). Thread of the paper exchanges.

import { isoDayMillisOf, isoMillisOf } from '../../../domain/iso-time.ts';
import type { InboundRequest } from '../../../net/listen.ts';

export class Query {
  readonly #parameters: URLSearchParams;

  constructor(request: Pick<InboundRequest, 'query'>) {
    this.#parameters = new URLSearchParams(request.query);
  }

  /** Empty if absent. */
  text(name: string): string {
    return this.#parameters.get(name) ?? '';
  }

  /** Null if absent. */
  list(name: string): ReadonlySet<string> | null {
    const values = this.#parameters.getAll(name).flatMap(value => value.split(','));
    const given = values.map(value => value.trim()).filter(value => value !== '');
    return given.length === 0 ? null : new Set(given);
  }

  /** Null if neither. */
  flag(name: string): boolean | null {
    const text = this.text(name).toLowerCase();
    return text === 'true' ? true : text === 'false' ? false : null;
  }

  /** An integer from 0 to `max`; `otherwise` if invalid, `max` if larger. */
  count(name: string, otherwise: number, max: number): number {
    const text = this.text(name);
    return /^\d{1,15}$/.test(text) ? Math.min(Number(text), max) : otherwise;
  }

  /** Milliseconds of a date or a time; null if invalid. */
  time(name: string): number | null {
    const text = this.text(name);
    return isoMillisOf(text) ?? isoDayMillisOf(text);
  }
}

export interface Page {
  readonly limit: number;
  readonly offset: number;
}

export function pageOf(query: Query, limitOtherwise: number, limitMax: number, offsetMax: number): Page {
  return { limit: query.count('limit', limitOtherwise, limitMax), offset: query.count('offset', 0, offsetMax) };
}

/** One page of what is listed. */
export function paged<Row>(rows: Iterable<Row>, { limit, offset }: Page): Row[] {
  const page: Row[] = [];
  let index = 0;
  for (const row of rows) {
    if (page.length >= limit) break;
    if (index >= offset) page.push(row);
    index += 1;
  }
  return page;
}
