// A plain client of venue B's stream. It sends commands and keeps every frame as received. It can wait until the venue has sent all pending messages.

import { WebSocket } from 'ws';

export interface Frame {
  readonly type: string;
  readonly id?: number;
  readonly sid?: number;
  readonly seq?: number;
  readonly msg: Readonly<Record<string, unknown>>;
}

/** The end of each frame that the server sends. No other text has this form. */
const END = /,"sending_ts_ms":(\d{13})}\n$/;

/** Returns a frame without the time of sending that every frame has. */
export function frameOf(text: string): Frame {
  if (!END.test(text)) throw new Error(`a frame without its time of sending: ${text}`);
  return JSON.parse(text.replace(END, '}')) as Frame;
}

/** The id of a command whose answer comes after everything that was sent before. */
const FENCE_ID = 1_000_000;

export class StreamClient {
  /** The frames as received, including the newline. */
  readonly texts: string[] = [];
  /** The payloads of the pings. */
  readonly pings: string[] = [];
  isClosed = false;
  readonly #socket: WebSocket;
  readonly #heard = new Set<() => void>();
  #fences = 0;

  private constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.on('message', data => {
      this.texts.push(String(data));
      for (const hear of this.#heard) hear();
    });
    socket.on('ping', payload => {
      this.pings.push(String(payload));
      for (const hear of this.#heard) hear();
    });
    socket.on('close', () => {
      this.isClosed = true;
      for (const hear of this.#heard) hear();
    });
    socket.on('error', () => {});
  }

  /** Connects. Rejects with the HTTP status if the server refuses. */
  static connect(port: number, key: string): Promise<StreamClient> {
    const socket = new WebSocket(`ws://127.0.0.1:${port}/trade-api/ws/v2`, {
      headers: { 'KALSHI-ACCESS-KEY': key },
    });
    return new Promise((resolve, reject) => {
      const client = new StreamClient(socket);
      socket.once('open', () => resolve(client));
      socket.once('unexpected-response', (_request, response) => reject(new Error(String(response.statusCode))));
    });
  }

  send(command: unknown): void {
    this.#socket.send(typeof command === 'string' ? command : JSON.stringify(command));
  }

  /** Waits until the venue has answered every command so far; returns the frames since the last call. */
  async drain(): Promise<readonly Frame[]> {
    this.#fences += 1;
    const id = FENCE_ID + this.#fences;
    this.send({ id, cmd: 'list_subscriptions' });
    await this.until(() => this.texts.some(text => text.includes(`"id":${id},`)));
    const frames = this.texts.splice(0).map(frameOf);
    return frames.filter(frame => frame.id === undefined || frame.id < FENCE_ID);
  }

  /** Sends a command and returns all frames up to its answer. */
  ask(command: unknown): Promise<readonly Frame[]> {
    this.send(command);
    return this.drain();
  }

  /** Resolves when the condition holds or the connection has ended. */
  until(isSo: () => boolean): Promise<void> {
    return new Promise(resolve => {
      const look = (): void => {
        if (!isSo() && !this.isClosed) return;
        this.#heard.delete(look);
        resolve();
      };
      this.#heard.add(look);
      look();
    });
  }

  close(): void {
    this.#socket.terminate();
  }
}
