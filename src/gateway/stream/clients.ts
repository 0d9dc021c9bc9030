// All clients of /v1/orderbook: accepts them, picks their codec, and checks for slow ones. Main thread.

import type { SigningKey } from '../../domain/identity.ts';
import type { Result } from '../../domain/result.ts';
import { limits } from '../../limits.ts';
import {
  type Acceptance,
  type Header,
  type InboundRequest,
  type Reply,
  type SocketRoute,
  socketRoute,
} from '../../net/listen.ts';
import type { StreamCodec } from '../../wire/codec.ts';
import { jsonCodec } from '../../wire/json.ts';
import { protobufCodec } from '../../wire/protobuf.ts';
import { refusal, signedRefusal } from '../api/replies.ts';
import { type SessionParts, StreamSession } from './session.ts';

export const STREAM_CODECS: readonly StreamCodec[] = [jsonCodec, protobufCodec];

interface Client {
  readonly codec: StreamCodec;
  readonly key: SigningKey;
  session: StreamSession | null;
}

export interface ClientParts extends Omit<SessionParts, 'codec' | 'key'> {
  /** The bound in `limits` by default. */
  readonly connectionsMax?: number;
  readonly streamsPerKeyMax?: number;
  /** Whether a caller may open a stream: its signing key, or the refusal. */
  admit(request: InboundRequest): Result<SigningKey, Reply>;
  /** Adds the common headers to a refusal. */
  seal(request: InboundRequest, reply: Reply): Reply;
  /** Common headers of the answer that opens a stream. */
  stamps(request: InboundRequest): readonly Header[];
}

const POLICY_VIOLATION = 1008;

export class StreamClients {
  readonly route: SocketRoute<never>;
  /** Connections that ever read too slowly. */
  laggards = 0;
  /** Sessions with their signing key; a closed session stays until its connection is gone. */
  readonly #sessions = new Map<StreamSession, string>();
  /** Sessions of each key. */
  readonly #counts = new Map<string, number>();
  readonly #parts: ClientParts;
  #rotation: Iterator<StreamSession> | null = null;

  constructor(parts: ClientParts) {
    this.#parts = parts;
    this.route = socketRoute<Client>({
      pattern: '/v1/orderbook',
      messageBytesMax: limits.streamMessageBytesMax,
      unsentBytesMax: 2 * limits.streamCloseBytes,
      idleTimeoutS: limits.streamIdleTimeoutS,
      accept: request => this.#accept(request),
      notUpgraded: request => parts.seal(request, signedRefusal(refusal('invalid', whyNotUpgraded(request)))),
      open: connection => {
        const { codec, key } = connection.context;
        const session = new StreamSession({ ...parts, codec, key }, connection);
        connection.context.session = session;
        this.#sessions.set(session, key.keyId);
        this.#count(key, 1);
      },
      message: (connection, frame) => connection.context.session?.receive(frame),
      dropped: ({ context: { session } }) => {
        if (session?.fallBehind() === true) this.laggards += 1;
        // It may have drained since, and there is no second drain event.
        session?.catchUp();
      },
      drain: connection => connection.context.session?.catchUp(),
      close: ({ context: { key, session } }) => {
        if (session === null) return;
        this.#sessions.delete(session);
        this.#count(key, -1);
        session.close();
      },
    });
  }

  /** Open streams. */
  get count(): number {
    let open = 0;
    for (const session of this.#sessions.keys()) if (!session.isClosed) open += 1;
    return open;
  }

  /** Checks some connections for lag, in rotation: a thousand clients must not make a turn long. */
  patrol(): void {
    const count = Math.min(limits.lagChecksPerTurn, this.#sessions.size);
    for (let checked = 0; checked < count; checked++) {
      this.#rotation ??= this.#sessions.keys();
      const { value, done } = this.#rotation.next();
      if (done === true) this.#rotation = null;
      else if (value.checkLag()) this.laggards += 1;
    }
  }

  /** Checks all connections. */
  patrolAll(): void {
    for (const session of this.#sessions.keys()) if (session.checkLag()) this.laggards += 1;
  }

  /** Ends every connection with a close code. */
  sayGoodbye(code: number): void {
    for (const session of this.#sessions.keys()) session.sayGoodbye(code, 'the gateway is going away');
  }

  /** Ends the streams of revoked keys. */
  closeRevoked(isRevoked: (keyId: string) => boolean): void {
    for (const [session, keyId] of this.#sessions) {
      if (isRevoked(keyId)) session.sayGoodbye(POLICY_VIOLATION, 'the signing key was revoked');
    }
  }

  #count({ keyId }: SigningKey, change: 1 | -1): void {
    const count = (this.#counts.get(keyId) ?? 0) + change;
    if (count === 0) this.#counts.delete(keyId);
    else this.#counts.set(keyId, count);
  }

  #accept(request: InboundRequest): Acceptance<Client> {
    const refuse = (reply: Reply) => ({ refusal: this.#parts.seal(request, reply) });
    const { admit, connectionsMax = limits.connectionsMax, streamsPerKeyMax = limits.streamsPerKeyMax } = this.#parts;
    if (this.#sessions.size >= connectionsMax) {
      return refuse(signedRefusal(refusal('unavailable', 'too many connections (connectionsMax)')));
    }
    const admitted = admit(request);
    if (!admitted.ok) return refuse(admitted.error);
    if ((this.#counts.get(admitted.value.keyId) ?? 0) >= streamsPerKeyMax) {
      return refuse(signedRefusal(refusal('limited', 'too many streams under this signing key (streamsPerKeyMax)')));
    }
    const codec = codecOf(request.header('sec-websocket-protocol'));
    if (codec === null) {
      const known = STREAM_CODECS.map(candidate => candidate.subprotocol).join(', ');
      return refuse(signedRefusal(refusal('invalid', `Sec-WebSocket-Protocol: must offer one of ${known}`)));
    }
    const context = { codec: codec.codec, key: admitted.value, session: null };
    return { context, subprotocol: codec.subprotocol, headers: this.#parts.stamps(request) };
  }
}

/** uWebSockets.js recognizes an upgrade by the length of its key. */
function whyNotUpgraded(request: InboundRequest): string {
  const isUpgrade = request.header('upgrade').toLowerCase() === 'websocket';
  return isUpgrade ? 'Sec-WebSocket-Key: must be 16 bytes in base64' : 'Upgrade: must be websocket; this is a stream';
}

/** Contract §8: without an offer JSON, else the first known subprotocol offered. An offer without one is refused. */
function codecOf(offer: string): { readonly codec: StreamCodec; readonly subprotocol: string } | null {
  if (offer === '') return { codec: jsonCodec, subprotocol: '' };
  for (const name of offer.split(',')) {
    const codec = STREAM_CODECS.find(({ subprotocol }) => subprotocol === name.trim());
    if (codec !== undefined) return { codec, subprotocol: codec.subprotocol };
  }
  return null;
}
