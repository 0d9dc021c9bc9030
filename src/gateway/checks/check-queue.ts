// Bounds the signature checks in the pool and picks the next check. Each proven caller has a lane of its own. All other callers share one
// lane. Lanes take turns, so that a full lane delays no other lane. In a lane cancels come first, and the last quarter of its places is
// reserved for cancels. Main thread.

import { ChurningMap, ChurningSet } from '../../core/domain/churn.ts';
import { limits } from '../../limits.ts';

/** The lane of one proven caller. Null is the lane that all unproven callers share. */
export type CheckLane = string | null;

export type Urgency = 'cancel' | 'other';

interface Lane<Check> {
  /** The number of checks that wait or run. */
  taken: number;
  readonly cancels: Check[];
  readonly others: Check[];
}

const OTHERS_SHARE_MAX = 3 / 4;

export class CheckQueue<Check> {
  /** The lanes in which at least one place is taken. */
  readonly #lanes = new ChurningMap<CheckLane, Lane<Check>>();
  /** The lanes in which a check waits. The lane whose turn is next comes first. */
  readonly #turns = new ChurningSet<Lane<Check>>();
  /** The free places of `poolTasksMax`. The number is negative when lanes use their guaranteed places. */
  #free: number = limits.poolTasksMax;
  #inFlight = 0;
  #waiting = 0;

  get inFlight(): number {
    return this.#inFlight;
  }

  get waiting(): number {
    return this.#waiting;
  }

  /** Whether the lane has a place left. */
  hasPlace(name: CheckLane, urgency: Urgency): boolean {
    const taken = this.#lanes.get(name)?.taken ?? 0;
    const places = name === null ? limits.poolTasksUnprovenMax : Math.max(this.#free, limits.poolTasksPerCallerMin);
    return taken < (urgency === 'cancel' ? places : Math.floor(places * OTHERS_SHARE_MAX));
  }

  /** Takes a place in the lane. Returns false if no place is left. */
  take(name: CheckLane, urgency: Urgency): boolean {
    if (!this.hasPlace(name, urgency)) return false;
    const lane = this.#lanes.get(name) ?? { taken: 0, cancels: [], others: [] };
    lane.taken += 1;
    this.#lanes.set(name, lane);
    if (name !== null) this.#free -= 1;
    this.#inFlight += 1;
    return true;
  }

  /** Queues a check in a place that was taken before. */
  push(name: CheckLane, urgency: Urgency, check: Check): void {
    const lane = this.#lanes.get(name)!;
    (urgency === 'cancel' ? lane.cancels : lane.others).push(check);
    this.#turns.add(lane);
    this.#waiting += 1;
  }

  /** Returns the next check of the next lane. The check keeps its place. Returns undefined if no check waits. */
  shift(): Check | undefined {
    const [lane] = this.#turns;
    if (lane === undefined) return undefined;
    const check = (lane.cancels.length > 0 ? lane.cancels : lane.others).shift();
    this.#turns.delete(lane);
    if (lane.cancels.length + lane.others.length > 0) this.#turns.add(lane);
    this.#waiting -= 1;
    return check;
  }

  /** Gives back a place that `take` has taken. */
  giveBack(name: CheckLane): void {
    const lane = this.#lanes.get(name)!;
    lane.taken -= 1;
    if (lane.taken === 0) this.#lanes.delete(name);
    if (name !== null) this.#free += 1;
    this.#inFlight -= 1;
  }
}
