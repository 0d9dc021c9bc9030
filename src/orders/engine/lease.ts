// Signs of life of a pod's owner, on core NATS. A standby that hears none for a while takes the pod over, if its setting says so. The signs
// are only a hint. The pod's stream stores the take-over only if the standby has read all records of the owner (ADR 0024). Engine thread.

import type { NatsLink } from '../../core/nats/connection.ts';
import type { JournalTimers } from '../journal/journal.ts';

/** The interval of an owner's signs of life. The least setting of a standby's wait is several of these intervals. */
const BEAT_MS = 500;
/**
 * The last part of a standby's wait. It runs on a timer of its own, so that a standby that was paused hears the owner before the wait ends.
 */
const LAST_LOOK_MS = 2 * BEAT_MS;

export interface LeaseParts {
  readonly podId: string;
  readonly link: Pick<NatsLink, 'publish' | 'subscribe' | 'onChange'>;
  readonly timers: JournalTimers;
}

/** Publishes that the gateway `gatewayId` runs and owns the pod, until the returned function is called. */
export function keepLease({ podId, link, timers }: LeaseParts, gatewayId: string): () => void {
  const beatText = new TextEncoder().encode(gatewayId);
  let cancel = (): void => {};
  const beat = (): void => {
    link.publish(subjectOf(podId), beatText);
    cancel = timers.after(BEAT_MS, beat);
  };
  beat();
  return () => cancel();
}

/**
 * Calls `onExpired` when the owner `gatewayId` has been silent for `afterMs`, and again after each further such time. Calling the returned
 * function ends the watch. Silence while NATS could not be reached does not count.
 */
export function watchLease(
  { podId, link, timers }: LeaseParts,
  { gatewayId, afterMs, onExpired }: { readonly gatewayId: string; readonly afterMs: number; onExpired(): void },
): () => void {
  let cancel = (): void => {};
  const renew = (): void => {
    cancel();
    cancel = timers.after(afterMs - LAST_LOOK_MS, () => {
      cancel = timers.after(LAST_LOOK_MS, () => {
        renew();
        onExpired();
      });
    });
  };
  const stops = [
    link.subscribe(subjectOf(podId), ({ data }) => {
      if (new TextDecoder().decode(data) === gatewayId) renew();
    }),
    link.onChange(renew),
    () => cancel(),
  ];
  renew();
  return () => {
    for (const stop of stops) stop();
  };
}

function subjectOf(podId: string): string {
  return `crossbook.lease.${podId}`;
}
