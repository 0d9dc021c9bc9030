// A WebSocket path of venue A: a session per connection, text frames only, none beyond the bounds. Thread of the paper
// exchanges.

import { limits } from '../../../limits.ts';
import { type Connection, jsonReply, type SocketRoute, socketRoute } from '../../../net/listen.ts';
import type { Faults } from '../../faults/faults.ts';
import { type Session, SessionOutlet } from './session-outlet.ts';

export function sessionRoute(
  pattern: string,
  faults: Faults,
  openSession: (outlet: SessionOutlet) => Session,
): SocketRoute<never> {
  const sessions = new Map<Connection<null>, Session>();
  const decoder = new TextDecoder();
  return socketRoute<null>({
    pattern,
    messageBytesMax: limits.paperVenueACommandBytesMax,
    unsentBytesMax: limits.paperVenueAUnsentBytesMax,
    idleTimeoutS: limits.paperVenueAStreamIdleTimeoutS,
    accept: () =>
      sessions.size >= limits.paperVenueAConnectionsPerStreamMax
        ? { refusal: jsonReply(503, { error: 'paperVenueAConnectionsPerStreamMax reached' }) }
        : { context: null, subprotocol: '' },
    open: connection => sessions.set(connection, openSession(new SessionOutlet(connection, faults))),
    message: (connection, frame, isBinary) => {
      if (!isBinary) sessions.get(connection)?.receive(decoder.decode(frame));
    },
    drain: () => {},
    close: connection => {
      sessions.get(connection)?.close();
      sessions.delete(connection);
    },
  });
}
