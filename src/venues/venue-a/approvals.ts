// The approvals that a wallet of venue A gives once, before tokens of Protocol V2 can trade or settle (venue-a.md §0.1). Without them the
// venue refuses each order with words about balance and allowance. Pure.

import { isObject, objectsOf } from '../../core/domain/json.ts';

/** The approval for the router of redemptions, splits and merges. */
export const SPLIT_APPROVAL = 'PusdV2Router';
export const SHARES_APPROVAL = 'V2PositionManagerRouterIsApprovedForAll';

/** The meaning of each approval that is needed, by the Data API's id. */
const NEEDED: ReadonlyMap<string, string> = new Map([
  ['PusdV2Exchange', 'purchases'],
  ['V2PositionManagerExchangeIsApprovedForAll', 'sales'],
  [SPLIT_APPROVAL, 'splits'],
  [SHARES_APPROVAL, 'merges and redemptions'],
]);

export function approvalsTarget(wallet: string): string {
  return `/v2/approvals?user=${wallet}`;
}

/** Returns the missing approvals in words, of these ids or of all. Returns null if the answer is not a list of approvals. */
export function missingApprovals(
  answer: unknown,
  ids: readonly string[] = [...NEEDED.keys()],
): readonly string[] | null {
  const data = isObject(answer) ? answer.data : undefined;
  if (!isObject(data) || !Array.isArray(data.contracts)) return null;
  const given = new Set(objectsOf(data.contracts).flatMap(({ id, approved }) => (approved === true ? [id] : [])));
  return ids.flatMap(id => (given.has(id) ? [] : [`${id} (${NEEDED.get(id)})`]));
}
