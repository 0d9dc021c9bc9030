// The REST client as a bot on Node wants it: over node:http, TLS or the gateway's Unix domain socket.

import { CrossbookClient, type CrossbookClientOptions } from './crossbook-client.ts';
import { nodeTransport } from './node-transport.ts';

export interface NodeClientOptions extends Omit<CrossbookClientOptions, 'transport'> {
  /** Path of the gateway's Unix domain socket, instead of host and port of `url`. */
  readonly socketPath?: string;
}

export function createNodeClient({ socketPath, ...options }: NodeClientOptions): CrossbookClient {
  const transport = nodeTransport({ url: options.url, ...(socketPath === undefined ? {} : { socketPath }) });
  return new CrossbookClient({ ...options, transport });
}
