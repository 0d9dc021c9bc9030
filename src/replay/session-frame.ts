// A frame of a session that is played on two venues at once: which venue says it, and when. Replay thread.

import type { Venue } from '../domain/market.ts';
import type { TimedFrame } from './player.ts';

export interface SessionFrame extends TimedFrame {
  readonly venue: Venue;
}
