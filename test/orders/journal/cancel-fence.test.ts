// A cancel waits, if the journal is a stream, until the pod is known to be ours or the stream cannot be reached. In virtual time,
// over a stream that answers on command. A process that is paused finds its timers and its messages as they were, and a later time.

import { expect, it } from 'vitest';
import type { Stored } from '../../../src/core/nats/stream.ts';
import { ReplicatedLog, type StreamPort } from '../../../src/orders/journal/replicated-log.ts';
import { VirtualTimers } from '../../support/virtual-timers.ts';

const UNREACHABLE = new Error('no connection');

function rig() {
  const timers = new VirtualTimers();
  let pausedMs = 0;
  let last = 0;
  let isReachable = true;
  const asked: string[] = [];
  const published: string[] = [];
  const lost: string[] = [];
  let hear: (tag: string, stored: Stored) => void = () => {};
  const answered = <T>(what: string, value: T): Promise<T> => {
    asked.push(what);
    return isReachable ? Promise.resolve(value) : Promise.reject(UNREACHABLE);
  };
  const stream: StreamPort = {
    ...{ name: 'stream', recordBytesMax: 1_000_000 },
    end: () => answered('end', { last, madeAt: 'then' }),
    record: sequence => answered('record', { sequence, id: 'another’s', payload: new Uint8Array() }),
    publish: (_payload, _expected, reply) => published.push(reply),
    onForeign: () => () => {},
    onDown: () => () => {},
    onStored: hearer => {
      hear = hearer;
      return { prefix: '', stop: () => {} };
    },
  };
  const log = new ReplicatedLog({
    ...{ stream, term: 'ours', from: 0, onKept: () => {} },
    timers: { after: (ms, task) => timers.after(ms, task), elapsed: () => timers.elapsed() + pausedMs },
    onLost: words => lost.push(words),
  });
  const acknowledged = (): void => {
    last = log.next - 1;
    hear(published.at(-1)!, { type: 'stored', sequence: last });
  };
  return {
    ...{ timers, asked, lost, log, acknowledged },
    pause: (ms: number): void => {
      pausedMs += ms;
    },
    /** Another owner takes the stream. */
    taken: (): void => {
      last += 1;
    },
    reach: (isThere: boolean): void => {
      isReachable = isThere;
    },
    append: (): void => {
      log.append(new Uint8Array(1));
    },
    /** Whether a cancel may leave, as far as is known. */
    cancel: () => {
      const state = { mayLeave: false };
      const held = log.cancelFence();
      if (held === null) state.mayLeave = true;
      else
        void held.then(() => {
          state.mayLeave = true;
        });
      return state;
    },
  };
}

async function owner() {
  const all = rig();
  all.append();
  all.acknowledged();
  await all.timers.settle();
  return all;
}

it('4031: a cancel behind a record of its own asks nothing', async () => {
  const { cancel, asked, timers } = await owner();
  expect(cancel().mayLeave).toBe(true);
  await timers.settle(900);
  expect([cancel().mayLeave, asked]).toEqual([true, []]);
});

it('4031: a cancel without a proof of late that the pod is ours asks the stream, once for several', async () => {
  const { cancel, asked, timers } = await owner();
  await timers.settle(60_000);
  const first = cancel();
  expect(first.mayLeave).toBe(false);
  await timers.settle();
  expect([first.mayLeave, cancel().mayLeave, asked]).toEqual([true, true, ['end']]);
});

it('4031: a former owner that goes on after a pause sends no cancel', async () => {
  const { cancel, timers, pause, taken, lost } = await owner();
  taken();
  pause(30_000);
  const stale = cancel();
  await timers.settle(60_000);
  expect([stale.mayLeave, lost]).toEqual([false, [expect.stringContaining('does not own the pod any more')]]);
});

it('4031: an acknowledgement that is read after a pause proves nothing of the time since', async () => {
  const { append, acknowledged, cancel, timers, pause, taken, lost } = await owner();
  append();
  pause(30_000);
  acknowledged();
  taken();
  const stale = cancel();
  await timers.settle(60_000);
  expect([stale.mayLeave, lost.length]).toEqual([false, 1]);
});

it('4031: a former owner whose connection has to be made anew sends no cancel before', async () => {
  const { cancel, timers, pause, taken, lost, reach } = await owner();
  taken();
  pause(30_000);
  reach(false);
  const stale = cancel();
  await timers.settle(600);
  reach(true);
  await timers.settle(60_000);
  expect([stale.mayLeave, lost.length]).toEqual([false, 1]);
});

it('4031: an owner that is cut off from NATS for a while sends its cancels, and the later ones at once', async () => {
  const { cancel, timers, reach, lost } = await owner();
  await timers.settle(60_000);
  reach(false);
  const first = cancel();
  await timers.settle(500);
  expect(first.mayLeave).toBe(false);
  for (let passedMs = 0; passedMs < 3_000; passedMs += 100) await timers.settle(100);
  expect(first.mayLeave).toBe(true);
  const second = cancel();
  await timers.settle();
  expect([second.mayLeave, lost]).toEqual([true, []]);
});

it('4031: an owner that was cut off and then paused finds out first', async () => {
  const { cancel, timers, reach, pause, taken, lost } = await owner();
  await timers.settle(60_000);
  reach(false);
  cancel();
  for (let passedMs = 0; passedMs < 3_000; passedMs += 100) await timers.settle(100);
  taken();
  pause(30_000);
  reach(true);
  const stale = cancel();
  for (let passedMs = 0; passedMs < 3_000; passedMs += 100) await timers.settle(100);
  expect([stale.mayLeave, lost.length]).toEqual([false, 1]);
});
