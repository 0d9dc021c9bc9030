// The dead man's switches of the guard on a machine that is busy.

import { expect, it } from 'vitest';
import type { UnixMillis } from '../../../src/core/domain/numbers.ts';
import { GuardSwitches } from '../../../src/orders/guard/guard-state.ts';
import { WaitingTimers } from '../../support/waiting-timers.ts';

it('a switch is not due before its deadline, though its thread waits between two readings of the clocks', () => {
  const timers = new WaitingTimers();
  const switches = new GuardSwitches(timers);
  const setting = { keyId: 'key', actorId: 'alice', podId: 'pod', deadline: (timers.at + 10_000) as UnixMillis };
  timers.waitMs = 371;
  switches.set(setting);
  timers.waitMs = 0;
  timers.at = setting.deadline - 1;
  expect(switches.due()).toEqual([]);
  timers.at = setting.deadline;
  expect(switches.due()).toMatchObject([setting]);
});
