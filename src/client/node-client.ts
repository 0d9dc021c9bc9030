// The REST client for bots on Node: over node:http, TLS or the gateway's Unix domain socket.

import { CrossbookClient, type CrossbookClientOptions } from './crossbook-client.ts';
import { nodeTransport } from './node-transport.ts';

export interface NodeClientOptions extends Omit<CrossbookClientOptions, 'transport'> {
  /** Path of the gateway's Unix domain socket; replaces host and port of `url`. */
  readonly socketPath?: string;
}

export function createNodeClient({ socketPath, ...options }: NodeClientOptions): CrossbookClient {
  const transport = nodeTransport({ url: options.url, ...(socketPath === undefined ? {} : { socketPath }) });
  return new CrossbookClient({ ...options, transport });
}
