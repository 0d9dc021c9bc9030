// Signs of life of a pod's owner, on core NATS. A standby that hears none for a while takes the pod over, if its setting says so. They are
// only a hint. The pod's stream stores the take-over only if the standby has read all records of the owner (ADR 0024). Engine thread.

import type { NatsLink } from '../../core/nats/connection.ts';
import type { JournalTimers } from '../journal/journal.ts';

/** The interval of an owner's signs; the least setting is several of them. */
const BEAT_MS = 500;
/** A standby that was paused hears the owner within this last part of its wait. */
const LAST_LOOK_MS = 2 * BEAT_MS;

export interface LeaseParts {
  readonly podId: string;
  readonly link: Pick<NatsLink, 'publish' | 'subscribe' | 'onChange'>;
  readonly timers: JournalTimers;
}

/** Says that the gateway `gatewayId` owns the pod and runs, until the returned function is called. */
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
 * Calls `expired` when the owner `gatewayId` was silent for `afterMs`, and again after each further such time, until the returned function
 * is called. Silence while NATS could not be reached does not count.
 */
export function watchLease(
  { podId, link, timers }: LeaseParts,
  { gatewayId, afterMs, expired }: { readonly gatewayId: string; readonly afterMs: number; expired(): void },
): () => void {
  let cancel = (): void => {};
  const renew = (): void => {
    cancel();
    cancel = timers.after(afterMs - LAST_LOOK_MS, () => {
      cancel = timers.after(LAST_LOOK_MS, () => {
        renew();
        expired();
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
