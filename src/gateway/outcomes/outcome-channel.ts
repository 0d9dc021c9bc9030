// The outcome channel of one connection: the markets of the catalog that it follows. Main thread.

import type {
  OutcomeRejection,
  OutcomesAcknowledgement,
  OutcomesMessage,
  ServerMessage,
  StreamCodec,
} from '../../core/wire/messages.ts';
import type { PacedStream } from '../stream/paced-stream.ts';
import type { FollowedMarket, OutcomeHub } from './outcome-hub.ts';

interface OutcomeOutlet {
  readonly codec: StreamCodec;
  readonly connection: { subscribe(topic: string): void; unsubscribe(topic: string): void };
  readonly send: (message: ServerMessage) => void;
  readonly isClosed: () => boolean;
  /** Whether the client reads fast enough to be sent more. */
  readonly isReading: () => boolean;
  /** Postpones the first messages until `resume` is called. */
  readonly postpone: () => void;
}

interface Subscription {
  readonly followed: FollowedMarket;
  readonly stream: PacedStream<ServerMessage & { readonly type: 'outcome' }>;
  /** Whether the subscription gets its messages by topic. */
  isStarted: boolean;
}

/** The number of markets is bounded, because each market uses several books. */
const OUTCOMES_PER_CONNECTION_MAX = 200;

export class OutcomeChannel {
  /** Null means that no catalog is served. */
  readonly #hub: OutcomeHub | null;
  readonly #outlet: OutcomeOutlet;
  readonly #subscriptions = new Map<string, Subscription>();

  constructor(hub: OutcomeHub | null, outlet: OutcomeOutlet) {
    this.#hub = hub;
    this.#outlet = outlet;
  }

  handle(message: OutcomesMessage): void {
    if (message.op === 'subscribe') void this.#subscribe(message);
    else this.#unsubscribe(message);
  }

  /** Stops all messages by topic until `resume` is called. */
  suspend(): void {
    for (const subscription of this.#subscriptions.values()) this.#stop(subscription);
  }

  /** Starts the suspended subscriptions. */
  resume(): void {
    for (const subscription of this.#subscriptions.values()) if (!subscription.isStarted) this.#start(subscription);
  }

  close(): void {
    for (const id of [...this.#subscriptions.keys()]) this.#drop(id);
  }

  async #subscribe({ id, channel, catalogMarkets, minIntervalMs = 0 }: OutcomesMessage): Promise<void> {
    const accepted: string[] = [];
    const rejected: OutcomeRejection[] = [];
    for (const market of new Set(catalogMarkets)) {
      const rejection = this.#hold(market, minIntervalMs);
      if (rejection === null) accepted.push(market);
      else rejected.push(rejection);
    }
    this.#answer({ type: 'subscribed', id, channel, accepted, rejected });
    for (const market of accepted) {
      const subscription = this.#subscriptions.get(market);
      await subscription?.followed.market.ready;
      const isWanted = subscription !== undefined && this.#subscriptions.get(market) === subscription;
      if (!isWanted || subscription.isStarted) continue;
      if (this.#outlet.isReading()) this.#start(subscription);
      else this.#outlet.postpone();
    }
  }

  /**
   * Subscribes the connection to a market. Returns null if that succeeds. A market that the connection follows already gets the new
   * interval.
   */
  #hold(catalogMarket: string, intervalMs: number): OutcomeRejection | null {
    if (this.#hub === null) return { catalogMarket, code: 'UNKNOWN_MARKET', message: 'no catalog is served' };
    const isKnown = this.#subscriptions.has(catalogMarket);
    if (!isKnown && this.#subscriptions.size >= OUTCOMES_PER_CONNECTION_MAX) {
      const message = `a connection follows at most ${OUTCOMES_PER_CONNECTION_MAX} markets of the catalog`;
      return { catalogMarket, code: 'SUBSCRIPTION_LIMIT', message };
    }
    const followed = this.#hub.follow(catalogMarket, refusal => this.#end({ catalogMarket, ...refusal }));
    if (!followed.ok) return { catalogMarket, ...followed.error };
    const stream = followed.value.stream(intervalMs);
    this.#drop(catalogMarket);
    this.#subscriptions.set(catalogMarket, { followed: followed.value, stream, isStarted: false });
    return null;
  }

  #unsubscribe({ id, channel, catalogMarkets }: OutcomesMessage): void {
    const accepted: string[] = [];
    const rejected: OutcomeRejection[] = [];
    for (const catalogMarket of new Set(catalogMarkets)) {
      if (this.#drop(catalogMarket)) accepted.push(catalogMarket);
      else rejected.push({ catalogMarket, code: 'NOT_SUBSCRIBED', message: 'this connection does not follow it' });
    }
    this.#answer({ type: 'unsubscribed', id, channel, accepted, rejected });
  }

  /** Sends the acknowledgement, or an error if nothing is accepted. */
  #answer(answer: OutcomesAcknowledgement): void {
    const { id, accepted, rejected } = answer;
    const [first] = rejected;
    if (accepted.length > 0 || first === undefined) this.#outlet.send(answer);
    else {
      const { code, message } = first;
      this.#outlet.send({ type: 'error', id, code, message, rejected: [], rejectedCatalogMarkets: rejected });
    }
  }

  /** Ends a subscription because the catalog no longer has its market. The client gets an error without an id. */
  #end(rejection: OutcomeRejection): void {
    const { code, message } = rejection;
    if (!this.#drop(rejection.catalogMarket)) return;
    this.#outlet.send({ type: 'error', id: null, code, message, rejected: [], rejectedCatalogMarkets: [rejection] });
  }

  #drop(catalogMarket: string): boolean {
    const subscription = this.#subscriptions.get(catalogMarket);
    if (subscription === undefined) return false;
    this.#stop(subscription);
    this.#subscriptions.delete(catalogMarket);
    subscription.followed.release();
    return true;
  }

  #start(subscription: Subscription): void {
    const { outlets } = subscription.stream;
    const first = subscription.stream.first();
    if (first !== null) this.#outlet.send(first);
    // Sending the first message may have closed the connection.
    if (this.#outlet.isClosed()) return;
    const outlet = outlets.of(this.#outlet.codec);
    subscription.isStarted = true;
    outlet.subscribers += 1;
    this.#outlet.connection.subscribe(outlet.topic);
  }

  #stop(subscription: Subscription): void {
    if (!subscription.isStarted) return;
    const outlet = subscription.stream.outlets.of(this.#outlet.codec);
    subscription.isStarted = false;
    outlet.subscribers -= 1;
    this.#outlet.connection.unsubscribe(outlet.topic);
  }
}
