// Exposure limits of actors and pods (contract §4.11): the most that may be lost in one event over both venues. Holdings count by their cost,
// and open orders as if those that lose by the outcome were filled. Fees do not count. Engine thread.

import type { LinkedEvent } from '../../core/domain/event-links.ts';
import { worstLossOf } from '../../core/domain/hold-cost.ts';
import type { ActorLimits } from '../../core/domain/identity.ts';
import { VENUES, type Venue } from '../../core/domain/market.ts';
import {
  formatMicroDollars,
  formatMicroShares,
  type MicroDollars,
  type MicroShares,
} from '../../core/domain/numbers.ts';
import type { Caller, ExposureOperation, OperationReply } from '../../core/domain/operation.ts';
import { addressOf, directionOf } from '../../core/domain/order-frame.ts';
import type { OrderRequest } from '../../core/domain/order-request.ts';
import { assert } from '../../core/domain/result.ts';
import { inTurns } from '../../core/runtime/timers.ts';
import type { LedgerStore, LiveReads } from '../../core/store/order-records.ts';
import { replyOf } from '../../core/wire/replies.ts';
import type { EventExposures, ExposureReport } from '../../core/wire/reports.ts';
import { limits } from '../../limits.ts';
import { positionUse } from './actor-limits.ts';
import type { Halt } from './actor-rates.ts';
import { unattributedOf } from './bookings.ts';
import { type Added, type EventExposure, type ExposureReads, ExposureSums, lossOf } from './exposure-sums.ts';

/** The event of a market; null while the catalog is not known. A market without a link is an event of its own. */
export type EventOf = (venue: Venue, address: string) => LinkedEvent | null;

interface ExposureParts {
  readonly store: Pick<LedgerStore, 'onStakeMoved'>;
  readonly eventOf: EventOf;
  /** Full ids of a pod's actors: the same list until they change. */
  readonly actorsOf: (podId: string) => readonly string[];
}

type Sender = Pick<Caller, 'podId' | 'actorId'>;

interface Asked extends Sender {
  readonly limits: Pick<ActorLimits, 'exposureMax' | 'podExposureMax'>;
  readonly request: OrderRequest;
}

/** A limit that is set, and what counts of it before the order and after. */
export interface ExposureUse {
  readonly name: 'exposureMax' | 'podExposureMax';
  readonly max: MicroDollars;
  readonly before: MicroDollars;
  readonly after: MicroDollars;
}

export class Exposure {
  readonly #parts: ExposureParts;
  /** Of actors and pods. */
  readonly #ofActors = new Map<string, ExposureSums>();
  readonly #ofPods = new Map<string, PodSums>();

  constructor(parts: ExposureParts) {
    this.#parts = parts;
  }

  /** Why the limit cannot be checked now. */
  halt({ limits: { exposureMax, podExposureMax }, request }: Asked): Halt | null {
    if (exposureMax === null && podExposureMax === null) return null;
    return this.#parts.eventOf(request.venue, addressOf(request)) === null ? UNKNOWN : null;
  }

  /** The limit that the order would break. An order that does not raise the exposure breaks none. */
  problem(asked: Asked, reads: ExposureReads): string | null {
    for (const { name, max, before, after } of this.uses(asked, reads)) {
      if (after <= max || after <= before) continue;
      const who = name === 'exposureMax' ? 'actor' : 'pod';
      const most = `the ${who}’s ${name} (${formatMicroDollars(max)})`;
      return `the ${who} could lose ${formatMicroDollars(after)} dollars in the event, more than ${most}`;
    }
    return null;
  }

  /** Call it if `halt` has no objection. */
  uses({ podId, actorId, limits: its, request }: Asked, reads: ExposureReads): readonly ExposureUse[] {
    const { exposureMax, podExposureMax } = its;
    if (exposureMax === null && podExposureMax === null) return NO_USES;
    const address = addressOf(request);
    const event = this.#parts.eventOf(request.venue, address);
    assert(event !== null, 'orders wait for the catalog');
    const loss = worstLossOf(request);
    const isUp = directionOf(request) > 0;
    const present = lossOf({ venue: request.venue, address }, reads, actorId);
    const added: Added = { owner: actorId, address, present, ifPaid: isUp ? 0 : loss, ifUnpaid: isUp ? loss : 0 };
    const uses: ExposureUse[] = [];
    if (exposureMax !== null)
      uses.push({ name: 'exposureMax', max: exposureMax, ...this.#ofActor(actorId).with(added, event, reads) });
    if (podExposureMax !== null)
      uses.push({ name: 'podExposureMax', max: podExposureMax, ...this.#ofPod(podId).with(added, event, reads) });
    return uses;
  }

  /** Of one actor, or of the whole pod (null): the events with the largest losses first. Null while the catalog is not known. */
  async events(reads: ReportReads, podId: string, actorId: string | null): Promise<readonly EventExposure[] | null> {
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
      found.push((actorId === null ? this.#ofPod(podId) : this.#ofActor(actorId)).of(event, reads));
    return found.filter(({ loss }) => loss > 0).sort((one, other) => other.loss - one.loss);
  }

  #ofActor(actorId: string): ExposureSums {
    const known = this.#ofActors.get(actorId);
    if (known !== undefined) return known;
    const sums = new ExposureSums([actorId]);
    this.#ofActors.set(actorId, sums);
    this.#parts.store.onStakeMoved = this.#moved;
    return sums;
  }

  #ofPod(podId: string): ExposureSums {
    const actors = this.#parts.actorsOf(podId);
    const known = this.#ofPods.get(podId);
    if (known?.actors === actors) return known.sums;
    const sums = new ExposureSums(this.#ownersOf(podId));
    this.#ofPods.set(podId, { actors, sums });
    this.#parts.store.onStakeMoved = this.#moved;
    return sums;
  }

  readonly #moved: LedgerStore['onStakeMoved'] = (owner, address) => {
    this.#ofActors.get(owner)?.mark(owner, address);
    for (const { sums } of this.#ofPods.values()) sums.mark(owner, address);
  };

  #ownersOf(podId: string): readonly string[] {
    return [...this.#parts.actorsOf(podId), unattributedOf(podId)];
  }
}

interface PodSums {
  /** The list that `sums` is of. */
  readonly actors: readonly string[];
  readonly sums: ExposureSums;
}

const NO_USES: readonly ExposureUse[] = [];

const UNKNOWN: Halt = {
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

/** What is used of the limits of positions and exposure. */
export async function exposureReport(
  exposure: Exposure,
  reads: ReportReads,
  { caller: { podId }, actorIds, isOfPod }: ExposureOperation,
): Promise<OperationReply> {
  const viewOf = async (actorId: string | null): Promise<EventExposures> => {
    const events = await exposure.events(reads, podId, actorId);
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
