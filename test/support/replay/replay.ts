// Two venues on loopback that play a script: recordings, or an invented session. Feeds connect to the venues' addresses, so that all code
// behind the feeds runs as with the real venues. A script's clock starts once every market has a subscriber, so that a client misses
// nothing.

import { createPublicKey } from 'node:crypto';
import { type JsonObject, textOf } from '../../../src/core/domain/json.ts';
import type { MarketKey, Venue } from '../../../src/core/domain/market.ts';
import { Player, type TimedFrame } from '../../../src/market-data/recording/timeline.ts';
import { type Recording, readRecording } from '../../../src/paper/replay/recording.ts';
import { findFacts, parseMarketFrame, type VenueAFacts } from '../../../src/paper/replay/venue-a-book.ts';
import { gridOfPrices, parseBroadcast, pricesOf, withNoPrices } from '../../../src/paper/replay/venue-b-frame.ts';
import { signerOf } from '../../../src/paper/venue-b/rest/access.ts';
import type { Fault, VenueAddresses, VenueServer } from './loopback.ts';
import { startVenueAServer } from './venue-a-server.ts';
import { startVenueBServer, type VenueBListing } from './venue-b-server.ts';

export interface SessionFrame extends TimedFrame {
  readonly venue: Venue;
  readonly text: string;
}

/** The markets of both venues, their books at the start, and the frames that follow. */
export interface Script {
  readonly venueA: { readonly facts: readonly VenueAFacts[]; readonly initial: readonly string[] };
  readonly venueB: { readonly listings: readonly VenueBListing[]; readonly initial: readonly string[] };
  /**
   * The tracks, each with a clock of its own, which waits for the clients of a venue. `waitsFor` null means that the clock starts at once.
   */
  readonly tracks: readonly { readonly open: () => Iterator<SessionFrame>; readonly waitsFor: Venue | null }[];
}

export interface ReplayOptions {
  readonly script: Script;
  /** The factor over the recorded speed. */
  readonly speed: number;
  /** The number of markets of the venue that must have a subscriber before the clock starts. The default is all markets. */
  readonly startAfterMarkets?: number;
  /** The only key that may open venue B's stream. */
  readonly venueBKey: { readonly id: string; readonly publicKeyPem: string };
  readonly faults?: { readonly venueA?: readonly Fault[]; readonly venueB?: readonly Fault[] };
}

export interface ReplayServers {
  readonly venueA: VenueAddresses;
  readonly venueB: VenueAddresses;
  /** The markets whose book is known from the start. Venue A has its first tokens here. */
  readonly markets: readonly MarketKey[];
  /** Resolves when every recording has been played. Never resolves for an endless recording. */
  readonly finished: Promise<void>;
  close(): void;
}

export async function startReplay(options: ReplayOptions): Promise<ReplayServers> {
  const { script, speed, venueBKey, faults, startAfterMarkets = Number.MAX_SAFE_INTEGER } = options;
  const wanted = { venue_a: new Set<string>(), venue_b: new Set<string>() };
  const hear = (venue: Venue) => (markets: Iterable<string>) => {
    for (const market of markets) wanted[venue].add(market);
    for (const { player, waitsFor } of players)
      if (waitsFor === venue && wanted[venue].size >= Math.min(startAfterMarkets, servers[venue].markets.length))
        player.start();
  };
  const key = { publicKey: createPublicKey(venueBKey.publicKeyPem) };
  const servers: Readonly<Record<Venue, VenueServer>> = {
    venue_a: await startVenueAServer({ ...script.venueA, faults: faults?.venueA ?? [], onWanted: hear('venue_a') }),
    venue_b: await startVenueBServer({
      ...script.venueB,
      refusal: request => {
        const signer = signerOf(request, id => (id === venueBKey.id ? key : undefined), Date.now());
        return signer.ok ? null : signer.error;
      },
      faults: faults?.venueB ?? [],
      onWanted: hear('venue_b'),
    }),
  };
  const { venue_a: venueA, venue_b: venueB } = servers;
  const players = script.tracks.map(({ open, waitsFor }) => {
    const player = new Player<SessionFrame>({
      open,
      speed,
      deliver: ({ venue, text }) => servers[venue].play(text),
      isCongested: () => venueA.isCongested() || venueB.isCongested(),
      rewind: null,
    });
    if (waitsFor === null) player.start();
    return { player, waitsFor };
  });
  return {
    venueA: { restUrl: venueA.restUrl, streamUrl: venueA.streamUrl },
    venueB: { restUrl: venueB.restUrl, streamUrl: venueB.streamUrl },
    markets: [...venueA.markets, ...venueB.markets],
    finished: Promise.all(players.map(({ player }) => player.finished)).then(() => {}),
    close: () => {
      for (const { player } of players) player.stop();
      venueA.close();
      venueB.close();
    },
  };
}

/** Reads recordings of one venue that play side by side, each from its own first frame. */
export async function readScript(files: readonly string[]): Promise<Script> {
  const recordings = await Promise.all(files.map(readRecording));
  const framesA = framesOf(recordings, 'venue_a');
  const framesB = framesOf(recordings, 'venue_b');
  const facts = findFacts(
    framesA.flatMap(({ text }) => parseMarketFrame(text)?.messages ?? []),
    new Map(recordings.flatMap(recording => [...recording.facts.tokensByCondition])),
  );
  const broadcasts = framesB.flatMap(({ text }) => parseBroadcast(text) ?? []);
  const byTicker = Map.groupBy(broadcasts, ({ ticker }) => ticker);
  byTicker.delete('');
  const listings = [...byTicker].map(([ticker, own]) => {
    const priceRanges = gridOfPrices(own.flatMap(({ message }) => pricesOf(message)));
    return { ticker, priceRanges };
  });
  const [openingA = [], restA = []] = split(framesA, openingJudgeA());
  const [openingB = [], restB = []] = split(framesB, openingJudgeB());
  const trackOf = (waitsFor: Venue, frames: readonly SessionFrame[]) => ({ open: () => frames.values(), waitsFor });
  return {
    venueA: { facts, initial: openingA.map(({ text }) => text) },
    venueB: { listings, initial: openingB.map(({ text }) => text) },
    tracks: [
      ...(framesA.length > 0 ? [trackOf('venue_a', restA)] : []),
      ...(framesB.length > 0 ? [trackOf('venue_b', restB)] : []),
    ],
  };
}

function framesOf(recordings: readonly Recording[], venue: Venue): SessionFrame[] {
  return recordings
    .filter(recording => recording.venue === venue)
    .flatMap(({ frames, facts }) =>
      frames.map(({ atMs, text }) => ({ venue, atMs, text: facts.yesPriced ? withNoPrices(text) : text })),
    )
    .sort((a, b) => a.atMs - b.atMs);
}

/** Splits the frames into frames that only state the starting books, which every subscription states again, and all others. */
function split(frames: readonly SessionFrame[], isOpening: (text: string) => boolean): SessionFrame[][] {
  const judged = frames.map(frame => ({ frame, opens: isOpening(frame.text) }));
  return [true, false].map(it => judged.filter(({ opens }) => opens === it).map(({ frame }) => frame));
}

/** Returns a judge that accepts the first `book` of a token whose market has not changed yet. */
function openingJudgeA(): (text: string) => boolean {
  const moved = new Set<string>();
  const stated = new Set<string>();
  return text => {
    const messages = parseMarketFrame(text)?.messages ?? [];
    const isFirst = ({ event_type: type, market, asset_id: token }: JsonObject): boolean =>
      type === 'book' && !moved.has(textOf(market)) && !stated.has(textOf(token));
    const isOpening = messages.length > 0 && messages.every(isFirst);
    for (const { event_type: type, market, asset_id: token } of messages) {
      if (type === 'book') stated.add(textOf(token));
      else moved.add(textOf(market));
    }
    return isOpening;
  };
}

/** Returns a judge that accepts the first snapshot of a market, unless a change came before it. */
function openingJudgeB(): (text: string) => boolean {
  const seen = new Set<string>();
  return text => {
    const broadcast = parseBroadcast(text);
    if (broadcast?.channel !== 'orderbook_delta') return false;
    const isOpening = broadcast.type === 'orderbook_snapshot' && !seen.has(broadcast.ticker);
    seen.add(broadcast.ticker);
    return isOpening;
  };
}
