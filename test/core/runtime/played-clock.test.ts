// The clock of a backtest, moved by its stepper while this process sleeps: an hour passes as soon as nothing is under way.

import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { Worker } from 'node:worker_threads';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { PlayedClock, PlayedTimers, STEPPED } from '../../../src/core/runtime/played-clock.ts';
import { THREADS } from '../../../src/threads.ts';

const START = Date.UTC(2026, 10, 21, 18);
const HOUR_MS = 3_600_000;

describe.skipIf(process.platform !== 'linux')('stepped', () => {
  let clock: PlayedClock;
  let timers: PlayedTimers;
  let stepper: Worker;

  beforeEach(() => {
    clock = PlayedClock.stoppedAt(START, STEPPED);
    timers = new PlayedTimers(clock);
    stepper = new Worker(THREADS.clock.entry, { workerData: { clock: clock.memory } });
  });
  afterEach(() => stepper.terminate());

  const after = (delayMs: number): Promise<number> =>
    new Promise(resolve => {
      timers.after(delayMs, () => resolve(timers.now()));
    });

  it('stands until it starts, and then goes from timer to timer', async () => {
    expect(timers.now()).toBe(START);
    const heard: [string, number][] = [];
    const say = (what: string) => () => void heard.push([what, timers.now() - START]);
    timers.after(HOUR_MS, say('an hour'));
    timers.after(2, say('two'));
    timers.after(2, say('two again'));
    timers.after(3, say('never'))();
    timers.after(1, () => {
      say('one')();
      timers.after(0, say('at once'));
      timers.after(1, say('two, set later'));
    });
    const end = after(2 * HOUR_MS);
    clock.start();
    expect(await end).toBe(START + 2 * HOUR_MS);
    expect(heard).toEqual([
      ['one', 1],
      ['at once', 1],
      ['two', 2],
      ['two again', 2],
      ['two, set later', 2],
      ['an hour', HOUR_MS],
    ]);
  });

  it('does not move while a message is on its way', async () => {
    const server = createServer(socket => socket.pipe(socket)).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as { port: number };
    const socket: Socket = connect(port, '127.0.0.1');
    await once(socket, 'connect');
    clock.start();
    let passed = 0;
    const tick = (): void => {
      passed += 1;
      timers.after(1, tick);
    };
    timers.after(1, tick);
    for (let round = 0; round < 50; round += 1) {
      await after(10);
      const [sentAt, ticks] = [timers.now(), passed];
      socket.write('x');
      await once(socket, 'data');
      expect([timers.now(), passed]).toEqual([sentAt, ticks]);
    }
    socket.destroy();
    server.close();
  });

  it('shows when what plays was recorded, behind a pause of the recording as well', async () => {
    clock.start();
    await after(500);
    clock.place(500, START + HOUR_MS);
    expect(timers.now()).toBe(START + HOUR_MS);
    // An earlier part of the recording cannot set the clock back.
    clock.place(500, START);
    expect(await after(7)).toBe(START + HOUR_MS + 7);
  });

  it('goes on behind the end of the recording, so that bots can end', async () => {
    clock.start();
    const ended = clock.ended();
    for (let player = 0; player < 3; player += 1) clock.finish();
    await ended;
    expect(await after(5)).toBe(START + 5);
  });
});

it('runs by a factor from its start on', async () => {
  const clock = PlayedClock.stoppedAt(START, 1_000_000);
  const timers = new PlayedTimers(clock);
  const passed = new Promise<void>(resolve => {
    timers.after(HOUR_MS, resolve);
  });
  clock.start();
  await passed;
  expect(timers.now()).toBeGreaterThanOrEqual(START + HOUR_MS);
});
