// The stream and the order connection for bots on Node. Each upgrade has a new signature. A gateway that does not own the key's pod names the
// one to open them to. The client asks for the gateway's time before the first attempt and after a failed one. So a wrong local clock cannot
// keep the connection down, and a refusal comes with its reason: a failed WebSocket handshake has none.

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
  /** Form of the messages; JSON by default. */
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
  /** `ws://127.0.0.1:8080/v1/orderbook` or `…/v1/trade`, or `wss:`. */
  readonly url: string;
  readonly signer: Signer;
  /** Path of the gateway's Unix domain socket; replaces host and port of `url`. */
  readonly socketPath?: string;
  /** Clock of a REST client to the same gateway; answers to either correct both. */
  readonly clock?: ServerClock;
}

interface NodeUpgrade {
  readonly connect: Connect;
  /** The next connection is made to that gateway. False: it may not, or this one is there already. */
  readonly follow: (owner: string) => boolean;
  readonly headers: () => Promise<Readonly<Record<string, string>>>;
  /** An attempt has succeeded: the clock is right. */
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
      if (isDoubted) await askTheTime(client);
      isDoubted = true;
      return signRequest(signer, upgrade, clock.now());
    },
    succeeded: () => {
      isDoubted = false;
    },
  };
}

/**
 * Connects to the gateway that owns the key's pod, once a refusal has named it. After an owner that could not be reached, the next attempt
 * asks our own gateway again.
 */
function connectToOwner(
  peer: Pick<ConnectOptions, 'socketPath'>,
  needsTls: boolean,
): Pick<NodeUpgrade, 'connect' | 'follow'> {
  let owner: string | null = null;
  /** Named on the connection, to take the place of `owner` once it is closed. */
  let named: string | null = null;
  const follow = (text: string): boolean => {
    named = originOf(text, needsTls);
    if (named === owner) named = null;
    return named !== null;
  };
  const connect: Connect = (options, handlers) => {
    const own = new URL(options.url);
    const asked = owner;
    // The gateway gave no handshake, or a refusal that names no owner.
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

/** Rejects with the gateway's error if it would refuse the connection for the same reason. */
async function askTheTime(client: CrossbookClient): Promise<void> {
  const answer = await client.call('getTime');
  if (answer.ok) return;
  const { kind, message } = answer.error;
  const isAuthentication =
    kind === 'refused' && (answer.error.status === HTTP_UNAUTHORIZED || answer.error.status === HTTP_FORBIDDEN);
  if (isAuthentication || kind === 'unreachable') throw new Error(message);
}
