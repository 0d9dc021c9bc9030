// The port between an account's wallet and the life of its actions (core/domain/wallet-action.ts). It has what we ask the venue's relayer, and all that
// the relayer can answer. "Unknown" is an answer of its own. Nothing here throws or rejects. Engine thread.

import type { MicroDollars, MicroShares, UnixMillis } from '../core/domain/numbers.ts';
import type { Result } from '../core/domain/result.ts';
import type { RedeemBounds, WalletActionKind, WalletIntent } from '../core/domain/wallet-action.ts';

/** A token as the wallet's contracts see it. */
export interface WalletToken {
  readonly tokenId: string;
  /** The other outcome of the market. */
  readonly complementId: string;
  /** A redeem names an amount (protocol V2). Without it a redeem burns all shares that the wallet holds of both outcomes (V1). */
  readonly redeemsAnAmount: boolean;
  /** The payout of a share; null: the market is not resolved by the venue's own word. */
  readonly payout: MicroDollars | null;
}

export interface WalletRequest {
  readonly kind: WalletActionKind;
  readonly tokenId: string;
  /** The shares of each outcome for SPLIT and MERGE. A split of an amount in dollars makes as many shares. */
  readonly shares: MicroShares;
}

export type WalletSubmitOutcome =
  | { readonly type: 'accepted'; readonly transactionId: string; readonly transactionHash: string | null }
  /** The relayer has taken nothing now. It says nothing of an earlier request with the same bytes. */
  | { readonly type: 'refused'; readonly message: string }
  /** The relayer has taken nothing now: the same bytes may be sent after a while. It may say so because an action of the wallet is under way. */
  | { readonly type: 'not-now'; readonly message: string; readonly retryAfterS: number }
  /** The chain's nonce is beyond that of the bytes: they can have effect only if they were executed before. */
  | { readonly type: 'nonce-used'; readonly message: string; readonly onChain: bigint }
  /** The relayer may have taken the bytes. */
  | { readonly type: 'unknown'; readonly message: string };

export type WalletTransactionState =
  | { readonly type: 'under-way'; readonly transactionHash: string | null }
  | { readonly type: 'confirmed'; readonly transactionHash: string }
  | { readonly type: 'failed'; readonly message: string }
  /** The relayer does not know the transaction. */
  | { readonly type: 'absent' };

/** The wallet of one account. */
export interface VenueWallet {
  /** Why no action is possible, with what to do, such as a wallet that the relayer does not serve; null: actions are possible. */
  readonly problem: string | null;
  /** Bounds of redeems without a request; null: there are none. */
  readonly autoRedeem: RedeemBounds | null;
  token(tokenId: string): Promise<Result<WalletToken, { readonly isUnknown: boolean; readonly message: string }>>;
  /** The wallet's next nonce, by the relayer. */
  nonce(): Promise<Result<bigint, string>>;
  /** Signs a request for a nonce. The same arguments give the same bytes. `now`: from which a deadline is counted. */
  prepare(request: WalletRequest, nonce: bigint, now: UnixMillis): Promise<Result<WalletIntent, string>>;
  /** Sends the bytes once. */
  submit(intent: WalletIntent, deadline: UnixMillis): Promise<WalletSubmitOutcome>;
  transaction(transactionId: string): Promise<Result<WalletTransactionState, string>>;
  /** A fresh balance of the wallet, by the venue's exchange, in whole millionths. */
  balanceOf(tokenId: string): Promise<Result<MicroShares, string>>;
}
