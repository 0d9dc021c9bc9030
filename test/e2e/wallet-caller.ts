// A caller of the wallet actions of venue A, on a gateway of its own. The demo of this gateway trades from a deposit wallet.

import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import type { ActionView } from '../../src/core/wire/order-views.ts';
import { nodeSigner } from '../../src/tools/client/node-client.ts';
import { createNodeStream } from '../../src/tools/client/node-stream.ts';
import { eventually } from '../support/eventually.ts';
import { ask } from '../support/paper-traders.ts';
import type { Answer } from '../support/signed-requests.ts';
import { OrdersRig } from './orders-rig.ts';

type Protocol = 'v1' | 'v2';
type TokenPair = readonly [string, string];

interface GammaMarket {
  readonly version: Protocol;
  readonly clobTokenIds: string;
  readonly positionIds: TokenPair;
}

export class WalletCaller {
  readonly rig: OrdersRig;
  /** The tokens of each market that trades. */
  readonly markets: Readonly<Record<Protocol, readonly TokenPair[]>>;
  /** The last state of each action that the stream has shown. */
  readonly #heard = new Map<string, ActionView>();
  readonly #stream: ReturnType<typeof createNodeStream>;

  private constructor(rig: OrdersRig, markets: WalletCaller['markets']) {
    this.rig = rig;
    this.markets = markets;
    const { url, key } = rig.gateway;
    this.#stream = createNodeStream({ url, signer: nodeSigner(key) });
    this.#stream.on('action', ({ action }) => this.#heard.set(action.actionId, action));
    this.#stream.subscribeOrders();
    this.#stream.start();
  }

  static async start(): Promise<WalletCaller> {
    const rig = await OrdersRig.start('venue-a', { source: { kind: 'paper', walletType: 3 } });
    await rig.control('PUT', '/venues/venue_a/settlement', { delayMs: 100 });
    const { body } = await ask<readonly GammaMarket[]>(`${rig.gateway.paper!.urls.venueA.gamma}/markets?limit=500`);
    const of = (version: Protocol) => body.filter(it => it.version === version);
    const caller = new WalletCaller(rig, {
      v1: of('v1').map(it => JSON.parse(it.clobTokenIds) as TokenPair),
      v2: of('v2').map(it => it.positionIds),
    });
    await eventually(() => expect(caller.#stream.orderCursor).not.toBeNull());
    return caller;
  }

  async close(): Promise<void> {
    await this.#stream.close();
    await this.rig.close();
  }

  act(kind: string, tokenId: string, body: object = {}, idempotencyKey: string = randomUUID()): Promise<Answer> {
    return this.rig.call('POST', `/v1/venue-a/positions/${tokenId}/${kind}`, {
      body: JSON.stringify(body),
      headers: { 'Content-Type': 'application/json' },
      idempotencyKey,
    });
  }

  /** Returns the action once its state is final. */
  async over(actionId: string): Promise<ActionView> {
    await eventually(() => expect(['CONFIRMED', 'FAILED']).toContain(this.#heard.get(actionId)?.status));
    const { json } = await this.rig.call('GET', `/v1/venue-a/actions/${actionId}`);
    expect(json).toEqual(this.#heard.get(actionId));
    return json as ActionView;
  }

  async done(answer: Answer): Promise<ActionView> {
    expect(answer.status, answer.text).toBe(201);
    const action = await this.over((answer.json as ActionView).actionId);
    expect(action).toMatchObject({ status: 'CONFIRMED', error: null, transactionHash: expect.stringMatching(/^0x/) });
    return action;
  }

  async held(tokenId: string): Promise<object | null> {
    const { json } = await this.rig.call('GET', `/v1/venue-a/positions?tokenId=${tokenId}`);
    const [row = null] = (json as { readonly positions: readonly { readonly size: string }[] }).positions;
    return row;
  }

  async cash(): Promise<number> {
    const { json } = await this.rig.call('GET', '/v1/venue-a/balance');
    return Number((json as { readonly available: number }).available);
  }

  settle(tokenId: string, value: string): Promise<void> {
    return this.rig.control('POST', `/venues/venue_a/markets/${tokenId}/settle`, { value });
  }
}
