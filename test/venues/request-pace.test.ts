// The pace of requests to a venue. The number of concurrent requests is bounded, and a gap lies between two requests. No request starts
// during a pause or after its deadline.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { RequestPace } from '../../src/venues/request-pace.ts';
import { VirtualTimers } from '../support/virtual-timers.ts';

const within = (timers: VirtualTimers, ms: number): number => timers.elapsed() + ms;

const STEP_MS = 10;

interface Seen {
  readonly isMine: boolean;
  readonly at: number;
  readonly deadlineMs: number;
  /** The number of callers that have entered, this caller included. */
  readonly inside: number;
}

/** Returns the time at which the caller entered. Null means that the caller never entered. */
async function entry(pace: RequestPace, timers: VirtualTimers, deadlineMs: number): Promise<number | null> {
  return (await pace.enter(deadlineMs)) ? timers.elapsed() : null;
}

describe('a pace', () => {
  it('starts what comes while there is room, and the next when one has left', async () => {
    const timers = new VirtualTimers();
    const pace = new RequestPace({ concurrentMax: 2, gapMs: 0 }, timers);
    const entries: number[] = [];
    for (let id = 0; id < 4; id += 1) void pace.enter(within(timers, 1_000)).then(() => entries.push(id));
    await timers.settle();
    expect(entries).toEqual([0, 1]);
    pace.leave();
    await timers.settle();
    expect(entries).toEqual([0, 1, 2]);
  });

  it('keeps a gap between two starts, however soon the first is over', async () => {
    const timers = new VirtualTimers();
    const start = timers.elapsed();
    const pace = new RequestPace({ concurrentMax: 2, gapMs: 300 }, timers);
    const entries = [0, 1, 2].map(async () => {
      const at = await entry(pace, timers, within(timers, 1_000));
      pace.leave();
      return at! - start;
    });
    await timers.settle();
    for (let step = 0; step < 10; step += 1) await timers.settle(100);
    expect(await Promise.all(entries)).toEqual([0, 300, 600]);
  });

  it('lets go who has waited until its deadline, and nobody else is late for that', async () => {
    const timers = new VirtualTimers();
    const pace = new RequestPace({ concurrentMax: 1, gapMs: 0 }, timers);
    expect(await pace.enter(within(timers, 1_000))).toBe(true);
    const short = pace.enter(within(timers, 100));
    const long = pace.enter(within(timers, 1_000));
    await timers.settle(100);
    expect(await short).toBe(false);
    pace.leave();
    expect(await long).toBe(true);
    expect(timers.pending).toBe(0);
  });

  it('rests while the venue wants it, and refuses at once who could not wait for the end of that', async () => {
    const timers = new VirtualTimers();
    const pace = new RequestPace({ concurrentMax: 1, gapMs: 0 }, timers);
    pace.pause(2_000);
    pace.pause(500);
    expect(pace.pauseMs).toBe(2_000);
    expect(await pace.enter(within(timers, 2_000))).toBe(false);
    const start = timers.elapsed();
    const entered = entry(pace, timers, within(timers, 2_001));
    await timers.settle(2_000);
    expect(await entered).toBe(start + 2_000);
  });

  it('lets go at once who stands in line and could not wait for the end of a pause', async () => {
    const timers = new VirtualTimers();
    const pace = new RequestPace({ concurrentMax: 1, gapMs: 0 }, timers);
    await pace.enter(within(timers, 1_000));
    const short = pace.enter(within(timers, 500));
    const long = pace.enter(within(timers, 900));
    pace.pause(500);
    expect(await short).toBe(false);
    pace.leave();
    await timers.settle(500);
    expect(await long).toBe(true);
  });

  it('holds for callers at any time and of any patience', async () => {
    // All times are multiples of one step, so that the effect of a timer is seen at the time of that timer.
    const steps = (most: number, least = 0) => fc.integer({ min: least, max: most }).map(count => count * STEP_MS);
    const visit = fc.record({ comesMs: steps(40, 1), staysMs: steps(30), patienceMs: steps(90, 1) });
    const terms = fc.record({ concurrentMax: fc.integer({ min: 1, max: 3 }), gapMs: steps(12) });
    await fc.assert(
      fc.asyncProperty(terms, fc.array(visit, { maxLength: 12 }), async ({ concurrentMax, gapMs }, visits) => {
        const timers = new VirtualTimers();
        const pace = new RequestPace({ concurrentMax, gapMs }, timers);
        const seen: Seen[] = [];
        let inside = 0;
        const call = async (staysMs: number, deadlineMs: number): Promise<void> => {
          const isMine = await pace.enter(deadlineMs);
          if (isMine) inside += 1;
          seen.push({ isMine, at: timers.elapsed(), deadlineMs, inside });
          if (!isMine) return;
          await new Promise<void>(resolve => void timers.after(staysMs, resolve));
          inside -= 1;
          pace.leave();
        };
        for (const { comesMs, staysMs, patienceMs } of visits) {
          timers.after(comesMs, () => void call(staysMs, within(timers, patienceMs)));
        }
        for (let step = 0; step <= 180; step += 1) await timers.settle(STEP_MS);
        expect(seen).toHaveLength(visits.length);
        expect(seen.filter(({ isMine, at, deadlineMs }) => (isMine ? at > deadlineMs : at !== deadlineMs))).toEqual([]);
        expect(seen.filter(it => it.inside > concurrentMax)).toEqual([]);
        const starts = seen.filter(({ isMine }) => isMine).map(({ at }) => at);
        expect(starts.filter((at, index) => index > 0 && at - starts[index - 1]! < gapMs)).toEqual([]);
        expect([inside, timers.pending]).toEqual([0, 0]);
      }),
      { numRuns: 40 },
    );
  });
});
