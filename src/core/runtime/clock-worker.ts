// Moves the clock of a backtest to the next time at which a thread has work, as soon as nothing is under way (ADR 0028). This thread never
// sleeps long, and answers no messages.

import { workerData } from 'node:worker_threads';
import { AtRest } from './at-rest.ts';
import { sleepThread } from './clock.ts';
import { PlayedClock } from './played-clock.ts';

/** The pause in milliseconds while no thread has a timer, or while the recording is over. */
const IDLE_MS = 1;

const clock = new PlayedClock((workerData as { readonly clock: SharedArrayBuffer }).clock);
clock.waitForStart();
const rest = new AtRest(clock.bot);
for (;;) {
  while (!rest.look());
  clock.rest();
  if (!clock.step()) sleepThread(IDLE_MS);
}
