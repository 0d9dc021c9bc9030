// Timers that end together: each runs once, or not at all.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DelayedTask, EndableTimers, EqualDelays } from '../../../src/core/runtime/timers.ts';
import { VirtualTimers } from '../../support/virtual-timers.ts';

describe('endable timers', () => {
  it('are those beneath until they end', () => {
    const beneath = new VirtualTimers();
    const timers = new EndableTimers(beneath);
    const heard: string[] = [];
    timers.after(10, () => heard.push('first'));
    timers.after(20, () => heard.push('cancelled'))();
    timers.after(30, () => timers.after(10, () => heard.push('from within')));
    timers.after(50, () => heard.push('too late'));
    beneath.advance(45);
    timers.end();
    timers.after(1, () => heard.push('after the end'));
    beneath.advance(100);
    expect(heard).toEqual(['first', 'from within']);
    expect([timers.now(), beneath.pending]).toEqual([beneath.now(), 0]);
  });
});

const DELAY_MS = 100;

/**
 * Each step begins a task, may end a waiting task once or twice, may have the next due task begin another, and lets time pass.
 */
type Script = readonly {
  readonly passMs: number;
  /** The place among the waiting tasks. */
  readonly ends: number | null;
  readonly endsAgain: boolean;
  readonly beginsAgain: boolean;
}[];

interface Delays {
  begin(number: number): void;
  end(number: number): void;
}

function played(script: Script, open: (timers: VirtualTimers, due: (number: number) => void) => Delays): string[] {
  const timers = new VirtualTimers(0);
  const log: string[] = [];
  const waiting: number[] = [];
  let next = 0;
  const begin = (): void => {
    waiting.push(next);
    delays.begin(next++);
  };
  let again = 0;
  const delays = open(timers, number => {
    waiting.splice(waiting.indexOf(number), 1);
    log.push(`${number} at ${timers.now()}`);
    if (again > 0) {
      again -= 1;
      begin();
    }
  });
  for (const { passMs, ends, endsAgain, beginsAgain } of script) {
    begin();
    if (beginsAgain) again += 1;
    const [ended] = ends === null ? [] : waiting.splice(ends % waiting.length, 1);
    if (ended !== undefined) delays.end(ended);
    if (endsAgain && ended !== undefined) delays.end(ended);
    timers.advance(passMs);
  }
  timers.advance((2 * script.length + 1) * DELAY_MS);
  expect(timers.pending).toBe(0);
  return log;
}

class NumberedTask extends DelayedTask {
  readonly #number: number;
  readonly #due: (number: number) => void;

  constructor(number: number, due: (number: number) => void) {
    super();
    this.#number = number;
    this.#due = due;
  }

  acceptAnySign(): void {
    this.#due(this.#number);
  }
}

describe('equal delays', () => {
  it('fall due as with a timer for each task, in the same order', () => {
    const step = fc.record({
      passMs: fc.integer({ min: 0, max: 2 * DELAY_MS }),
      ends: fc.option(fc.nat(30)),
      endsAgain: fc.boolean(),
      beginsAgain: fc.boolean(),
    });
    const shared = (timers: VirtualTimers, due: (number: number) => void): Delays => {
      const delays = new EqualDelays(timers, DELAY_MS);
      const tasks = new Map<number, DelayedTask>();
      return {
        begin: number => {
          const task = new NumberedTask(number, due);
          tasks.set(number, task);
          delays.begin(task);
        },
        end: number => delays.end(tasks.get(number)!),
      };
    };
    const naive = (timers: VirtualTimers, due: (number: number) => void): Delays => {
      const cancels = new Map<number, () => void>();
      return {
        begin: number =>
          void cancels.set(
            number,
            timers.after(DELAY_MS, () => due(number)),
          ),
        end: number => cancels.get(number)!(),
      };
    };
    fc.assert(
      fc.property(fc.array(step, { maxLength: 30 }), script => {
        expect(played(script, shared)).toEqual(played(script, naive));
      }),
    );
  });
});
