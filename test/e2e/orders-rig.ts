// A gateway on the paper exchanges, and a caller of its order endpoints. Every answer is checked against the contract document.

import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { OPERATIONS } from '../../src/gateway/api/operations.ts';
import { createVenueBSigner } from '../../src/venues/venue-b/auth.ts';
import { answerProblems } from '../support/contract-schema.ts';
import { eventually } from '../support/eventually.ts';
import { type NewKey, newKey } from '../support/new-key.ts';
import { ask } from '../support/paper-traders.ts';
import { type RunningGateway, type RunningGatewayOptions, startRunningGateway } from '../support/running-gateway.ts';
import { sharedGateway } from '../support/shared-gateway.ts';
import { type Answer, type RequestParts, type Sending, sendSigned, type TestKey } from '../support/signed-requests.ts';

/** An order of either venue, as the API shows it. */
export interface Shown {
  readonly orderId: string;
  readonly status: string;
  readonly venueOrderId: string | null;
  readonly filledCount?: string | null;
  readonly filledShares?: string | null;
  readonly averagePrice: string | null;
  readonly feesUsd: string | null;
  readonly error: { readonly code: string; readonly message: string | null } | null;
}

interface ErrorBody {
  readonly error: {
    readonly code: string;
    readonly reason?: string;
    readonly message: string;
    readonly orderId?: string;
  };
}

const FINAL = ['FILLED', 'CANCELLED', 'REJECTED'];

export class OrdersRig {
  readonly gateway: RunningGateway;
  readonly #path: string;

  private constructor(gateway: RunningGateway, path: string) {
    this.gateway = gateway;
    this.#path = path;
  }

  static async start(venue: 'venue-a' | 'venue-b', options: Partial<RunningGatewayOptions> = {}): Promise<OrdersRig> {
    return OrdersRig.#ready(venue, await startRunningGateway({ source: { kind: 'paper' }, ...options }));
  }

  /** A rig on the gateway that all test files of this process share. */
  static async shared(venue: 'venue-a' | 'venue-b'): Promise<OrdersRig> {
    return OrdersRig.#ready(venue, await sharedGateway());
  }

  static async #ready(venue: 'venue-a' | 'venue-b', gateway: RunningGateway): Promise<OrdersRig> {
    await eventually(() =>
      expect(gateway.trading.isTradable('demo', venue === 'venue-a' ? 'venue_a' : 'venue_b')).toBe(true),
    );
    return new OrdersRig(gateway, `/v1/${venue}/orders`);
  }

  newKey(use: NewKey = {}): Promise<TestKey> {
    return newKey(this.gateway.keyStore, use);
  }

  async call(method: string, target: string, sending: Sending & RequestParts = {}, key?: TestKey): Promise<Answer> {
    const answer = await sendSigned(this.gateway.httpUrl + target, key ?? this.gateway.key, { method, ...sending });
    expect(answerProblems(operationOf(method, target), answer.status, answer.headers, answer.json)).toEqual([]);
    return answer;
  }

  submit(body: object | string, parts: RequestParts = {}, key?: TestKey): Promise<Answer> {
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    const headers = { 'Content-Type': 'application/json' };
    return this.call('POST', this.#path, { body: text, headers, idempotencyKey: randomUUID(), ...parts }, key);
  }

  read(orderId: string, key?: TestKey): Promise<Answer> {
    return this.call('GET', `${this.#path}/${orderId}`, {}, key);
  }

  cancel(orderId: string, key?: TestKey): Promise<Answer> {
    return this.call('DELETE', `${this.#path}/${orderId}`, {}, key);
  }

  fills(orderId: string, query = ''): Promise<Answer> {
    return this.call('GET', `${this.#path}/${orderId}/fills${query}`);
  }

  list(query = '', key?: TestKey): Promise<Answer> {
    return this.call('GET', `${this.#path}${query}`, {}, key);
  }

  /** Cancels all orders; signed as of `inS` seconds from now. Two requests that are signed as of the same time are one request and get one answer. */
  cancelAll(query = '', inS = 0): Promise<Answer> {
    const timestamp = String(Math.floor(Date.now() / 1_000) + inS);
    return this.call('DELETE', `${this.#path}${query}`, { timestamp });
  }

  async shown(orderId: string): Promise<Shown> {
    const answer = await this.read(orderId);
    expect(answer.status).toBe(200);
    return answer.json as Shown;
  }

  /** Returns the newest order of the actor, or null if the actor has no order. */
  async newest(): Promise<Shown | null> {
    const { orders } = (await this.list('?pageSize=1')).json as { readonly orders: readonly Shown[] };
    return orders[0] ?? null;
  }

  /** Returns the order once its state is no longer in doubt. */
  async settled(
    orderId: string,
    until: (order: Shown) => boolean = ({ status }) => FINAL.includes(status),
  ): Promise<Shown> {
    return eventually(async () => {
      const order = await this.shown(orderId);
      expect(until(order)).toBe(true);
      return order;
    });
  }

  async fault(rule: object): Promise<void> {
    const { status } = await ask(`${this.gateway.paper!.urls.control}/faults`, 'POST', { countMax: 1, ...rule });
    expect(status).toBeLessThan(300);
  }

  async control(method: string, path: string, body?: object): Promise<void> {
    const { status } = await ask(this.gateway.paper!.urls.control + path, method, body);
    expect(status).toBeLessThan(300);
  }

  /** Returns the client order ids of the pod's account that venue B knows, in any state. */
  async idsAtVenueB(): Promise<readonly string[]> {
    const { keyId, privateKeyPem } = this.gateway.trading.pods[0]!.venueB!;
    const url = `${this.gateway.paper!.urls.venueB.rest}/portfolio/orders?limit=1000`;
    const headers = createVenueBSigner(keyId, privateKeyPem)('GET', url, Date.now());
    const { body } = await ask<{ orders: { client_order_id: string }[] }>(url, 'GET', undefined, headers);
    return body.orders.map(it => it.client_order_id);
  }

  close(): Promise<void> {
    return this.gateway.close();
  }
}

export function errorOf(answer: Answer): ErrorBody['error'] {
  return (answer.json as ErrorBody).error;
}

export function orderIdOf(answer: Answer): string {
  return (answer.json as { readonly orderId: string }).orderId;
}

function operationOf(method: string, target: string): string {
  const [path = ''] = target.split('?');
  const found = OPERATIONS.find(
    it => it.method === method && new RegExp(`^${it.path.replace(/:\w+/g, '[^/]+')}$`).test(path),
  );
  return found?.operationId ?? 'none';
}
