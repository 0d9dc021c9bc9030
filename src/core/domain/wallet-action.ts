// An action of a wallet (beyond §9): an actor redeems, splits or merges shares at venue A, without a trade. An action has states
// of its own: it is no order. Pure.

import { COST_PER_MICRO_DOLLAR, type MicroDollars, type MicroShares, type Ticks, type UnixMillis } from './numbers.ts';
import type { OrderError, OrderId } from './order.ts';

export const WALLET_ACTION_KINDS = ['REDEEM', 'SPLIT', 'MERGE'] as const;
export type WalletActionKind = (typeof WALLET_ACTION_KINDS)[number];

/** PENDING: recorded, nothing sent. SUBMITTED: the first byte may have left. The others are final. */
export const WALLET_ACTION_STATUSES = ['PENDING', 'SUBMITTED', 'CONFIRMED', 'FAILED'] as const;
export type WalletActionStatus = (typeof WALLET_ACTION_STATUSES)[number];

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
  /** In the form of an order's id, and derived like one. */
  readonly actionId: OrderId;
  readonly podId: string;
  /** Its owner: an actor, or `unattributed` where the gateway itself redeems for the whole wallet. */
  readonly actorId: string;
  readonly idempotencyKey: string;
  /** The hash covers kind, token and body. */
  readonly bodySha256Hex: string;
  readonly kind: WalletActionKind;
  readonly tokenId: string;
  /** The other outcome of the market. */
  readonly complementId: string;
  /** A redeem of all that the wallet holds of both outcomes, for all owners (protocol V1). */
  readonly isOfWallet: boolean;
  /** Redeemed, made or merged: of each outcome for SPLIT and MERGE. */
  readonly shares: MicroShares;
  /** Paid out, or paid in for SPLIT. */
  readonly amount: MicroDollars;
  /** The payout of a share of the token; null unless the action is a redeem. */
  readonly payout: Ticks | null;
  readonly status: WalletActionStatus;
  /** Not to be sent later than this, by its caller. */
  readonly notAfter: UnixMillis | null;
  /** Ascends over the open actions of an account. */
  readonly turn: number;
  /** Null until it is signed. */
  readonly intent: WalletIntent | null;
  /**
   * How much more the wallet held of the token and of its complement than the ledger of all owners, as the action was signed. Whether the
   * action was executed is seen by the difference that is left. A redeem of the whole wallet has what the wallet held: the chain pays for that.
   */
  readonly excess: readonly [token: MicroShares, complement: MicroShares];
  /** The chain's nonce was seen beyond the intent's: the bytes can have no further effect. */
  readonly isNonceUsed: boolean;
  /** The relayer's id of the transaction; null until the relayer has answered. */
  readonly transactionId: string | null;
  /** `0x` and 64 hex digits; null until the relayer has sent the transaction to the chain. */
  readonly transactionHash: string | null;
  readonly createdAt: UnixMillis;
  readonly updatedAt: UnixMillis;
  /** Null unless FAILED. */
  readonly error: OrderError | null;
}

/** How many dollars the gateway redeems without a request: in one action, and in a day of UTC. */
export interface RedeemBounds {
  readonly action: MicroDollars;
  readonly day: MicroDollars;
}

/** Begins the idempotency keys of redeems without a request. No caller's key holds a control character. */
const AUTOMATIC = '\u001f';

/** The key of the redeem of a token whose share pays `payout`. */
export function automaticKey(tokenId: string, payout: MicroDollars): string {
  return `${AUTOMATIC}redeem ${tokenId} ${payout}`;
}

/** Whether the gateway has made it without a request. */
export function isAutomatic({ idempotencyKey }: Pick<WalletAction, 'idempotencyKey'>): boolean {
  return idempotencyKey.startsWith(AUTOMATIC);
}

export function isOver({ status }: Pick<WalletAction, 'status'>): boolean {
  return status === 'CONFIRMED' || status === 'FAILED';
}

/** Whether it may change how much the wallet holds of the token. */
export function concerns({ tokenId, complementId }: WalletAction, address: string): boolean {
  return tokenId === address || complementId === address;
}

/** The shares that open actions take away from an actor in a token. */
export function takenOf(open: readonly WalletAction[], actorId: string, address: string): number {
  let taken = 0;
  for (const action of open) {
    if (action.isOfWallet && concerns(action, address)) return Number.POSITIVE_INFINITY;
    if (action.actorId !== actorId || action.kind === 'SPLIT') continue;
    if (action.tokenId === address || (action.kind === 'MERGE' && action.complementId === address))
      taken += action.shares;
  }
  return taken;
}

/** The shares that open splits add for an actor in a token. */
export function madeOf(open: readonly WalletAction[], actorId: string, address: string): number {
  let made = 0;
  for (const action of open)
    if (action.kind === 'SPLIT' && action.actorId === actorId && concerns(action, address)) made += action.shares;
  return made;
}

/** The payout of the shares; the chain rounds down. */
export function worthOf(shares: number, payout: Ticks): MicroDollars {
  return Number((BigInt(shares) * BigInt(payout)) / COST_PER_MICRO_DOLLAR) as MicroDollars;
}
