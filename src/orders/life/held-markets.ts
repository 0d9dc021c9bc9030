// Markets in which an account may make no order, because the venue lists a trade there that cannot be read. Stored as one record:
// every submission sees it, and it survives a restart. Engine thread.

import type { Account, LedgerTransaction, LiveReads } from '../../core/store/order-records.ts';

export interface HeldMarkets {
  /** A row names neither an order nor a market: all markets are held. */
  readonly isAccount: boolean;
  readonly addresses: readonly string[];
}

export const NOTHING_HELD: HeldMarkets = { isAccount: false, addresses: [] };

export function readHeld(reads: Pick<LiveReads, 'mark'>, account: Account): HeldMarkets {
  const text = reads.mark(markOf(account)) ?? '';
  if (text === '') return NOTHING_HELD;
  const [first = '', ...addresses] = text.split(' ');
  return { isAccount: first === ACCOUNT, addresses };
}

export function putHeld(transaction: Pick<LedgerTransaction, 'putMark'>, account: Account, held: HeldMarkets): void {
  const { isAccount, addresses } = held;
  const isNothing = !isAccount && addresses.length === 0;
  // Addresses are visible ASCII (wire-values.ts), so a space separates them.
  const words = [isAccount ? ACCOUNT : MARKETS, ...addresses];
  transaction.putMark(markOf(account), isNothing ? '' : words.join(' '));
}

/** Why no order can be made there now; null if it can. */
export function heldProblem(reads: Pick<LiveReads, 'mark'>, account: Account, address: string): string | null {
  const { isAccount, addresses } = readHeld(reads, account);
  if (isAccount)
    return `${account.venue}: it lists a trade that cannot be read, and not of which market: nothing was sent`;
  if (!addresses.includes(address)) return null;
  return `${account.venue}: it lists a trade of this market that cannot be read, so that the position is not known: nothing was sent`;
}

const ACCOUNT = 'account';
const MARKETS = 'markets';

function markOf({ podId, venue }: Account): string {
  return `held/${podId}/${venue}`;
}
