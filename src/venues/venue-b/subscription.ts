// The feed's subscriptions on one connection (venue-b.md §10.1): books, trades, and the life of markets. Each subscription knows the
// markets that it should carry, the markets that it carries, and the commands that align the two. It sends one command at a time, because
// the venue may execute pipelined commands in any order (§10.2). It also checks sequence numbers. It knows neither books nor sockets. Venue
// B's feed thread.

import { limits } from '../../limits.ts';

/** A command that awaits its answer. */
interface Flight {
  readonly id: number;
  readonly intent: 'subscribe' | 'add' | 'delete' | 'end';
  readonly tickers: readonly string[];
  readonly sentAt: number;
}

interface SubscriptionParts {
  readonly channel: Channel;
  /** Whether the channel takes tickers. False for a channel that always carries every market. */
  readonly isByMarket: boolean;
  /** Whether a repeated request has to add the market again, because only an addition brings a snapshot. */
  readonly hasSnapshots: boolean;
  readonly send: (command: string) => void;
  readonly nextId: () => number;
  /** Called when the market was deleted, perhaps to be added again. No data comes until then. */
  readonly onDeleted: (ticker: string) => void;
  /** Called when data of these markets may be missing before now. For markets that are not carried, it is missing until they are. */
  readonly onMissed: (tickers: Iterable<string>) => void;
  /** Returns the milliseconds of a monotonic clock. */
  readonly elapsed: () => number;
}

/** Stands for no subscription: the venue never uses this number. */
const NONE = -1;

export class Subscription {
  readonly #parts: SubscriptionParts;
  /** Markets that are requested and carried. */
  readonly #held = new Set<string>();
  /** Markets to be added, in the order of the requests. */
  readonly #missing = new Set<string>();
  /** Markets to be deleted. A ticker that is also missing is renewed: deleted, then added. */
  readonly #surplus = new Set<string>();
  /** Markets that are carried and need another snapshot. */
  readonly #unclear = new Set<string>();
  /** Markets that were carried until the subscription ended, and not since then. */
  readonly #interrupted = new Set<string>();
  #sid = NONE;
  #lastSeq = 0;
  #flight: Flight | null = null;
  /** Whether additions go before deletions, because a deletion was not answered. */
  #areAdditionsFirst = false;
  #restUntil = 0;
  #batchMax: number = limits.venueBMarketsPerCommandMax;

  constructor(parts: SubscriptionParts) {
    this.#parts = parts;
  }

  get channel(): Channel {
    return this.#parts.channel;
  }

  /** The venue's number for this subscription on this connection; −1 while the subscription is not open. */
  get sid(): number {
    return this.#sid;
  }

  /** Whether a command awaits its answer. */
  get isCommandInFlight(): boolean {
    return this.#flight !== null;
  }

  addMarket(ticker: string): void {
    const isHeld = this.#willBeCarried(ticker);
    // A market that was to be deleted is added again, because its addition may have been lost.
    if (!isHeld || this.#parts.hasSnapshots || this.#surplus.has(ticker)) this.#missing.add(ticker);
    if (isHeld && this.#parts.hasSnapshots) this.#surplus.add(ticker);
    else this.#surplus.delete(ticker);
  }

  removeMarket(ticker: string): void {
    this.#missing.delete(ticker);
    this.#unclear.delete(ticker);
    this.#interrupted.delete(ticker);
    // The market stays in `#held` while it is being deleted, because the command may fail.
    if (this.#held.has(ticker) || this.#willBeCarried(ticker)) this.#surplus.add(ticker);
  }

  /** Asks for a snapshot of a market that is carried. Any other market gets a snapshot when it is added. */
  refresh(ticker: string): void {
    if (this.#held.has(ticker)) this.#unclear.add(ticker);
  }

  /** Notes that a market's snapshot has come. A planned renewal is dropped unless it has begun. */
  arrived(ticker: string): void {
    if (this.#missing.has(ticker) && this.#surplus.delete(ticker)) this.#missing.delete(ticker);
  }

  /** Sends due commands. Call it after changes, after answers, and periodically. */
  flush(): void {
    const now = this.#parts.elapsed();
    this.#giveUpWaiting(now);
    if (this.#sid !== NONE) this.#sendRefreshes();
    if (this.#flight !== null || now < this.#restUntil) return;
    if (this.#sid === NONE) this.#subscribe();
    else this.#update(this.#sid);
  }

  /** Handles `subscribed`, which belongs to this subscription by its channel: each of our subscriptions has one channel. */
  opened(sid: number): void {
    const flight = this.#flight;
    if (flight?.intent !== 'subscribe') return;
    this.#sid = sid;
    this.#lastSeq = 0;
    this.#succeed(flight);
  }

  /** Handles `ok`. The venue also answers a `subscribe` with `ok` if the connection has such a subscription: it merges the two. */
  acknowledged(id: number | null, sid: number | null, seq: number | null): void {
    const flight = this.#flight;
    if (flight === null || flight.id !== id) return;
    if (flight.intent === 'subscribe' && sid !== null) {
      this.#sid = sid;
      this.#lastSeq = seq ?? 0;
    }
    this.#succeed(flight);
  }

  /**
   * Handles `unsubscribed`, or an error that ends the subscription. All markets that were carried are to be added again, except those that
   * were to be deleted.
   */
  ended(isRefused: boolean): void {
    const flight = this.#flight;
    const asked = flight?.intent === 'add' || flight?.intent === 'subscribe' ? flight.tickers : [];
    const leaving = flight?.intent === 'delete' ? flight.tickers : [];
    const isStaying = (ticker: string) => !this.#surplus.has(ticker) && !leaving.includes(ticker);
    const carried = [...this.#held].filter(isStaying);
    for (const ticker of [...carried, ...asked.filter(isStaying)]) this.#missing.add(ticker);
    for (const ticker of carried) this.#interrupted.add(ticker);
    this.#parts.onMissed(carried);
    this.#held.clear();
    this.#surplus.clear();
    this.#unclear.clear();
    this.#sid = NONE;
    this.#flight = null;
    if (isRefused) this.#rest();
  }

  /** Handles an error that answers a command: repeats the command after a pause, in smaller batches, refused markets last. */
  refused(id: number | null): void {
    const flight = this.#flight;
    if (flight === null || flight.id !== id) return;
    this.#flight = null;
    this.#rest();
    this.#batchMax = Math.max(1, this.#batchMax >> 1);
    if (flight.intent === 'subscribe' || flight.intent === 'add') this.#requeue(flight.tickers);
    else for (const ticker of flight.tickers) this.#surplus.add(ticker);
  }

  /** Whether this command awaits its answer. */
  awaits(id: number | null): boolean {
    return this.#flight !== null && this.#flight.id === id;
  }

  /** Takes a sequence number. Returns false if it is not the next number: a message was lost, repeated or reordered. */
  accept(seq: number): boolean {
    const isNext = seq === this.#lastSeq + 1;
    this.#lastSeq = seq;
    if (!isNext) this.reportMissed();
    return isNext;
  }

  /** Notes that a message could not be read, so that data of all carried markets may be missing. */
  reportMissed(): void {
    this.#parts.onMissed(this.#held);
  }

  /** Whether the venue will carry the market after the command that is in flight. */
  #willBeCarried(ticker: string): boolean {
    const flight = this.#flight;
    if (flight === null) return this.#held.has(ticker);
    if (flight.intent === 'end') return false;
    if (flight.intent === 'delete') return this.#held.has(ticker) && !flight.tickers.includes(ticker);
    return this.#held.has(ticker) || flight.tickers.includes(ticker);
  }

  #subscribe(): void {
    const tickers = take(this.#missing, this.#batchMax);
    if (this.#parts.isByMarket && tickers.length === 0) return;
    const id = this.#launch('subscribe', tickers);
    this.#parts.send(subscribeCommand(id, this.channel, this.#parts.isByMarket ? tickers : null));
  }

  #update(sid: number): void {
    const added = this.#surplus.size === 0 || this.#areAdditionsFirst ? this.#takeAdditions() : [];
    if (added.length > 0) {
      this.#parts.send(updateCommand(this.#launch('add', added), sid, 'add_markets', added));
    } else if (this.#surplus.size > 0 && this.#surplus.size === this.#held.size) {
      // A subscription without markets might cover every market, so the subscription ends with its last markets.
      this.#parts.send(unsubscribeCommand(this.#launch('end', []), sid));
    } else if (this.#surplus.size > 0) {
      const tickers = take(this.#surplus, limits.venueBMarketsPerCommandMax);
      this.#parts.send(updateCommand(this.#launch('delete', tickers), sid, 'delete_markets', tickers));
    }
  }

  /** Takes the first missing markets that need no deletion before their addition. */
  #takeAdditions(): string[] {
    const needsNoDeletion = (ticker: string) => !this.#surplus.has(ticker);
    const tickers = [...this.#missing].filter(needsNoDeletion).slice(0, this.#batchMax);
    for (const ticker of tickers) this.#missing.delete(ticker);
    return tickers;
  }

  #sendRefreshes(): void {
    while (this.#unclear.size > 0) {
      const tickers = take(this.#unclear, limits.venueBMarketsPerCommandMax);
      this.#parts.send(updateCommand(this.#parts.nextId(), this.#sid, 'get_snapshot', tickers));
    }
  }

  #launch(intent: Flight['intent'], tickers: readonly string[]): number {
    const id = this.#parts.nextId();
    this.#flight = { id, intent, tickers, sentAt: this.#parts.elapsed() };
    return id;
  }

  #succeed(flight: Flight): void {
    this.#flight = null;
    this.#areAdditionsFirst = false;
    if (flight.intent === 'end') {
      this.ended(false);
      return;
    }
    for (const ticker of flight.tickers) {
      if (flight.intent === 'delete') {
        this.#held.delete(ticker);
        this.#surplus.delete(ticker);
      } else this.#held.add(ticker);
    }
    if (flight.intent === 'delete') flight.tickers.forEach(this.#parts.onDeleted);
    else this.#parts.onMissed(flight.tickers.filter(ticker => this.#interrupted.delete(ticker)));
    this.#batchMax = Math.min(limits.venueBMarketsPerCommandMax, this.#batchMax * 2);
  }

  /**
   * Gives up waiting for a command without an answer, and repeats it later; a command that was executed changes nothing when it is
   * repeated. An addition counts as a success if missing snapshots would reveal a failure. A deletion is repeated after the waiting
   * additions.
   */
  #giveUpWaiting(now: number): void {
    const flight = this.#flight;
    if (flight === null || now - flight.sentAt < limits.upstreamSnapshotMs) return;
    const { intent, tickers } = flight;
    if (intent === 'add' && this.#parts.hasSnapshots) {
      this.#succeed(flight);
      return;
    }
    this.#flight = null;
    if (intent === 'subscribe') this.#requeue(tickers);
    else if (intent === 'add') {
      for (const ticker of tickers) (this.#surplus.has(ticker) ? this.#held : this.#missing).add(ticker);
    } else this.#deleteLater(intent === 'end' ? [...this.#held] : tickers);
  }

  /** Plans to delete those of the markets again that are not requested meanwhile. */
  #deleteLater(tickers: readonly string[]): void {
    this.#areAdditionsFirst = true;
    for (const ticker of tickers) {
      if (!this.#missing.has(ticker)) this.#surplus.add(ticker);
      else if (this.#held.delete(ticker)) this.#parts.onDeleted(ticker);
    }
  }

  #requeue(tickers: readonly string[]): void {
    for (const ticker of tickers) {
      if (!this.#surplus.delete(ticker)) this.#missing.add(ticker);
    }
  }

  #rest(): void {
    this.#restUntil = this.#parts.elapsed() + limits.venueBCommandRetryMs;
  }
}

/** Removes and returns the first members of a set. */
function take(set: Set<string>, countMax: number): string[] {
  const taken: string[] = [];
  for (const member of set) {
    if (taken.length === countMax) break;
    taken.push(member);
    set.delete(member);
  }
  return taken;
}

interface StreamParts {
  readonly send: (command: string) => void;
  /** Returns the milliseconds of a monotonic clock. */
  readonly elapsed: () => number;
  /** Called when the venue does not carry the market's book any more, perhaps until the market is added again. */
  readonly onBookDeleted: (ticker: string) => void;
  /** Called when trades of these markets may be missing before now. */
  readonly onTradesMissed: (tickers: Iterable<string>) => void;
}

export class StreamSubscriptions {
  readonly books: Subscription;
  readonly trades: Subscription;
  readonly lifecycle: Subscription;
  readonly #all: readonly Subscription[];
  #idLast = 0;

  constructor(parts: StreamParts) {
    const { send, elapsed, onBookDeleted, onTradesMissed } = parts;
    const shared = {
      send,
      elapsed,
      nextId: () => ++this.#idLast,
      isByMarket: true,
      hasSnapshots: false,
      onDeleted: () => {},
      onMissed: () => {},
    };
    this.books = new Subscription({
      ...shared,
      channel: 'orderbook_delta',
      hasSnapshots: true,
      onDeleted: onBookDeleted,
    });
    this.trades = new Subscription({ ...shared, channel: 'trade', onMissed: onTradesMissed });
    this.lifecycle = new Subscription({ ...shared, channel: 'market_lifecycle_v2', isByMarket: false });
    this.#all = [this.lifecycle, this.books, this.trades];
  }

  /** Subscribes to a market's book and trades. */
  addMarket(ticker: string): void {
    this.books.addMarket(ticker);
    this.trades.addMarket(ticker);
  }

  removeMarket(ticker: string): void {
    this.books.removeMarket(ticker);
    this.trades.removeMarket(ticker);
  }

  /** Asks again for a market's snapshot. */
  refresh(ticker: string): void {
    this.books.refresh(ticker);
  }

  flush(): void {
    for (const subscription of this.#all) subscription.flush();
  }

  get isCommandInFlight(): boolean {
    return this.#all.some(subscription => subscription.isCommandInFlight);
  }

  bySid(sid: number): Subscription | null {
    return this.#all.find(subscription => subscription.sid === sid) ?? null;
  }

  /** Returns the subscription that awaits the answer to this command. */
  awaiting(id: number | null): Subscription | null {
    return this.#all.find(subscription => subscription.awaits(id)) ?? null;
  }

  /** Handles `subscribed`. */
  opened(channel: string, sid: number): void {
    this.#all.find(candidate => candidate.channel === channel)?.opened(sid);
  }
}

type Channel = 'orderbook_delta' | 'trade' | 'market_lifecycle_v2';

/** Returns the command that opens a subscription. Without tickers the subscription covers all markets. */
function subscribeCommand(id: number, channel: Channel, tickers: readonly string[] | null): string {
  const filter = tickers === null ? {} : { market_tickers: tickers };
  // use_yes_price is stated, because the venue's default for it is to change.
  const view = channel === 'orderbook_delta' ? { use_yes_price: false } : {};
  return JSON.stringify({ id, cmd: 'subscribe', params: { channels: [channel], ...filter, ...view } });
}

type UpdateAction = 'add_markets' | 'delete_markets' | 'get_snapshot';

function updateCommand(id: number, sid: number, action: UpdateAction, tickers: readonly string[]): string {
  return JSON.stringify({ id, cmd: 'update_subscription', params: { sid, market_tickers: tickers, action } });
}

function unsubscribeCommand(id: number, sid: number): string {
  return JSON.stringify({ id, cmd: 'unsubscribe', params: { sids: [sid] } });
}
