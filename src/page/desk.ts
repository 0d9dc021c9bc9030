// An open desk: everything that the page shows of a pod, read again and again with the page's own key. It ends when the gateway does not
// take the key any more. Browser.

import type { PodEvents, PodOrders, PodPositions, PodStatus, Whoami } from '../client/api-types.generated.ts';
import { fail, ok, type Result } from '../domain/result.ts';
import { GatewayApi, type Refused } from './gateway-api.ts';
import { Ladders } from './ladders.ts';
import { LatencyHistory } from './latency-history.ts';
import { type OwnKey, signerOf } from './own-key.ts';
import { Search } from './search.ts';
import { venueText } from './texts.ts';
import { signal } from './view.ts';

export type PodOrder = PodOrders['orders'][number];
export type PodPosition = PodPositions['positions'][number];
export type PodEvent = PodEvents['events'][number];

const STATUS_MS = 1_000;
const POSITIONS_MS = 2_000;
/** Events that the page keeps. */
const TAIL_MAX = 100;

export class Desk {
  readonly who: Whoami;
  readonly ladders: Ladders;
  readonly search: Search;
  readonly latency = new LatencyHistory();
  readonly status = signal<PodStatus | null>(null);
  readonly orders = signal<readonly PodOrder[]>([]);
  readonly positions = signal<readonly PodPosition[]>([]);
  /** Newest first. */
  readonly tail = signal<readonly PodEvent[]>([]);
  /** The last request that failed; null once one succeeds. */
  readonly trouble = signal<string | null>(null);
  readonly submitsPerS = signal(0);
  /** The gateway's clock, read with each status: ages are by it. */
  readonly now = signal(Date.now());
  readonly #api: GatewayApi;
  readonly #ended: (why: string) => void;
  #submissions: { readonly count: number; readonly atMs: number } | null = null;
  #isClosed = false;

  /** Whether the gateway takes the key; else its words. `ended`: called once, when it does not any more. */
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
    this.ladders = new Ladders(api);
    this.search = new Search(api, this.ladders, failure => this.#failed(failure));
    void this.#repeat(STATUS_MS, () => this.#readStatus());
    void this.#repeat(STATUS_MS, () => this.#readOrders());
    void this.#repeat(STATUS_MS, () => this.#readTail());
    void this.#repeat(POSITIONS_MS, () => this.#readPositions());
    void this.search.find('');
  }

  may(scope: Whoami['scopes'][number]): boolean {
    return this.who.scopes.includes(scope);
  }

  /** What became of it, in words. */
  async cancel(orderId: string): Promise<string> {
    const done = await this.#api.ask('cancelPodOrder', { path: { orderId } });
    if (!done.ok) return done.error.message;
    await this.#readOrders();
    return '';
  }

  /** What became of it, in words. */
  async cancelAll(): Promise<string> {
    const done = await this.#api.ask('cancelPodOrders');
    if (!done.ok) return done.error.message;
    await this.#readOrders();
    const left = done.value.results.filter(({ outcome }) => outcome === 'RECONCILE').length;
    return `${done.value.results.length - left} are over${left === 0 ? '' : `, ${left} not confirmed`}`;
  }

  /** What became of it, in words. */
  async stop(): Promise<string> {
    const done = await this.#api.ask('stopPod');
    if (!done.ok) return done.error.message;
    await Promise.all([this.#readStatus(), this.#readOrders()]);
    const { cancelled, leftTotal, unread } = done.value;
    return [
      `${cancelled} cancelled`,
      ...(leftTotal === 0 ? [] : [`${leftTotal} may still rest`]),
      ...unread.map(venue => `orders at ${venueText(venue)} may be unknown`),
    ].join(', ');
  }

  close(): void {
    this.#isClosed = true;
    this.ladders.close();
  }

  async #readStatus(): Promise<void> {
    const answer = await this.#api.ask('getPod');
    if (!this.#isTaken(answer)) return;
    const status = answer.value;
    this.now.value = this.#api.clock.now();
    this.#countSubmissions(status.submissions);
    this.latency.take(status.latencies, this.now.value);
    this.status.value = status;
  }

  #countSubmissions(count: number): void {
    const before = this.#submissions;
    const atMs = performance.now();
    this.#submissions = { count, atMs };
    if (before !== null && count >= before.count) {
      this.submitsPerS.value = Math.round(((count - before.count) * 1_000) / (atMs - before.atMs));
    }
  }

  async #readOrders(): Promise<void> {
    const answer = await this.#api.ask('listPodOrders');
    if (this.#isTaken(answer)) this.orders.value = answer.value.orders;
  }

  async #readPositions(): Promise<void> {
    const answer = await this.#api.ask('listPodPositions');
    if (this.#isTaken(answer)) this.positions.value = answer.value.positions;
  }

  async #readTail(): Promise<void> {
    const [newest] = this.tail.value;
    const answer = await this.#api.ask(
      'listPodEvents',
      newest === undefined ? {} : { query: { after: newest.number } },
    );
    if (!this.#isTaken(answer)) return;
    const { events } = answer.value;
    if (events.length > 0) this.tail.value = [...events.toReversed(), ...this.tail.value].slice(0, TAIL_MAX);
  }

  /** The next begins after the answer, so that a slow gateway is not asked more. */
  async #repeat(pauseMs: number, read: () => Promise<void>): Promise<void> {
    while (!this.#isClosed) {
      await read();
      await new Promise(resolve => setTimeout(resolve, pauseMs));
    }
  }

  #isTaken<Value>(answer: Result<Value, Refused>): answer is { readonly ok: true; readonly value: Value } {
    if (this.#isClosed) return false;
    if (answer.ok) this.trouble.value = null;
    else this.#failed(answer.error);
    return answer.ok;
  }

  #failed(failure: Refused): void {
    if (this.#isClosed) return;
    this.trouble.value = failure.message;
    if (failure.status !== 401) return;
    this.close();
    this.#ended(failure.message);
  }
}
