// Reads the bodies of batches (beyond §3): a list of orders, each with its idempotency key, or a list of order ids. A malformed body is
// refused as a whole. If only one order is faulty, the fault is the result of that order. Main thread.

import { hash } from 'node:crypto';
import type { JsonObject } from '../../core/domain/json.ts';
import type { BatchItem, FieldNames } from '../../core/domain/operation.ts';
import { fail, type Result } from '../../core/domain/result.ts';
import { FieldError, readArray, readObject, readString, refuseUnknown, resultOf } from '../../core/wire/fields.ts';
import { idempotencyKeyProblem } from '../../core/wire/trade-messages.ts';
import { limits } from '../../limits.ts';
import { type Refusal, refusal } from './api-refusals.ts';

/**
 * Reads `{orders: [{idempotencyKey, …order}]}` with 1 to `batchOrdersMax` orders. The deadline is no part of the body: `notAfter` names the
 * field that has it.
 */
export function readBatch(
  body: Result<JsonObject, string>,
  { notAfter }: Pick<FieldNames, 'notAfter'>,
): Result<readonly BatchItem[], Refusal> {
  return readBody(body, value =>
    readList(value, 'orders', 'batchOrdersMax').map((item, index) => readItem(item, index, notAfter)),
  );
}

/** Reads `{orderIds: […]}` with 1 to `batchCancelsMax` ids, of which none may occur twice. */
export function readCancelBatch(body: Result<JsonObject, string>): Result<readonly string[], Refusal> {
  return readBody(body, value => {
    const orderIds = readList(value, 'orderIds', 'batchCancelsMax').map((orderId, index) =>
      readString(orderId, `orderIds[${index}]`),
    );
    const again = orderIds.findIndex((orderId, index) => orderIds.indexOf(orderId) < index);
    if (again >= 0) throw new FieldError(`orderIds[${again}]`, 'is given twice');
    return orderIds;
  });
}

function readList(
  body: JsonObject,
  name: 'orders' | 'orderIds',
  limit: 'batchOrdersMax' | 'batchCancelsMax',
): readonly unknown[] {
  refuseUnknown(body, '', [name]);
  const list = readArray(body[name], name);
  if (list.length >= 1 && list.length <= limits[limit]) return list;
  throw new FieldError(name, `must have 1 to ${limits[limit]} items (${limit}), has ${list.length}`);
}

function readItem(value: unknown, index: number, notAfter: string): BatchItem {
  const { idempotencyKey, ...body } = readObject(value, `orders[${index}]`);
  const path = `orders[${index}].idempotencyKey`;
  const key = readString(idempotencyKey, path);
  const problem = idempotencyKeyProblem(key);
  if (problem !== null) throw new FieldError(path, problem);
  // Hashes the bytes that the same order would have if it were sent alone, as compact JSON. So each request counts as a repetition of the
  // other.
  const bodySha256Hex = hash('sha256', JSON.stringify(body), 'hex');
  return { body, idempotencyKey: key, bodySha256Hex, names: { idempotencyKey: path, notAfter } };
}

function readBody<T>(body: Result<JsonObject, string>, read: (value: JsonObject) => T): Result<T, Refusal> {
  const outcome = body.ok ? resultOf(() => read(body.value)) : body;
  return outcome.ok ? outcome : fail(refusal('invalid', outcome.error));
}
