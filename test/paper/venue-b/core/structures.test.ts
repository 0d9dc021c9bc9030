// The small structures under the exchange: ids, history, alarms.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BID } from '../../../../src/core/domain/market.ts';
import type { UnixMillis } from '../../../../src/core/domain/numbers.ts';
import { Random } from '../../../../src/core/runtime/random.ts';
import { limits } from '../../../../src/limits.ts';
import { Uuids } from '../../../../src/paper/ids.ts';
import { Alarm, LevelChanges } from '../../../../src/paper/venue-b/journal.ts';
import { Pictured, RecordHistory } from '../../../../src/paper/venue-b/position.ts';
import { VirtualTimers } from '../../../support/virtual-timers.ts';
import { cents, contracts, Rig } from './rig.ts';

describe('UUIDs', () => {
  it('are of version 4, different, and the same for the same seed', () => {
    const [one, same, other] = [7, 7, 8].map(seed => {
      const uuids = new Uuids(new Random(seed));
      return Array.from({ length: 2_000 }, () => uuids.next());
    });
    expect(one).toEqual(same);
    expect(new Set([...one!, ...other!]).size).toBe(4_000);
    for (const id of one!) expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  });
});

describe('changes of levels', () => {
  it('are reported once, shrinking ones first, unchanged ones never', () => {
    const changes = new LevelChanges();
    const market = new Rig().market();
    const add = (price: number, size: number) =>
      changes.add(market, { type: 'level', market: market.id, side: BID, price: cents(price), size: contracts(size) });
    const reported = () => {
      const lines: string[] = [];
      changes.report(({ price, size }, change) => lines.push(`${price / 100} ${change / 1e6}=${size / 1e6}`));
      return lines;
    };
    for (const [price, size] of [
      [40, 5],
      [41, 2],
      [40, 7],
    ] as const)
      add(price, size);
    expect(reported()).toEqual(['40 7=7', '41 2=2']);
    for (const [price, size] of [
      [41, 9],
      [40, 3],
      [42, 1],
      [42, 0],
    ] as const)
      add(price, size);
    expect(reported()).toEqual(['40 -4=3', '41 7=9']);
    expect(reported()).toEqual([]);
  });
});

describe('history', () => {
  const picture = (updatedAt: number) => ({ updatedAt: updatedAt as UnixMillis });

  it('shows what was there at any time of the last seconds', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 4_000 }), { minLength: 1, maxLength: 30 }), gaps => {
        const history = new RecordHistory();
        const times = gaps.map((_gap, index) => gaps.slice(0, index + 1).reduce((sum, gap) => sum + gap, 0));
        const thing = new Pictured(picture(times[0]!));
        for (const time of times.slice(1)) history.replace(thing, picture(time));
        const last = times.at(-1)!;
        for (let at = last - limits.paperStaleMsMax; at <= last; at += 250) {
          const expected = times.findLast(time => time <= at) ?? null;
          expect(thing.asOf(at)?.updatedAt ?? null).toBe(expected);
        }
      }),
    );
  });

  it('of many things forgets what is too old in each of them', () => {
    const history = new RecordHistory();
    const things = Array.from({ length: 3_000 }, (_, index) => new Pictured(picture(index)));
    for (const [index, thing] of things.entries()) history.replace(thing, picture(20_000 + index));
    expect(things[0]!.asOf(10_000)?.updatedAt).toBe(0);
    history.replace(things[0]!, picture(31_000));
    expect(things.slice(0, 3).map(thing => thing.asOf(10_000)?.updatedAt)).toEqual([20_000, 20_001, 20_002]);
    expect(things[2_000]!.asOf(21_999)?.updatedAt).toBe(2_000);
    expect(things[0]!.asOf(30_000)?.updatedAt).toBe(20_000);
  });
});

describe('an alarm', () => {
  function alarmed() {
    const timers = new VirtualTimers(0);
    const rung: number[] = [];
    return { timers, rung, alarm: new Alarm(timers, () => rung.push(timers.now())) };
  }

  it('rings once, at its time, far beyond what a timer can wait', () => {
    const { timers, rung, alarm } = alarmed();
    const at = (40 * limits.paperAlarmMs + 5) as UnixMillis;
    alarm.set(at);
    timers.advance(41 * limits.paperAlarmMs);
    expect([rung, alarm.at]).toEqual([[at], null]);
  });

  it('waits on if the clock is not there yet', () => {
    const { timers, rung, alarm } = alarmed();
    alarm.set(100 as UnixMillis);
    const { now } = timers;
    timers.now = () => (now.call(timers) - 50) as UnixMillis;
    timers.advance(100);
    expect(rung).toEqual([]);
    timers.advance(50);
    expect(rung).toEqual([100]);
  });

  it('can be set anew, and stopped', () => {
    const { timers, rung, alarm } = alarmed();
    alarm.set(100 as UnixMillis);
    alarm.set(200 as UnixMillis);
    timers.advance(150);
    alarm.set(null);
    timers.advance(150);
    expect([rung, timers.pending]).toEqual([[], 0]);
  });
});
