// A client of a venue's stream that remembers every frame and can be waited on. Tests wait for a message, never for a duration.

import { connectWebSocket, type OutboundSocket } from '../../src/core/net/websocket.ts';
import { limits } from '../../src/limits.ts';

export type Frame = Record<string, unknown>;

export class TestClient {
  /** Every text frame, in order of arrival. */
  readonly texts: string[] = [];
  /** The way in which the connection ended. Null means that it is open. */
  closed: string | null = null;
  isOpen = false;
  readonly #socket: OutboundSocket;
  readonly #waiting = new Set<() => void>();

  constructor(url: string, headers: Readonly<Record<string, string>> = {}) {
    this.#socket = connectWebSocket(
      {
        url,
        headers,
        handshakeTimeoutMs: limits.upstreamHandshakeMs,
        frameBytesMax: limits.upstreamFrameBytesMax,
      },
      {
        onOpen: () => {
          this.isOpen = true;
          this.#look();
        },
        onFrame: data => {
          this.texts.push(Buffer.from(data).toString());
          this.#look();
        },
        onPing: () => {},
        onClose: detail => {
          this.closed = detail;
          this.#look();
        },
      },
    );
  }

  static async open(url: string, headers: Readonly<Record<string, string>> = {}): Promise<TestClient> {
    const client = new TestClient(url, headers);
    await client.until(() => client.isOpen || client.closed !== null);
    if (!client.isOpen) throw new Error(`refused: ${client.closed}`);
    return client;
  }

  send(command: unknown): void {
    this.#socket.send(typeof command === 'string' ? command : JSON.stringify(command));
  }

  close(): void {
    this.#socket.terminate();
  }

  /** Returns the frames as JSON. Frames that are not JSON (cut frames, PONG) are left out. */
  frames(): Frame[] {
    return this.texts.flatMap(text => {
      try {
        return [JSON.parse(text) as Frame];
      } catch {
        return [];
      }
    });
  }

  ofType(type: string): Frame[] {
    return this.frames().filter(frame => frame.type === type);
  }

  /** Resolves when `condition` holds. The condition is checked after each event of this connection. */
  until(condition: () => boolean): Promise<void> {
    return new Promise(resolve => {
      const look = (): void => {
        if (!condition()) return;
        this.#waiting.delete(look);
        resolve();
      };
      this.#waiting.add(look);
      look();
    });
  }

  #look(): void {
    for (const look of [...this.#waiting]) look();
  }
}
