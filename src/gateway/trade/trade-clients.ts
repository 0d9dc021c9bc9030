// The clients of /v1/trade, and their end when the gateway stops. Main thread, and the engine’s (src/gateway/door).

import { type TradeCodec, tradeJsonCodec } from '../../core/wire/trade-messages.ts';
import { tradeProtobufCodec } from '../../core/wire/trade-protobuf.ts';
import { limits } from '../../limits.ts';
import { type Door, type KeyCounts, SocketClients } from '../socket-clients.ts';
import { TradeSession, type TradeSessionParts } from './session.ts';

interface TradeClientsParts extends Door, Pick<TradeSessionParts, 'desk' | 'disconnects'> {
  /** The sessions of each key over both doors. Null means that the gateway has only one door. */
  readonly sessions: KeyCounts | null;
}

const TRADE_CODECS: readonly TradeCodec[] = [tradeJsonCodec, tradeProtobufCodec];
const GOING_AWAY = 1001;

export class TradeClients extends SocketClients<TradeCodec, TradeSession> {
  constructor(parts: TradeClientsParts) {
    super({
      ...parts,
      path: '/v1/trade',
      codecs: TRADE_CODECS,
      unsentBytesMax: 2 * limits.streamCloseBytes,
      connectionsMax: limits.connectionsMax,
      perKeyMax: {
        count: limits.tradeSessionsPerKeyMax,
        limitName: 'tradeSessionsPerKeyMax',
        ...(parts.sessions === null ? {} : { counts: parts.sessions }),
      },
      open: (codec, key, connection, address) => new TradeSession({ ...parts, codec, key, address }, connection),
      // A session that reads too slowly is ended when it sends, so nothing is to do here.
      onDropped: () => {},
      onDrained: () => {},
    });
  }

  /** Ends every connection once its requests in flight have their results. */
  async drain(): Promise<void> {
    await Promise.all(Array.from(this.sessions(), session => session.settled()));
    this.disconnectAll(GOING_AWAY);
  }
}
