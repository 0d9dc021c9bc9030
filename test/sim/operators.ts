// Settings of traders and their operator on the way: market-maker protections and loss limits.

import type { MicroDollars, MicroShares } from '../../src/core/domain/numbers.ts';
import { POD } from './calls.ts';
import type { Happenings } from './happenings.ts';
import { ADDRESSES } from './outside.ts';
import type { Market } from './traders.ts';
import { SHARE } from './true-order.ts';

/** Few fills are allowed, so that protections are triggered; most are reset before the next order. */
export function protect({ gateway, venue }: Market, actorId: string, random: Happenings): void {
  const address = random.chance(0.5) ? null : random.pick(ADDRESSES[venue]);
  const windowMs = random.pick([1_000, 5_000, 20_000]);
  const max = random.chance(0.5)
    ? { fillsMax: random.below(3), sharesMax: null }
    : { fillsMax: null, sharesMax: (random.below(8) * SHARE) as MicroShares };
  const known = gateway();
  if (known === null) return;
  const { protections, store } = known;
  if (random.chance(0.7)) for (const it of store.protections(actorId)) known.logFault(() => protections.reset(it));
  if (random.happens(0.05)) for (const it of store.protections(actorId)) known.logFault(() => protections.end(it));
  const terms = { ...max, windowMs };
  if (random.happens(0.15)) known.logFault(() => protections.set({ podId: POD, actorId }, { venue, address }, terms));
}

/** Little may be lost, so that limits are reached. */
export function limitLosses({ gateway }: Market, actorId: string, random: Happenings): void {
  const scope = random.chance(0.7) ? actorId : POD;
  const terms = { lossMax: random.pick([0, 20_000, 300_000, 1_000_000]) as MicroDollars, cancels: random.chance(0.5) };
  const known = gateway();
  if (known === null) return;
  const { losses } = known;
  if (random.happens(0.2)) known.logFault(() => losses.reset(scope));
  if (random.happens(0.05)) known.logFault(() => losses.end(scope));
  if (random.happens(0.05)) known.logFault(() => losses.set(scope, terms));
}
