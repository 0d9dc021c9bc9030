// The port between an account's wallet and the life of its actions (core/domain/wallet-action.ts). It has what we ask the venue's relayer,
// and all that the relayer can answer. "Unknown" is an answer, too. No method throws or rejects. Engine thread.

import type { MicroDollars, MicroShares, UnixMillis } from '../core/domain/numbers.ts';
import type { Result } from '../core/domain/result.ts';
import type { RedeemBounds, WalletActionKind, WalletIntent } from '../core/domain/wallet-action.ts';

/** A token as the wallet's contracts see it. */
export interface WalletToken {
  readonly tokenId: string;
  /** The other outcome of the market. */
  readonly complementId: string;
  /** Whether a redeem names an amount (protocol V2). Otherwise a redeem burns all shares of both outcomes that the wallet holds (V1). */
  readonly redeemsAnAmount: boolean;
  /** The payout of a share. Null means that the venue itself does not call the market resolved. */
  readonly payout: MicroDollars | null;
}

export interface WalletRequest {
  readonly kind: WalletActionKind;
  readonly tokenId: string;
  /** The shares of each outcome for SPLIT and MERGE. A split of an amount of dollars makes as many shares of each. */
  readonly shares: MicroShares;
}

export type WalletSubmitOutcome =
  | { readonly type: 'accepted'; readonly transactionId: string; readonly transactionHash: string | null }
  /** The relayer has not taken this request. The answer says nothing about an earlier request with the same bytes. */
  | { readonly type: 'refused'; readonly message: string }
  /**
   * The relayer has not taken this request; the same bytes may be sent after a while. Perhaps another action of the wallet is in flight.
   */
  | { readonly type: 'not-now'; readonly message: string; readonly retryAfterS: number }
  /** The chain's nonce is beyond the nonce of the bytes. The bytes have an effect only if they were executed before. */
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
  /**
   * Why no action is possible and what to do, for example because the relayer does not serve the wallet. Null means that actions are
   * possible.
   */
  readonly problem: string | null;
  /** The bounds of redeems that are made without a request. Null means that no such redeems are made. */
  readonly autoRedeem: RedeemBounds | null;
  token(tokenId: string): Promise<Result<WalletToken, { readonly isUnknown: boolean; readonly message: string }>>;
  /** Returns the wallet's next nonce, as the relayer states it. */
  nonce(): Promise<Result<bigint, string>>;
  /** Signs a request for a nonce. The same arguments give the same bytes. A deadline counts from `now`. */
  prepare(request: WalletRequest, nonce: bigint, now: UnixMillis): Promise<Result<WalletIntent, string>>;
  /** Sends the bytes once. */
  submit(intent: WalletIntent, deadline: UnixMillis): Promise<WalletSubmitOutcome>;
  transaction(transactionId: string): Promise<Result<WalletTransactionState, string>>;
  /** Returns a fresh balance of the wallet, as the venue's exchange states it, in whole millionths. */
  balanceOf(tokenId: string): Promise<Result<MicroShares, string>>;
}
