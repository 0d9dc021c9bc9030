// The order groups of the simulated venue B, as they truly are (venue-b.md §5.7), and as one gateway process can ask for them.

import { fail, ok, type Result } from '../../src/core/domain/result.ts';
import type { GroupEvent, GroupRefusal, VenueGroups } from '../../src/venues/venue.ts';
import type { Schedule } from './schedule.ts';

const SHARE = 1_000_000;
const WINDOW_MS = 15_000;
/** The most shares of a limit, so small that some protections have no group. */
const SHARES_MAX = 20;

interface TrueGroup {
  readonly shard: number;
  /** The limit, in the units of sizes. */
  limit: number;
  isTriggered: boolean;
  traded: { readonly at: number; readonly size: number }[];
}

/** The reason why a group no longer takes an order. */
export type GroupFault = 'triggered' | 'gone';

export class TrueGroups {
  readonly #groups = new Map<string, TrueGroup>();
  readonly #now: () => number;
  /** Reports a change of the group, and cancels the orders that rest in the group unless the group was reset. */
  readonly #changed: (groupId: string, change: GroupEvent['change']) => void;
  #made = 0;

  constructor(now: () => number, changed: (groupId: string, change: GroupEvent['change']) => void) {
    this.#now = now;
    this.#changed = changed;
  }

  make(shard: number, limit: number): string {
    this.#made += 1;
    const groupId = `g-${this.#made}`;
    this.#groups.set(groupId, { shard, limit, isTriggered: false, traded: [] });
    return groupId;
  }

  /** This method, `reset` and `remove` return false for a group that does not exist, or is on another shard. */
  setLimit(shard: number, groupId: string, limit: number): boolean {
    return this.#on(shard, groupId, group => {
      group.limit = limit;
      this.#enforce(groupId, group);
    });
  }

  reset(shard: number, groupId: string): boolean {
    return this.#on(shard, groupId, group => {
      group.isTriggered = false;
      group.traded = [];
      this.#changed(groupId, 'reset');
    });
  }

  remove(shard: number, groupId: string): boolean {
    return this.#on(shard, groupId, () => {
      this.#groups.delete(groupId);
      this.#changed(groupId, 'gone');
    });
  }

  /** Returns null if the group takes an order of this shard. */
  faultOf(groupId: string, shard: number): GroupFault | null {
    const group = this.#groups.get(groupId);
    if (group?.shard !== shard) return 'gone';
    return group.isTriggered ? 'triggered' : null;
  }

  traded(groupId: string, size: number): void {
    this.#with(groupId, group => {
      group.traded.push({ at: this.#now(), size });
      this.#enforce(groupId, group);
    });
  }

  #enforce(groupId: string, group: TrueGroup): void {
    const since = this.#now() - WINDOW_MS;
    group.traded = group.traded.filter(({ at }) => at > since);
    const sum = group.traded.reduce((total, { size }) => total + size, 0);
    if (group.isTriggered || sum <= group.limit) return;
    group.isTriggered = true;
    this.#changed(groupId, 'triggered');
  }

  #on(shard: number, groupId: string, work: (group: TrueGroup) => void): boolean {
    return this.#groups.get(groupId)?.shard === shard && this.#with(groupId, work);
  }

  #with(groupId: string, work: (group: TrueGroup) => void): boolean {
    const group = this.#groups.get(groupId);
    if (group !== undefined) work(group);
    return group !== undefined;
  }
}

/** Returns the shard of a market. Markets are on two shards. */
export function shardOf(address: string): number {
  return address.endsWith('2') ? 1 : 0;
}

interface Wire {
  readonly schedule: Schedule;
  chance(probability: number): boolean;
  delayMs(): number;
}

/** Makes the port of one gateway process. A request may be refused, or done without an answer. */
export function groupPort(wire: Wire, groups: TrueGroups, isAlive: () => boolean): VenueGroups {
  const { schedule } = wire;
  const silence = fail({ isGone: false, message: 'no answer' });
  const asked = <T>(work: () => Result<T, GroupRefusal>): Promise<Result<T, GroupRefusal>> => {
    const [isRefused, isAnswerLost] = [wire.chance(0.1), wire.chance(0.06)];
    const [thereMs, backMs] = [wire.delayMs(), wire.delayMs()];
    return new Promise(resolve => {
      schedule.after(thereMs, () => {
        const outcome = isRefused ? silence : work();
        schedule.after(backMs, () => isAlive() && resolve(isAnswerLost ? silence : outcome));
      });
    });
  };
  const done = (isThere: boolean): Result<null, GroupRefusal> =>
    isThere ? ok(null) : fail({ isGone: true, message: 'no such group' });
  return {
    window: { windowMs: WINDOW_MS, sharesMax: SHARES_MAX },
    shardOf,
    make: (shard, sharesMax) => asked(() => ok(groups.make(shard, sharesMax * SHARE))),
    setLimit: (shard, groupId, sharesMax) => asked(() => done(groups.setLimit(shard, groupId, sharesMax * SHARE))),
    reset: (shard, groupId) => asked(() => done(groups.reset(shard, groupId))),
    remove: (shard, groupId) => asked(() => done(groups.remove(shard, groupId))),
  };
}
