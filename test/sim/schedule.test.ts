// The queue of virtual time: a schedule without an end fails after a bounded number of steps.

import { expect, it } from 'vitest';
import { Happenings } from './happenings.ts';
import { Schedule } from './schedule.ts';

function limited(stepsMax: number): Schedule {
  return new Schedule(new Happenings(7, null), stepsMax);
}

it('a schedule that goes on at one moment for ever ends by its bound', async () => {
  const schedule = limited(1_000);
  const again = (): void => void schedule.after(0, again);
  again();
  await expect(schedule.run(1)).rejects.toThrow('the schedule has no end: more than 1000 steps');
});

it('a wait for what never comes ends by it, too, though nothing happens', async () => {
  const schedule = limited(100);
  const wait = async (): Promise<void> => {
    for (;;) await schedule.run(15_000);
  };
  await expect(wait()).rejects.toThrow('more than 100 steps');
});
