// Answers to an order or a cancel by which venue B has done nothing, for now (contract §3; venue-b.md §7.1). Its bucket is empty, its
// engine restarts, trading is paused, or its clock differs from ours. A bare 503 does not count: by the venue's own word its outcome
// is unknown. Pure.

import { limits } from '../../../limits.ts';
import { HTTP_TOO_MANY, HTTP_UNAUTHORIZED } from '../../../net/http-status.ts';
import type { OutboundAnswer } from '../../../net/outbound.ts';
import { retryAfterS } from '../../retry-after.ts';
import { meaningOf } from './refusals.ts';
import type { VenueWords } from './venue-words.ts';

export interface NotNow {
  readonly type: 'not-sent';
  readonly message: string;
  readonly retryAfterS: number;
}

const TOO_EARLY = 425;

/** Null: it is another answer. */
export function notNow(answer: OutboundAnswer, words: VenueWords | null): NotNow | null {
  const meaning = words === null ? 'other' : meaningOf(words);
  const later = (message: string, otherwiseS: number): NotNow => ({
    type: 'not-sent',
    message: words?.text ?? message,
    retryAfterS: retryAfterS(answer.headers, otherwiseS, limits.venueBRetryAfterMaxS),
  });
  if (answer.status === HTTP_TOO_MANY) return later('too many requests', 1);
  // The engine's own statement that it may have acted takes precedence.
  if (answer.status === TOO_EARLY && meaning !== 'unknown') return later('the engine restarts', limits.venueBPauseS);
  if (answer.status === HTTP_UNAUTHORIZED && meaning === 'expired') return later('the timestamp has expired', 1);
  return meaning === 'paused' ? later('trading is paused', limits.venueBPauseS) : null;
}
