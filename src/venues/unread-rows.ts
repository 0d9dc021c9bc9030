// Reads a venue's list row by row, so that an unreadable row does not affect the others. An unreadable row is described by field names and
// kinds of value, so that an operator can see the change. Values stay out of the log, ids and names included. Only a venue's few words for
// states and sides are shown. Pure.

import { isObject, type JsonObject } from '../core/domain/json.ts';
import { limits } from '../limits.ts';
import type { Listed, UnreadRow } from './venue.ts';

/** Sorts rows into readable and unreadable ones. `read` returns null for an unreadable row; `unread` then returns the names in the row. */
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

/** Returns an unreadable row. `id` is the row's id, empty if it is unreadable. The last argument has the names that are readable. */
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

/** Returns the row's values as text, to distinguish a row without an id from other rows of its form. */
function wordsIn(value: unknown): string {
  const fields = isObject(value) ? Object.values(value) : [value];
  return fields.filter(field => typeof field === 'string' || typeof field === 'number').join(' ');
}

const FIELD = /^[A-Za-z_][A-Za-z0-9_]*$/;
const DECIMAL = /^-?\d+(\.\d+)?$/;
/** Fields whose values are words of the venue, which are the same for all its clients. */
const WORDS: readonly string[] = ['status', 'side', 'action', 'type', 'event_type', 'order_type', 'book_side'];
const WORD = /^[A-Za-z_]{1,32}$/;
const DEPTH_MAX = 2;

/**
 * Returns the form of a value, cut to a bounded length: `{id: text, size: empty text, status: "PENDING", maker_orders: [1 of {order_id:
 * text}]}`.
 */
export function formOf(value: unknown): string {
  return kindOf(value, '', 0).slice(0, limits.rowFormCharactersMax);
}

function kindOf(value: unknown, field: string, depth: number): string {
  if (value === null || value === undefined) return 'null';
  if (Array.isArray(value)) {
    const [first] = value as readonly unknown[];
    if (value.length === 0) return '[]';
    return depth > DEPTH_MAX ? 'list' : `[${value.length} of ${kindOf(first, '', depth + 1)}]`;
  }
  if (isObject(value)) return depth > DEPTH_MAX ? 'object' : `{${fieldsOf(value, depth)}}`;
  if (typeof value !== 'string') return typeof value;
  if (WORDS.includes(field) && WORD.test(value)) return JSON.stringify(value);
  if (value === '') return 'empty text';
  return DECIMAL.test(value) ? 'decimal text' : 'text';
}

function fieldsOf(value: Readonly<Record<string, unknown>>, depth: number): string {
  const names = Object.keys(value).slice(0, limits.rowFormFieldsMax);
  return names
    .map(name => `${FIELD.test(name) ? name.slice(0, 40) : '?'}: ${kindOf(value[name], name, depth + 1)}`)
    .join(', ');
}
