// Approvals that a wallet of venue A gives once before tokens of Protocol V2 trade or settle (venue-a.md §0.1). Without them the venue
// refuses each order with words about balance and allowance. Pure.

import { isObject, objectsOf } from '../../domain/json.ts';

/** The meaning of each approval, by the Data API's id. */
const NEEDED: ReadonlyMap<string, string> = new Map([
  ['PusdV2Exchange', 'purchases'],
  ['V2PositionManagerExchangeIsApprovedForAll', 'sales'],
  ['PusdV2Router', 'splits'],
  ['V2PositionManagerRouterIsApprovedForAll', 'merges and redemptions'],
]);

export function approvalsTarget(wallet: string): string {
  return `/v2/approvals?user=${wallet}`;
}

/** Missing approvals in words; null: the answer is no list of approvals. */
export function missingApprovals(answer: unknown): readonly string[] | null {
  const data = isObject(answer) ? answer.data : undefined;
  if (!isObject(data) || !Array.isArray(data.contracts)) return null;
  const given = new Set(objectsOf(data.contracts).flatMap(({ id, approved }) => (approved === true ? [id] : [])));
  return [...NEEDED].flatMap(([id, use]) => (given.has(id) ? [] : [`${id} (${use})`]));
}
