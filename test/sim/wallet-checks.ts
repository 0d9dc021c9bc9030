// Conditions on the actions of a wallet in the end: each is paid once, never twice (beyond §9).

import { DAY_MS } from '../../src/core/domain/durations.ts';
import { concerns, type WalletAction } from '../../src/core/domain/wallet-action.ts';
import type { Ended } from './invariants.ts';

/** A share of a cent that anybody may have sent. */
const DUST = 10_000;

/**
 * Checks for payouts of the chain without a redeem that anybody requested. At V1 a payout includes shares that others send to the wallet
 * meanwhile.
 */
function boundFaults({ store, wallet, exchange }: Pick<Ended, 'store' | 'wallet' | 'exchange'>): string[] {
  const { bounds, paid } = wallet;
  const sentSince = (addresses: readonly string[], since: number): number =>
    exchange.transfers
      .filter(({ address, size, at }) => addresses.includes(address) && size > 0 && at >= since)
      .reduce((sum, { size }) => sum + size, 0);
  const unasked = store.allActions().filter(({ idempotencyKey }) => !/^\w+-w\d+$/.test(idempotencyKey));
  const days = new Map<number, number>();
  const faults = unasked.flatMap(({ actionId, tokenId, complementId, createdAt, intent }) => {
    const all = intent === null ? 0 : (paid.get(Buffer.from(intent.payload).toString()) ?? 0);
    const amount = Math.max(0, all - sentSince([tokenId, complementId], createdAt));
    const day = Math.floor(createdAt / DAY_MS);
    days.set(day, (days.get(day) ?? 0) + amount);
    const isTooMuch = amount > (bounds?.action ?? 0) + DUST;
    return isTooMuch ? [`${actionId} of ${tokenId} has paid ${amount} and nobody has requested it`] : [];
  });
  const sums = [...days].filter(([, sum]) => sum > (bounds?.day ?? 0) + unasked.length * DUST);
  return [...faults, ...sums.map(([day, sum]) => `on day ${day} redeems without a request have paid ${sum}`)];
}

/**
 * Returns FAILED actions that the chain has executed and no balance can show. Shares that came to the wallet later can exactly replace the
 * shares that are gone. A payout closes losing tokens that the wallet keeps.
 */
function hiddenActions({ store, wallet, exchange }: Pick<Ended, 'store' | 'wallet' | 'exchange'>): WalletAction[] {
  const isMoved = (token: string, since: number): boolean =>
    exchange.transfers.some(({ address, at }) => address === token && at >= since);
  return store.allActions().filter(({ kind, status, intent, error, tokenId, complementId, createdAt }) => {
    const isHiding = (token: string): boolean =>
      isMoved(token, createdAt) || (kind !== 'REDEEM' && exchange.markets.payouts().has(token));
    const isUnproven = status === 'FAILED' && error?.code === 'UNKNOWN' && [tokenId, complementId].some(isHiding);
    return isUnproven && timesOf(wallet.executed, intent) === 1;
  });
}

function timesOf(executed: readonly string[], intent: WalletAction['intent']): number {
  const bytes = intent === null ? null : Buffer.from(intent.payload).toString();
  return executed.filter(it => it === bytes).length;
}

/** Returns whether shares moved unseen. Shares that were moved, made or burned unseen are not looked for once their market has paid. */
export function isUnseen(ended: Ended, address: string): boolean {
  return ended.exchange.wasMoved(address) || hiddenActions(ended).some(it => concerns(it, address));
}

export function walletFaults(ended: Ended): string[] {
  const { store, wallet, haveActionsLost, exchange } = ended;
  if (haveActionsLost) return [];
  const actions = store.allActions();
  const hidden = new Set(hiddenActions(ended).map(it => it.actionId));
  const faults = actions.flatMap(({ actionId, kind, status, intent }) => {
    const times = timesOf(wallet.executed, intent);
    const name = `${kind} ${actionId} (${status})`;
    const isNever = (status === 'FAILED' && !hidden.has(actionId)) || intent === null;
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
  // The other transaction pays shares that were redeemed by hand while our transaction was under way. Shares that were moved away pay
  // others.
  const isByHand = actions.some(({ kind, tokenId, complementId, createdAt }) => {
    const isPaidThere = (token: string): boolean =>
      exchange.markets.isOver('venue_a', token) ||
      exchange.transfers.some(({ address, at }) => address === token && at >= createdAt);
    return kind === 'REDEEM' && [tokenId, complementId].some(isPaidThere);
  });
  return [
    ...faults,
    ...boundFaults({ store, wallet, exchange }),
    ...(strange > 0 && !isUnbooked ? [`${strange} transactions are of no action`] : []),
    ...(paid === wallet.cash || isUnbooked || isByHand
      ? []
      : [`actions have paid ${paid}, and the chain ${wallet.cash}`]),
    ...(exchange.moves.length > 0 && wallet.executed.length === 0 ? ['shares moved by nothing'] : []),
  ];
}
