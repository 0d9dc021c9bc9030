// Steps and questions of a history's life that concern actions of wallets.

import fc from 'fast-check';
import type { MicroDollars, MicroShares, Ticks, UnixMillis } from '../../../../src/core/domain/numbers.ts';
import {
  WALLET_ACTION_KINDS,
  WALLET_ACTION_STATUSES,
  type WalletAction,
} from '../../../../src/core/domain/wallet-action.ts';
import type { HistoryReads, LedgerWrites, LiveReads, OrderPosition } from '../../../../src/core/store/order-records.ts';
import { at, orderIdOf } from './order-rig.ts';

const ACTIONS = 6;

const shares = fc.integer({ min: -5, max: 5 }).map(it => it as MicroShares);
/** An action. Its owner, time and turn follow from its number, because they never change. */
const action: fc.Arbitrary<WalletAction> = fc
  .record({
    number: fc.nat(ACTIONS - 1),
    kind: fc.constantFrom(...WALLET_ACTION_KINDS),
    isOfWallet: fc.boolean(),
    amount: fc.integer({ min: 0, max: 9 }).map(it => it as MicroDollars),
    payout: fc.option(
      fc.nat(10_000).map(it => it as Ticks),
      { nil: null },
    ),
    status: fc.constantFrom(...WALLET_ACTION_STATUSES),
    intent: fc.option(
      fc.record({
        payload: fc.uint8Array({ maxLength: 3 }),
        nonce: fc.bigInt({ min: 0n, max: 2n ** 70n }),
        deadline: fc.constantFrom(null, at(9)),
      }),
      { nil: null },
    ),
    notAfter: fc.constantFrom(null, at(7)),
    excess: fc.tuple(shares, shares),
    isNonceUsed: fc.boolean(),
    transactionId: fc.constantFrom(null, 'id'),
    transactionHash: fc.constantFrom(null, `0x${'ab'.repeat(32)}`),
    updatedAt: fc.nat(40).map(at),
    error: fc.constantFrom(null, { code: 'UNKNOWN' as const, message: 'why' }),
  })
  .map(({ number, ...rest }) => ({
    ...rest,
    actionId: orderIdOf(100 + number),
    podId: ['p', 'pp'][number % 2]!,
    actorId: ['a', 'ab', 'b'][number % 3]!,
    idempotencyKey: `key ${number}`,
    bodySha256Hex: '0b'.repeat(32),
    tokenId: 'X',
    complementId: 'Y',
    shares: number as MicroShares,
    turn: number + 1,
    createdAt: (10 - Math.floor(number / 2)) as UnixMillis,
  }));

export const actionChange = fc.record({ type: fc.constant('action' as const), action });

export function actionMade(to: Pick<LedgerWrites, 'putAction'>, { action: made }: { action: WalletAction }): unknown {
  return to.putAction(made);
}

export function actionsOf(of: Pick<LiveReads, 'action' | 'openActions'>): unknown {
  return [
    Array.from({ length: ACTIONS }, (_, number) => of.action(orderIdOf(100 + number))),
    ['p', 'pp'].map(podId => of.openActions(podId)),
  ];
}

/** Returns each list as a caller sees it, page by page. */
export function actionPages(of: Pick<HistoryReads, 'actions'>, actors: readonly string[]): unknown {
  return actors.map(actorId => {
    const pages: (readonly WalletAction[])[] = [];
    for (let after: OrderPosition | null = null; ; ) {
      const page = of.actions(actorId, after, 1);
      pages.push(page);
      const last = page.at(-1);
      if (last === undefined) return pages;
      after = { createdAt: last.createdAt, orderId: last.actionId };
    }
  });
}
