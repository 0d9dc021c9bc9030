// The orders channel of one connection: decides who may subscribe, and what happens when the connection ends. Main thread.

import { fullActorId, type Scope, type SigningKey } from '../../core/domain/identity.ts';
import { ELSEWHERE, ORDERS, type OrdersMessage, type RejectionCode } from '../../core/wire/messages.ts';
import type { OrderFollower, OrderOutlet } from './order-follower.ts';
import type { OrderHub } from './order-hub.ts';

type SubscribeMessage = Extract<OrdersMessage, { op: 'subscribe' }>;

interface Subscription {
  readonly id: string | null;
  readonly hub: OrderHub;
  readonly follower: OrderFollower;
  readonly cancelOnDisconnect: boolean;
  /** Stops the messages about queues. */
  readonly endQueues: () => void;
}

const ENDED_FIRST = 'channel: "orders" was unsubscribed before the subscription began';
const NOT_SERVED = 'channel: "orders" is not served by this gateway';

export class OrderChannel {
  /** Null means that orders are not served. */
  readonly #hub: OrderHub | null;
  readonly #key: SigningKey;
  readonly #outlet: OrderOutlet;
  #subscription: Subscription | null = null;

  constructor(hub: OrderHub | null, key: SigningKey, outlet: OrderOutlet) {
    this.#hub = hub;
    this.#key = key;
    this.#outlet = outlet;
  }

  handle(message: OrdersMessage): void {
    if (message.op === 'subscribe') this.#subscribe(message);
    else this.#unsubscribe(message.id);
  }

  /** Is called when the socket has room again. Returns false if the room was not enough. */
  catchUp(): boolean {
    return this.#subscription?.follower.catchUp() ?? true;
  }

  /** Ends the subscription, because the connection is gone. */
  close(): void {
    const subscription = this.#end();
    if (subscription?.cancelOnDisconnect === true) subscription.hub.disconnects.lose(this.#key);
  }

  #subscribe({ id, from, cancelOnDisconnect, queueStep }: SubscribeMessage): void {
    const hub = this.#hub;
    const refused = hub === null ? NOT_SERVED : this.#refusalOf(cancelOnDisconnect);
    if (hub === null || refused !== null) {
      this.#refuse(id, refused ?? NOT_SERVED);
      return;
    }
    const podOwner = hub.otherOwner;
    if (podOwner !== null) {
      const message = `the gateway at ${podOwner} owns the pod: nothing was done`;
      this.#outlet.send({ type: 'error', id, code: ELSEWHERE, message, rejected: [], podOwner });
      return;
    }
    const actorId = fullActorId(this.#key);
    const follower = hub.follow(actorId, this.#outlet);
    const news = { step: queueStep ?? 0, outlet: this.#outlet, hasBegun: () => follower.hasBegun };
    const endQueues = (queueStep === undefined ? null : hub.queues?.sendNews(actorId, news)) ?? (() => {});
    this.#subscription = { id, hub, follower, cancelOnDisconnect, endQueues };
    if (cancelOnDisconnect) hub.disconnects.arm(this.#key);
    follower.begin(id, from);
  }

  #unsubscribe(id: string | null): void {
    const subscription = this.#end();
    if (subscription === null) {
      this.#refuse(id, 'channel: this connection is not subscribed to "orders"', 'NOT_SUBSCRIBED');
      return;
    }
    if (subscription.cancelOnDisconnect) subscription.hub.disconnects.disarm(this.#key);
    if (!subscription.follower.hasBegun) this.#refuse(subscription.id, ENDED_FIRST, 'NOT_SUBSCRIBED');
    this.#outlet.send({ type: 'unsubscribed', id, channel: ORDERS, accepted: [], rejected: [], cursor: null });
  }

  #end(): Subscription | null {
    const subscription = this.#subscription;
    this.#subscription = null;
    subscription?.endQueues();
    subscription?.hub.leave(fullActorId(this.#key), subscription.follower);
    return subscription;
  }

  /** The reason why the caller may not subscribe. Returns null if it may. */
  #refusalOf(cancelOnDisconnect: boolean): string | null {
    const lacks = (scope: Scope): boolean => !this.#key.scopes.includes(scope);
    if (lacks('read')) return 'channel: "orders" needs the scope read, which this signing key does not have';
    if (cancelOnDisconnect && lacks('trade')) {
      return 'cancelOnDisconnect: needs the scope trade, which this signing key does not have';
    }
    if (this.#subscription === null) return null;
    return 'channel: this connection is subscribed to "orders" already; unsubscribe first';
  }

  #refuse(id: string | null, message: string, code: RejectionCode = 'INVALID_REQUEST'): void {
    this.#outlet.send({ type: 'error', id, code, message, rejected: [] });
  }
}
