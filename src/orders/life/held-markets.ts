// The markets in which an account may make no order, because the venue lists a trade there that cannot be read. They are stored as one
// record, so that every submission sees them and a restart keeps them. Engine thread.

import type { Account, LedgerTransaction, LiveReads } from '../../core/store/order-records.ts';

export interface HeldMarkets {
  /** Whether all markets are held, because a row names neither an order nor a market. */
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
  // A space can separate addresses, because they are visible ASCII (wire-values.ts).
  const words = [isAccount ? ACCOUNT : MARKETS, ...addresses];
  transaction.putMark(markOf(account), isNothing ? '' : words.join(' '));
}

/** Returns why no order can be made in the market now. Null means that orders can be made. */
export function heldProblem(reads: Pick<LiveReads, 'mark'>, account: Account, address: string): string | null {
  const { isAccount, addresses } = readHeld(reads, account);
  if (isAccount)
    return `${account.venue}: it lists a trade that cannot be read, so that its market is not known: nothing was sent`;
  if (!addresses.includes(address)) return null;
  return `${account.venue}: it lists a trade of this market that cannot be read, so that the position is not known: nothing was sent`;
}

const ACCOUNT = 'account';
const MARKETS = 'markets';

function markOf({ podId, venue }: Account): string {
  return `held/${podId}/${venue}`;
}
