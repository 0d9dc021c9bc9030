// The script of a replay: markets of both venues, their books at the start, and the frames that follow. Made from
// recordings; tests make their own. Replay thread.

import { type JsonObject, parseJson, textOf } from '../../core/domain/json.ts';
import type { Venue } from '../../core/domain/market.ts';
import type { TimedFrame } from '../../market-data/recording/player.ts';
import { noteWords, type Recording, readRecording } from './recording.ts';
import type { VenueAFacts } from './venue-a-book.ts';
import { findFacts, parseMarketFrame } from './venue-a-facts.ts';
import { repriceNo } from './venue-b-book.ts';
import { type Broadcast, gridOfPrices, parseBroadcast, pricesOf, type VenueBListing } from './venue-b-frame.ts';

export interface SessionFrame extends TimedFrame {
  readonly venue: Venue;
  readonly text: string;
}

/** Frames with a clock of their own. */
interface Track {
  readonly open: () => Iterator<SessionFrame>;
  /** How many there are; 0 of an endless one. */
  readonly frames: number;
  /** The clock waits for a client of this venue; null: it starts at once. */
  readonly waitsFor: Venue | null;
}

export interface Script {
  readonly venueA: { readonly facts: readonly VenueAFacts[]; readonly initial: readonly string[] };
  readonly venueB: { readonly listings: readonly VenueBListing[]; readonly initial: readonly string[] };
  readonly tracks: readonly Track[];
  /** Conditions of venue A without a recorded book that confirms `min_order_size` and `neg_risk`. */
  readonly unconfirmed: readonly string[];
  /** Notes on each file, as text. */
  readonly recordings: readonly string[];
}

/** Rejects with a `RecordingError` for a file that cannot be played. */
export async function readScript(files: readonly string[]): Promise<Script> {
  return recordedScript(await Promise.all(files.map(readRecording)));
}

/** Plays recordings of one venue side by side, each from its own first frame. */
function recordedScript(recordings: readonly Recording[]): Script {
  const framesA = framesOf(recordings, 'venue_a');
  const framesB = framesOf(recordings, 'venue_b');
  const facts = findFacts(
    framesA.flatMap(({ text }) => parseMarketFrame(text)?.messages ?? []),
    new Map(recordings.flatMap(recording => [...recording.facts.tokensByCondition])),
  );
  const broadcasts = framesB.flatMap(({ text }) => parseBroadcast(text) ?? []);
  const splitA = splitInitial(framesA, openingJudgeA());
  const splitB = splitInitial(framesB, openingJudgeB());
  return {
    venueA: { facts, initial: splitA.initial },
    venueB: { listings: listingsOf(broadcasts), initial: splitB.initial },
    tracks: [
      ...(framesA.length > 0 ? [trackOf('venue_a', splitA.rest)] : []),
      ...(framesB.length > 0 ? [trackOf('venue_b', splitB.rest)] : []),
    ],
    unconfirmed: facts.filter(({ isConfirmed }) => !isConfirmed).map(({ conditionId }) => conditionId),
    recordings: recordings.map(({ note }) => noteWords(note)),
  };
}

function trackOf(venue: Venue, frames: readonly SessionFrame[]): Track {
  return { open: () => frames.values(), frames: frames.length, waitsFor: venue };
}

/** Frames by time, each recording from its own first frame. */
export function framesOf(recordings: readonly Recording[], venue: Venue): SessionFrame[] {
  const decoder = new TextDecoder();
  return recordings
    .filter(recording => recording.venue === venue)
    .flatMap(({ frames, facts }) =>
      frames.map(({ atMs, bytes }): SessionFrame => {
        const text = decoder.decode(bytes);
        return { venue, atMs, text: facts.yesPriced ? noPriced(text) : text };
      }),
    )
    .sort((a, b) => a.atMs - b.atMs);
}

/** Converts a frame that was recorded with `use_yes_price` to the form without it. */
export function noPriced(text: string): string {
  const broadcast = parseBroadcast(text);
  if (broadcast === null || broadcast.channel !== 'orderbook_delta') return text;
  return JSON.stringify({ ...(parseJson(text) as JsonObject), msg: repriceNo(broadcast.message) });
}

/** Removes frames that only state the starting books: every subscription states them again. */
function splitInitial(
  frames: readonly SessionFrame[],
  isOpening: (text: string) => boolean,
): { initial: string[]; rest: SessionFrame[] } {
  const initial: string[] = [];
  const rest: SessionFrame[] = [];
  for (const frame of frames) {
    if (isOpening(frame.text)) initial.push(frame.text);
    else rest.push(frame);
  }
  return { initial, rest };
}

/** The first `book` of a token whose market has not changed yet. */
function openingJudgeA(): (text: string) => boolean {
  const moved = new Set<string>();
  const stated = new Set<string>();
  return text => {
    const messages = parseMarketFrame(text)?.messages ?? [];
    const isOpening =
      messages.length > 0 &&
      messages.every(
        message =>
          message.event_type === 'book' && !moved.has(textOf(message.market)) && !stated.has(textOf(message.asset_id)),
      );
    for (const message of messages) {
      if (message.event_type === 'book') stated.add(textOf(message.asset_id));
      else moved.add(textOf(message.market));
    }
    return isOpening;
  };
}

/** The first snapshot of a market, unless a change came before it. */
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

/** Every named market, with the coarsest grid that fits its prices; a recording of the stream does not state the grid. */
function listingsOf(broadcasts: readonly Broadcast[]): VenueBListing[] {
  const byTicker = Map.groupBy(broadcasts, ({ ticker }) => ticker);
  byTicker.delete('');
  return [...byTicker].map(([ticker, messages]) => ({
    ticker,
    title: ticker,
    yesSubTitle: ticker.slice(ticker.lastIndexOf('-') + 1),
    ...gridOfPrices(messages.flatMap(({ message }) => pricesOf(message))),
  }));
}
