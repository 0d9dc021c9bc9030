// The stream and the order connection for bots on Node. Each upgrade has a new signature. A gateway that does not own the key's pod names
// the gateway that does, and the client connects there. The client asks for the gateway's time before the first attempt and after each
// failed attempt. So a wrong local clock cannot keep the connection down. A refusal also comes with its reason then, because a failed
// WebSocket handshake has no reason.

import { HTTP_FORBIDDEN, HTTP_UNAUTHORIZED } from '../../core/net/http-status.ts';
import { type Connect, type ConnectOptions, connectWebSocket } from '../../core/net/websocket.ts';
import type { StreamCodec } from '../../core/wire/messages.ts';
import type { TradeCodec } from '../../core/wire/trade-messages.ts';
import type { CrossbookClient } from './crossbook-client.ts';
import { createNodeClient } from './node-client.ts';
import { OrderbookStream } from './orderbook-stream.ts';
import { namedOwner, originOf } from './request-sender.ts';
import { ServerClock, type Signer, signRequest } from './signer.ts';
import { TradeConnection } from './trade-connection.ts';

export interface NodeStreamOptions extends NodeUpgradeOptions {
  readonly codec?: StreamCodec;
}

export function createNodeStream({ codec, ...options }: NodeStreamOptions): OrderbookStream {
  const { connect, follow, headers, succeeded } = nodeUpgrade(options);
  const stream = new OrderbookStream({
    url: options.url,
    connect,
    follow,
    headers,
    ...(codec === undefined ? {} : { codec }),
  });
  stream.on('connection', isUp => {
    if (isUp) succeeded();
  });
  return stream;
}

export interface NodeTradeOptions extends NodeUpgradeOptions {
  /** The form of the messages. The default is JSON. */
  readonly codec?: TradeCodec;
}

export function createNodeTrade({ codec, ...options }: NodeTradeOptions): TradeConnection {
  const { connect, headers, succeeded } = nodeUpgrade(options);
  const trade = new TradeConnection({ url: options.url, connect, headers, ...(codec === undefined ? {} : { codec }) });
  trade.on('connection', isUp => {
    if (isUp) succeeded();
  });
  return trade;
}

interface NodeUpgradeOptions {
  /** The URL: `ws://127.0.0.1:8080/v1/orderbook` or `…/v1/trade`, or with `wss:`. */
  readonly url: string;
  readonly signer: Signer;
  /** The path of the gateway's Unix domain socket. It replaces the host and port of `url`. */
  readonly socketPath?: string;
  /** The clock of a REST client to the same gateway. The answers to both correct it. */
  readonly clock?: ServerClock;
}

interface NodeUpgrade {
  readonly connect: Connect;
  /** Makes the next connection to that gateway. Returns false if it may not go there, or is there already. */
  readonly follow: (owner: string) => boolean;
  readonly headers: () => Promise<Readonly<Record<string, string>>>;
  /** Notes that an attempt has succeeded, so that the clock is right. */
  readonly succeeded: () => void;
}

const NO_BODY = new Uint8Array(0);

function nodeUpgrade({ url, signer, socketPath, clock = new ServerClock() }: NodeUpgradeOptions): NodeUpgrade {
  const { protocol, host, pathname, search } = new URL(url);
  const peer = socketPath === undefined ? {} : { socketPath };
  const origin = `${protocol === 'wss:' ? 'https:' : 'http:'}//${host}`;
  const client = createNodeClient({ url: origin, signer, clock, ...peer });
  const upgrade = { method: 'GET', target: pathname + search, body: NO_BODY, idempotencyKey: '', notAfterMillis: null };
  let isDoubted = !clock.isCompared;
  return {
    ...connectToOwner(peer, protocol === 'wss:'),
    headers: async () => {
      if (isDoubted) await readTime(client);
      isDoubted = true;
      return signRequest(signer, upgrade, clock.now());
    },
    succeeded: () => {
      isDoubted = false;
    },
  };
}

/**
 * Connects to the gateway that owns the key's pod, once a refusal has named it. If the owner could not be reached, the next attempt asks
 * our own gateway again.
 */
function connectToOwner(
  peer: Pick<ConnectOptions, 'socketPath'>,
  needsTls: boolean,
): Pick<NodeUpgrade, 'connect' | 'follow'> {
  let owner: string | null = null;
  /** The owner that was named on the present connection. It replaces `owner` once the connection is closed. */
  let named: string | null = null;
  const follow = (text: string): boolean => {
    named = originOf(text, needsTls);
    if (named === owner) named = null;
    return named !== null;
  };
  const connect: Connect = (options, handlers) => {
    const own = new URL(options.url);
    const asked = owner;
    // This stays null if the gateway made no handshake, or refused without naming an owner.
    let next: string | null = null;
    const target = asked === null ? peer : { url: webSocketOrigin(asked) + own.pathname + own.search };
    const onRefused: ConnectOptions['onRefused'] = answer => {
      next = namedOwner(answer, needsTls);
    };
    return connectWebSocket(
      { ...options, ...target, onRefused },
      {
        ...handlers,
        onOpen: () => {
          next = asked;
          handlers.onOpen();
        },
        onClose: detail => {
          owner = named ?? next;
          named = null;
          handlers.onClose(detail);
        },
      },
    );
  };
  return { connect, follow };
}

/** `http:` becomes `ws:`, `https:` becomes `wss:`. */
function webSocketOrigin(origin: string): string {
  return origin.replace(/^http/i, 'ws');
}

/** Asks for the gateway's time. Rejects with the gateway's error if the gateway would refuse the connection for the same reason. */
async function readTime(client: CrossbookClient): Promise<void> {
  const answer = await client.call('getTime');
  if (answer.ok) return;
  const { kind, message } = answer.error;
  const isAuthentication =
    kind === 'refused' && (answer.error.status === HTTP_UNAUTHORIZED || answer.error.status === HTTP_FORBIDDEN);
  if (isAuthentication || kind === 'unreachable') throw new Error(message);
}
