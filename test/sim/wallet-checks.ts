// What must be true of the actions of a wallet in the end: paid once, never twice (beyond §9).

import { DAY_MS } from '../../src/core/domain/durations.ts';
import type { Ended } from './invariants.ts';

/** A share of a cent that anybody may have sent. */
const DUST = 10_000;

/** What the chain has paid for redeems that nobody has requested. */
function boundFaults({ store, wallet: { bounds, paid } }: Pick<Ended, 'store' | 'wallet'>): string[] {
  const unasked = store.allActions().filter(({ idempotencyKey }) => !/^\w+-w\d+$/.test(idempotencyKey));
  const days = new Map<number, number>();
  const faults = unasked.flatMap(({ actionId, tokenId, createdAt, intent }) => {
    const amount = intent === null ? 0 : (paid.get(Buffer.from(intent.payload).toString()) ?? 0);
    const day = Math.floor(createdAt / DAY_MS);
    days.set(day, (days.get(day) ?? 0) + amount);
    const isTooMuch = amount > (bounds?.action ?? 0) + DUST;
    return isTooMuch ? [`${actionId} of ${tokenId} has paid ${amount} and nobody has requested it`] : [];
  });
  const sums = [...days].filter(([, sum]) => sum > (bounds?.day ?? 0) + unasked.length * DUST);
  return [...faults, ...sums.map(([day, sum]) => `on day ${day} redeems without a request have paid ${sum}`)];
}

export function walletFaults({ store, wallet, haveActionsLost, exchange }: Ended): string[] {
  if (haveActionsLost) return [];
  const actions = store.allActions();
  const isMoved = (token: string, since: number): boolean =>
    exchange.transfers.some(({ address, at }) => address === token && at >= since);
  /** FAILED, although the chain has executed them. */
  const hidden = new Set<string>();
  const faults = actions.flatMap(({ actionId, kind, status, intent, error, tokenId, complementId, createdAt }) => {
    const bytes = intent === null ? null : Buffer.from(intent.payload).toString();
    const times = wallet.executed.filter(it => it === bytes).length;
    const name = `${kind} ${actionId} (${status})`;
    // Shares that came to the wallet since can take exactly the place of those that are gone. A payout closes losers that the wallet keeps.
    const isHiding = (token: string): boolean =>
      isMoved(token, createdAt) || (kind !== 'REDEEM' && exchange.markets.payouts().has(token));
    const isHidden = times === 1 && error?.code === 'UNKNOWN' && [tokenId, complementId].some(isHiding);
    if (status === 'FAILED' && isHidden) hidden.add(actionId);
    const isNever = (status === 'FAILED' && !isHidden) || intent === null;
    const isRight = status === 'CONFIRMED' ? times === 1 : isNever ? times === 0 : true;
    const isOpen = status === 'PENDING' || (status === 'SUBMITTED' && !wallet.isSafe);
    return [...(isRight ? [] : [`${name} was executed ${times} times`]), ...(isOpen ? [`${name} is not over`] : [])];
  });
  const strange = wallet.executed.length - hidden.size - actions.filter(it => it.status === 'CONFIRMED').length;
  const paid = actions.reduce((sum, { actionId, kind, status, amount }) => {
    if (status !== 'CONFIRMED' && !hidden.has(actionId)) return sum;
    return kind === 'SPLIT' ? sum - amount : sum + amount;
  }, 0);
  const isUnbooked = actions.some(it => it.status === 'SUBMITTED');
  // What was redeemed by hand while our transaction was under way is paid by the other transaction. What was moved away pays others.
  const isByHand = actions.some(({ kind, tokenId, complementId, createdAt }) => {
    const isPaidThere = (token: string): boolean =>
      exchange.markets.isOver('venue_a', token) || isMoved(token, createdAt);
    return kind === 'REDEEM' && [tokenId, complementId].some(isPaidThere);
  });
  return [
    ...faults,
    ...boundFaults({ store, wallet }),
    ...(strange > 0 && !isUnbooked ? [`${strange} transactions are of no action`] : []),
    ...(paid === wallet.cash || isUnbooked || isByHand
      ? []
      : [`actions have paid ${paid}, and the chain ${wallet.cash}`]),
    ...(exchange.moves.length > 0 && wallet.executed.length === 0 ? ['shares moved by nothing'] : []),
  ];
}
