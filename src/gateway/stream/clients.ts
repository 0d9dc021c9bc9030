// All clients of /v1/orderbook, and the checks for slow readers. Main thread.

import { jsonCodec } from '../../core/wire/json.ts';
import type { StreamCodec } from '../../core/wire/messages.ts';
import { protobufCodec } from '../../core/wire/protobuf.ts';
import { limits } from '../../limits.ts';
import { type Door, SocketClients } from '../socket-clients.ts';
import { type SessionParts, StreamSession } from './session.ts';

export const STREAM_CODECS: readonly StreamCodec[] = [jsonCodec, protobufCodec];

export interface ClientParts extends Omit<SessionParts, 'codec' | 'key'>, Door {
  /** The default is the bound in `limits`. */
  readonly connectionsMax?: number;
  readonly streamsPerKeyMax?: number;
}

export class StreamClients extends SocketClients<StreamCodec, StreamSession> {
  /** The number of times that a connection began to read too slowly. */
  laggards = 0;
  #rotation: Iterator<StreamSession> | null = null;

  constructor(parts: ClientParts) {
    const { connectionsMax = limits.connectionsMax, streamsPerKeyMax = limits.streamsPerKeyMax } = parts;
    super({
      ...parts,
      path: '/v1/orderbook',
      codecs: STREAM_CODECS,
      unsentBytesMax: 2 * limits.streamCloseBytes,
      connectionsMax,
      perKeyMax: { count: streamsPerKeyMax, limitName: 'streamsPerKeyMax' },
      open: (codec, key, connection) => new StreamSession({ ...parts, codec, key }, connection),
      onDropped: session => {
        if (session.fallBehind()) this.laggards += 1;
        // The connection may have drained in the meantime. There is no second drain event, so this call is needed.
        session.catchUp();
      },
      onDrained: session => session.catchUp(),
    });
  }

  /** Checks some connections for lag, in rotation, so that a thousand clients do not make a turn long. */
  patrol(): void {
    const count = Math.min(limits.lagChecksPerTurn, this.size);
    for (let checked = 0; checked < count; checked++) {
      this.#rotation ??= this.sessions();
      const { value, done } = this.#rotation.next();
      if (done === true) this.#rotation = null;
      else if (value.checkLag()) this.laggards += 1;
    }
  }

  /** Checks all connections for lag. */
  patrolAll(): void {
    for (const session of this.sessions()) if (session.checkLag()) this.laggards += 1;
  }
}
