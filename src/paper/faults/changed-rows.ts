// Changes rows of a list as a venue sometimes does: a field that is empty, absent or of an unknown form; or one more row of that kind. The
// exchange's own records do not change. Thread of the paper exchanges.

import { isObject, type JsonObject, parseJson } from '../../domain/json.ts';
import type { Reply } from '../../net/inbound.ts';
import type { RequestFault } from './faults.ts';

type RowsFault = Extract<RequestFault, { readonly kind: 'rows' }>;

/** Leaves text that is not JSON of objects unchanged. */
export function withChangedRows(reply: Reply, fault: RowsFault): Reply {
  const body = parseJson(Buffer.from(reply.body).toString());
  if (!isObject(body) && !Array.isArray(body)) return reply;
  const changed = Array.isArray(body)
    ? changedList(body as readonly unknown[], fault)
    : changedBody(body as JsonObject, fault);
  return { ...reply, body: JSON.stringify(changed) };
}

/** Lists of objects, and single objects such as `{"order": {…}}` or the whole answer. */
function changedBody(body: JsonObject, fault: RowsFault): JsonObject {
  const parts = Object.entries(body).map(([name, value]) => {
    if (Array.isArray(value) && value.every(isObject)) return [name, changedList(value, fault)];
    return [name, isObject(value) && isMeant(value, fault) ? { ...value, ...fault.set } : value];
  });
  const whole = Object.fromEntries(parts) as JsonObject;
  return Object.keys(fault.where).length > 0 && isMeant(body, fault) ? { ...whole, ...fault.set } : whole;
}

function changedList(rows: readonly unknown[], fault: RowsFault): readonly unknown[] {
  return rows.flatMap(row => {
    if (!isObject(row) || !isMeant(row, fault)) return [row];
    const changed = { ...row, ...fault.set };
    return fault.isMore ? [changed, row] : [changed];
  });
}

function isMeant(row: JsonObject, { where }: RowsFault): boolean {
  return Object.entries(where).every(([name, text]) => row[name] === text);
}
