// An open desk: everything that the page shows of a pod. It is read again and again with the page's own key. The desk ends when the gateway
// no longer accepts the key. Browser.

import { wordsOf } from '../../core/domain/error-words.ts';
import { fail, ok, type Result } from '../../core/domain/result.ts';
import type {
  PodEvents,
  PodOrders,
  PodPositions,
  PodStatus,
  Risk,
  VenueBBalance,
  Whoami,
} from '../../core/generated/api-types.ts';
import { DayPnl } from './day-pnl.ts';
import { type CurrentResult, GatewayApi, type Refused } from './gateway-api.ts';
import { Ladders } from './ladders.ts';
import { LatencyHistory } from './latency-history.ts';
import { eventMarket, positionMarket, termsOf } from './order-terms.ts';
import { type OwnKey, signerOf } from './own-key.ts';
import type { Reach } from './reach.ts';
import { Schedule } from './schedule.ts';
import { Search } from './search.ts';
import { Titles } from './titles.ts';
import { nameVenues, venueText } from './venue-names.ts';
import { signal } from './view.ts';

export type PodOrder = PodOrders['orders'][number];
export type PodPosition = PodPositions['positions'][number];
export type PodEvent = PodEvents['events'][number];

/** The result of an action. */
export interface Outcome {
  readonly words: string;
  /**
   * The value of `Reach.returns` at the time of the action, if the action got no answer. Its words mean nothing once the gateway has
   * returned again. Null means that there was an answer.
   */
  readonly returns: number | null;
}

/** The names of the parts that the page reads. */
type Part = 'status' | 'orders' | 'positions' | 'risk' | 'cash' | 'latest' | 'markets' | 'this page';

export const NOTHING_SAID: Outcome = { words: '', returns: null };

const STATUS_MS = 1_000;
const POSITIONS_MS = 2_000;
/** The pause between two readings of the cash. Each reading asks the venue. */
const CASH_MS = 15_000;
/** The number of events that the page keeps. */
const TAIL_MAX = 100;

export class Desk {
  readonly who: Whoami;
  readonly reach: Reach;
  readonly ladders: Ladders;
  readonly search: Search;
  readonly titles: Titles;
  readonly schedule: Schedule;
  readonly pnl: DayPnl;
  readonly latency = new LatencyHistory();
  readonly status = signal<PodStatus | null>(null);
  readonly orders = signal<readonly PodOrder[]>([]);
  /** Whether there are more open orders than the page shows. */
  readonly hasMoreOrders = signal(false);
  readonly positions = signal<readonly PodPosition[]>([]);
  readonly risk = signal<Risk | null>(null);
  /** The cash at venue B. Null means that the gateway takes no orders for venue B. */
  readonly cash = signal<VenueBBalance | null>(null);
  /** The latest events. The newest comes first. */
  readonly tail = signal<readonly PodEvent[]>([]);
  /** The reasons why parts are out of date. A part that was just read has no entry. */
  readonly troubles = signal<ReadonlyMap<Part, string>>(new Map());
  /** The origin of the gateway that owns the pod. Null means that this gateway owns it. Only the owner has orders, positions and events. */
  readonly owner = signal<string | null>(null);
  readonly submitsPerS = signal(0);
  /** The time by the gateway's clock, which is read with each status. Ages are computed from it. */
  readonly now = signal(Date.now());
  readonly #api: GatewayApi;
  readonly #ended: (why: string) => void;
  #submissions: { readonly count: number; readonly atMs: number } | null = null;
  /** The version of the gateway that served this page. */
  #version: string | null = null;
  #isClosed = false;

  /**
   * Opens a desk if the gateway accepts the key. Otherwise fails with the gateway's words. `ended` is called once, when the gateway no
   * longer accepts the key.
   */
  static async open(key: OwnKey, keyId: string, ended: (why: string) => void): Promise<Result<Desk, string>> {
    const api = new GatewayApi(signerOf(key, keyId));
    const who = await api.ask('getWhoami');
    if (!who.ok) return fail(who.error.message);
    return ok(new Desk(api, who.value, ended));
  }

  private constructor(api: GatewayApi, who: Whoami, ended: (why: string) => void) {
    this.who = who;
    this.#api = api;
    this.#ended = ended;
    this.reach = api.reach;
    this.reach.onReturn(() => this.ladders.retry());
    this.ladders = new Ladders(api);
    this.pnl = new DayPnl(who.podId);
    this.titles = new Titles(api);
    this.schedule = new Schedule(api);
    this.search = new Search({
      api,
      ladders: this.ladders,
      titles: this.titles,
      schedule: this.schedule,
      ended: failure => (failure === null ? this.#setFaultOf('markets', null) : this.#failed('markets', failure)),
    });
    void this.#repeat(STATUS_MS, () => this.#readStatus());
    void this.#repeat(STATUS_MS, () => this.#readOrders());
    void this.#repeat(STATUS_MS, () => this.#readTail());
    void this.#repeat(POSITIONS_MS, () => this.#readPositions());
    void this.#repeat(POSITIONS_MS, () => this.#readRisk());
    if (this.may('read')) void this.#repeat(CASH_MS, () => this.#readCash());
    void this.search.find('');
  }

  may(scope: Whoami['scopes'][number]): boolean {
    return this.who.scopes.includes(scope);
  }

  /** The words of the result. Empty once they are no longer valid. */
  resultText({ words, returns }: Outcome): string {
    return returns === null || returns === this.reach.returns.value ? words : '';
  }

  async cancel(orderId: string): Promise<Outcome> {
    const done = await this.#api.ask('cancelPodOrder', { path: { orderId } });
    if (!done.ok) return this.#refused(done.error);
    await this.#readOrders();
    return NOTHING_SAID;
  }

  async cancelAll(): Promise<Outcome> {
    const done = await this.#api.ask('cancelPodOrders');
    if (!done.ok) return this.#refused(done.error);
    await this.#readOrders();
    const left = done.value.results.filter(({ outcome }) => outcome === 'RECONCILE').length;
    const over = `${done.value.results.length - left} are over`;
    return { words: left === 0 ? over : `${over}, ${left} not confirmed`, returns: null };
  }

  async stop(): Promise<Outcome> {
    const done = await this.#api.ask('stopPod');
    if (!done.ok) return this.#refused(done.error);
    await Promise.all([this.#readStatus(), this.#readOrders()]);
    const { cancelled, leftTotal, unread } = done.value;
    const words = [
      `${cancelled} cancelled`,
      ...(leftTotal === 0 ? [] : [`${leftTotal} may still rest`]),
      ...unread.map(venue => `orders at ${venueText(venue)} may be unknown`),
    ].join(', ');
    return { words, returns: null };
  }

  close(): void {
    this.#isClosed = true;
    this.reach.close();
    this.ladders.close();
    this.schedule.close();
  }

  #refused({ status, message }: Refused): Outcome {
    return { words: message, returns: status === null ? this.reach.returns.value : null };
  }

  #readStatus(): Promise<void> {
    return this.#read('status', this.#api.ask('getPod'), status => {
      const before = this.status.value;
      this.#version ??= status.version;
      const isOther = status.version !== this.#version;
      this.#setFaultOf('this page', isOther ? `version ${status.version} answers, reload the page` : null);
      this.now.value = this.#api.clock.now();
      if (before !== null && before.startedAt !== status.startedAt) {
        this.#submissions = null;
        this.latency.restart();
      }
      this.#countSubmissions(status.submissions);
      this.latency.take(status.latencies, this.now.value);
      this.status.value = status;
      nameVenues(status.feeds);
    });
  }

  #countSubmissions(count: number): void {
    const before = this.#submissions;
    const atMs = performance.now();
    this.#submissions = { count, atMs };
    if (before !== null && count >= before.count) {
      this.submitsPerS.value = Math.round(((count - before.count) * 1_000) / (atMs - before.atMs));
    }
  }

  #readOrders(): Promise<void> {
    return this.#read('orders', this.#api.ask('listPodOrders', { query: { queue: 'true' } }), ({ orders, hasMore }) => {
      this.orders.value = orders;
      this.titles.readMissing(orders.map(it => termsOf(it).market));
      this.hasMoreOrders.value = hasMore;
    });
  }

  #readPositions(): Promise<void> {
    return this.#read('positions', this.#api.ask('listPodPositions'), answer => {
      const { positions } = answer;
      this.positions.value = positions;
      this.pnl.take(answer, this.#api.clock.now());
      this.titles.readMissing(positions.map(positionMarket));
    });
  }

  #readRisk(): Promise<void> {
    return this.#read('risk', this.#api.ask('getRisk'), risk => {
      this.risk.value = risk;
    });
  }

  /** Reads the cash. A pod without an account at venue B has no cash. */
  async #readCash(): Promise<void> {
    const who = await this.#api.ask('getWhoami');
    if (this.#isClosed || !who.ok) return;
    if (who.value.venues.some(({ venue, tradable }) => venue === 'venue_b' && tradable)) {
      await this.#read('cash', this.#api.ask('getVenueBBalance'), cash => {
        this.cash.value = cash;
      });
    } else this.cash.value = null;
  }

  #readTail(): Promise<void> {
    const [newest] = this.tail.value;
    const query = newest === undefined ? {} : { query: { after: newest.number } };
    return this.#read('latest', this.#api.ask('listPodEvents', query), ({ events }) => {
      this.titles.readMissing(events.map(eventMarket));
      if (events.length > 0) this.tail.value = [...events.toReversed(), ...this.tail.value].slice(0, TAIL_MAX);
    });
  }

  /** Repeats a reading. The next reading begins after the answer, so that a slow gateway does not get more requests. */
  async #repeat(pauseMs: number, read: () => Promise<void>): Promise<void> {
    while (!this.#isClosed) {
      await read();
      await new Promise(resolve => setTimeout(resolve, pauseMs));
    }
  }

  /** Takes in an answer. Never rejects: an answer from a gateway of another version may have another form. */
  async #read<Value>(part: Part, asked: Promise<CurrentResult<Value>>, take: (value: Value) => void): Promise<void> {
    const answer = await asked;
    if (this.#isClosed) return;
    if (part !== 'status') this.#readOwnerOf(answer);
    if (!answer.ok) {
      this.#failed(part, answer.error);
      return;
    }
    try {
      take(answer.value);
      this.#setFaultOf(part, answer.isCurrent ? null : 'a venue may have reported more');
    } catch (error) {
      this.#setFaultOf(part, `the answer cannot be read: ${wordsOf(error)}`);
    }
  }

  /**
   * Learns the owner from an answer. The status is not used, because every gateway answers it. Refusals of the key or of the rate say
   * nothing about the owner.
   */
  #readOwnerOf(answer: CurrentResult<unknown>): void {
    if (answer.ok) this.owner.value = null;
    else if (answer.error.owner !== null || answer.error.status === 503) {
      this.owner.value = answer.error.owner;
    }
  }

  /** If `why` is null, the part has no fault any more. */
  #setFaultOf(part: Part, why: string | null): void {
    if ((this.troubles.value.get(part) ?? null) === why) return;
    const troubles = new Map(this.troubles.value);
    if (why === null) troubles.delete(part);
    else troubles.set(part, why);
    this.troubles.value = troubles;
  }

  #failed(part: Part, failure: Refused): void {
    if (this.#isClosed) return;
    // The banner names the owner, so the part does not.
    this.#setFaultOf(part, failure.owner === null ? failure.message : null);
    if (failure.status !== 401) return;
    this.close();
    this.#ended(failure.message);
  }
}
