// One venue's real feed, run on its capture. Frames go in. Books, trades and states come out on a tape of its own, as in a gateway. The
// feed runs without sockets, threads or waiting. The command line's process.

import { generateKeyPairSync } from 'node:crypto';
import type { BookId, BookState, StateReason, Venue } from '../../../core/domain/market.ts';
import { AssertionFailure } from '../../../core/domain/result.ts';
import { FeedCounters } from '../../../core/metrics/feed-counters.ts';
import { silentLog } from '../../../core/runtime/log.ts';
import { BookIndexWriter } from '../../../market-data/book/book-index-writer.ts';
import { type Arena, indexOf, regionOf } from '../../../market-data/book/memory.ts';
import { BookWriter } from '../../../market-data/book/writer.ts';
import { RecordingError } from '../../../paper/replay/recorder-forms.ts';
import type { FeedAnswer, FeedSubscription, MarketFeed } from '../../../venues/feed.ts';
import { createVenueAFeed } from '../../../venues/venue-a/feed.ts';
import { createVenueBFeed } from '../../../venues/venue-b/feed.ts';
import type { CaptureClock, CapturedFrame, Survey } from './capture-frames.ts';
import { type CapturedVenue, CapturedVenueA, CapturedVenueB, VENUE_A_URLS, VENUE_B_URLS } from './captured-venue.ts';

interface CapturedFeedParts {
  readonly survey: Survey;
  readonly clock: CaptureClock;
  readonly arena: Arena;
  /** Is called when a market has got its book. */
  readonly onBook: (venue: Venue, address: string, subscription: FeedSubscription) => void;
}

/** The largest number of turns until the feed has its connection and its answers. Usually it takes a few. */
const TURNS_MAX = 100_000;

export class CapturedFeed {
  readonly #parts: CapturedFeedParts;
  readonly #venue: CapturedVenue;
  readonly #feed: MarketFeed;
  readonly #sink: CountingWriter;
  readonly #index: BookIndexWriter;
  readonly #subscribed = new Set<string>();

  constructor(parts: CapturedFeedParts) {
    const { survey, clock, arena } = parts;
    this.#parts = parts;
    this.#index = new BookIndexWriter(indexOf(arena));
    this.#venue = venueOf(survey, clock);
    const sink = new CountingWriter(regionOf(arena, survey.venue), () => {});
    this.#sink = sink;
    sink.receivedAt = clock.now();
    const { connect, get } = this.#venue;
    const feedParts = {
      sink,
      connect,
      get,
      timers: clock,
      counters: new FeedCounters(),
      log: silentLog,
      expireFacts: () => {},
      random: () => 0,
    };
    this.#feed =
      survey.venue === 'venue_a'
        ? createVenueAFeed(feedParts, VENUE_A_URLS)
        : createVenueBFeed(feedParts, { ...VENUE_B_URLS, keyId: 'capture', privateKeyPem: newKey() });
    this.#feed.start();
  }

  /** The number of markets that have got a book so far. */
  get markets(): number {
    return this.#subscribed.size;
  }

  /** The number of times that a book was shown, and then lost. */
  get booksLost(): number {
    return this.#sink.booksLost;
  }

  /**
   * Plays a frame. Returns null if that is done already. Otherwise resolves once it is done, and rejects with a `RecordingError` if there
   * is no room for a book.
   */
  play(frame: CapturedFrame): Promise<void> | null {
    const { clock } = this.#parts;
    clock.moveTo(frame.arrivalMs!);
    this.#venue.drain();
    const isNew = (address: string): boolean => !this.#subscribed.has(address);
    if (!this.#isSettled || this.#venue.booksIn(frame).some(isNew)) return this.#playLater(frame);
    return this.#venue.play(frame) ? null : this.#playLater({ ...frame, after: 'frames' });
  }

  close(): void {
    this.#feed.close();
  }

  get #isSettled(): boolean {
    return this.#venue.isSettled && !this.#parts.clock.hasDue;
  }

  async #playLater(frame: CapturedFrame): Promise<void> {
    await this.#settle();
    await this.#subscribe(
      this.#venue.booksIn(frame).filter(address => !this.#subscribed.has(address)),
      frame.file,
    );
    await this.#settle();
    if (this.#venue.play(frame)) return;
    await this.#settle();
    this.#venue.play({ ...frame, after: 'frames' });
  }

  async #subscribe(addresses: readonly string[], file: string): Promise<void> {
    const { survey, onBook } = this.#parts;
    const answers = new Map<string, FeedAnswer>();
    for (const address of addresses) {
      this.#subscribed.add(address);
      void this.#feed.subscribe(address).then(answer => answers.set(address, answer));
    }
    await this.#until(() => answers.size === new Set(addresses).size);
    for (const [address, answer] of answers) {
      if ('code' in answer) throw new RecordingError(`${file}: ${answer.message}`);
      this.#index.put(survey.venue, address, answer);
      onBook(survey.venue, address, answer);
    }
  }

  #settle(): Promise<void> {
    return this.#until(() => this.#isSettled);
  }

  /** Runs turns until `isDone` returns true. During that time the venue answers at once. */
  async #until(isDone: () => boolean): Promise<void> {
    for (let turn = 0; turn < TURNS_MAX; turn += 1) {
      this.#venue.drain();
      // Waiting for a turn lets pending promises run first.
      await new Promise(resolve => setImmediate(resolve));
      this.#venue.drain();
      if (isDone()) return;
      this.#parts.clock.skip();
    }
    throw new AssertionFailure('the feed does not settle');
  }
}

/** Counts lost books. A book that was never shown does not count as lost, even if the feed requests it again and again. */
class CountingWriter extends BookWriter {
  booksLost = 0;

  override abandon(book: BookId, reason: StateReason): void {
    this.#count(book);
    super.abandon(book, reason);
  }

  override setState(book: BookId, state: BookState, reason: StateReason): void {
    if (state === 'RESYNCING') this.#count(book);
    super.setState(book, state, reason);
  }

  #count(book: BookId): void {
    if (this.stateOf(book) !== 'RESYNCING') this.booksLost += 1;
  }
}

function venueOf(survey: Survey, clock: CaptureClock): CapturedVenue {
  if (survey.venue === 'venue_a') return new CapturedVenueA(clock, survey.facts);
  return new CapturedVenueB(clock, survey.ranges, survey.yesPriced);
}

/** A key for the feed, which signs its requests. Nobody checks the signatures. */
function newKey(): string {
  return generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
}
