// The nonce that the chain of a wallet has reached at least: what the relayer shows of it later may be behind. Engine thread.

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

/** Believed only while the relayer may be behind: the chain may take a transaction back, and the account may get another wallet. */
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

/** The signed action that the chain can execute first: it may take a nonce back that was used. Undefined: none is signed. */
export function lowestNonce(actions: readonly WalletAction[]): WalletAction | undefined {
  const signed = actions.filter(it => it.intent !== null);
  return signed.sort((one, other) => Number(one.intent!.nonce - other.intent!.nonce))[0];
}
