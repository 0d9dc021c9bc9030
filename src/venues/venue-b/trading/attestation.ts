// Watches when the attestation of the location of an account's owner ends at venue B (venue-b.md §7). After that time the venue refuses
// orders in some categories of markets, until the owner attests the location again on the venue's site. The watch warns a week ahead.
// Engine thread.

import { DAY_MS, HOUR_MS } from '../../../core/domain/durations.ts';
import type { UnixMillis } from '../../../core/domain/numbers.ts';
import type { Timers } from '../../../core/runtime/timers.ts';
import type { PrivateEvent } from '../../venue.ts';
import { unixTimeOf } from '../../wire-values.ts';
import type { VenueBRest } from './rest.ts';

const S_IN_MS = 1_000;
/** The time before the end at which the watch begins to warn, because the owner may be away over a weekend. */
const WARNED_MS = 7 * DAY_MS;

/** Returns the end of the attestation from the answer to `GET /api_keys`, or null if the venue states no end. */
export function attestedUntilIn(body: { readonly api_key_region_expiration_ts?: unknown }): UnixMillis | null {
  return unixTimeOf(body.api_key_region_expiration_ts, S_IN_MS);
}

export function isEnding(attestedUntil: UnixMillis | null, now: UnixMillis): boolean {
  return attestedUntil !== null && attestedUntil - now <= WARNED_MS;
}

interface AttestationParts {
  readonly rest: Pick<VenueBRest, 'read' | 'deadline'>;
  readonly timers: Timers;
  readonly onChange: (event: Extract<PrivateEvent, { type: 'attestation' }>) => void;
}

/** Reads the end now and each hour, and reports changes. */
export function watchAttestation(parts: AttestationParts): { readonly stop: () => void } {
  let cancelNext = (): void => {};
  let isStopped = false;
  let reported: UnixMillis | null = null;
  const look = async (): Promise<void> => {
    const { rest, timers, onChange } = parts;
    const answer = await rest.read('/api_keys', rest.deadline());
    if (isStopped) return;
    // A key may lack the right to list keys. The end is then unknown.
    if (answer.type === 'body') {
      const until = attestedUntilIn(answer.body);
      const endsAt = isEnding(until, timers.now()) ? until : null;
      if (endsAt !== reported) onChange({ type: 'attestation', endsAt });
      reported = endsAt;
    }
    cancelNext = timers.after(HOUR_MS, () => void look());
  };
  void look();
  return {
    stop: () => {
      isStopped = true;
      cancelNext();
    },
  };
}
