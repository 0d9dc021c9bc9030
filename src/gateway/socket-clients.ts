// The clients of one WebSocket path. Accepts them, picks their codec, bounds their number for each signing key, and ends the clients of
// revoked keys. Main thread, and the engine’s (src/gateway/door).

import type { SigningKey } from '../core/domain/identity.ts';
import type { Result } from '../core/domain/result.ts';
import {
  type Acceptance,
  type Connection,
  type Header,
  type InboundRequest,
  type Reply,
  type SocketRoute,
  socketRoute,
} from '../core/net/listen.ts';
import { limits } from '../limits.ts';
import { refusal, signedRefusal } from './api/api-refusals.ts';

export interface Session {
  /** Whether the session is over. Its connection may still exist. */
  readonly isClosed: boolean;
  /** Handles one frame. The caller may reuse the frame as soon as this returns. */
  receive(frame: Uint8Array): void;
  /** Ends the connection from the gateway's side. The session is over at once. */
  disconnect(code: number, why: string): void;
  /** Is called when the connection is gone. */
  close(): void;
}

interface Client<Codec, Own> {
  readonly codec: Codec;
  readonly key: SigningKey;
  readonly address: string;
  session: Own | null;
}

/** Admits the callers of a path. */
export interface Door {
  /** Decides whether a caller may connect. Returns its signing key, or the refusal. */
  admit(request: InboundRequest): Result<SigningKey, Reply>;
  /** Adds the common headers to a refusal. */
  seal(request: InboundRequest, reply: Reply): Reply;
  /** The common headers of the answer that opens the connection. */
  stamps(): readonly Header[];
  /** The `RateLimit` headers of the key. */
  rates(key: SigningKey): readonly Header[];
}

interface SocketClientsParts<Codec, Own> extends Door {
  readonly path: string;
  /** The codecs that a client may choose. A client that offers none gets the first. */
  readonly codecs: readonly Codec[];
  /** The number of unsent bytes above which frames are dropped. */
  readonly unsentBytesMax: number;
  readonly connectionsMax: number;
  /**
   * The bound on the sessions of each key. `counts` counts them over several paths or doors. By default only the sessions of this path
   * count.
   */
  readonly perKeyMax: { readonly count: number; readonly limitName: string; readonly counts?: KeyCounts };
  open(codec: Codec, key: SigningKey, connection: Connection<unknown>, address: string): Own;
  onDropped(session: Own): void;
  onDrained(session: Own): void;
}

/** Counts the sessions of each key. */
export interface KeyCounts {
  of(keyId: string): number;
  change(keyId: string, by: 1 | -1): void;
}

/** The reason why the key may not be used from the address any more. Returns null if it may be used. */
export type KeyRefusalOf = (keyId: string, address: string) => string | null;

const POLICY_VIOLATION = 1008;

export class SocketClients<Codec extends { readonly subprotocol: string }, Own extends Session> {
  readonly route: SocketRoute<never>;
  /** The sessions. A closed session stays in this map until its connection is gone. */
  readonly #sessions = new Map<Own, Client<Codec, Own>>();
  readonly #counts: KeyCounts;
  readonly #parts: SocketClientsParts<Codec, Own>;

  constructor(parts: SocketClientsParts<Codec, Own>) {
    this.#parts = parts;
    this.#counts = parts.perKeyMax.counts ?? new OwnCounts();
    this.route = socketRoute<Client<Codec, Own>>({
      pattern: parts.path,
      messageBytesMax: limits.streamMessageBytesMax,
      unsentBytesMax: parts.unsentBytesMax,
      idleTimeoutS: limits.streamIdleTimeoutS,
      accept: request => this.#accept(request),
      notUpgraded: request => parts.seal(request, signedRefusal(refusal('invalid', upgradeProblem(request)))),
      open: connection => {
        const { context } = connection;
        const session = parts.open(context.codec, context.key, connection, context.address);
        context.session = session;
        this.#sessions.set(session, context);
        this.#counts.change(context.key.keyId, 1);
      },
      message: (connection, frame) => connection.context.session?.receive(frame),
      dropped: ({ context: { session } }) => {
        if (session !== null) parts.onDropped(session);
      },
      drain: ({ context: { session } }) => {
        if (session !== null) parts.onDrained(session);
      },
      close: ({ context: { key, session } }) => {
        if (session === null) return;
        this.#sessions.delete(session);
        this.#counts.change(key.keyId, -1);
        session.close();
      },
    });
  }

  /** The number of open sessions. */
  get count(): number {
    let open = 0;
    for (const session of this.#sessions.keys()) if (!session.isClosed) open += 1;
    return open;
  }

  /** The number of sessions, including closed sessions whose connections still exist. */
  get size(): number {
    return this.#sessions.size;
  }

  sessions(): MapIterator<Own> {
    return this.#sessions.keys();
  }

  /** Ends every connection with this close code. */
  disconnectAll(code: number): void {
    for (const session of this.#sessions.keys()) session.disconnect(code, 'the gateway is going away');
  }

  /** Ends the sessions whose keys may not be used any more. */
  closeRefused(refusalOf: KeyRefusalOf): void {
    for (const [session, { key, address }] of this.#sessions) {
      const why = refusalOf(key.keyId, address);
      if (why !== null) session.disconnect(POLICY_VIOLATION, why);
    }
  }

  #accept(request: InboundRequest): Acceptance<Client<Codec, Own>> {
    const { admit, seal, stamps, rates, connectionsMax, perKeyMax, codecs } = this.#parts;
    const refuse = (reply: Reply) => ({ refusal: seal(request, reply) });
    if (this.#sessions.size >= connectionsMax) {
      return refuse(signedRefusal(refusal('unavailable', 'too many connections (connectionsMax)')));
    }
    const admitted = admit(request);
    if (!admitted.ok) return refuse(admitted.error);
    const key = admitted.value;
    if (this.#counts.of(key.keyId) >= perKeyMax.count) {
      const words = `too many streams under this signing key (${perKeyMax.limitName})`;
      return refuse(signedRefusal(refusal('limited', words, rates(key))));
    }
    const codec = codecOf(codecs, request.header('sec-websocket-protocol'));
    if (codec === null) {
      const known = codecs.map(candidate => candidate.subprotocol).join(', ');
      const words = `Sec-WebSocket-Protocol: must offer one of ${known}`;
      return refuse(signedRefusal(refusal('invalid', words, rates(key))));
    }
    const context = { codec: codec.codec, key, address: request.remoteAddress, session: null };
    return { context, subprotocol: codec.subprotocol, headers: [...stamps(), ...rates(key)] };
  }
}

class OwnCounts implements KeyCounts {
  readonly #counts = new Map<string, number>();

  of(keyId: string): number {
    return this.#counts.get(keyId) ?? 0;
  }

  change(keyId: string, by: 1 | -1): void {
    const count = this.of(keyId) + by;
    if (count === 0) this.#counts.delete(keyId);
    else this.#counts.set(keyId, count);
  }
}

/** The reason why a request was not upgraded. uWebSockets.js recognizes an upgrade by the length of its Sec-WebSocket-Key. */
function upgradeProblem(request: InboundRequest): string {
  const isUpgrade = request.header('upgrade').toLowerCase() === 'websocket';
  return isUpgrade ? 'Sec-WebSocket-Key: must be 16 bytes in base64' : 'Upgrade: must be websocket; this is a stream';
}

/**
 * The codec of contract §8. A client without an offer gets the first codec. Otherwise it gets the first known subprotocol of its offer.
 * Returns null if the offer has no known subprotocol.
 */
function codecOf<Codec extends { readonly subprotocol: string }>(
  codecs: readonly Codec[],
  offer: string,
): { readonly codec: Codec; readonly subprotocol: string } | null {
  if (offer === '') return { codec: codecs[0]!, subprotocol: '' };
  for (const name of offer.split(',')) {
    const codec = codecs.find(({ subprotocol }) => subprotocol === name.trim());
    if (codec !== undefined) return { codec, subprotocol: codec.subprotocol };
  }
  return null;
}
