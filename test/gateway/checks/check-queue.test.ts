// Which checks get a place, and in which order: rule by rule, and against a naive twin.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type CheckLane, CheckQueue, type Urgency } from '../../../src/gateway/checks/check-queue.ts';
import { limits } from '../../../src/limits.ts';

function fill(queue: CheckQueue<string>, lane: CheckLane, urgency: Urgency = 'other'): number {
  for (let taken = 0; ; taken++) if (!queue.take(lane, urgency)) return taken;
}

function put(queue: CheckQueue<string>, lane: CheckLane, check: string, urgency: Urgency = 'other'): void {
  expect(queue.take(lane, urgency)).toBe(true);
  queue.push(lane, urgency, check);
}

const drained = (queue: CheckQueue<string>): (string | undefined)[] =>
  Array.from({ length: queue.waiting }, () => queue.shift());

describe('places', () => {
  it('of all callers that have proven nothing are bounded together, the last quarter is for cancels', () => {
    const queue = new CheckQueue<string>();
    expect(fill(queue, null)).toBe((limits.poolTasksUnprovenMax * 3) / 4);
    expect(fill(queue, null, 'cancel')).toBe(limits.poolTasksUnprovenMax / 4);
    // New checks take no place from checks that have a place.
    expect(fill(queue, 'owner')).toBe(fill(new CheckQueue(), 'owner'));
  });

  it('of one proven caller are never all: each other finds some, and its cancels find more', () => {
    const queue = new CheckQueue<string>();
    const taken = fill(queue, 'attacker') + fill(queue, 'attacker', 'cancel');
    expect(taken).toBe(limits.poolTasksMax / 2);
    expect(fill(queue, 'owner')).toBeGreaterThan(limits.poolTasksMax / 8);
    expect(fill(queue, 'owner', 'cancel')).toBeGreaterThan(limits.poolTasksMax / 32);
  });

  it('of one proven caller are poolTasksPerCallerMin, regardless of the others', () => {
    const queue = new CheckQueue<string>();
    for (let other = 0; other < 2_000; other++) fill(queue, `attacker ${other}`, 'cancel');
    const others = (limits.poolTasksPerCallerMin * 3) / 4;
    expect(fill(queue, 'owner')).toBe(others);
    expect(fill(queue, 'owner', 'cancel')).toBe(limits.poolTasksPerCallerMin - others);
  });

  it('that are given back can be taken again', () => {
    const queue = new CheckQueue<string>();
    const taken = fill(queue, 'owner');
    for (let n = 0; n < taken; n++) queue.giveBack('owner');
    expect(queue.inFlight).toBe(0);
    expect(fill(queue, 'owner')).toBe(taken);
  });
});

describe('the next check', () => {
  it('belongs to another caller', () => {
    const queue = new CheckQueue<string>();
    for (let n = 0; n < 3; n++) put(queue, null, `unproven ${n}`);
    for (let n = 0; n < 3; n++) put(queue, 'attacker', `attacker ${n}`);
    put(queue, 'owner', 'owner');
    expect(drained(queue).slice(0, 4)).toEqual(['unproven 0', 'attacker 0', 'owner', 'unproven 1']);
    expect(queue.shift()).toBeUndefined();
  });

  it('is a cancel, if that caller has one', () => {
    const queue = new CheckQueue<string>();
    put(queue, 'owner', 'order');
    put(queue, 'owner', 'cancel', 'cancel');
    expect(drained(queue)).toEqual(['cancel', 'order']);
  });
});

/** A twin with one list of the waiting checks. Its lanes are in the order of their last turn. */
class NaiveQueue {
  readonly #taken: CheckLane[] = [];
  #waiting: { readonly lane: CheckLane; readonly urgency: Urgency; readonly check: string }[] = [];
  #turns: CheckLane[] = [];

  take(lane: CheckLane, urgency: Urgency): boolean {
    const own = this.#taken.filter(it => it === lane).length;
    const free = limits.poolTasksMax - this.#taken.filter(it => it !== null).length;
    const places = lane === null ? limits.poolTasksUnprovenMax : Math.max(free, limits.poolTasksPerCallerMin);
    if (own >= (urgency === 'cancel' ? places : Math.floor(0.75 * places))) return false;
    this.#taken.push(lane);
    return true;
  }

  push(lane: CheckLane, urgency: Urgency, check: string): void {
    if (!this.#waiting.some(it => it.lane === lane)) this.#turns.push(lane);
    this.#waiting.push({ lane, urgency, check });
  }

  shift(): string | undefined {
    const lane = this.#turns.shift();
    const own = this.#waiting.filter(it => it.lane === lane);
    const next = own.find(it => it.urgency === 'cancel') ?? own[0];
    this.#waiting = this.#waiting.filter(it => it !== next);
    if (own.length > 1) this.#turns.push(lane!);
    return next?.check;
  }

  giveBack(lane: CheckLane): void {
    this.#taken.splice(this.#taken.indexOf(lane), 1);
  }
}

const steps = fc.array(
  fc.record({
    lane: fc.constantFrom(null, 'a', 'b', 'c'),
    urgency: fc.constantFrom('cancel' as const, 'other' as const),
    what: fc.oneof(
      fc.record({ kind: fc.constantFrom('shift', 'give back') }),
      fc.record({ kind: fc.constant('put'), count: fc.oneof(fc.nat(3), fc.constant(900)) }),
    ),
  }),
  { maxLength: 40 },
);

it('the queue does as its naive twin does', () => {
  fc.assert(
    fc.property(steps, schedule => {
      const queue = new CheckQueue<string>();
      const naive = new NaiveQueue();
      /** The lanes of the checks that run now. */
      const running: CheckLane[] = [];
      for (const [step, { lane, urgency, what }] of schedule.entries()) {
        if (what.kind === 'shift') {
          const next = queue.shift();
          expect(next).toBe(naive.shift());
          if (next !== undefined) running.push(next.startsWith('null') ? null : next[0]!);
        } else if (what.kind === 'give back' && running.includes(lane)) {
          running.splice(running.indexOf(lane), 1);
          queue.giveBack(lane);
          naive.giveBack(lane);
        }
        for (let n = 0; n < (what.kind === 'put' && 'count' in what ? what.count : 0); n++) {
          const isTaken = queue.take(lane, urgency);
          expect(isTaken).toBe(naive.take(lane, urgency));
          if (!isTaken) break;
          queue.push(lane, urgency, `${lane} ${step} ${n}`);
          naive.push(lane, urgency, `${lane} ${step} ${n}`);
        }
        expect(queue.inFlight).toBe(queue.waiting + running.length);
      }
    }),
    { numRuns: 30 },
  );
});
