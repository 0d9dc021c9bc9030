// Exposure limits of actors and pods (contract §4.11): the most that may be lost in one event over both venues. Holdings count by their
// cost. Open orders count as if all orders that lose by the outcome were filled. Fees do not count. Engine thread.

import type { LinkedEvent } from '../../core/domain/event-links.ts';
import { worstCostOf } from '../../core/domain/hold-cost.ts';
import { VENUES, type Venue } from '../../core/domain/market.ts';
import {
  formatMicroDollars,
  formatMicroShares,
  type MicroDollars,
  type MicroShares,
} from '../../core/domain/numbers.ts';
import type { ExposureOperation, OperationReply } from '../../core/domain/operation.ts';
import { addressOf } from '../../core/domain/order-frame.ts';
import { inTurns } from '../../core/runtime/timers.ts';
import type { LedgerStore, LiveReads } from '../../core/store/order-records.ts';
import { replyOf } from '../../core/wire/replies.ts';
import type { EventExposures, ExposureReport } from '../../core/wire/reports.ts';
import { limits } from '../../limits.ts';
import { type Holdings, type LimitReads, type Proposal, positionUse } from './actor-limits.ts';
import type { Halt } from './actor-rates.ts';
import { unattributedOf } from './bookings.ts';
import {
  type Added,
  type EventExposure,
  type ExposureReads,
  ExposureSums,
  type LossWith,
  lossOf,
} from './exposure-sums.ts';

/** Returns the event of a market. A market without a link is an event of its own. Null means that the catalog is not known yet. */
export type EventOf = (venue: Venue, address: string) => LinkedEvent | null;

interface ExposureParts {
  readonly store: Pick<LedgerStore, 'onStakeMoved'>;
  readonly eventOf: EventOf;
  /** Returns the full ids of a pod's actors. The list is the same object until the actors change. */
  readonly actorsOf: (podId: string) => readonly string[];
}

/** A limit that is set, and the loss that counts for it with the order. */
interface ExposureUse extends LossWith {
  readonly name: 'exposureMax' | 'podExposureMax';
  readonly max: MicroDollars;
}

/** What limits count beside an order: the present holdings and exposures of its actor. */
export interface Measured {
  /** Null means that no limit of the actor needs the holdings. */
  readonly holdings: Holdings | null;
  /** Null means that the events of markets are not known now. */
  readonly exposures: readonly ExposureUse[] | null;
}

export class Exposure {
  readonly #parts: ExposureParts;
  /** The sums of actors, by full id. */
  readonly #ofActors = new Map<string, ExposureSums>();
  readonly #ofPods = new Map<string, PodSums>();

  constructor(parts: ExposureParts) {
    this.#parts = parts;
  }

  /**
   * Looks up the figures that limits of positions and of exposure are compared with. If `isKept` is false, `reads` lack orders of other
   * markets too, so no sum of these reads is kept.
   */
  measure(proposal: Proposal, reads: LimitReads, isKept = true): Measured {
    const { podId, actorId, request, address, direction, limits: terms } = proposal;
    const { positionMax, exposureMax, podExposureMax } = terms;
    if (positionMax === null && exposureMax === null && podExposureMax === null) return UNLIMITED;
    const { venue } = request;
    const [position, holds] = [reads.position(actorId, venue, address), reads.pending(actorId, venue, address)];
    const holdings: Holdings = { position, holds };
    if (exposureMax === null && podExposureMax === null) return { holdings, exposures: NO_USES };
    const event = this.#parts.eventOf(venue, address);
    if (event === null) return { holdings, exposures: null };
    const loss = 'dollars' in request ? request.dollars : worstCostOf(request, request.size);
    const [ifPaid, ifUnpaid] = direction > 0 ? [0, loss] : [loss, 0];
    const added: Added = { owner: actorId, address, present: lossOf(position, holds), ifPaid, ifUnpaid };
    const exposures: ExposureUse[] = [];
    if (exposureMax !== null) {
      const sums = isKept ? (this.#ofActors.get(actorId) ?? this.#ofActor(actorId)) : new ExposureSums([actorId]);
      exposures.push({ name: 'exposureMax', max: exposureMax, ...sums.lossWith(added, event, reads, exposureMax) });
    }
    if (podExposureMax !== null) {
      const sums = isKept ? this.#ofPod(podId) : new ExposureSums(this.#ownersOf(podId));
      exposures.push({
        name: 'podExposureMax',
        max: podExposureMax,
        ...sums.lossWith(added, event, reads, podExposureMax),
      });
    }
    return { holdings, exposures };
  }

  /**
   * Returns the events of one actor, or of the whole pod if `actorId` is null. The largest losses come first. Null means that the catalog
   * is not known yet.
   */
  async eventsOf(reads: ReportReads, podId: string, actorId: string | null): Promise<readonly EventExposure[] | null> {
    const owners = actorId === null ? this.#ownersOf(podId) : [actorId];
    const events = new Set<LinkedEvent>();
    const seen = new Set<string>();
    for await (const [venue, address] of inTurns(marketsOf(reads, owners), limits.positionsPerTurnMax)) {
      if (seen.has(address)) continue;
      const event = this.#parts.eventOf(venue, address);
      if (event === null) return null;
      events.add(event);
      seen.add(address);
    }
    const found: EventExposure[] = [];
    for await (const event of inTurns(events, limits.positionsPerTurnMax))
      found.push((actorId === null ? this.#ofPod(podId) : this.#ofActor(actorId)).exposureOf(event, reads));
    return found.filter(({ loss }) => loss > 0).sort((one, other) => other.loss - one.loss);
  }

  #ofActor(actorId: string): ExposureSums {
    const known = this.#ofActors.get(actorId);
    if (known !== undefined) return known;
    const sums = new ExposureSums([actorId]);
    this.#ofActors.set(actorId, sums);
    this.#parts.store.onStakeMoved = this.#markStale;
    return sums;
  }

  #ofPod(podId: string): ExposureSums {
    const actors = this.#parts.actorsOf(podId);
    const known = this.#ofPods.get(podId);
    if (known?.actors === actors) return known.sums;
    const sums = new ExposureSums(this.#ownersOf(podId));
    this.#ofPods.set(podId, { actors, sums });
    this.#parts.store.onStakeMoved = this.#markStale;
    return sums;
  }

  readonly #markStale: LedgerStore['onStakeMoved'] = (owner, address) => {
    this.#ofActors.get(owner)?.mark(owner, address);
    for (const { sums } of this.#ofPods.values()) sums.mark(owner, address);
  };

  #ownersOf(podId: string): readonly string[] {
    return [...this.#parts.actorsOf(podId), unattributedOf(podId)];
  }
}

interface PodSums {
  /** The list of actors for which the sums were made. */
  readonly actors: readonly string[];
  readonly sums: ExposureSums;
}

const NO_USES: readonly ExposureUse[] = [];
const UNLIMITED: Measured = { holdings: null, exposures: NO_USES };

/** Returns the limit of exposure that the order would break, and null if it breaks none. */
export function exposureProblem(exposures: readonly ExposureUse[]): string | null {
  for (const { name, max, after, isBeyond } of exposures) {
    // An order that does not raise the exposure breaks no limit.
    if (!isBeyond) continue;
    const who = name === 'exposureMax' ? 'actor' : 'pod';
    const most = `the ${who}’s ${name} (${formatMicroDollars(max)})`;
    return `the ${who} could lose ${formatMicroDollars(after)} dollars in the event, more than ${most}`;
  }
  return null;
}

/** Why no order is sent while limits of exposure cannot be checked. */
export const EVENTS_UNKNOWN: Halt = {
  message: 'the catalog is being read, and exposure limits count by its events',
  retryAfterS: 1,
};

function* marketsOf(
  reads: Pick<LiveReads, 'positions' | 'ordersOf'>,
  owners: readonly string[],
): Iterable<readonly [Venue, string]> {
  for (const owner of owners)
    for (const venue of VENUES) {
      for (const { address } of reads.positions(owner, venue)) yield [venue, address];
      for (const { order } of reads.ordersOf(owner, venue, null)) yield [venue, addressOf(order.request)];
    }
}

type ReportReads = ExposureReads & Pick<LiveReads, 'positions' | 'ordersOf' | 'position' | 'openActions'>;

/** Reports how far the limits of positions and of exposure are used. */
export async function exposureReport(
  exposure: Exposure,
  reads: ReportReads,
  { caller: { podId }, actorIds, isOfPod }: ExposureOperation,
): Promise<OperationReply> {
  const viewOf = async (actorId: string | null): Promise<EventExposures> => {
    const events = await exposure.eventsOf(reads, podId, actorId);
    if (events === null) return null;
    return events.slice(0, limits.riskEventsMax).map(({ eventId, loss, worst }) => ({
      eventId,
      lossUsd: formatMicroDollars(loss),
      worstOutcomes: worst,
    }));
  };
  const actors: ExposureReport['actors'][number][] = [];
  for (const actorId of actorIds) {
    let position = 0 as MicroShares;
    for await (const [venue, address] of inTurns(marketsOf(reads, [actorId]), limits.positionsPerTurnMax))
      position = Math.max(position, positionUse(reads, { podId, actorId }, venue, address)) as MicroShares;
    actors.push({ position: formatMicroShares(position), events: await viewOf(actorId) });
  }
  return replyOf(200, { actors, pod: isOfPod ? await viewOf(null) : null } satisfies ExposureReport);
}
