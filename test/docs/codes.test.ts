// docs/PROTOCOL.md has all that a bot branches on: codes of errors and statuses of answers, what became of an order.

import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { API_ERRORS, ERROR_CODES } from '../../src/core/domain/answer.ts';
import { ORDER_ERROR_CODES, ORDER_STATUSES } from '../../src/core/domain/order.ts';
import type { CancelResult } from '../../src/orders/life/cancel-all.ts';

const CANCEL_OUTCOMES = { CANCELLED: 1, NOT_CANCELLABLE: 1, RECONCILE: 1 } satisfies Record<CancelResult['outcome'], 1>;

const PROTOCOL = readFileSync('docs/PROTOCOL.md', 'utf8');
/** The first cells of tables, piece by piece, since one row may name two codes. */
const ROWS = [...PROTOCOL.matchAll(/^\| ([^|]+) \|/gm)].flatMap(([, cell]) => cell!.replaceAll('`', '').split(', '));

it.each([
  ['status', Object.values(API_ERRORS).map(({ status }) => String(status))],
  ['code of an answer', ERROR_CODES],
  ['code of an order', ORDER_ERROR_CODES],
  ['outcome of a cancel', Object.keys(CANCEL_OUTCOMES)],
])('every %s has a row', (_what, values) => {
  expect(values.filter(value => !ROWS.includes(value))).toEqual([]);
});

it('every status of an order is there', () => {
  expect(ORDER_STATUSES.filter(status => !PROTOCOL.includes(`\`${status}\``))).toEqual([]);
});
