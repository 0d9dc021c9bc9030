// How long venue B asks us to stay away: its `Retry-After`, which it rarely sends (venue-b.md §7), within bounds. Pure.

import { limits } from '../../../limits.ts';
import type { OutboundOutcome } from '../../../net/outbound.ts';

/** Whole seconds, at least one. */
export function retryAfterS(
  { headers }: Pick<Extract<OutboundOutcome, { type: 'answer' }>, 'headers'>,
  otherwiseS: number,
): number {
  const text = headers.get('retry-after') ?? '';
  const seconds = /^\d{1,9}$/.test(text) ? Number(text) : otherwiseS;
  return Math.min(Math.max(seconds, 1), limits.venueBRetryAfterMaxS);
}
