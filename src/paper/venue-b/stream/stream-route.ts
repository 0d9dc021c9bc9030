// Venue B's WebSocket (venue-b.md §10): a signed upgrade opens a session for any channels. Pings are uWebSockets.js's own: after ten
// seconds of silence like the venue's, but without its payload `heartbeat`. Thread of the paper exchanges.

import type { Result } from '../../../core/domain/result.ts';
import { type InboundRequest, type Reply, type SocketRoute, socketRoute } from '../../../core/net/listen.ts';
import type { Timers } from '../../../core/runtime/timers.ts';
import { limits } from '../../../limits.ts';
import type { Faults } from '../../faults/faults.ts';
import { STREAM_PATH } from '../../replay/venue-b-protocol.ts';
import type { VenueBExchange } from '../exchange.ts';
import type { Caller } from '../rest/access.ts';
import { tooManyRequests } from '../rest/errors.ts';
import { Outbox } from './outbox.ts';
import { Session } from './session.ts';
import { StreamHub } from './stream-hub.ts';

interface StreamParts {
  readonly exchange: VenueBExchange;
  /** The caller of an upgrade, or the refusal: as for REST. */
  readonly authenticate: (request: InboundRequest) => Result<Caller, Reply>;
  readonly faults: Faults;
  readonly timers: Timers;
}

interface Stream {
  readonly caller: Caller;
  /** Null until the connection is open. */
  session: Session | null;
}

const decoder = new TextDecoder();

export function streamRoute({ exchange, authenticate, faults, timers }: StreamParts): SocketRoute<never> {
  const hub = new StreamHub(exchange);
  return socketRoute<Stream>({
    pattern: STREAM_PATH,
    messageBytesMax: limits.paperStreamCommandBytesMax,
    unsentBytesMax: limits.paperStreamUnsentBytesMax,
    idleTimeoutS: limits.paperStreamIdleTimeoutS,
    accept: request => {
      const caller = authenticate(request);
      if (!caller.ok) return { refusal: caller.error };
      if (hub.streamsOf(caller.value.userId) >= limits.paperStreamsPerUserMax) return { refusal: tooManyRequests() };
      return { context: { caller: caller.value, session: null }, subprotocol: '' };
    },
    open: connection => {
      const { caller } = connection.context;
      const outbox = new Outbox(connection, caller.keyId, faults, timers);
      const session = new Session({ caller, markets: hub, outbox, timers });
      connection.context.session = session;
      hub.join(session);
    },
    message: ({ context }, frame) => context.session?.receive(decoder.decode(frame)),
    drain: () => {},
    close: ({ context }) => {
      if (context.session !== null) hub.leave(context.session);
    },
  });
}
