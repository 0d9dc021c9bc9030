// Follows one actor's orders on the stream from the first order on, through every end of the gateway, from cursor to cursor.

import type { OrderMessage } from '../../src/core/wire/messages.ts';
import { nodeSigner } from '../../src/tools/client/node-client.ts';
import { createNodeStream } from '../../src/tools/client/node-stream.ts';
import type { OrderbookStream } from '../../src/tools/client/orderbook-stream.ts';
import type { Actor } from './gateway-process.ts';

/** A leap: events were no longer available, and the list of open orders came in their place. */
export interface Leap {
  /** The number of events before the leap. */
  readonly heard: number;
  /** The orders that were open at the leap. */
  readonly open: ReadonlySet<string>;
}

export class Follower {
  readonly actor: Actor;
  readonly reported: OrderMessage[] = [];
  /** Requests that the gateway refused. */
  readonly refusals: string[] = [];
  readonly #openAtLeap = new Set<string>();
  #leap: Leap | null = null;
  /** The number of times that a stream came up. */
  connections = 0;
  readonly #stream: OrderbookStream;

  /** @param from the cursor before the first event that the follower receives */
  constructor(url: string, actor: Actor, from = 0) {
    this.actor = actor;
    this.#stream = createNodeStream({
      url: `${url.replace('http', 'ws')}/v1/orderbook`,
      signer: nodeSigner(actor.key),
    });
    this.#stream.on('order', message => this.reported.push(message));
    this.#stream.on('ordersSnapshot', ({ orders }) => {
      for (const { order } of orders) this.#openAtLeap.add(order.orderId);
    });
    this.#stream.on('refused', ({ code, message }) => {
      if (code === 'CURSOR_EXPIRED' && this.#leap === null)
        this.#leap = { heard: this.reported.length, open: this.#openAtLeap };
      else this.refusals.push(`${code}: ${message}`);
    });
    this.#stream.on('connection', isUp => {
      if (isUp) this.connections += 1;
    });
    this.#stream.subscribeOrders({ from });
    this.#stream.start();
  }

  get leap(): Leap | null {
    return this.#leap;
  }

  close(): void {
    this.#stream.close();
  }
}
