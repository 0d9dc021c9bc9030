// Reads a venue's list row by row: an unreadable row does not affect the others. Pure.

import { isObject, type JsonObject } from '../domain/json.ts';
import { limits } from '../limits.ts';
import { formOf } from './row-form.ts';
import type { Listed, UnreadRow } from './venue.ts';

/** `read`: null for an unreadable row; `unread` then says what the row names. */
export function listedOf<Row>(
  values: readonly unknown[],
  read: (row: JsonObject) => Row | null,
  unread: (row: JsonObject) => UnreadRow,
): Listed<Row> {
  const rows: Row[] = [];
  const lost: UnreadRow[] = [];
  for (const value of values) {
    const row = isObject(value) ? read(value) : null;
    if (row === null) lost.push(unread(isObject(value) ? value : {}));
    else rows.push(row);
  }
  return { rows, unread: lost };
}

type Named = Pick<UnreadRow, 'tradeId' | 'orders' | 'addresses' | 'at' | 'isUnreported'>;

/** `id`: the row's id; empty if unreadable. Last argument: the readable names. */
export function unreadRow(
  about: UnreadRow['about'],
  id: string,
  value: unknown,
  { tradeId = '', orders = [], addresses = [], at = null, isUnreported = false }: Partial<Named> = {},
): UnreadRow {
  const form = formOf(value);
  const key = `${about} ${id || `${form} ${wordsIn(value)}`}`.slice(0, 2 * limits.rowFormCharactersMax);
  return { about, key, tradeId, orders, addresses, at, isUnreported, form };
}

/** Distinguishes a row without an id from others of its form. */
function wordsIn(value: unknown): string {
  const fields = isObject(value) ? Object.values(value) : [value];
  return fields.filter(field => typeof field === 'string' || typeof field === 'number').join(' ');
}
