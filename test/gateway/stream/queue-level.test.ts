// A range beside a naive twin, which keeps every number of shares that may be ahead.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { QUEUE_SETTLES_MS, QueueLevel, QueuePlace } from '../../../src/gateway/stream/queue-level.ts';

const SIZE = 3;

/** Keeps all possible queues: a cancel may have been ahead of the order or behind it. */
class NaiveQueue {
  shown: number;
  ahead: ReadonlySet<number>;

  constructor(ahead: number) {
    this.shown = ahead + SIZE;
    this.ahead = new Set([ahead]);
  }

  grow(by: number): void {
    this.shown += by;
  }

  cancel(by: number): void {
    const possible = [...this.ahead].flatMap(ahead => {
      const behind = this.shown - SIZE - ahead;
      const least = Math.max(0, by - behind);
      return Array.from({ length: Math.min(by, ahead) - least + 1 }, (_, index) => ahead - least - index);
    });
    this.ahead = new Set(possible);
    this.shown -= by;
  }

  trade(by: number): void {
    this.ahead = new Set([...this.ahead].map(ahead => ahead - by));
    this.shown -= by;
  }
}

/** Returns an order that came to a level with `ahead` shares, and the level. */
function arrived(ahead: number, now = 0): { readonly level: QueueLevel; readonly place: QueuePlace } {
  const level = new QueueLevel(ahead);
  const place = new QueuePlace({ rest: SIZE, isDisplayed: true, isUnseen: false });
  level.add(place);
  level.show(ahead + SIZE, now);
  place.markResting(now);
  return { level, place };
}

const LATER_MS = QUEUE_SETTLES_MS + 1;
const happening = fc.record({
  kind: fc.constantFrom('grow', 'cancel', 'trade', 'shown trade'),
  by: fc.integer({ min: 1, max: 9 }),
});

describe('the queue ahead of an order', () => {
  it('is at least and at most what the naive twin holds for possible', () => {
    fc.assert(
      fc.property(fc.nat(30), fc.array(happening, { maxLength: 15 }), (ahead, happenings) => {
        const naive = new NaiveQueue(ahead);
        const { level, place } = arrived(ahead);
        let now = LATER_MS;
        for (const { kind, by } of happenings) {
          now += LATER_MS;
          const least = Math.min(...naive.ahead);
          if (kind === 'grow') naive.grow(by);
          else if (kind === 'cancel' && by <= naive.shown - SIZE) naive.cancel(by);
          else if (kind !== 'cancel' && by <= least) naive.trade(by);
          else continue;
          if (kind === 'trade') level.trade(by, now);
          level.show(naive.shown, now);
          if (kind === 'shown trade') level.trade(by, now);
          const range = { low: Math.min(...naive.ahead), high: Math.max(...naive.ahead), basis: 'ARRIVAL' };
          expect(level.rangeOf(place, now)).toEqual(range);
        }
      }),
    );
  });

  it('is not known before the book shows the order, and bounded by the display once it should have', () => {
    const level = new QueueLevel(20);
    const place = new QueuePlace({ rest: SIZE, isDisplayed: true, isUnseen: false });
    level.add(place);
    expect(level.rangeOf(place, 0)).toBeNull();
    place.markResting(0);
    expect(level.rangeOf(place, 0)).toEqual({ low: 0, high: null, basis: 'DISPLAYED' });
    expect(level.rangeOf(place, LATER_MS)).toEqual({ low: 0, high: 17, basis: 'DISPLAYED' });
  });

  it('may have come with either of two growths of its size', () => {
    const { level, place } = arrived(20);
    level.show(20 + 2 * SIZE, 10);
    expect(level.rangeOf(place, LATER_MS)).toEqual({ low: 20, high: 20 + SIZE, basis: 'ARRIVAL' });
  });

  it('has no lower bound after a gap, and no more than is displayed then', () => {
    const { level, place } = arrived(20);
    level.rangeOf(place, LATER_MS);
    level.lose(LATER_MS);
    expect(level.rangeOf(place, LATER_MS)).toEqual({ low: 0, high: 20, basis: 'ARRIVAL' });
    level.show(12, LATER_MS);
    expect(level.rangeOf(place, LATER_MS)).toEqual({ low: 0, high: 9, basis: 'ARRIVAL' });
  });

  it('4201: is shorter by what an own order took, where the book goes on to display that', () => {
    const level = new QueueLevel(20);
    const join = (): QueuePlace => {
      const place = new QueuePlace({ rest: SIZE, isDisplayed: false, isUnseen: false });
      level.add(place);
      place.markResting(0);
      return place;
    };
    const waiting = join();
    expect(level.rangeOf(waiting, 0)).toEqual({ low: 20, high: 20, basis: 'ARRIVAL' });
    level.tradeOwnOrder(4);
    expect(level.rangeOf(waiting, 0)).toEqual({ low: 16, high: 16, basis: 'ARRIVAL' });
    waiting.fill(0);
    level.places.delete(waiting);
    expect(level.rangeOf(join(), 0)).toEqual({ low: 16, high: 20, basis: 'ARRIVAL' });
  });

  it('is empty once a part of the order was filled', () => {
    const { level, place } = arrived(20);
    place.fill(SIZE - 1);
    expect(level.rangeOf(place, 1)).toEqual({ low: 0, high: 0, basis: 'ARRIVAL' });
  });

  it('stays with a smaller replacement, whose own shrink is nobody’s cancel', () => {
    const { level, place } = arrived(20);
    level.rangeOf(place, LATER_MS);
    const smaller = new QueuePlace({ rest: SIZE - 1, isDisplayed: true, isUnseen: true });
    smaller.takeOver(place);
    level.add(smaller);
    smaller.markResting(LATER_MS);
    level.show(20 + SIZE - 1, LATER_MS);
    expect(level.rangeOf(smaller, LATER_MS)).toEqual({ low: 20, high: 20, basis: 'ARRIVAL' });
  });
});
