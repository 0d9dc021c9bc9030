// The stream for browsers: each connection is opened with a ticket that the REST client asks for. Portable.

import { fail, ok } from '../domain/result.ts';
import type { StreamCodec } from '../wire/codec.ts';
import { browserConnect } from './browser-socket.ts';
import type { CrossbookClient } from './crossbook-client.ts';
import { OrderbookStream } from './orderbook-stream.ts';

export interface BrowserStreamOptions {
  /** Its signer asks for the tickets; its gateway has the stream. */
  readonly client: CrossbookClient;
  readonly codec?: StreamCodec;
}

export function createBrowserStream({ client, ...codec }: BrowserStreamOptions): OrderbookStream {
  const url = new URL('/v1/orderbook', client.url);
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
  const connect = browserConnect(async () => {
    const ticket = await client.call('createStreamTicket');
    return ticket.ok ? ok(ticket.value.value.ticket) : fail(`no ticket: ${ticket.error.message}`);
  });
  return new OrderbookStream({ url: url.href, connect, ...codec });
}
