// What a replayed venue looks like to the rest of the replay: addresses to point a feed at, and a hand to play frames.
// venue-a-server.ts and venue-b-server.ts implement it. Replay thread.

import type { MarketKey } from '../domain/market.ts';

export interface VenueAddresses {
  readonly restUrl: string;
  readonly streamUrl: string;
}

export interface VenueServer extends VenueAddresses {
  /** Markets whose book is known from the start. Venue A: the first token of each; the other one is its mirror. */
  readonly markets: readonly MarketKey[];
  /** One frame of the session: into the venue's own view, and to every client that it concerns. */
  play(frame: string): void;
  /** Back to the start of the session; every client gets its books anew. */
  rewind(): void;
  /** Whether a client is so far behind that playing should wait. */
  isCongested(): boolean;
  close(): void;
}
