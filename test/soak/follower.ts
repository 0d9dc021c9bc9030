// Follows one actor's orders on the stream from the first one on, through every end of the gateway, from cursor to cursor.

import { nodeSigner } from '../../src/client/node-client.ts';
import { createNodeStream } from '../../src/client/node-stream.ts';
import type { OrderbookStream } from '../../src/client/orderbook-stream.ts';
import type { OrderMessage } from '../../src/wire/messages.ts';
import type { Actor } from './gateway-process.ts';

export class Follower {
  readonly actor: Actor;
  readonly reported: OrderMessage[] = [];
  /** What the gateway would not do. */
  readonly refusals: string[] = [];
  /** How often a stream came up. */
  connections = 0;
  readonly #stream: OrderbookStream;

  /** From the first event that is kept. */
  constructor(url: string, actor: Actor) {
    this.actor = actor;
    this.#stream = createNodeStream({
      url: `${url.replace('http', 'ws')}/v1/orderbook`,
      signer: nodeSigner(actor.key),
    });
    this.#stream.on('order', message => this.reported.push(message));
    this.#stream.on('refused', ({ code, message }) => this.refusals.push(`${code}: ${message}`));
    this.#stream.on('connection', isUp => {
      if (isUp) this.connections += 1;
    });
    this.#stream.subscribeOrders({ from: 0 });
    this.#stream.start();
  }

  close(): void {
    this.#stream.close();
  }
}
