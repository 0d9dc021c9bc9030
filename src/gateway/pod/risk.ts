// GET /v1/risk (beyond §12): the limits of the actors and of the pod, how much of each is used, and how much is left. Main thread.

import { type Actor, fullActorId, type SigningKey } from '../../core/domain/identity.ts';
import {
  formatMicroDollars,
  formatMicroShares,
  type MicroDollars,
  type MicroShares,
  parseMicroShares,
} from '../../core/domain/numbers.ts';
import type { ExposureOperation, LossLimitOperation } from '../../core/domain/operation.ts';
import { HTTP_OK } from '../../core/net/http-status.ts';
import { jsonReply, type Reply } from '../../core/net/listen.ts';
import { actorLimitsView } from '../../core/wire/account-views.ts';
import type { EventExposures, ExposureReport, LossLimitRow, LossLimitView } from '../../core/wire/reports.ts';
import { httpReply } from '../api/order-operations.ts';
import type { Operations } from '../trading/operations.ts';
import type { Trading } from '../trading/trading.ts';

export interface RiskParts {
  readonly actors: () => readonly Actor[];
  readonly trading: Pick<Trading, 'openCounts'>;
  readonly operations: Pick<Operations, 'ask'>;
}

/** A limit that is set. `used` and `left` are null if the limit is one of a single order, or of a rate. */
interface LimitUse {
  readonly name: string;
  readonly max: string;
  readonly used: string | null;
  readonly left: string | null;
}

/** Shows all actors of the pod to the scope `observe`, and only the caller's own actor to any other caller. */
export async function readRisk(parts: RiskParts, { podId, actorId, keyId, scopes }: SigningKey): Promise<Reply> {
  const isOperator = scopes.includes('observe');
  const caller = { podId, actorId: fullActorId({ podId, actorId }), keyId };
  const shown = parts.actors().filter(it => it.podId === podId && (isOperator || it.actorId === actorId));
  const lossesAsked: LossLimitOperation = { name: 'loss-limit', ask: 'list', scope: podId, caller, terms: null };
  const exposureAsked: ExposureOperation = {
    name: 'exposure',
    caller,
    actorIds: shown.map(fullActorId),
    isOfPod: isOperator,
  };
  const losses = await parts.operations.ask(lossesAsked);
  if (!losses.ok || losses.value.status !== HTTP_OK) return httpReply(lossesAsked, losses);
  const exposure = await parts.operations.ask(exposureAsked);
  if (!exposure.ok || exposure.value.status !== HTTP_OK) return httpReply(exposureAsked, exposure);
  const { lossLimits } = JSON.parse(losses.value.body) as { readonly lossLimits: readonly LossLimitRow[] };
  const events = JSON.parse(exposure.value.body) as ExposureReport;
  const lossOf = (name: string): LossLimitView | null => {
    const found = lossLimits.find(it => it.scope === name);
    if (found === undefined) return null;
    const { scope: _, ...loss } = found;
    return loss;
  };
  const actors = shown.map((actor, index) => ({
    actorId: actor.actorId,
    limits: limitUses(parts, actor, events.actors[index]!),
    loss: lossOf(fullActorId(actor)),
    events: events.actors[index]!.events,
  }));
  const podExposureMax = shown[0]?.limits.podExposureMax ?? null;
  const podLimits = podExposureMax === null ? [] : [exposureUse('podExposureMax', podExposureMax, events.pod)];
  const pod = { podId, limits: podLimits, loss: lossOf(podId), events: events.pod };
  return jsonReply(HTTP_OK, { actors, pod: isOperator ? pod : null });
}

function limitUses(
  { trading }: RiskParts,
  actor: Actor,
  { position, events }: ExposureReport['actors'][number],
): readonly LimitUse[] {
  const { openOrdersMax, positionMax, exposureMax } = actor.limits;
  const open = trading.openCounts.get(fullActorId(actor)) ?? 0;
  const limits: Readonly<Record<string, string | number | null>> = { ...actorLimitsView(actor.limits) };
  return Object.entries(limits).flatMap(([name, max]): LimitUse[] => {
    if (max === null || name === 'collarWithoutBook') return [];
    const limit = { name, max: String(max) };
    if (name === 'openOrdersMax') return [{ ...limit, ...usedOf(openOrdersMax!, open, String) }];
    if (name === 'positionMax') return [{ ...limit, ...usedOf(positionMax!, sharesOf(position), formatMicroShares) }];
    if (name === 'exposureMax') return [exposureUse(name, exposureMax!, events)];
    return [{ ...limit, used: null, left: null }];
  });
}

function sharesOf(text: string): MicroShares {
  return Number(parseMicroShares(text)) as MicroShares;
}

/** The use of an exposure limit. `events` are sorted by their losses, so the first has the largest loss. */
function exposureUse(name: string, max: MicroDollars, events: EventExposures): LimitUse {
  const limit = { name, max: formatMicroDollars(max) };
  if (events === null) return { ...limit, used: null, left: null };
  const used = Number(parseMicroShares(events[0]?.lossUsd ?? '0')) as MicroDollars;
  return { ...limit, ...usedOf(max, used, formatMicroDollars) };
}

function usedOf<Unit extends number>(
  max: Unit,
  used: Unit,
  text: (it: Unit) => string,
): Pick<LimitUse, 'used' | 'left'> {
  return { used: text(used), left: text(Math.max(0, max - used) as Unit) };
}
