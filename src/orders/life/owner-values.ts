// Values the holdings of owners (contract §5): each holding of one owner, or a whole pod. Any thread.

import { type Fraction, fraction, plus, roundHalfEven, times, ZERO } from '../../core/domain/fraction.ts';
import { VENUES, type Venue } from '../../core/domain/market.ts';
import { COST_PER_MICRO_DOLLAR, type MicroDollars, type MicroShares } from '../../core/domain/numbers.ts';
import type { OperationReply, PositionsOperation } from '../../core/domain/operation.ts';
import {
  microDollarsOf,
  type Position,
  type PricesOf,
  type ValuedPosition,
  valued,
} from '../../core/domain/position.ts';
import { inTurns } from '../../core/runtime/timers.ts';
import type { Account, LiveReads } from '../../core/store/order-records.ts';
import { type PositionView, positionView } from '../../core/wire/account-views.ts';
import { replyOf } from '../../core/wire/replies.ts';
import { limits } from '../../limits.ts';
import { settledValue, unattributedOf } from './bookings.ts';

/** A micro-dollar as a factor, because all values are in units of 1e-10 dollars. */
const MICRO_DOLLAR = fraction(1n, COST_PER_MICRO_DOLLAR);

type ValuedReads = Pick<LiveReads, 'position' | 'positions' | 'totals' | 'mark'>;

export class Valuation {
  readonly #reads: ValuedReads;
  readonly #pricesOf: PricesOf;

  constructor(reads: ValuedReads, pricesOf: PricesOf) {
    this.#reads = reads;
    this.#pricesOf = pricesOf;
  }

  /** Returns the positions of an owner that are in memory. If `address` is given, returns only the position in that market. */
  positions(ownerId: string, { venue }: Account, address: string | null): Iterable<Position> {
    if (address === null) return this.#reads.positions(ownerId, venue);
    const position = this.#reads.position(ownerId, venue, address);
    return position === null ? [] : [position];
  }

  /** Returns the realized profit and the fees of the owner since the ledger began, in micro-dollars. */
  totals(ownerId: string, venue: Venue): { readonly realized: MicroDollars; readonly fees: MicroDollars } {
    const { realized, fees } = this.#reads.totals(ownerId, venue);
    return { realized: microDollarsOf(realized), fees: Number(fees) as MicroDollars };
  }

  /** Returns the position with its value at the current price of its market. */
  valued(account: Account, position: Position): ValuedPosition {
    const { venue, address, isRedeemable } = position;
    const paid = isRedeemable ? settledValue(this.#reads, account, address) : null;
    return valued(position, this.#pricesOf(venue, address), paid);
  }

  /**
   * Returns the value of everything that a pod holds at both venues, redeemable tokens included. `actorIds` are all actors of the pod. The
   * venue nets the owners' holdings on the two sides of a market, so each market counts once.
   */
  async podValue(podId: string, actorIds: readonly string[]): Promise<MicroDollars> {
    const owners = [...actorIds, unattributedOf(podId)];
    let value = ZERO;
    for (const venue of VENUES) {
      const held = await this.#holdingsOf(owners, venue);
      for await (const positions of inTurns(held.values(), limits.positionsPerTurnMax)) {
        value = plus(value, this.#netValue({ podId, venue }, positions));
      }
    }
    return Number(roundHalfEven(times(value, MICRO_DOLLAR))) as MicroDollars;
  }

  /** Returns the holdings of the owners, by address. */
  async #holdingsOf(owners: readonly string[], venue: Venue): Promise<ReadonlyMap<string, readonly Position[]>> {
    const held = new Map<string, Position[]>();
    for (const owner of owners) {
      for await (const position of inTurns(this.#reads.positions(owner, venue), limits.positionsPerTurnMax)) {
        if (position.size === 0) continue;
        const others = held.get(position.address);
        if (others === undefined) held.set(position.address, [position]);
        else others.push(position);
      }
    }
    return held;
  }

  /** Returns the net value of all holdings in one market. */
  #netValue(account: Account, positions: readonly Position[]): Fraction {
    const net = netPosition(positions);
    // A pod cannot owe anything at venue A. A negative size means that a fill is still missing.
    const isWorthNothing = net.venue === 'venue_a' && net.size < 0;
    return isWorthNothing ? ZERO : this.valued(account, net).value;
  }
}

/** Returns the holdings of several owners in one market as one position. Its average is that of the owners on the side of the sum. */
function netPosition(positions: readonly Position[]): Position {
  const size = positions.reduce((sum, position) => sum + position.size, 0);
  const onItsSide = positions.filter(position => Math.sign(position.size) === Math.sign(size));
  const units = onItsSide.reduce((sum, position) => sum + BigInt(Math.abs(position.size)), 0n);
  const cost = onItsSide
    .map(position => times(position.average, fraction(BigInt(Math.abs(position.size)))))
    .reduce(plus, ZERO);
  const average = units === 0n ? ZERO : times(cost, fraction(1n, units));
  const isRedeemable = positions.some(position => position.isRedeemable);
  return { ...positions[0]!, size: size as MicroShares, average, isRedeemable };
}

/**
 * Returns the list of an actor's positions, each valued as it is read (interface §2.3, contract §5). The list has no pages. It is read in
 * slices, so that orders on the same thread wait for one slice at most. Engine thread.
 */
export async function listPositions(
  valuation: Valuation,
  { venue, caller, address, hasTotals }: PositionsOperation,
): Promise<OperationReply> {
  const account = { podId: caller.podId, venue };
  const positions: PositionView[] = [];
  const held = valuation.positions(caller.actorId, account, address);
  for await (const position of inTurns(held, limits.positionsPerTurnMax)) {
    if (position.size !== 0) positions.push(positionView(valuation.valued(account, position)));
  }
  return replyOf(200, hasTotals ? { positions, ...valuation.totals(caller.actorId, venue) } : { positions });
}
