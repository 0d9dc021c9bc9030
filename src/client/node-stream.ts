// The stream for bots on Node: signs every upgrade anew. It asks for the gateway's time before the first attempt and after a
// failed one. So a wrong local clock cannot keep the stream down, and a refusal comes with its reason: a failed WebSocket
// handshake has none.

import { HTTP_FORBIDDEN, HTTP_UNAUTHORIZED } from '../net/http-status.ts';
import { connectWebSocket } from '../net/websocket.ts';
import type { StreamCodec } from '../wire/codec.ts';
import type { CrossbookClient } from './crossbook-client.ts';
import { createNodeClient } from './node-client.ts';
import { OrderbookStream } from './orderbook-stream.ts';
import { ServerClock } from './server-clock.ts';
import { signRequest } from './sign-request.ts';
import type { Signer } from './signer.ts';

export interface NodeStreamOptions {
  /** `ws://127.0.0.1:8080/v1/orderbook`, or `wss:`. */
  readonly url: string;
  readonly signer: Signer;
  readonly codec?: StreamCodec;
  /** Path of the gateway's Unix domain socket; replaces host and port of `url`. */
  readonly socketPath?: string;
  /** Clock of a REST client to the same gateway; answers to either correct both. */
  readonly clock?: ServerClock;
}

const NO_BODY = new Uint8Array(0);

export function createNodeStream({
  url,
  signer,
  socketPath,
  clock = new ServerClock(),
  ...codec
}: NodeStreamOptions): OrderbookStream {
  const { protocol, host, pathname, search } = new URL(url);
  const peer = socketPath === undefined ? {} : { socketPath };
  const origin = `${protocol === 'wss:' ? 'https:' : 'http:'}//${host}`;
  const client = createNodeClient({ url: origin, signer, clock, ...peer });
  const upgrade = { method: 'GET', target: pathname + search, body: NO_BODY, idempotencyKey: '', notAfterMillis: null };
  let isDoubted = !clock.isCompared;
  const stream = new OrderbookStream({
    url,
    ...codec,
    connect: (options, handlers) => connectWebSocket({ ...options, ...peer }, handlers),
    headers: async () => {
      if (isDoubted) await askTheTime(client);
      isDoubted = true;
      return signRequest(signer, upgrade, clock.now());
    },
  });
  stream.on('connection', isUp => {
    if (isUp) isDoubted = false;
  });
  return stream;
}

/** Rejects with the gateway's error if it would refuse the stream for the same reason. */
async function askTheTime(client: CrossbookClient): Promise<void> {
  const answer = await client.call('getTime');
  if (answer.ok) return;
  const { kind, message } = answer.error;
  const isAuthentication =
    kind === 'refused' && (answer.error.status === HTTP_UNAUTHORIZED || answer.error.status === HTTP_FORBIDDEN);
  if (isAuthentication || kind === 'unreachable') throw new Error(message);
}
