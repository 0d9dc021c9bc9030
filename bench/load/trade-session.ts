// A connection of /v1/trade. Its requests are numbered, and results come in any order.

import { nodeSigner } from '../../src/tools/client/node-client.ts';
import { signRequest } from '../../src/tools/client/signer.ts';
import { UuidV7Source } from '../../src/tools/client/uuid-v7.ts';
import type { GatewayData } from './order-taker.ts';
import { RawWebSocket } from './raw-websocket.ts';

const keys = new UuidV7Source(Date.now);
const MADE = '"status":201';

export class TradeSession {
  readonly #waiting = new Map<string, () => void>();
  readonly #socket: RawWebSocket;

  private constructor(url: string, headers: Readonly<Record<string, string>>, opened: () => void) {
    this.#socket = new RawWebSocket(url, headers, {
      onOpen: opened,
      onRead: () => {},
      onMessage: (bytes, start, end) => this.#heard(bytes.toString('latin1', start, end)),
      onClose: detail => {
        if (this.#waiting.size > 0) throw new Error(`the caller was disconnected: ${detail}`);
      },
    });
  }

  static async open({ port, key }: GatewayData): Promise<TradeSession> {
    const request = {
      method: 'GET',
      target: '/v1/trade',
      body: new Uint8Array(0),
      idempotencyKey: '',
      notAfterMillis: null,
    };
    const headers = await signRequest(nodeSigner(key), request, Date.now());
    const opened = Promise.withResolvers<void>();
    const session = new TradeSession(`ws://127.0.0.1:${port}/v1/trade`, headers, opened.resolve);
    await opened.promise;
    return session;
  }

  /** Resolves with the result of the order. */
  ask({ id, text }: TradeFrame): Promise<void> {
    return new Promise(resolve => {
      this.#waiting.set(id, resolve);
      this.#socket.send(text);
    });
  }

  close(): void {
    this.#socket.close();
  }

  #heard(text: string): void {
    if (!text.includes(MADE)) throw new Error(`not made: ${text}`);
    const [, id = ''] = /"id":"(\d+)"/.exec(text) ?? [];
    this.#waiting.get(id)!();
    this.#waiting.delete(id);
  }
}

export interface TradeFrame {
  readonly id: string;
  readonly text: string;
}

let frames = 0;

/** Returns the message for one more order. */
export function tradeFrame({ market }: GatewayData): TradeFrame {
  if (market.venue !== 'venue_b') throw new Error('orders of a session go to venue B');
  const order = { ticker: market.ticker, side: 'YES', action: 'BUY', count: 1, priceCents: 1 };
  const id = String(++frames);
  return { id, text: JSON.stringify({ op: 'submit', id, venue: 'venue_b', idempotencyKey: keys.next(), order }) };
}
