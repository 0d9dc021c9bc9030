// Everybody who is connected to /v1/orderbook: accepting them, finding their codec, and looking after slow ones.
// Main thread.

import { limits } from '../../limits.ts';
import { type Acceptance, type InboundRequest, type SocketRoute, socketRoute } from '../../net/listen.ts';
import type { StreamCodec } from '../../wire/codec.ts';
import { jsonCodec } from '../../wire/json.ts';
import { protobufCodec } from '../../wire/protobuf.ts';
import { errorReply } from '../error-reply.ts';
import { type SessionParts, StreamSession } from './session.ts';

/** In the order in which an offer is looked through. */
export const STREAM_CODECS: readonly StreamCodec[] = [jsonCodec, protobufCodec];

interface Client {
  readonly codec: StreamCodec;
  session: StreamSession | null;
}

export class StreamClients {
  readonly route: SocketRoute<never>;
  /** Connections that were found reading too slowly, ever. */
  laggards = 0;
  readonly #sessions = new Set<StreamSession>();
  #rotation: Iterator<StreamSession> | null = null;

  constructor(parts: Omit<SessionParts, 'codec'>) {
    this.route = socketRoute<Client>({
      pattern: '/v1/orderbook',
      messageBytesMax: limits.streamMessageBytesMax,
      unsentBytesMax: 2 * limits.streamCloseBytes,
      idleTimeoutS: limits.streamIdleTimeoutS,
      accept: request => this.#accept(request),
      open: connection => {
        const session = new StreamSession({ ...parts, codec: connection.context.codec }, connection);
        connection.context.session = session;
        this.#sessions.add(session);
      },
      message: (connection, frame) => connection.context.session?.receive(frame),
      dropped: connection => connection.context.session?.fallBehind(),
      drain: connection => connection.context.session?.catchUp(),
      close: ({ context: { session } }) => {
        if (session === null) return;
        this.#sessions.delete(session);
        session.close();
      },
    });
  }

  get count(): number {
    return this.#sessions.size;
  }

  /** Looks at some connections for lag, in rotation: a thousand clients must not make a turn long. */
  patrol(): void {
    const count = Math.min(limits.lagChecksPerTurn, this.#sessions.size);
    for (let checked = 0; checked < count; checked++) {
      this.#rotation ??= this.#sessions.values();
      const { value, done } = this.#rotation.next();
      if (done === true) this.#rotation = null;
      else if (value.checkLag()) this.laggards += 1;
    }
  }

  /** Ends every connection with a close code. */
  sayGoodbye(code: number): void {
    for (const session of this.#sessions) session.sayGoodbye(code);
  }

  /** Contract §8: no subprotocol means JSON; an offer that holds none of ours is refused. */
  #accept(request: InboundRequest): Acceptance<Client> {
    if (this.#sessions.size >= limits.connectionsMax) {
      return { refusal: errorReply(503, 'INTERNAL_ERROR', 'too many connections (connectionsMax)') };
    }
    const offer = request.header('sec-websocket-protocol');
    if (offer === '') return { context: { codec: jsonCodec, session: null }, subprotocol: '' };
    const offered = offer.split(',').map(name => name.trim());
    const codec = STREAM_CODECS.find(candidate => offered.includes(candidate.subprotocol));
    if (codec !== undefined) return { context: { codec, session: null }, subprotocol: codec.subprotocol };
    const known = STREAM_CODECS.map(candidate => candidate.subprotocol).join(', ');
    return { refusal: errorReply(400, 'INVALID_REQUEST', `Sec-WebSocket-Protocol: must offer one of ${known}`) };
  }
}
