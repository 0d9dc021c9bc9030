// The port of a replayed venue: addresses for a feed, and a function to play frames. venue-a-server.ts and
// venue-b-server.ts implement it. Replay thread.

import type { MarketKey } from '../../core/domain/market.ts';

export interface VenueAddresses {
  readonly restUrl: string;
  readonly streamUrl: string;
}

export interface VenueServer extends VenueAddresses {
  /** Markets whose book is known from the start. Venue A has the first token of each; the other is its mirror. */
  readonly markets: readonly MarketKey[];
  /** Applies one frame to the venue's own view, and sends it to every client that it concerns. */
  play(frame: string): void;
  /** Restarts the session; every client gets its books again. */
  rewind(): void;
  /** Whether a client is so far behind that playing should pause. */
  isCongested(): boolean;
  close(): void;
}
