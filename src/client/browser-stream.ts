// The stream for browsers; each connection opens with a ticket from the REST client. Portable.

import { fail, ok } from '../domain/result.ts';
import type { StreamCodec } from '../wire/codec.ts';
import { browserConnect } from './browser-socket.ts';
import type { CrossbookClient } from './crossbook-client.ts';
import { OrderbookStream } from './orderbook-stream.ts';

export interface BrowserStreamOptions {
  /** The REST client that asks for tickets; the stream connects to its gateway. */
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
