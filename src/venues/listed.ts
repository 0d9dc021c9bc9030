// A venue's list, row by row: one that cannot be read takes no other with it. Pure.

import { isObject, type JsonObject } from '../domain/json.ts';
import { limits } from '../limits.ts';
import { formOf } from './row-form.ts';
import type { Listed, UnreadRow } from './venue.ts';

/** `read`: null of a row that cannot be read, of which `unread` says what it names. */
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

/** `id`: of the row; empty if it has none that can be read. The last argument: what can be read of it. */
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

/** What tells a row without an id from others of its form. */
function wordsIn(value: unknown): string {
  const fields = isObject(value) ? Object.values(value) : [value];
  return fields.filter(field => typeof field === 'string' || typeof field === 'number').join(' ');
}
