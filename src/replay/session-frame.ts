// A frame of a session on two venues at once: its venue and its time. Replay thread.

import type { Venue } from '../domain/market.ts';
import type { TimedFrame } from './player.ts';

export interface SessionFrame extends TimedFrame {
  readonly venue: Venue;
}
