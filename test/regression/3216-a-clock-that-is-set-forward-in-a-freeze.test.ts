// Noticed in a review: while the engine did not answer, the guard had the deadlines of dead man’s switches by elapsed time only. A clock that
// was set forward meanwhile made a switch fire later than the deadline that its caller had been answered. The engine goes by both.

import { expect, it } from 'vitest';
import type { UnixMillis } from '../../src/domain/numbers.ts';
import { GuardSwitches } from '../../src/guard/guard-state.ts';
import { VirtualTimers } from '../support/virtual-timers.ts';

const owner = { keyId: 'key', actorId: 'pod/alice', podId: 'pod' };

function armed() {
  const timers = new VirtualTimers();
  const switches = new GuardSwitches(timers);
  const deadline = (timers.now() + 60_000) as UnixMillis;
  switches.know({ ...owner, deadline });
  return { timers, switches, deadline };
}

it('a switch is due at its deadline, also where the clock was set forward while the engine was silent', () => {
  const { timers, switches, deadline } = armed();
  timers.setClock(59_999);
  expect(switches.due()).toEqual([]);
  timers.setClock(1);
  expect(switches.due()).toMatchObject([{ keyId: 'key', deadline }]);
});

it('a switch is due after the time that it was armed for, also where the clock was set back', () => {
  const { timers, switches } = armed();
  timers.setClock(-3_600_000);
  timers.advance(59_999);
  expect(switches.due()).toEqual([]);
  timers.advance(1);
  expect(switches.due()).toMatchObject([{ keyId: 'key' }]);
});
