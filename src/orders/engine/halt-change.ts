// A change of what halts orders: a protection or a loss limit, on its way from the engine to the actors that it concerns. Any thread.

import type { ProtectionChange } from '../../core/domain/protection.ts';
import type { LossLimitChange } from '../../core/wire/reports.ts';

export type HaltChange =
  | ({ readonly type: 'protection' } & ProtectionChange)
  | ({ readonly type: 'lossLimit' } & LossLimitChange);

/** Returns a name that is unique for each protection and each loss limit. */
export function haltName(change: HaltChange): string {
  if (change.type === 'lossLimit') return change.scope;
  const { actorId, venue, address } = change.protection;
  return `${actorId} ${venue} ${address}`;
}

/** Whether the change concerns the actor. `actorId` is the full id. A loss limit of a pod concerns all actors of the pod. */
export function isAbout(change: HaltChange, actorId: string): boolean {
  if (change.type === 'protection') return change.protection.actorId === actorId;
  return change.scope === actorId || actorId.startsWith(`${change.scope}/`);
}

/** Returns the change in the form in which a later subscriber hears of it. Null means that nothing is halted. */
export function standingHalt(change: HaltChange): HaltChange | null {
  if (change.event === 'ENDED') return null;
  if (change.type === 'lossLimit') return change.limit.reachedAt === null ? null : { ...change, event: 'REACHED' };
  return change.protection.triggered === null ? null : { ...change, event: 'TRIGGERED' };
}
