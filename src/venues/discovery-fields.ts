// Reads fields of the objects that venues list: bounded text, times, decimals. Returns null if a value has another form. Pure.

import { isObject, type JsonObject, parseJson } from '../core/domain/json.ts';
import type { UnixMillis } from '../core/domain/numbers.ts';
import { plainText } from '../core/domain/plain-text.ts';
import { limits } from '../limits.ts';
import type { DiscoveryPage, ListedEvent } from './discovery.ts';
import { isoTimeOf } from './wire-values.ts';

/** An id or a title as plain text: not empty, and no longer than an answer may show. */
export function nameOf(value: unknown): string | null {
  if (typeof value !== 'string') return null;
  const text = plainText(value);
  return text.length > 0 && text.length <= limits.catalogTextCharactersMax ? text : null;
}

/** Returns a field as text. Some fields are text in one place and a number in another; an absent field becomes empty text. */
export function wordOf(value: unknown): string {
  return (typeof value === 'number' && Number.isFinite(value) ? String(value) : nameOf(value)) ?? '';
}

/** Reads a time by RFC 3339. A space may stand for the `T`, and the zone may be short or missing (`2026-10-08 02:00:00+00`). */
export function timeOf(value: unknown): UnixMillis | null {
  if (typeof value !== 'string' || value.length > TIME_CHARACTERS_MAX) return null;
  return isoTimeOf(value);
}

/** Returns host and path of a web address that settles a market, or null if the text is not such an address. */
export function sourceOf(value: unknown): string | null {
  const [, host = '', path = ''] = (typeof value === 'string' ? SOURCE.exec(value.trim()) : null) ?? [];
  const source = host.toLowerCase() + path.replace(/\/+$/, '');
  return source === '' || source.length > SOURCE_CHARACTERS_MAX ? null : source;
}

const SOURCE = /^(?:https?:\/\/)?(?:www\.)?([a-z0-9-]+(?:\.[a-z0-9-]+)+)((?:[/?][!-~]*)?)$/i;
const SOURCE_CHARACTERS_MAX = 200;
const TIME_CHARACTERS_MAX = 40;
const DECIMAL = /^-?\d{1,9}(\.\d{1,6})?$/;

/** Returns a decimal as text. A JSON number has no trailing zeros in this text; decimal text stays as it is. */
export function decimalOf(value: unknown): string | null {
  const text = typeof value === 'number' ? String(value) : value;
  return typeof text === 'string' && DECIMAL.test(text) ? text : null;
}

/** Returns an array, which the value is or contains as JSON text. */
export function listOf(value: unknown): readonly unknown[] {
  const list = typeof value === 'string' ? parseJson(value) : value;
  return Array.isArray(list) ? list : [];
}

/**
 * Returns the events of a page. `malformed` counts the events that were left out, and the markets that were left out of the other events.
 */
export function eventsOf(
  listed: readonly ListedEvent[],
  malformed: number,
): Pick<DiscoveryPage, 'events' | 'malformed'> {
  return {
    events: listed.map(it => it.event),
    malformed: listed.reduce((sum, it) => sum + it.malformed, malformed),
  };
}

/** Reads each object by itself. A malformed object is left out and counted. */
export function readEach<T>(
  values: readonly unknown[],
  read: (value: JsonObject) => T | null | 'malformed',
): { readonly read: readonly T[]; readonly malformed: number } {
  let malformed = 0;
  const kept: T[] = [];
  for (const value of values) {
    const one = isObject(value) ? read(value) : 'malformed';
    if (one === 'malformed') malformed += 1;
    else if (one !== null) kept.push(one);
  }
  return { read: kept, malformed };
}
