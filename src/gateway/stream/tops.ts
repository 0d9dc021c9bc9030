// The streams of the best levels of one venue's books: the book channel with a `depth`, and the quote channel. A book's best levels are
// read from shared memory after the tape is drained, and only if a change touched them. Main thread.

import type { BookState, Side } from '../../core/domain/market.ts';
import type { Ticks, UnixMillis } from '../../core/domain/numbers.ts';
import { hasCome, type Timers } from '../../core/runtime/timers.ts';
import type { Quote, Snapshot } from '../../core/wire/messages.ts';
import { limits } from '../../limits.ts';
import { BestLevels } from './best-levels.ts';
import type { StreamBook } from './book.ts';
import { DepthStream, type ReadBook } from './depth-stream.ts';
import { Outlets, type Publish } from './outlets.ts';
import { PacedStream } from './paced-stream.ts';

type QuoteStream = PacedStream<Quote>;

interface TopsParts {
  readonly read: ReadBook;
  readonly publish: Publish;
  readonly timers: Timers;
  /** Suspends clients that have too much unsent data to take snapshots in addition. */
  readonly suspendLaggards: () => void;
}

/** A stream with the number of its subscriptions, including suspended ones. */
interface Used<Stream> {
  readonly stream: Stream;
  users: number;
}

interface BookTops {
  readonly best: BestLevels;
  /** The depth streams by their number of levels on each side. */
  readonly depths: Map<number, Used<DepthStream>>;
  /** The quote streams by their interval in milliseconds. */
  readonly quotes: Map<number, Used<QuoteStream>>;
  /** The functions that are called when the best levels were read again. */
  readonly watchers: Set<() => void>;
}

export class Tops {
  readonly #parts: TopsParts;
  readonly #books = new Map<StreamBook, BookTops>();
  readonly #changedBooks = new Set<StreamBook>();

  constructor(parts: TopsParts) {
    this.#parts = parts;
  }

  /** Adds a user to the stream of a depth. `releaseDepth` must be called once for each call. */
  depth(book: StreamBook, depth: number): DepthStream {
    const stream = () => new DepthStream(book, depth, this.#outlets(book, `d${depth}`));
    return use(this.#of(book).depths, depth, stream);
  }

  /** Does the same as `depth`, for an interval in milliseconds. `releaseQuotes` must be called once for each call. */
  quotes(book: StreamBook, intervalMs: number): QuoteStream {
    const { quotes, best } = this.#of(book);
    const stream = () => new PacedStream(intervalMs, best, this.#outlets(book, `q${intervalMs}`), this.#parts.timers);
    return use(quotes, intervalMs, stream);
  }

  releaseDepth(book: StreamBook, depth: number): void {
    release(this.#of(book).depths, depth);
    this.#forgetUnused(book);
  }

  releaseQuotes(book: StreamBook, intervalMs: number): void {
    release(this.#of(book).quotes, intervalMs)?.close();
    this.#forgetUnused(book);
  }

  /**
   * The snapshot for a new subscriber of a depth. The next message of the stream follows it. Returns null if there are no levels to trust
   * yet.
   */
  firstOf(stream: DepthStream): Snapshot | null {
    return stream.snapshot(this.#parts.read, this.#now());
  }

  /** The quote for a new subscriber. Returns null if the book cannot be read now. The quote is then sent later. */
  firstQuote(book: StreamBook, stream: QuoteStream): Quote | null {
    if (!this.#refreshBest(this.#of(book))) this.#changedBooks.add(book);
    return stream.first();
  }

  /** Calls `changed` whenever the best levels may have changed, until the returned function is called. */
  watch(book: StreamBook, changed: () => void): () => void {
    const tops = this.#of(book);
    tops.watchers.add(changed);
    if (!this.#refreshBest(tops)) this.#changedBooks.add(book);
    return () => {
      tops.watchers.delete(changed);
      this.#forgetUnused(book);
    };
  }

  /** The best levels of a watched book. Returns null if they could not be read yet. */
  best(book: StreamBook): Quote | null {
    return this.#books.get(book)?.best.latest() ?? null;
  }

  /** Whether no stream needs changes of the book. */
  get isUnused(): boolean {
    return this.#books.size === 0;
  }

  /** Takes in a change of a level. */
  markLevelChanged(book: StreamBook, side: Side, price: Ticks): void {
    const tops = this.#books.get(book);
    if (tops !== undefined && isTouched(tops, side, price)) this.#changedBooks.add(book);
  }

  /** Takes in a change of the whole book: a new epoch, another state, or unknown changes. */
  markBookChanged(book: StreamBook): void {
    if (this.#books.has(book)) this.#changedBooks.add(book);
  }

  /** Notes that subscribers of the book are sent its state now. */
  noteSentState(book: StreamBook, state: BookState): void {
    for (const { stream } of this.#books.get(book)?.depths.values() ?? []) stream.noteSentState(state);
    this.markBookChanged(book);
  }

  /** Sends the changes, at most one turn's share. Returns false if changes are left. */
  flush(): boolean {
    if (this.#changedBooks.size === 0) return true;
    let bytes = 0;
    const busy: StreamBook[] = [];
    for (const book of this.#changedBooks) {
      if (bytes > limits.snapshotBytesPerTurn) {
        this.#parts.suspendLaggards();
        break;
      }
      this.#changedBooks.delete(book);
      const tops = this.#books.get(book);
      if (tops === undefined) continue;
      const sent = this.#refresh(book, tops);
      if (sent === null) busy.push(book);
      else bytes += sent;
    }
    for (const book of busy) this.#changedBooks.add(book);
    return this.#changedBooks.size === 0;
  }

  /** Sends heartbeats for quiet depth streams. `now` is in Unix milliseconds. */
  beat(now: UnixMillis): void {
    const { heartbeatIntervalMs } = limits;
    const isQuiet = (saidAt: number) => hasCome(saidAt + heartbeatIntervalMs, now, heartbeatIntervalMs);
    for (const { depths } of this.#books.values()) for (const { stream } of depths.values()) stream.beat(isQuiet, now);
  }

  /** Sends the changes of a book. Returns the bytes of its depth streams. Returns null if the book cannot be read now. */
  #refresh(book: StreamBook, tops: BookTops): number | null {
    const { read } = this.#parts;
    let bytes = 0;
    if (book.binding !== null) {
      for (const { stream } of tops.depths.values()) {
        const sent = stream.refresh(read, this.#now());
        if (sent === null) return null;
        bytes += sent;
      }
    }
    return !needsBest(tops) || this.#refreshBest(tops) ? bytes : null;
  }

  #refreshBest({ best, quotes, watchers }: BookTops): boolean {
    if (!best.refresh(this.#parts.read, this.#now())) return false;
    for (const { stream } of quotes.values()) stream.update();
    for (const changed of watchers) changed();
    return true;
  }

  #of(book: StreamBook): BookTops {
    const known = this.#books.get(book);
    if (known !== undefined) return known;
    const best = new BestLevels(book);
    const tops: BookTops = { best, depths: new Map(), quotes: new Map(), watchers: new Set() };
    this.#books.set(book, tops);
    return tops;
  }

  #forgetUnused(book: StreamBook): void {
    const tops = this.#of(book);
    if (tops.depths.size === 0 && !needsBest(tops)) this.#books.delete(book);
  }

  #outlets({ outlets, topicPrefix }: StreamBook, name: string): Outlets {
    const codecs = outlets.map(({ codec }) => codec);
    return new Outlets(codecs, `${topicPrefix}${name}`, this.#parts.publish);
  }

  #now(): UnixMillis {
    return this.#parts.timers.now();
  }
}

function needsBest({ quotes, watchers }: BookTops): boolean {
  return quotes.size + watchers.size > 0;
}

function isTouched(tops: BookTops, side: Side, price: Ticks): boolean {
  if (needsBest(tops) && tops.best.isTouchedBy(side, price)) return true;
  for (const { stream } of tops.depths.values()) if (stream.isTouchedBy(side, price)) return true;
  return false;
}

function use<Stream>(streams: Map<number, Used<Stream>>, key: number, create: () => Stream): Stream {
  const known = streams.get(key) ?? { stream: create(), users: 0 };
  known.users += 1;
  streams.set(key, known);
  return known.stream;
}

/** Removes one user of a stream. Returns the stream if that was its last user. */
function release<Stream>(streams: Map<number, Used<Stream>>, key: number): Stream | null {
  const used = streams.get(key);
  if (used === undefined) return null;
  used.users -= 1;
  if (used.users > 0) return null;
  streams.delete(key);
  return used.stream;
}
