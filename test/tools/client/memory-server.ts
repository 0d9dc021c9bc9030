// A server of the stream in memory, which replaces the network of the stream's client.

import { expect } from 'vitest';
import type { Connect, ConnectOptions, SocketHandlers } from '../../../src/core/net/websocket.ts';
import type { ClientMessage, ServerMessage, StreamCodec } from '../../../src/core/wire/messages.ts';

/** A server that sends the messages of a test on the connections that the client opens. */
export class MemoryServer {
  readonly codec: StreamCodec;
  readonly attempts: ConnectOptions[] = [];
  readonly heard: ClientMessage[] = [];
  #handlers: SocketHandlers | null = null;

  constructor(codec: StreamCodec) {
    this.codec = codec;
  }

  readonly connect: Connect = (options, handlers) => {
    this.attempts.push(options);
    this.#handlers = handlers;
    return {
      send: frame => {
        expect(typeof frame).toBe(this.codec.isBinary ? 'object' : 'string');
        const message = this.codec.decode(typeof frame === 'string' ? Buffer.from(frame) : frame);
        if (!message.ok) throw new Error(message.error.message);
        this.heard.push(message.value);
      },
      terminate: () => this.drop('terminated'),
    };
  };

  accept(): void {
    this.#handlers?.onOpen();
  }

  say(...messages: readonly ServerMessage[]): void {
    for (const message of messages) this.#handlers?.onFrame(this.codec.encode(message), this.codec.isBinary);
  }

  sayBytes(bytes: Uint8Array): void {
    this.#handlers?.onFrame(bytes, this.codec.isBinary);
  }

  drop(detail: string): void {
    const handlers = this.#handlers;
    this.#handlers = null;
    handlers?.onClose(detail);
  }
}
