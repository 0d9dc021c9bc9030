// The counterparty of callers: a market flow with games that may go on day by day, or a recording. Thread of the paper exchanges.

import { textOf } from '../core/domain/json.ts';
import type { Venue } from '../core/domain/market.ts';
import type { UnixMillis } from '../core/domain/numbers.ts';
import type { QueueModel } from '../core/runtime/paper-terms.ts';
import { Random } from '../core/runtime/random.ts';
import type { Playback } from '../core/runtime/start-options.ts';
import type { Timers } from '../core/runtime/timers.ts';
import type { Recording as OwnRecording } from '../market-data/recording/open-recording.ts';
import type { RecordedSource } from '../market-data/recording/timeline.ts';
import type { Catalog } from './catalog/listings.ts';
import { lostBooks } from './flow/lost-books.ts';
import { MarketFlow } from './flow/market-flow.ts';
import { calibration } from './flow/market-maker.ts';
import { messagesOf, type RecordedFrame, stepsOf } from './flow/recorded-frames.ts';
import { RecordedHouse } from './flow/recorded-house.ts';
import { RecordedLiquidity } from './flow/recorded-liquidity.ts';
import type { Before } from './http-server.ts';
import type { KeptRows } from './kept-rows.ts';
import { LiveMarkets, type LiveMarketsParts } from './live/live-markets.ts';
import { namedMarkets } from './named-markets.ts';
import type { PlayedFrames } from './replay/played-frames.ts';
import { RecordingError } from './replay/recorder-forms.ts';
import { crossedText, noteText, type Recording, type RecordingNote, readRecording } from './replay/recording.ts';
import { withNoPrices } from './replay/venue-b-frame.ts';
import { Results, Season } from './season.ts';
import type { VenueAExchange } from './venue-a/exchange.ts';
import type { ScoreOf } from './venue-a/gamma/event-object.ts';
import type { VenueBExchange } from './venue-b/exchange.ts';

/** The exchanges, and their listings at the start. */
export interface Stage {
  readonly timers: Timers;
  readonly venueA: VenueAExchange;
  readonly venueB: VenueBExchange;
  readonly catalog: Catalog;
}

export interface Trading {
  /** Starts the trading. When it returns, every open book has its depth. */
  start(): void;
  /** Stops the trading. The books stay as they are. */
  stop(): void;
  readonly scoreOf: ScoreOf;
  /** Returns a promise that a request to a venue waits for. Absent if no request has to wait. */
  readonly before?: (venue: Venue, ...asked: Parameters<Before>) => ReturnType<Before>;
  /**
   * Brings the books to the present time, before the exchanges do something by themselves. Absent if the books are always at the present
   * time.
   */
  readonly catchUp?: () => void;
  /** The live markets. Absent unless the house has the books of the real venues. */
  readonly live?: LiveMarkets;
}

export interface SeasonTerms {
  readonly seed: number;
  readonly intensity: number;
  /** Returns the games of a later day. Null means that no day adds games. */
  readonly catalogOf: ((day: number) => Catalog) | null;
  /** The time around which the listings at the start are. The default is now. */
  readonly openedAt?: UnixMillis;
  /** Keeps listings for the next start. By default nothing is kept. */
  readonly kept?: KeptRows | null;
}

export function seasonTrading(stage: Stage, terms: SeasonTerms): Trading {
  const { seed, intensity, catalogOf, openedAt = stage.timers.now(), kept = null } = terms;
  const { timers, venueA, venueB, catalog } = stage;
  const results = new Results(venueA, venueB);
  results.await(catalog);
  const flow = new MarketFlow({
    catalog,
    timers,
    calibration,
    intensity,
    desks: { venueA: venueA.desk, venueB: venueB.desk },
    random: new Random(seed),
    onResult: (question, isTrue) => results.announce(question, isTrue),
  });
  const season = catalogOf && new Season({ timers, venueA, venueB, flow, results, catalogOf, openedAt, kept });
  return {
    start: () => {
      flow.start();
      season?.start();
    },
    stop: () => {
      season?.stop();
      flow.stop();
    },
    scoreOf: game => flow.score(game),
  };
}

interface RecordedTerms extends Pick<Playback, 'speed' | 'loop'> {
  /** Counts the played frames. */
  readonly played?: PlayedFrames | undefined;
  readonly queue: QueueModel;
}

/** Plays the frames of a recording. Its games never end, and have no scores. */
export function recordedTrading(stage: Stage, { frames }: RecordedFrames, terms: RecordedTerms): Trading {
  const { timers, venueA, venueB, catalog } = stage;
  const desks = { venueA: venueA.desk, venueB: venueB.desk };
  const liquidity = new RecordedLiquidity({ frames, catalog, desks, timers, ...terms });
  return { start: () => liquidity.start(), stop: () => liquidity.stop(), scoreOf: () => null };
}

/** Plays a recording that the gateway has made. Its games never end either. */
export function recordedHouse(
  { timers, venueA, venueB, catalog }: Stage,
  recording: OwnRecording,
  source: Omit<RecordedSource, 'folder'> & { readonly queue: QueueModel },
): Trading {
  const house = new RecordedHouse({
    recording,
    catalog,
    timers,
    desks: { venueA: venueA.desk, venueB: venueB.desk },
    ...source,
  });
  return {
    start: () => house.start(),
    stop: () => house.stop(),
    scoreOf: () => null,
    before: (venue, route, { body }, parameters) => {
      const named = namedMarkets(venue, route, body, parameters);
      return house.prepare(named?.addresses ?? [], named?.isOrder ?? false);
    },
    catchUp: () => house.catchUp(),
  };
}

/** Trades with live books. The real venues decide their games. Scores are not known. */
export function liveTrading({ timers, venueA, venueB }: Stage, source: Omit<LiveMarketsParts, keyof Stage>): Trading {
  const live = new LiveMarkets({ timers, venueA, venueB, ...source });
  return {
    start: () => live.start(),
    stop: () => live.stop(),
    scoreOf: () => null,
    before: (venue, ...asked) => live.before(venue, ...asked),
    live,
  };
}

/** The recordings as frames of both venues; replay/ reads their formats. */
interface RecordedFrames {
  /** The frames by time. The time of each recording counts from its own first frame. */
  readonly frames: readonly RecordedFrame[];
  /** Venue A: the tokens of each condition, the first token first, if a recording names them. */
  readonly tokensByCondition: ReadonlyMap<string, readonly [string, string]>;
  /** For each file a text that says which frames play and which do not. */
  readonly notes: readonly string[];
}

/** Reads the recordings. Rejects with a `RecordingError` for a file that cannot be played. */
export async function readFrames(files: readonly string[]): Promise<RecordedFrames> {
  const recordings = await Promise.all(files.map(readRecording));
  for (const { file, venue, note } of recordings) {
    if (note.crossedBooks.length === 0) continue;
    const words = `${crossedText(venue, note.crossedBooks)}: no exchange can have such a book`;
    throw new RecordingError(`${file}: ${words}; crossbook record import reads it, and that book is RESYNCING then`);
  }
  const read = recordings.map(recording => booksOf(recording));
  return {
    frames: read.flatMap(({ frames }) => frames).sort((a, b) => a.atMs - b.atMs),
    tokensByCondition: new Map(recordings.flatMap(({ facts }) => [...facts.tokensByCondition])),
    notes: read.map(({ note, lost }) => noteText(note) + lost),
  };
}

interface BookFrames {
  readonly frames: readonly RecordedFrame[];
  readonly note: RecordingNote;
  /** Says in words which books the frames lose. It is empty if they lose none. */
  readonly lost: string;
}

/** Returns the frames with books or trades. Other frames do not play. */
function booksOf(recording: Recording): BookFrames {
  const { venue, note } = recording;
  const skipped: Record<string, number> = { ...note.skipped };
  const texts = recording.frames.map(({ atMs, text }) => ({
    venue,
    atMs,
    text: recording.facts.yesPriced ? withNoPrices(text) : text,
  }));
  const frames = texts.filter(frame => {
    if (stepsOf(frame).length > 0) return true;
    const what = kindOf(frame);
    skipped[what] = (skipped[what] ?? 0) + 1;
    return false;
  });
  const lost = lostBooks(frames);
  return {
    frames: frames.map(frame => ({ ...frame, lost: lost.get(frame) ?? NONE })),
    note: { ...note, frames: frames.length, skipped },
    lost: lostText([...lost]),
  };
}

const NONE: readonly string[] = [];

function lostText(lost: readonly (readonly [frame: RecordedFrame, addresses: readonly string[]])[]): string {
  const [first] = lost;
  if (first === undefined) return '';
  const [{ atMs }, addresses] = first;
  return `; changes cross a book in ${lost.length} frames, first after ${atMs} ms (${addresses.join(', ')}): it is empty until it is stated again`;
}

function kindOf(frame: RecordedFrame): string {
  const [message] = messagesOf(frame);
  return textOf(message?.event_type) || textOf(message?.type);
}
