// Publishes one venue's books and trades: follows the tape, and sends each market's records on the market's subject, numbered without a
// gap. A market begins with its whole book. After a lap, a new epoch or a reader's request, the whole book is sent again. The publisher's
// thread.

import { wordsOf } from '../../core/domain/error-words.ts';
import {
  BOOK_STATES,
  type BookState,
  type MarketKey,
  marketKey,
  type Side,
  STATE_REASONS,
  type StateReason,
  type Venue,
} from '../../core/domain/market.ts';
import type { MicroShares, Ticks, UnixMillis } from '../../core/domain/numbers.ts';
import type { NatsLink } from '../../core/nats/connection.ts';
import type { Log, LogFields } from '../../core/runtime/log.ts';
import type { MarketTemplate, ServerMessage } from '../../core/wire/messages.ts';
import { protobufCodec } from '../../core/wire/protobuf.ts';
import { limits } from '../../limits.ts';
import type { FeedSubscription } from '../../venues/feed.ts';
import { type LevelChanges, MarketTape, type TapeMarket, type TapeTrade } from '../book/market-tape.ts';
import type { Arena } from '../book/memory.ts';
import { BookCopy, levelsOf, WHOLE_BOOK } from '../book/reader.ts';
import { RECORD_RESET, RECORD_STATE, RECORD_TRADES_MISSED, type TapeReader } from '../book/tape-reader.ts';
import { encodeRelayed, HEARTBEAT_MS, marketSubject } from './protocol.ts';
import type { RelayCounts } from './relay-messages.ts';

interface BookPublisherParts {
  readonly venue: Venue;
  readonly arena: Arena;
  /** The id of the publisher in this life: each start of the thread makes a new id. */
  readonly publisher: string;
  /**
   * Sends a message, or drops it if nothing can be sent now; call `renewAll` when sending is possible again. Keeps a reference to
   * `message`.
   */
  readonly send: (subject: string, message: Uint8Array) => void;
  /** The time in monotonic milliseconds. */
  readonly elapsed: () => number;
}

/** A market's subject on NATS, and what was sent on it. */
interface Subject {
  readonly key: MarketKey;
  readonly name: string;
  readonly template: MarketTemplate;
  /** The number of the last message. */
  number: number;
  /** The epoch of the book that readers have; `seq` likewise. Epoch 0 means that readers have no book. */
  epoch: number;
  seq: number;
  /** The time at which the last message was sent on this subject, in monotonic milliseconds. */
  saidAt: number;
}

type Market = TapeMarket<Subject>;

export class BookPublisher {
  readonly #parts: BookPublisherParts;
  readonly #tape: MarketTape<Subject>;
  readonly #copy = new BookCopy(WHOLE_BOOK);
  /** Markets whose whole book is sent next. */
  readonly #dirty = new Set<Market>();

  constructor(parts: BookPublisherParts) {
    this.#parts = parts;
    this.#tape = new MarketTape<Subject>(parts.venue, parts.arena, {
      onChanges: (market, changes, tape, checksum) => this.#publishDelta(market, changes, tape, checksum),
      onMark: (market, tape) => this.#publishMark(market, tape),
      onTrade: (market, trade) => this.#publishTrade(market, trade),
      onLap: () => this.renewAll(),
    });
  }

  get markets(): number {
    return this.#tape.size;
  }

  list(address: string, binding: FeedSubscription): void {
    const { venue, publisher, elapsed } = this.#parts;
    this.unlist(address);
    this.#tape.list(address, binding, () => {
      const key = marketKey(venue, address);
      const name = marketSubject(publisher, venue, address);
      return { key, name, template: protobufCodec.template(key), number: 0, epoch: 0, seq: 0, saidAt: elapsed() };
    });
    this.renew(address);
  }

  /** Ends publishing a market, because its feed has dropped the market or ends. */
  unlist(address: string): void {
    const market = this.#tape.unlist(address);
    if (market === undefined) return;
    this.#dirty.delete(market);
    this.#publishMessage(market, stateOf(market.own, 'RESYNCING', 'FEED_RESTARTED'));
  }

  unlistAll(): void {
    for (const { address } of [...this.#tape.all()]) this.unlist(address);
  }

  /** Marks a market's whole book for sending, if the market is published. */
  renew(address: string): void {
    const market = this.#tape.get(address);
    if (market !== undefined) this.#dirty.add(market);
  }

  /**
   * Marks all whole books for sending, because messages were lost or could not be sent. Each market skips a number, by which readers see
   * that trades may be missing.
   */
  renewAll(): void {
    for (const market of this.#tape.all()) {
      market.own.number += 1;
      this.#dirty.add(market);
    }
  }

  /** Publishes at most one turn's number of the tape's unread records, and whole books that are due. Returns false if nothing was due. */
  follow(): boolean {
    const isNews = this.#tape.follow();
    return this.#publishBooks() || isNews;
  }

  /** Sends a heartbeat with epoch and seq for each market that has sent nothing for HEARTBEAT_MS. */
  beat(): void {
    const now = this.#parts.elapsed();
    for (const market of this.#tape.all()) {
      const { key, epoch, seq, saidAt } = market.own;
      if (now - saidAt < HEARTBEAT_MS || this.#dirty.has(market)) continue;
      this.#publishMessage(market, { type: 'heartbeat', books: [{ market: key, epoch, seq }] });
    }
  }

  #publishDelta(market: Market, changes: LevelChanges, tape: TapeReader, checksum: number): void {
    const { own } = market;
    // Readers have this delta in their book already, or get it with the next whole book.
    if (tape.epoch !== own.epoch || tape.seq <= own.seq || this.#dirty.has(market)) return;
    if (!this.#tape.stillHasBook(market)) return;
    const { template } = own;
    own.seq = tape.seq;
    template.beginDelta(tape.epoch, tape.seq);
    for (let index = 0; index < changes.count; index++) {
      const [side, price] = [changes.sides[index]! as Side, changes.prices[index]! as Ticks];
      template.change(side, price, changes.sizes[index]! as MicroShares);
    }
    this.#send(market, template.endDelta(checksum, tape.venueTime as UnixMillis, tape.receivedAt as UnixMillis));
  }

  #publishMark(market: Market, tape: TapeReader): void {
    const { own } = market;
    switch (tape.kind) {
      case RECORD_RESET:
        if (tape.epoch > own.epoch) this.#dirty.add(market);
        return;
      case RECORD_STATE: {
        if (tape.epoch < own.epoch || this.#dirty.has(market) || !this.#tape.stillHasBook(market)) return;
        this.#publishState(market, BOOK_STATES[tape.stateCode]!, STATE_REASONS[tape.reasonCode]!);
        return;
      }
      case RECORD_TRADES_MISSED: {
        const message = `${market.address}: some trades did not come from the venue; trades before this message may be missing`;
        this.#publishMessage(market, { type: 'error', id: null, code: 'TRADES_MISSED', message, rejected: [] });
        return;
      }
      default:
    }
  }

  #publishTrade(market: Market, trade: TapeTrade): void {
    if (this.#tape.stillHasBook(market)) this.#send(market, market.own.template.trade(trade));
  }

  #publishState(market: Market, state: BookState, reason: StateReason): void {
    if (state === 'RESYNCING') {
      market.own.epoch = 0;
      market.own.seq = 0;
    }
    this.#publishMessage(market, stateOf(market.own, state, reason));
  }

  /** Sends at most one turn's bytes of whole books. Returns false if no book was sent. */
  #publishBooks(): boolean {
    let bytes = 0;
    for (const market of this.#dirty) {
      if (bytes > limits.snapshotBytesPerTurn) return true;
      const isRead = this.#tape.read(market, this.#copy);
      if (!this.#tape.stillHasBook(market)) this.#dirty.delete(market);
      else if (isRead) {
        this.#dirty.delete(market);
        bytes += this.#publishBook(market);
      }
    }
    return bytes > 0;
  }

  /** Returns the size of the message in bytes. */
  #publishBook(market: Market): number {
    const copy = this.#copy;
    const { own } = market;
    const { state, reason, epoch, seq, checksum } = copy;
    if (state === 'RESYNCING') {
      this.#publishState(market, state, reason);
      return 1;
    }
    // The state goes first, because a snapshot does not give the reason of its state.
    if (state !== 'LIVE') this.#publishMessage(market, stateOf(own, state, reason));
    own.epoch = epoch;
    own.seq = seq;
    const times = { venueTime: copy.venueTime as UnixMillis, receivedAt: copy.receivedAt as UnixMillis };
    const levels = { bids: levelsOf(copy.bids), asks: levelsOf(copy.asks) };
    const message = { type: 'snapshot', market: own.key, epoch, seq, state, ...levels, checksum, ...times } as const;
    const frame = protobufCodec.encode(message);
    this.#send(market, frame, copy.lastTrade);
    return frame.length;
  }

  #publishMessage(market: Market, message: ServerMessage): void {
    this.#send(market, protobufCodec.encode(message));
  }

  #send({ own }: Market, frame: Uint8Array, lastTrade = 0): void {
    own.number += 1;
    own.saidAt = this.#parts.elapsed();
    this.#parts.send(own.name, encodeRelayed(own.number, lastTrade, frame));
  }
}

function stateOf({ key }: Subject, state: BookState, reason: StateReason): ServerMessage {
  return { type: 'state', market: key, state, reason };
}

interface OutletParts {
  readonly counters: RelayCounts;
  /** Called when messages can be sent again. Earlier messages may have been lost. */
  readonly onOpen: () => void;
  readonly log: Log;
}

/**
 * The most bytes of one message. A book on the finest grid, with 9 999 levels, takes less. A NATS server with a lower maximum refuses some
 * books.
 */
const MESSAGE_BYTES_MAX = 256 * 1024;

/** The most bytes that the server may leave unconfirmed. This is about one second of the largest burst that a gateway can publish. */
const BACKLOG_BYTES_MAX = 32 * 1024 * 1024;

/** The approximate number of bytes that NATS adds to a message. */
const OVERHEAD_BYTES = 200;

export class Outlet {
  readonly #parts: OutletParts;
  #link: NatsLink | null = null;
  #isPaused = false;
  /** The number of bytes sent; `#confirmed` has the number that the server has confirmed. */
  #sent = 0;
  #confirmed = 0;
  #isConfirming = false;
  #hasReportedRefusal = false;

  constructor(parts: OutletParts) {
    this.#parts = parts;
  }

  /** Begins to send over a connection. Call this once, when the first connection stands. */
  attach(link: NatsLink): void {
    const { counters, log, onOpen } = this.#parts;
    this.#link = link;
    counters.set('connected', 1);
    this.#checkRoom(link);
    link.onRefusal(words => this.#refused({ error: words }));
    link.onChange(isUp => {
      log.warn(isUp ? 'NATS connected again' : 'NATS connection lost');
      counters.set('connected', isUp ? 1 : 0);
      this.#isPaused = false;
      this.#confirmed = this.#sent;
      if (!isUp) return;
      this.#checkRoom(link);
      onOpen();
    });
    onOpen();
  }

  get isOpen(): boolean {
    return this.#link?.isUp === true && !this.#isPaused;
  }

  /** Sends a message, or drops it while the outlet is not open. Keeps a reference to `message`. */
  send(subject: string, message: Uint8Array): void {
    if (!this.isOpen) return;
    const { counters } = this.#parts;
    try {
      this.#link?.publish(subject, message);
    } catch (error) {
      this.#refused({ subject, bytes: message.length, error: wordsOf(error) });
      return;
    }
    counters.add('messages', 1);
    counters.add('bytes', message.length);
    this.#sent += message.length + OVERHEAD_BYTES;
    if (this.#sent - this.#confirmed > BACKLOG_BYTES_MAX) this.#pause();
  }

  /**
   * Counts a message that is too long, or whose subject is not permitted. Only the first refusal of each connection is logged, because
   * readers request the same book every second.
   */
  #refused(what: LogFields): void {
    this.#parts.counters.add('refused', 1);
    if (this.#hasReportedRefusal) return;
    this.#hasReportedRefusal = true;
    this.#parts.log.warn('NATS refuses a message', what);
  }

  #checkRoom({ messageBytesMax }: NatsLink): void {
    this.#hasReportedRefusal = false;
    if (messageBytesMax >= MESSAGE_BYTES_MAX) return;
    const setting = { max_payload: messageBytesMax, needed: MESSAGE_BYTES_MAX };
    this.#parts.log.warn('max_payload of NATS is too small for the largest books', setting);
  }

  /** Asks the server how far it has read; call this several times a second. */
  confirm(): void {
    const link = this.#link;
    if (link === null || !link.isUp || this.#isConfirming || this.#confirmed === this.#sent) return;
    const upTo = this.#sent;
    this.#isConfirming = true;
    link
      .flush()
      .then(() => this.#read(upTo))
      // A failure means that the connection was lost; `onChange` handles that.
      .catch(() => {})
      .finally(() => {
        this.#isConfirming = false;
      });
  }

  #read(upTo: number): void {
    this.#confirmed = Math.max(this.#confirmed, upTo);
    if (!this.#isPaused || this.#confirmed < this.#sent) return;
    this.#isPaused = false;
    this.#parts.onOpen();
  }

  #pause(): void {
    this.#isPaused = true;
    this.#parts.counters.add('pauses', 1);
    this.#parts.log.warn('NATS does not keep up: books pause', {
      limit: 'BACKLOG_BYTES_MAX',
      bytes: BACKLOG_BYTES_MAX,
    });
  }
}
