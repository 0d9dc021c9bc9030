// What an actor does with the shares of a wallet besides trading them (beyond.md §9): redeem, split or merge, at venue A. An action has states
// of its own: it is no order. Pure.

import type { MicroDollars, MicroShares, UnixMillis } from './numbers.ts';

export const WALLET_ACTION_KINDS = ['REDEEM', 'SPLIT', 'MERGE'] as const;
export type WalletActionKind = (typeof WALLET_ACTION_KINDS)[number];

/** PENDING: recorded, nothing sent. SUBMITTED: the first byte may have left. The others are final. */
export const WALLET_ACTION_STATUSES = ['PENDING', 'SUBMITTED', 'CONFIRMED', 'FAILED'] as const;
export type WalletActionStatus = (typeof WALLET_ACTION_STATUSES)[number];

export type WalletActionId = string & { readonly of: 'wallet action id' };

/** The signed bytes of an action, recorded before the first byte is sent. Only these bytes may be sent again. */
export interface WalletIntent {
  /** The body of the request. */
  readonly payload: Uint8Array;
  /** The wallet's nonce that the bytes use up. */
  readonly nonce: bigint;
  /** The chain refuses the bytes after this time. Null: never, as for a Safe and a proxy. */
  readonly deadline: UnixMillis | null;
}

export interface WalletAction {
  readonly actionId: WalletActionId;
  readonly podId: string;
  readonly actorId: string;
  readonly idempotencyKey: string;
  readonly kind: WalletActionKind;
  readonly tokenId: string;
  /** Redeemed, made or merged: of each outcome for SPLIT and MERGE. */
  readonly shares: MicroShares;
  /** Paid out, or paid in for SPLIT. */
  readonly amount: MicroDollars;
  readonly status: WalletActionStatus;
  readonly intent: WalletIntent | null;
  /** The relayer's id of the transaction; null until the relayer has answered. */
  readonly transactionId: string | null;
  /** `0x` and 64 hex digits; null until the relayer has sent the transaction to the chain. */
  readonly transactionHash: string | null;
  readonly createdAt: UnixMillis;
  readonly updatedAt: UnixMillis;
  readonly error: { readonly code: string; readonly message: string } | null;
}
