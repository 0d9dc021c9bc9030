// Publishes one venue's books and trades: follows the tape, and sends each market's records on the subject of the market, numbered without
// a gap. A market begins with its whole book; after a lap, a new epoch or a reader's request comes the whole book again. The publisher's
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
  /** Id of this life of the publisher. */
  readonly publisher: string;
  /** Drops the message if nothing can be sent now; call `renewAll` when it can again. Keeps `message`. */
  readonly send: (subject: string, message: Uint8Array) => void;
  /** The time in monotonic milliseconds. */
  readonly elapsed: () => number;
}

/** The subject of a market. */
interface Subject {
  readonly key: MarketKey;
  readonly name: string;
  readonly template: MarketTemplate;
  /** The number of the last message. */
  number: number;
  /** Position of the book that readers have; epoch 0: none. */
  epoch: number;
  seq: number;
  /** When it was last sent anything; monotonic milliseconds. */
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

  /** The feed has dropped the market, or ends. */
  unlist(address: string): void {
    const market = this.#tape.unlist(address);
    if (market === undefined) return;
    this.#dirty.delete(market);
    this.#say(market, stateOf(market.own, 'RESYNCING', 'FEED_RESTARTED'));
  }

  unlistAll(): void {
    for (const { address } of [...this.#tape.all()]) this.unlist(address);
  }

  /** Sends the whole book of a market next, if it is published. */
  renew(address: string): void {
    const market = this.#tape.get(address);
    if (market !== undefined) this.#dirty.add(market);
  }

  /** Messages were lost, or could not be sent: whole books follow, and their readers see by the numbers that trades may be missing. */
  renewAll(): void {
    for (const market of this.#tape.all()) {
      market.own.number += 1;
      this.#dirty.add(market);
    }
  }

  /** Publishes the tape's unread records, a turn's worth at most. False: there were none. */
  follow(): boolean {
    const isNews = this.#tape.follow();
    return this.#publishBooks() || isNews;
  }

  /** Says where markets stand that have said nothing for HEARTBEAT_MS. */
  beat(): void {
    const now = this.#parts.elapsed();
    for (const market of this.#tape.all()) {
      const { key, epoch, seq, saidAt } = market.own;
      if (now - saidAt < HEARTBEAT_MS || this.#dirty.has(market)) continue;
      this.#say(market, { type: 'heartbeat', books: [{ market: key, epoch, seq }] });
    }
  }

  #publishDelta(market: Market, changes: LevelChanges, tape: TapeReader, checksum: number): void {
    const { own } = market;
    // Older than the book that readers have, or covered by the next one.
    if (tape.epoch !== own.epoch || tape.seq <= own.seq || this.#dirty.has(market)) return;
    if (!this.#tape.isHeld(market)) return;
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
        if (tape.epoch < own.epoch || this.#dirty.has(market) || !this.#tape.isHeld(market)) return;
        this.#publishState(market, BOOK_STATES[tape.stateCode]!, STATE_REASONS[tape.reasonCode]!);
        return;
      }
      case RECORD_TRADES_MISSED: {
        const message = `${market.address}: some did not come from its venue; trades before this message may be missing`;
        this.#say(market, { type: 'error', id: null, code: 'TRADES_MISSED', message, rejected: [] });
        return;
      }
      default:
    }
  }

  #publishTrade(market: Market, trade: TapeTrade): void {
    if (this.#tape.isHeld(market)) this.#send(market, market.own.template.trade(trade));
  }

  #publishState(market: Market, state: BookState, reason: StateReason): void {
    if (state === 'RESYNCING') {
      market.own.epoch = 0;
      market.own.seq = 0;
    }
    this.#say(market, stateOf(market.own, state, reason));
  }

  /** Sends a turn's worth of whole books. False: none was due. */
  #publishBooks(): boolean {
    let bytes = 0;
    for (const market of this.#dirty) {
      if (bytes > limits.snapshotBytesPerTurn) return true;
      const isRead = this.#tape.read(market, this.#copy);
      if (!this.#tape.isHeld(market)) this.#dirty.delete(market);
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
    // A snapshot does not say why the book is in its state.
    if (state !== 'LIVE') this.#say(market, stateOf(own, state, reason));
    own.epoch = epoch;
    own.seq = seq;
    const times = { venueTime: copy.venueTime as UnixMillis, receivedAt: copy.receivedAt as UnixMillis };
    const levels = { bids: levelsOf(copy.bids), asks: levelsOf(copy.asks) };
    const message = { type: 'snapshot', market: own.key, epoch, seq, state, ...levels, checksum, ...times } as const;
    const frame = protobufCodec.encode(message);
    this.#send(market, frame, copy.lastTrade);
    return frame.length;
  }

  #say(market: Market, message: ServerMessage): void {
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
  /** Messages may have been lost, and can be sent again. */
  readonly onOpen: () => void;
  readonly log: Log;
}

/** The finest grid, 9 999 levels, takes less. A server that takes less than this refuses some books. */
const MESSAGE_BYTES_MAX = 256 * 1024;

/** About a second of the largest burst that a gateway can publish. */
const BACKLOG_BYTES_MAX = 32 * 1024 * 1024;

/** The approximate size that NATS adds to a message. */
const OVERHEAD_BYTES = 200;

export class Outlet {
  readonly #parts: OutletParts;
  #link: NatsLink | null = null;
  #isPaused = false;
  /** Sent bytes, and those that the server has confirmed. */
  #sent = 0;
  #confirmed = 0;
  #isConfirming = false;
  #hasReportedRefusal = false;

  constructor(parts: OutletParts) {
    this.#parts = parts;
  }

  /** Call this once, when the first connection stands. */
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

  /** Keeps `message`. Drops it while it is not open. */
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
   * A message is too long, or a subject is not permitted. Reported once for each connection: readers ask for the same book every second.
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
      // The connection was lost: onChange follows.
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
