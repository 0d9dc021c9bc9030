// HTTP servers of the paper exchanges: each on a port of its own. Thread of the paper exchanges.

import { type ListenOptions, listen } from '../core/net/listen.ts';

export interface HttpServer {
  /** Base URL of its routes, without a slash at the end. */
  readonly url: string;
  close(): void;
}

/** The words that follow the venue's own refusal of an unknown path. */
export const NOT_SERVED = {
  details: 'the paper exchange does not serve this path: docs/PAPER.md, What is left out',
} as const;

/** A server without streams. Rejects if the port cannot be bound. */
export async function serve(options: Omit<ListenOptions, 'sockets'>, basePath = ''): Promise<HttpServer> {
  const listener = await listen({ ...options, sockets: [] });
  return { url: `http://${authorityOf(options.host, listener.port)}${basePath}`, close: () => listener.close() };
}

/** The authority of an address: `127.0.0.1:9101`, `[::1]:9101`. */
export function authorityOf(host: string, port: number): string {
  return `${host.includes(':') ? `[${host}]` : host}:${port}`;
}
