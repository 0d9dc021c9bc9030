// The view of an action of a wallet (beyond §9), in answers and on the stream. Any thread, and clients.

import { formatMicroDollars, formatMicroShares } from '../domain/numbers.ts';
import type { OrderError } from '../domain/order.ts';
import type { WalletAction, WalletActionKind, WalletActionStatus } from '../domain/wallet-action.ts';
import { formatTime } from './time-text.ts';

export interface ActionView {
  readonly actionId: string;
  readonly kind: WalletActionKind;
  readonly tokenId: string;
  readonly shares: string;
  readonly amountUsd: string;
  readonly status: WalletActionStatus;
  readonly transactionHash: string | null;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly error: OrderError | null;
}

export function actionView(action: WalletAction): ActionView {
  const { actionId, kind, tokenId, shares, amount, status, transactionHash, createdAt, updatedAt, error } = action;
  return {
    actionId,
    kind,
    tokenId,
    shares: formatMicroShares(shares),
    amountUsd: formatMicroDollars(amount),
    status,
    transactionHash,
    createdAt: formatTime(createdAt),
    updatedAt: formatTime(updatedAt),
    error,
  };
}
