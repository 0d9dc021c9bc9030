// The replay source: one loopback server per venue, played by a script. Feeds connect to its addresses, so that
// everything behind them runs as with the real venues. Replay thread; tests start it in-process.

import type { MarketKey, Venue } from '../../core/domain/market.ts';
import { limits } from '../../limits.ts';
import { Player } from '../../market-data/recording/player.ts';
import type { Fault } from './faults.ts';
import type { VenueAddresses, VenueServer } from './loopback.ts';
import type { PlayedFrames } from './played-frames.ts';
import type { Script, SessionFrame } from './script.ts';
import { startVenueAServer } from './venue-a-server.ts';
import { accessJudge, type VenueBKey } from './venue-b-access.ts';
import { startVenueBServer } from './venue-b-server.ts';

export interface ReplayOptions {
  readonly script: Script;
  /** Factor over the recorded speed; above 0. */
  readonly speed: number;
  /** Restarts tracks that wait for a venue's clients, after they have ended. */
  readonly loop: boolean;
  /** The one key that may open venue B's stream. */
  readonly venueBKey: VenueBKey;
  /**
   * A recording's clock starts once this many of its venue's markets have a subscriber; 1 by default. If the venue has fewer, all of them.
   */
  readonly startAfterMarkets?: number;
  /** Counts the played frames. */
  readonly played?: PlayedFrames;
  readonly faults?: { readonly venueA?: readonly Fault[]; readonly venueB?: readonly Fault[] };
}

/** Facts for the main thread; crosses threads as a message. */
export interface ReplayListening {
  readonly venueA: VenueAddresses;
  readonly venueB: VenueAddresses;
  /** Markets whose book is known from the start. Others can be subscribed but do not verify. Venue A has its first tokens here. */
  readonly markets: readonly MarketKey[];
  /** Conditions of venue A without a recorded book that confirms the inputs of their hashes. */
  readonly unconfirmed: readonly string[];
  /** Notes on each file, as text. */
  readonly recordings: readonly string[];
}

export interface ReplayServers extends ReplayListening {
  /** Resolves when every recording has been played once; never for an endless one. */
  readonly finished: Promise<void>;
  close(): void;
}

/** Starts both venues. Rejects with a `RangeError` for a bad speed. */
export async function startReplay(options: ReplayOptions): Promise<ReplayServers> {
  const { script, speed, loop, faults, played } = options;
  if (!(speed > 0 && speed <= limits.replaySpeedMax)) {
    throw new RangeError(`speed: must be above 0 and at most ${limits.replaySpeedMax}`);
  }
  const gates = { venue_a: new Gate(), venue_b: new Gate() };
  const venueA = await startVenueAServer({
    ...script.venueA,
    faults: faults?.venueA ?? [],
    onWanted: conditions => gates.venue_a.arrive(conditions),
  });
  const venueB = await startVenueBServer({
    ...script.venueB,
    refusal: accessJudge(options.venueBKey, Date.now),
    faults: faults?.venueB ?? [],
    onWanted: tickers => gates.venue_b.arrive(tickers),
  });
  const servers: Readonly<Record<Venue, VenueServer>> = { venue_a: venueA, venue_b: venueB };
  const players = script.tracks.map(({ open, frames, waitsFor }) => {
    played?.expect(frames);
    const player = new Player<SessionFrame>({
      open,
      speed,
      deliver: ({ venue, text }) => {
        servers[venue].play(text);
        played?.add(1);
      },
      isCongested: () => venueA.isCongested() || venueB.isCongested(),
      rewind:
        loop && waitsFor !== null
          ? () => {
              servers[waitsFor].rewind();
              played?.add(-frames);
            }
          : null,
    });
    if (waitsFor === null) player.start();
    else gates[waitsFor].open(servers[waitsFor].markets.length, options.startAfterMarkets ?? 1, () => player.start());
    return player;
  });
  return {
    venueA: { restUrl: venueA.restUrl, streamUrl: venueA.streamUrl },
    venueB: { restUrl: venueB.restUrl, streamUrl: venueB.streamUrl },
    markets: [...venueA.markets, ...venueB.markets],
    unconfirmed: script.unconfirmed,
    recordings: script.recordings,
    finished: Promise.all(players.map(({ finished }) => finished)).then(() => {}),
    close: () => {
      for (const player of players) player.stop();
      venueA.close();
      venueB.close();
    },
  };
}

/** Holds a recording's clock until enough of its markets have a subscriber, so that a client misses nothing. */
class Gate {
  readonly #wanted = new Set<string>();
  #required = Number.POSITIVE_INFINITY;
  #start: () => void = () => {};

  open(marketCount: number, required: number, start: () => void): void {
    this.#required = Math.max(1, Math.min(required, marketCount));
    this.#start = start;
  }

  arrive(markets: Iterable<string>): void {
    for (const market of markets) this.#wanted.add(market);
    if (this.#wanted.size >= this.#required) this.#start();
  }
}
