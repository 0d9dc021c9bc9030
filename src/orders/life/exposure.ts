// Exposure limits of actors and pods (contract §4.11): the most that may be lost in one event over both venues. Holdings count by their cost,
// and open orders as if those that lose by the outcome were filled. Fees do not count. Engine thread.

import { type Leg, type LegLoss, type LinkedEvent, worstOf } from '../../core/domain/event-links.ts';
import { worstLossOf } from '../../core/domain/hold-cost.ts';
import type { ActorLimits } from '../../core/domain/identity.ts';
import { VENUES, type Venue } from '../../core/domain/market.ts';
import { COST_PER_MICRO_DOLLAR, formatMicroDollars, type MicroDollars } from '../../core/domain/numbers.ts';
import type { Caller, ExposureOperation, OperationReply } from '../../core/domain/operation.ts';
import { addressOf, directionOf } from '../../core/domain/order-frame.ts';
import type { OrderRequest } from '../../core/domain/order-request.ts';
import type { Position } from '../../core/domain/position.ts';
import { assert } from '../../core/domain/result.ts';
import { inTurns } from '../../core/runtime/timers.ts';
import type { LiveReads } from '../../core/store/order-records.ts';
import { replyOf } from '../../core/wire/replies.ts';
import type { EventExposures, ExposureReport } from '../../core/wire/reports.ts';
import { limits } from '../../limits.ts';
import type { Halt } from './actor-rates.ts';
import { unattributedOf } from './bookings.ts';

/** The event of a market; null while the catalog is not known. A market without a link is an event of its own. */
export type EventOf = (venue: Venue, address: string) => LinkedEvent | null;

interface ExposureParts {
  readonly eventOf: EventOf;
  /** Full ids of a pod's actors. */
  readonly actorsOf: (podId: string) => readonly string[];
}

type ExposureReads = Pick<LiveReads, 'held' | 'pending' | 'addressesOf'>;
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

/** What an owner may lose in an event. */
export interface EventExposure {
  readonly eventId: string;
  readonly loss: MicroDollars;
  /** Of each question of the event that may bring a loss. */
  readonly worst: readonly string[];
}

export class Exposure {
  readonly #parts: ExposureParts;

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
    const { exposureMax, podExposureMax } = asked.limits;
    if (exposureMax === null && podExposureMax === null) return null;
    const broken = this.uses(asked, reads).find(({ max, before, after }) => after > max && after > before);
    if (broken === undefined) return null;
    const who = broken.name === 'exposureMax' ? 'actor' : 'pod';
    const most = `the ${who}’s ${broken.name} (${formatMicroDollars(broken.max)})`;
    return `the ${who} could lose ${formatMicroDollars(broken.after)} dollars in the event, more than ${most}`;
  }

  /** Call it if `halt` has no objection. */
  uses(
    { podId, actorId, limits: { exposureMax, podExposureMax }, request }: Asked,
    reads: ExposureReads,
  ): ExposureUse[] {
    if (exposureMax === null && podExposureMax === null) return [];
    const address = addressOf(request);
    const event = this.#parts.eventOf(request.venue, address);
    assert(event !== null, 'orders wait for the catalog');
    const added = { address, direction: directionOf(request), loss: worstLossOf(request) };
    const use = (
      name: ExposureUse['name'],
      max: MicroDollars | null,
      owners: () => readonly string[],
    ): ExposureUse[] => {
      if (max === null) return [];
      const { before, loss } = exposureOf(event, reads, owners(), added);
      return [{ name, max, before, after: loss }];
    };
    return [
      ...use('exposureMax', exposureMax, () => [actorId]),
      ...use('podExposureMax', podExposureMax, () => this.#ownersOf(podId)),
    ];
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
    for await (const event of inTurns(events, limits.positionsPerTurnMax)) {
      const { before: _, ...exposure } = exposureOf(event, reads, owners);
      found.push(exposure);
    }
    return found.filter(({ loss }) => loss > 0).sort((one, other) => other.loss - one.loss);
  }

  #ownersOf(podId: string): readonly string[] {
    return [...this.#parts.actorsOf(podId), unattributedOf(podId)];
  }
}

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

interface Added {
  readonly address: string;
  readonly direction: 1 | -1;
  readonly loss: MicroDollars;
}

interface Owned {
  readonly owner: string;
  readonly venue: Venue;
  readonly addresses: ReturnType<ExposureReads['addressesOf']>;
}

/** What owners may lose in an event, and what they could lose before the order that is added. A question that can only gain makes up for no other. */
function exposureOf(
  { id, questions }: LinkedEvent,
  reads: ExposureReads,
  owners: readonly string[],
  added: Added | null = null,
): EventExposure & { readonly before: MicroDollars } {
  const owned: Owned[] = [];
  for (const owner of owners)
    for (const venue of VENUES) {
      const addresses = reads.addressesOf(owner, venue);
      if (addresses.length > 0) owned.push({ owner, venue, addresses });
    }
  let [before, loss] = [0, 0];
  const worst: string[] = [];
  for (let place = 0; place < questions.length; place += 1) {
    const question = questions[place]!;
    let losses: LegLoss[] = NO_LOSSES;
    let ofOrder: LegLoss | null = null;
    // Most markets of an event are not the owners': they cost no call, and no iterator.
    const { legs } = question;
    for (let index = 0; index < legs.length; index += 1) {
      const leg = legs[index]!;
      for (let at = 0; at < owned.length; at += 1) {
        const { owner, venue, addresses } = owned[at]!;
        if (venue === leg.venue && (addresses[0]!.has(leg.address) || addresses[1]?.has(leg.address) === true))
          losses = [...losses, lossOf(leg, reads, owner)];
      }
      if (added !== null && added.address === leg.address)
        ofOrder = { leg, ifPaid: added.direction < 0 ? added.loss : 0, ifUnpaid: added.direction > 0 ? added.loss : 0 };
    }
    if (losses.length === 0 && ofOrder === null) continue;
    const had = losses.length === 0 ? 0 : Math.max(0, worstOf(question, losses).loss);
    const found = worstOf(question, ofOrder === null ? losses : [...losses, ofOrder]);
    if (found.loss > 0) worst.push(found.outcome);
    loss += Math.max(0, found.loss);
    before += had;
  }
  return { eventId: id, loss: loss as MicroDollars, before: before as MicroDollars, worst };
}

const NO_LOSSES: LegLoss[] = [];

function lossOf(leg: Leg, reads: ExposureReads, owner: string): LegLoss {
  const { venue, address } = leg;
  const holds = reads.pending(owner, venue, address);
  const position = reads.held(owner, venue, address);
  const [ifPaid, ifUnpaid] = [holds.cost(-1), holds.cost(1)];
  // A market that has paid out loses nothing more.
  if (position === null || position.size === 0 || position.isRedeemable) return { leg, ifPaid, ifUnpaid };
  const cost = holdingCost(position);
  const gained = cost - Math.abs(position.size);
  return position.size > 0
    ? { leg, ifPaid: ifPaid + gained, ifUnpaid: ifUnpaid + cost }
    : { leg, ifPaid: ifPaid + cost, ifUnpaid: ifUnpaid + gained };
}

/** In micro-dollars, rounded up. A negative size costs what its price lacks of a dollar. */
function holdingCost({ size, average: { numerator, denominator } }: Position): number {
  const unit = denominator * COST_PER_MICRO_DOLLAR;
  return Number((numerator * BigInt(Math.abs(size)) + unit - 1n) / unit);
}

type ReportReads = ExposureReads & Pick<LiveReads, 'positions' | 'ordersOf'>;

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
  const actors: EventExposures[] = [];
  for (const actorId of actorIds) actors.push(await viewOf(actorId));
  return replyOf(200, { actors, pod: isOfPod ? await viewOf(null) : null } satisfies ExposureReport);
}
