// The fill model of one price: cases calculated by hand, and a comparison with a twin that moves single steps of 0.01.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { MicroShares } from '../../../src/core/domain/numbers.ts';
import { QUEUE_MODELS, type QueueModel } from '../../../src/core/runtime/paper-terms.ts';
import { limits } from '../../../src/limits.ts';
import type { OrderId } from '../../../src/paper/engine/engine-types.ts';
import { DisplayedLevel, type Queued, type QueuePlan } from '../../../src/paper/flow/displayed-level.ts';
import { NaiveLevel } from './naive-level.ts';

const STEP = 10_000;
const LATER = limits.paperTradeWaitMs + 1;

/** A queue to which plans are applied; sizes are in steps. */
class Line {
  readonly level: DisplayedLevel;
  queue: Queued[] = [];
  atMs = 0;
  #last = 0;

  constructor(model: QueueModel) {
    this.level = new DisplayedLevel(model);
  }

  show(size: number, keepsTaken = false): number {
    return this.#apply(this.level.show(this.queue, (size * STEP) as MicroShares, this.atMs, keepsTaken));
  }

  trade(size: number, absorbed = 0): number {
    const [traded, before] = [size * STEP, absorbed * STEP] as [MicroShares, MicroShares];
    return this.#apply(this.level.trade(this.queue, traded, before, this.atMs));
  }

  join(size: number, isHouse = false): void {
    this.#last += 1;
    const order = this.#last as OrderId;
    this.queue.push({ order, place: this.#last, size: (size * STEP) as MicroShares, isHouse });
  }

  leave(index: number): void {
    const callers = this.queue.filter(({ isHouse }) => !isHouse);
    const gone = callers[index % Math.max(1, callers.length)];
    this.queue = this.queue.filter(it => it !== gone);
  }

  /** A caller takes from the front of the house's orders. */
  take(size: number): void {
    let left = size * STEP;
    for (const it of this.queue.filter(({ isHouse }) => isHouse)) {
      const part = Math.min(left, it.size);
      left -= part;
      this.#resize(it.order, it.size - part);
    }
  }

  /** The queue, step by step: `h` for a step of the house, otherwise the id of the order. */
  get tokens(): string[] {
    return this.queue.flatMap(({ order, size, isHouse }) =>
      new Array<string>(size / STEP).fill(isHouse ? 'h' : String(order)),
    );
  }

  #apply({ resizes, fills, inserts, growth }: QueuePlan): number {
    for (const { order, size } of resizes) {
      const before = this.queue.find(it => it.order === order)!;
      expect([before.isHouse, size < before.size || before === this.queue.at(-1)]).toEqual([true, true]);
      this.#resize(order, size);
    }
    for (const { order, size } of fills) {
      const it = this.queue.find(queued => queued.order === order)!;
      expect(it.isHouse).toBe(false);
      this.#resize(order, it.size - size);
    }
    for (const { order, size } of inserts) {
      const next = this.queue.findIndex(it => it.order === order);
      expect(this.queue[next]?.isHouse).toBe(false);
      this.join(size / STEP, true);
      this.queue.splice(next, 0, this.queue.pop()!);
    }
    if (growth > 0) this.join(growth / STEP, true);
    return fills.reduce((sum, { size }) => sum + size, 0) / STEP;
  }

  #resize(order: OrderId, size: number): void {
    this.queue = this.queue.flatMap(it =>
      it.order !== order ? [it] : size === 0 ? [] : [{ ...it, size: size as MicroShares }],
    );
  }
}

/** Returns a queue with 100 displayed, then a caller's order of 10, then 50 more displayed. */
function waiting(model: QueueModel): Line {
  const line = new Line(model);
  line.show(100);
  line.join(10);
  line.show(150);
  return line;
}

describe('a caller’s order in the queue', () => {
  it('fills once a trade has passed what was displayed before it, and no further than the trade', () => {
    const line = waiting('proportional');
    expect([line.trade(100), line.trade(4), line.show(46), line.trade(100)]).toEqual([0, 4, 0, 6]);
  });

  it.each([
    ['the trade first', (line: Line) => [line.trade(30), line.show(120)]],
    ['the book first', (line: Line) => [line.show(120), line.trade(30)]],
  ])('advances once by a trade: %s', (_name, happen) => {
    const line = waiting('optimistic');
    expect(happen(line)).toEqual([0, 0]);
    line.atMs += LATER;
    expect([line.trade(70), line.trade(1)]).toEqual([0, 1]);
  });

  it.each([
    ['proportional', 70],
    ['pessimistic', 100],
    ['optimistic', 55],
  ] as const)('has %s cancels ahead, so that %i are left', (model, left) => {
    const line = waiting(model);
    line.show(105);
    line.atMs += LATER;
    expect([line.trade(left), line.trade(1)]).toEqual([0, 1]);
  });

  it('is reached sooner by cancels after a trade that the book has shown before', () => {
    const line = waiting('optimistic');
    line.show(120);
    line.trade(30);
    line.show(90);
    line.atMs += LATER;
    expect([line.trade(40), line.trade(1)]).toEqual([0, 1]);
  });

  it('is not reached by a trade that only the shrink before its arrival explains', () => {
    const line = new Line('proportional');
    line.show(100);
    line.show(70);
    line.join(10);
    expect([line.trade(30), line.trade(70), line.trade(1)]).toEqual([0, 0, 1]);
  });

  it('4200: is reached by a trade that the book has shown before, though another order waits behind the house', () => {
    const line = new Line('proportional');
    line.join(5);
    line.show(18);
    line.join(11);
    expect([line.show(7), line.trade(11)]).toEqual([0, 5]);
    expect(line.tokens.filter(it => it === 'h')).toHaveLength(7);
  });

  it('is reached by the part of a trade alone that better prices did not meet', () => {
    const line = waiting('proportional');
    expect(line.trade(104, 3)).toBe(1);
  });
});

describe('what a caller has taken', () => {
  const house = (line: Line): number => line.tokens.filter(it => it === 'h').length;

  it.each([
    ['proportional', [60, 60, 110]],
    ['pessimistic', [60, 60, 70]],
  ] as const)('stays taken until the book changes there: %s', (model, sizes) => {
    const line = new Line(model);
    const seen: number[] = [];
    line.show(100);
    line.take(40);
    for (const size of [100, 100, 110]) {
      line.show(size);
      seen.push(house(line));
    }
    expect(seen).toEqual(sizes);
  });
});

const event = fc.oneof(
  fc.record({ op: fc.constant('show' as const), size: fc.nat(14), keepsTaken: fc.boolean() }),
  fc.record({ op: fc.constant('trade' as const), size: fc.nat(9), absorbed: fc.constantFrom(0, 0, 1, 4) }),
  fc.record({ op: fc.constant('join' as const), size: fc.integer({ min: 1, max: 5 }) }),
  fc.record({ op: fc.constant('leave' as const), index: fc.nat(3) }),
  fc.record({ op: fc.constant('take' as const), size: fc.nat(6) }),
  fc.record({ op: fc.constant('wait' as const), ms: fc.constantFrom(1, limits.paperTradeWaitMs, LATER) }),
);

describe('any course of events', () => {
  it('gives the queue and the fills of the twin', () => {
    fc.assert(
      fc.property(fc.constantFrom(...QUEUE_MODELS), fc.array(event, { maxLength: 25 }), (model, events) => {
        const [line, twin] = [new Line(model), new NaiveLevel(model)];
        for (const it of events) {
          let filled = 0;
          if (it.op === 'show') filled = line.show(it.size, it.keepsTaken);
          else if (it.op === 'trade') filled = line.trade(it.size, Math.min(it.absorbed, it.size));
          else if (it.op === 'join') line.join(it.size);
          else if (it.op === 'leave') line.leave(it.index);
          else if (it.op === 'take') line.take(it.size);
          else line.atMs += it.ms;
          if (it.op === 'show') twin.show(it.size, line.atMs, it.keepsTaken);
          else if (it.op === 'trade')
            expect(twin.trade(it.size, Math.min(it.absorbed, it.size), line.atMs)).toBe(filled);
          else twin.tokens = line.tokens;
          expect(line.tokens).toEqual(twin.tokens);
          if (it.op === 'show') expect(filled).toBe(0);
          if (it.op === 'trade') expect(filled).toBeLessThanOrEqual(it.size);
        }
      }),
      { numRuns: 2_000 },
    );
  });
});
