// What becomes of one request at a paper exchange when a fault is asked for: whether the exchange acts on it, what the caller
// hears of that, and when. Without a fault the answer is given at once, without a promise. Thread of the paper exchanges.

import { unreachable } from '../../domain/result.ts';
import { NO_ANSWER, type Reply } from '../../net/inbound.ts';
import type { Timers } from '../../runtime/timers.ts';
import type { Asked, Faults } from './faults.ts';

/** How a venue words what goes wrong. */
export interface FaultReplies {
  /** The venue's 429. */
  rateLimited(): Reply;
  /** What its edge says with a status of 4xx or 5xx. */
  status(status: number): Reply;
}

/** Lets `act` handle the request, or not, as the fault of `asked` has it. */
export function withFaults(
  faults: Faults,
  asked: Asked,
  timers: Timers,
  act: () => Reply,
  replies: FaultReplies,
): Reply | Promise<Reply> {
  const fault = faults.ofRequest(asked);
  if (fault === null) return act();
  switch (fault.kind) {
    case 'lost':
      if (fault.isApplied) act();
      return NO_ANSWER;
    case 'hung':
      if (fault.isApplied) act();
      return later(timers, fault.hangMs, () => NO_ANSWER);
    case 'status':
      if (fault.isApplied) act();
      return replies.status(fault.status);
    case 'rate-limited':
      return replies.rateLimited();
    case 'delay':
      return delayed(timers, fault.beforeMs, fault.afterMs, act);
    default:
      return unreachable(fault);
  }
}

/** With no way there, the exchange acts before the next request is looked at. */
async function delayed(timers: Timers, beforeMs: number, afterMs: number, act: () => Reply): Promise<Reply> {
  const reply = beforeMs === 0 ? act() : await later(timers, beforeMs, act);
  return afterMs === 0 ? reply : later(timers, afterMs, () => reply);
}

/** What `produce` throws when its time has come rejects. */
async function later(timers: Timers, delayMs: number, produce: () => Reply): Promise<Reply> {
  await new Promise<void>(resolve => {
    timers.after(delayMs, resolve);
  });
  return produce();
}
