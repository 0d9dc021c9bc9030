// A strict subscriber, which applies messages with the product's own LocalBook. It fails on a wrong checksum, on a delta that does not
// follow, and on an epoch or sequence number that steps back. It remembers every book that it has seen.

import { type BookState, type MarketKey, marketAddress, type StateReason } from '../../src/core/domain/market.ts';
import { unreachable } from '../../src/core/domain/result.ts';
import { jsonCodec } from '../../src/core/wire/json.ts';
import type {
  Channel,
  ClientMessage,
  Delta,
  ServerMessage,
  Snapshot,
  StreamCodec,
  Trade,
} from '../../src/core/wire/messages.ts';
import { LocalBook } from '../../src/tools/client/local-book.ts';
import { RigClient, type StreamAddress } from '../support/stream-rig.ts';
import { pictureOf } from './picture.ts';

/** A connection that keeps every message that it receives: RigClient or RawClient. */
export interface StreamClient {
  readonly heard: readonly ServerMessage[];
  /** The way in which the connection ended. Null means that it is open. */
  readonly closedWith: string | null;
  say(message: ClientMessage): void;
  /** Resolves as soon as `condition` holds after a message. */
  until(condition: () => boolean): Promise<void>;
  close(): void;
}

/** A book as it was seen after one update. */
interface Sighting {
  readonly epoch: number;
  readonly seq: number;
  readonly state: BookState;
  readonly picture: string;
  readonly update: Snapshot | Delta;
}

interface StateHeard {
  readonly state: BookState;
  readonly reason: StateReason;
  /** The number of sightings of the book before this state. */
  readonly afterSightings: number;
}

const NOTHING = pictureOf({ bids: [], asks: [] });

export class Subscriber {
  readonly trades: Trade[] = [];
  /** Codes of error messages. */
  readonly errors: string[] = [];
  /** The number of subscriptions and requests for which all snapshots have come. */
  snapshotsDone = 0;
  readonly #client: StreamClient;
  readonly #books = new Map<string, LocalBook>();
  readonly #sightings = new Map<string, Sighting[]>();
  readonly #states = new Map<string, StateHeard[]>();
  #folded = 0;
  #lastPong = '';
  #requests = 0;

  constructor(client: StreamClient) {
    this.#client = client;
  }

  static async connect(address: StreamAddress, codec: StreamCodec = jsonCodec): Promise<Subscriber> {
    return new Subscriber(await RigClient.connect(address, codec));
  }

  /** Subscribes and waits for the acknowledgement. The books come later. */
  async subscribe(channel: Channel, markets: readonly MarketKey[]): Promise<void> {
    const id = this.#nextId();
    this.#client.say({ op: 'subscribe', id, channel, markets: markets.map(market => ({ market, side: null })) });
    const isAnswer = (message: ServerMessage): boolean => 'id' in message && message.id === id;
    await this.#client.until(() => this.#client.heard.some(isAnswer));
    const answer = this.#client.heard.find(isAnswer)!;
    if (answer.type !== 'subscribed' || answer.rejected.length > 0) throw new Error(JSON.stringify(answer));
  }

  /** Requests a snapshot, and does not wait for it. The snapshot comes as any other. */
  requestSnapshot(market: MarketKey): void {
    this.#client.say({ op: 'snapshot', id: this.#nextId(), market: { market, side: null } });
  }

  /** Resolves when everything that was sent before this call has been applied. */
  async catchUp(): Promise<void> {
    const id = this.#nextId();
    this.#client.say({ op: 'ping', id });
    await this.until(() => this.#lastPong === id);
  }

  /** Resolves when `condition` holds; checked after each message. Rejects at the first violation. */
  async until(condition: () => boolean): Promise<void> {
    let failure: unknown = null;
    await this.#client.until(() => {
      try {
        return this.#foldUntil(condition);
      } catch (error) {
        failure = error;
        return true;
      }
    });
    if (failure !== null) throw failure;
  }

  book(market: MarketKey): LocalBook {
    const address = marketAddress(market);
    const book = this.#books.get(address) ?? new LocalBook(market);
    this.#books.set(address, book);
    return book;
  }

  /** Returns the book as text; empty while the book is not to be trusted. */
  picture(market: MarketKey): string {
    return this.book(market).isSynced ? this.sightings(market).at(-1)!.picture : NOTHING;
  }

  /** Returns every seen book of the market, in order. */
  sightings(market: MarketKey): Sighting[] {
    return listOf(this.#sightings, marketAddress(market));
  }

  states(market: MarketKey): StateHeard[] {
    return listOf(this.#states, marketAddress(market));
  }

  /** The way in which the connection ended. Null means that it is open. */
  get closedWith(): string | null {
    return this.#client.closedWith;
  }

  close(): void {
    this.#client.close();
  }

  #nextId(): string {
    this.#requests += 1;
    return `r${this.#requests}`;
  }

  #foldUntil(condition: () => boolean): boolean {
    const { heard } = this.#client;
    while (!condition()) {
      if (this.#folded === heard.length) return false;
      this.#folded += 1;
      this.#take(heard[this.#folded - 1]!);
    }
    return true;
  }

  #take(message: ServerMessage): void {
    switch (message.type) {
      case 'snapshot':
      case 'delta':
        this.#update(message);
        return;
      case 'trade':
        this.trades.push(message);
        return;
      case 'state': {
        const { market, state, reason } = message;
        this.book(market).setState(state);
        this.states(market).push({ state, reason, afterSightings: this.sightings(market).length });
        return;
      }
      case 'error':
        this.errors.push(message.code);
        return;
      case 'pong':
        this.#lastPong = message.id;
        return;
      case 'snapshotsDone':
        this.snapshotsDone += 1;
        return;
      case 'subscribed':
      case 'unsubscribed':
      case 'heartbeat':
      case 'quote':
      case 'outcome':
      case 'order':
      case 'action':
      case 'ordersSnapshot':
      case 'protection':
      case 'lossLimit':
      case 'queue':
        return;
      default:
        unreachable(message);
    }
  }

  #update(update: Snapshot | Delta): void {
    const { market, type, epoch, seq } = update;
    const book = this.book(market);
    const sightings = this.sightings(market);
    const last = sightings.at(-1);
    const where = `${type} ${epoch}/${seq} of ${marketAddress(market)} after ${last?.epoch}/${last?.seq}`;
    const isBackwards = last !== undefined && (epoch < last.epoch || (epoch === last.epoch && seq < last.seq));
    if (isBackwards) throw new Error(`backwards: ${where}`);
    const outcome = book.apply(update);
    if (outcome !== 'applied') throw new Error(`${outcome}: ${where}`);
    sightings.push({ epoch, seq, state: book.state, picture: pictureOf(book), update });
  }
}

function listOf<T>(lists: Map<string, T[]>, name: string): T[] {
  const list = lists.get(name) ?? [];
  lists.set(name, list);
  return list;
}
