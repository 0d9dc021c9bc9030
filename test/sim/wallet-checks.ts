// What must be true of the actions of a wallet in the end: paid once, never twice (beyond §9).

import type { Ended } from './invariants.ts';

export function walletFaults({ store, wallet, haveActionsLost, exchange }: Ended): string[] {
  if (haveActionsLost) return [];
  const actions = store.allActions();
  const isMoved = (token: string, since: number): boolean =>
    exchange.transfers.some(({ address, at }) => address === token && at >= since);
  let hidden = 0;
  const faults = actions.flatMap(({ actionId, kind, status, intent, error, tokenId, complementId, createdAt }) => {
    const bytes = intent === null ? null : Buffer.from(intent.payload).toString();
    const times = wallet.executed.filter(it => it === bytes).length;
    const name = `${kind} ${actionId} (${status})`;
    // Shares that came to the wallet since can take exactly the place of those that are gone. A payout closes losers that the wallet keeps.
    const isHiding = (token: string): boolean =>
      isMoved(token, createdAt) || (kind !== 'REDEEM' && exchange.markets.payouts().has(token));
    const isHidden = times === 1 && error?.code === 'UNKNOWN' && [tokenId, complementId].some(isHiding);
    if (status === 'FAILED' && isHidden) hidden += 1;
    const isNever = (status === 'FAILED' && !isHidden) || intent === null;
    const isRight = status === 'CONFIRMED' ? times === 1 : isNever ? times === 0 : true;
    const isOpen = status === 'PENDING' || (status === 'SUBMITTED' && !wallet.isSafe);
    return [...(isRight ? [] : [`${name} was executed ${times} times`]), ...(isOpen ? [`${name} is not over`] : [])];
  });
  const strange = wallet.executed.length - hidden - actions.filter(it => it.status === 'CONFIRMED').length;
  const booked = actions.reduce((sum, { kind, status, amount }) => {
    if (status !== 'CONFIRMED') return sum;
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
    ...(strange > 0 && !isUnbooked ? [`${strange} transactions are of no action`] : []),
    ...(booked === wallet.cash || isUnbooked || isByHand
      ? []
      : [`actions have paid ${booked}, and the chain ${wallet.cash}`]),
    ...(exchange.moves.length > 0 && wallet.executed.length === 0 ? ['shares moved by nothing'] : []),
  ];
}
