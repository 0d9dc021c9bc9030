// An action of a wallet (beyond §9): an actor redeems, splits or merges shares at venue A, without a trade. An action is no order, and has
// its own states. Pure.

import { COST_PER_MICRO_DOLLAR, type MicroDollars, type MicroShares, type Ticks, type UnixMillis } from './numbers.ts';
import type { OrderError, OrderId } from './order.ts';

export const WALLET_ACTION_KINDS = ['REDEEM', 'SPLIT', 'MERGE'] as const;
export type WalletActionKind = (typeof WALLET_ACTION_KINDS)[number];

/** The states of an action. PENDING: recorded, nothing sent. SUBMITTED: the first byte may have left. The other states are final. */
export const WALLET_ACTION_STATUSES = ['PENDING', 'SUBMITTED', 'CONFIRMED', 'FAILED'] as const;
export type WalletActionStatus = (typeof WALLET_ACTION_STATUSES)[number];

/** The signed bytes of an action, recorded before the first byte is sent. Only these bytes may be sent again. */
export interface WalletIntent {
  /** The body of the request. */
  readonly payload: Uint8Array;
  /** The wallet's nonce that these bytes use up. */
  readonly nonce: bigint;
  /** The time after which the chain refuses the bytes. Null means that the chain always takes them, as for a Safe and a proxy. */
  readonly deadline: UnixMillis | null;
}

export interface WalletAction {
  /** The id of the action, with the form and the derivation of an order's id. */
  readonly actionId: OrderId;
  readonly podId: string;
  /** The owner of the action: an actor, or `unattributed` if the gateway itself redeems for the whole wallet. */
  readonly actorId: string;
  readonly idempotencyKey: string;
  /** The hash of kind, token and body. */
  readonly bodySha256Hex: string;
  readonly kind: WalletActionKind;
  readonly tokenId: string;
  /** The token id of the market's other outcome. */
  readonly complementId: string;
  /** Whether the action redeems all that the wallet holds of both outcomes, for all owners (protocol V1). */
  readonly isOfWallet: boolean;
  /** The shares that the action redeems, makes or merges. For SPLIT and MERGE, the quantity of each outcome. */
  readonly shares: MicroShares;
  /** The amount that the action pays out; for SPLIT, the amount that the action pays in. */
  readonly amount: MicroDollars;
  /** The payout of a share of the token; null unless the action is a redeem. */
  readonly payout: Ticks | null;
  readonly status: WalletActionStatus;
  /** The caller's deadline: the action must not be sent after this time. */
  readonly notAfter: UnixMillis | null;
  /** The place of the action in the account's sequence: `turn` ascends over the open actions of an account. */
  readonly turn: number;
  /** The signed bytes. Null until the action is signed. */
  readonly intent: WalletIntent | null;
  /**
   * The quantities of the token and of its complement by which the wallet exceeded the ledger of all owners when the action was signed. The
   * difference that is left later shows whether the action was executed. For a redeem of the whole wallet, these are all quantities that
   * the wallet held, because the chain pays for all.
   */
  readonly excess: readonly [token: MicroShares, complement: MicroShares];
  /** Whether the chain's nonce was seen beyond the nonce of the intent: then the bytes can have no further effect. */
  readonly isNonceUsed: boolean;
  /** The relayer's id of the transaction; null until the relayer has answered. */
  readonly transactionId: string | null;
  /** `0x` and 64 hex digits; null until the relayer has sent the transaction to the chain. */
  readonly transactionHash: string | null;
  readonly createdAt: UnixMillis;
  readonly updatedAt: UnixMillis;
  /** The reason of the failure; null unless FAILED. */
  readonly error: OrderError | null;
}

/** The largest amounts that the gateway redeems without a request: in one action, and in a UTC day. */
export interface RedeemBounds {
  readonly action: MicroDollars;
  readonly day: MicroDollars;
}

/** The first character of the idempotency key of a redeem without a request. No caller's key holds a control character. */
const AUTOMATIC = '\u001f';

/** Returns the idempotency key of the redeem of a token whose share pays `payout`. */
export function automaticKey(tokenId: string, payout: MicroDollars): string {
  return `${AUTOMATIC}redeem ${tokenId} ${payout}`;
}

/** Whether the gateway has made the action without a request. */
export function isAutomatic({ idempotencyKey }: Pick<WalletAction, 'idempotencyKey'>): boolean {
  return idempotencyKey.startsWith(AUTOMATIC);
}

export function isOver({ status }: Pick<WalletAction, 'status'>): boolean {
  return status === 'CONFIRMED' || status === 'FAILED';
}

/** Whether the action may change how much the wallet holds of the token. */
export function concerns({ tokenId, complementId }: WalletAction, address: string): boolean {
  return tokenId === address || complementId === address;
}

/** Returns the shares that open actions take away from an actor's holding of a token. */
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

/** Returns the shares that open splits add to an actor's holding of a token. */
export function madeOf(open: readonly WalletAction[], actorId: string, address: string): number {
  let made = 0;
  for (const action of open)
    if (action.kind === 'SPLIT' && action.actorId === actorId && concerns(action, address)) made += action.shares;
  return made;
}

/** Returns the payout of the shares. The chain rounds down. */
export function worthOf(shares: number, payout: Ticks): MicroDollars {
  return Number((BigInt(shares) * BigInt(payout)) / COST_PER_MICRO_DOLLAR) as MicroDollars;
}
