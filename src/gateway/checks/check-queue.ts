// Bounds the signature checks in the pool and picks the next. Each proven caller has a lane; all others share one. Lanes take turns,
// so that a full lane delays no other. In a lane cancels come first, and the last quarter of its places is reserved for them. Main
// thread.

import { limits } from '../../limits.ts';

/** The lane of one proven caller; null: the lane that all unproven callers share. */
export type CheckLane = string | null;

export type Urgency = 'cancel' | 'other';

interface Lane<Check> {
  /** Checks that wait or run. */
  taken: number;
  readonly cancels: Check[];
  readonly others: Check[];
}

const OTHERS_SHARE_MAX = 3 / 4;

export class CheckQueue<Check> {
  /** Lanes with at least one place taken. */
  readonly #lanes = new Map<CheckLane, Lane<Check>>();
  /** Lanes in which a check waits, the next one first. */
  readonly #turns = new Set<Lane<Check>>();
  /** Free places of `poolTasksMax`; below 0 when lanes use their guaranteed places. */
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

  /** Takes a place; false if the lane has none left. */
  take(name: CheckLane, urgency: Urgency): boolean {
    if (!this.hasPlace(name, urgency)) return false;
    const lane = this.#lanes.get(name) ?? { taken: 0, cancels: [], others: [] };
    lane.taken += 1;
    this.#lanes.set(name, lane);
    if (name !== null) this.#free -= 1;
    this.#inFlight += 1;
    return true;
  }

  /** Queues a check in a place taken before. */
  push(name: CheckLane, urgency: Urgency, check: Check): void {
    const lane = this.#lanes.get(name)!;
    (urgency === 'cancel' ? lane.cancels : lane.others).push(check);
    this.#turns.add(lane);
    this.#waiting += 1;
  }

  /** The next check of the next lane, which keeps its place; undefined if none waits. */
  shift(): Check | undefined {
    const [lane] = this.#turns;
    if (lane === undefined) return undefined;
    const check = (lane.cancels.length > 0 ? lane.cancels : lane.others).shift();
    this.#turns.delete(lane);
    if (lane.cancels.length + lane.others.length > 0) this.#turns.add(lane);
    this.#waiting -= 1;
    return check;
  }

  /** Gives back a place that was taken. */
  giveBack(name: CheckLane): void {
    const lane = this.#lanes.get(name)!;
    lane.taken -= 1;
    if (lane.taken === 0) this.#lanes.delete(name);
    if (name !== null) this.#free += 1;
    this.#inFlight -= 1;
  }
}
