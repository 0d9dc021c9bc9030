// Approvals that a wallet must give before it trades or settles tokens of Protocol V2 (venue-a.md §0.1). Pure.

/** Approvals in the words of the Data API. */
export const APPROVALS = [
  { id: 'PusdV2Exchange', feature: 'trading', standard: 'ERC20' },
  { id: 'PusdV2Router', feature: 'positions', standard: 'ERC20' },
  { id: 'V2PositionManagerExchangeIsApprovedForAll', feature: 'trading', standard: 'ERC1155' },
  { id: 'V2PositionManagerRouterIsApprovedForAll', feature: 'positions', standard: 'ERC1155' },
] as const;

/** Of the adapters of Protocol V1: the Data API does not list them, so their names are the simulator's. */
export type ApprovalId = (typeof APPROVALS)[number]['id'] | 'PusdAdapter' | 'CtfAdapterIsApprovedForAll';

/** Dollars to buy, shares to sell. */
export function approvalFor(isBuy: boolean): ApprovalId {
  return isBuy ? 'PusdV2Exchange' : 'V2PositionManagerExchangeIsApprovedForAll';
}
