// A client of the stream that sends whatever bytes it is given, in either form, and keeps what it hears.

import { limits } from '../../src/limits.ts';
import { connectWebSocket, type OutboundSocket } from '../../src/net/websocket.ts';
import type { StreamCodec } from '../../src/wire/codec.ts';
import type { ClientMessage, ServerMessage } from '../../src/wire/messages.ts';
import type { StreamAddress } from '../support/stream-rig.ts';

export class StreamCaller {
  heard: ServerMessage[] = [];
  /** How the connection ended; null while it lives. */
  closedWith: string | null = null;
  readonly #codec: StreamCodec;
  readonly #socket: OutboundSocket;
  #tell = (): void => {};

  private constructor(codec: StreamCodec, { url, upgradeHeaders }: StreamAddress, opened: () => void) {
    this.#codec = codec;
    this.#socket = connectWebSocket(
      {
        url,
        headers: upgradeHeaders?.() ?? {},
        subprotocols: [codec.subprotocol],
        handshakeTimeoutMs: limits.upstreamHandshakeMs,
        frameBytesMax: limits.upstreamFrameBytesMax,
      },
      {
        onOpen: opened,
        onFrame: data => {
          this.heard.push(codec.decodeServer(Uint8Array.from(data)));
          this.#tell();
        },
        onPing: () => {},
        onClose: detail => {
          this.closedWith = detail;
          this.#tell();
        },
      },
    );
  }

  static connect(address: StreamAddress, codec: StreamCodec): Promise<StreamCaller> {
    return new Promise(resolve => {
      const caller: StreamCaller = new StreamCaller(codec, address, () => resolve(caller));
    });
  }

  send(bytes: Uint8Array, isBinary = this.#codec.isBinary): void {
    this.#socket.send(isBinary ? bytes : Buffer.from(bytes).toString());
  }

  say(message: ClientMessage): void {
    this.send(this.#codec.encodeClient(message));
  }

  /** Until something that `matches` was heard since the last call, or the connection has ended. What was heard is handed over. */
  hear(matches: (message: ServerMessage) => boolean): Promise<readonly ServerMessage[]> {
    return new Promise(resolve => {
      this.#tell = () => {
        if (this.closedWith === null && !this.heard.some(matches)) return;
        this.#tell = () => {};
        const heard = this.heard;
        this.heard = [];
        resolve(heard);
      };
      this.#tell();
    });
  }

  close(): void {
    this.#socket.terminate();
  }
}
