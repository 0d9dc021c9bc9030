// The subscribers of one stream of messages, by codec. A message is encoded once for each codec that has subscribers. Main thread.

import type { ServerMessage, StreamCodec } from '../../core/wire/messages.ts';

export type Publish = (topic: string, frame: Uint8Array, isBinary: boolean) => void;

interface Outlet {
  readonly codec: StreamCodec;
  readonly topic: string;
  subscribers: number;
}

export class Outlets {
  readonly #outlets: readonly Outlet[];
  readonly #publish: Publish;

  /** `name` is unique among all streams of the gateway. */
  constructor(codecs: readonly StreamCodec[], name: string, publish: Publish) {
    this.#outlets = codecs.map((codec, position) => ({ codec, topic: `${name}c${position}`, subscribers: 0 }));
    this.#publish = publish;
  }

  of(codec: StreamCodec): Outlet {
    const outlet = this.#outlets.find(candidate => candidate.codec === codec);
    if (outlet === undefined) throw new Error(`no outlet for ${codec.subprotocol}`);
    return outlet;
  }

  get isEmpty(): boolean {
    return this.#outlets.every(({ subscribers }) => subscribers === 0);
  }

  /** Sends a message to all subscribers. Returns its size in bytes, summed over the codecs. */
  send(message: ServerMessage): number {
    let bytes = 0;
    for (const { codec, topic, subscribers } of this.#outlets) {
      if (subscribers === 0) continue;
      const frame = codec.encode(message);
      this.#publish(topic, frame, codec.isBinary);
      bytes += frame.byteLength;
    }
    return bytes;
  }
}
