// The least nonce that the chain of a wallet is known to have reached. The relayer may later show a nonce that is behind. Engine thread.

import type { WalletAction } from '../../core/domain/wallet-action.ts';
import type { Timers } from '../../core/runtime/timers.ts';
import type { Account } from '../../core/store/order-records.ts';
import type { Ledger } from './ledger.ts';
import type { LedgerEntry } from './ledger-entry.ts';
import { walletLimits } from './wallet-limits.ts';

interface WalletNonceParts {
  readonly account: Account;
  readonly ledger: Ledger;
  readonly timers: Pick<Timers, 'now'>;
}

/**
 * The noted nonce. It counts only while the relayer may be behind: the chain may take a transaction back, and the account may get another
 * wallet.
 */
export class WalletNonce {
  readonly #parts: WalletNonceParts;
  readonly #mark: string;

  constructor(parts: WalletNonceParts) {
    this.#parts = parts;
    this.#mark = `wallet-nonce/${parts.account.podId}`;
  }

  get min(): bigint {
    const { ledger, timers } = this.#parts;
    const [nonce = '0', at = '0'] = ledger.store.mark(this.#mark)?.split(' ') ?? [];
    return timers.now() - Number(at) < walletLimits.walletNonceLagMs ? BigInt(nonce) : 0n;
  }

  note({ transaction, at }: LedgerEntry, onChain: bigint): void {
    transaction.putMark(this.#mark, `${onChain} ${at}`);
  }
}

/**
 * Returns the signed action that the chain can execute first. Its nonce may be lower than a used nonce, because the chain may take a
 * transaction back. Undefined means that no action is signed.
 */
export function lowestSigned(actions: readonly WalletAction[]): WalletAction | undefined {
  const signed = actions.filter(it => it.intent !== null);
  return signed.sort((one, other) => Number(one.intent!.nonce - other.intent!.nonce))[0];
}
