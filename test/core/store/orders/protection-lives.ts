// Steps and questions of a history's life that concern protections.

import fc from 'fast-check';
import type { MicroShares, UnixMillis } from '../../../../src/core/domain/numbers.ts';
import type { Protection, ProtectionScope } from '../../../../src/core/domain/protection.ts';
import type { LedgerWrites, LiveReads } from '../../../../src/core/store/order-records.ts';
import { protectionRecord } from './order-arbitraries.ts';

const ACTS = ['put', 'end', 'count', 'count'] as const;

interface ProtectionChange {
  readonly type: 'protection';
  readonly act: (typeof ACTS)[number];
  readonly protection: Protection;
  readonly executedAt: UnixMillis;
  readonly dropped: number;
}

export function protectionChange(
  actors: readonly string[],
  addresses: readonly string[],
  executedAt: fc.Arbitrary<UnixMillis>,
): fc.Arbitrary<ProtectionChange> {
  return fc.record({
    type: fc.constant('protection' as const),
    act: fc.constantFrom(...ACTS),
    protection: fc
      .tuple(protectionRecord, fc.constantFrom(...actors), fc.constantFrom(null, ...addresses))
      .map(([it, actorId, address]) => ({ ...it, actorId, address })),
    executedAt,
    dropped: fc.nat(1),
  });
}

export function protectionMade(to: LedgerWrites & Pick<LiveReads, 'protection'>, it: ProtectionChange): unknown {
  const { act, protection, executedAt, dropped } = it;
  if (act === 'put') return to.putProtection(protection);
  if (act === 'end') return to.deleteProtection(protection);
  const known = to.protection(protection);
  if (known === null) return null;
  return to.countFill(protection, { executedAt, size: 1 as MicroShares }, Math.min(dropped, known.counted.length));
}

/** Returns the protections, sorted, because their sequence means nothing. */
export function protectionsOf(of: Pick<LiveReads, 'protections' | 'protection'>, actors: readonly string[]): unknown {
  const nameOf = ({ actorId, venue, address }: ProtectionScope) => JSON.stringify([actorId, venue, address]);
  const sortedOf = (actorId: string | null) =>
    of.protections(actorId).toSorted((one, other) => (nameOf(one) < nameOf(other) ? -1 : 1));
  return [[null, ...actors].map(sortedOf), sortedOf(null).map(it => of.protection(it))];
}
