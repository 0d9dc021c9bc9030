// HTTP servers of the paper exchanges, each on a port of its own. Thread of the paper exchanges.

import { type HttpRoute, type InboundRequest, type ListenOptions, listen, type Reply } from '../core/net/listen.ts';

export interface HttpServer {
  /** The base URL of the routes, without a slash at the end. */
  readonly url: string;
  close(): void;
}

/** A member that is added to the venue's own answer for an unknown path. */
export const NOT_SERVED = {
  details: 'the paper exchange does not serve this path: docs/PAPER.md, What is left out',
} as const;

/**
 * Returns a promise that a request waits for before its route gets the request. `route` is the method and the pattern, such as `post
 * /order`. Null means that the request does not wait. The promise never rejects; if it resolves with a reply, this reply is the answer.
 */
export type Before = (
  route: string,
  request: Pick<InboundRequest, 'body'>,
  parameters: readonly string[],
) => Promise<Reply | null> | null;

/** Returns the route with the wait before it. `pattern` is the pattern below the base of the paths. */
export function routeAfter(before: Before | null, route: HttpRoute, pattern = route.pattern): HttpRoute {
  if (before === null) return route;
  const name = `${route.method} ${pattern}`;
  return {
    ...route,
    handle: (request, parameters, answering) => {
      const wait = before(name, request, parameters);
      if (wait === null) return route.handle(request, parameters, answering);
      void wait
        .then(async reply => reply ?? (await route.handle(request, parameters, answering)))
        .then(
          reply => {
            if (reply !== undefined) answering.answer(reply);
          },
          error => answering.failed(error),
        );
      return undefined;
    },
  };
}

/** Starts a server without streams. Rejects if the port cannot be bound. */
export async function serve(options: Omit<ListenOptions, 'sockets'>, basePath = ''): Promise<HttpServer> {
  const listener = await listen({ ...options, sockets: [] });
  return { url: `http://${authorityOf(options.host, listener.port)}${basePath}`, close: () => listener.close() };
}

/** Returns the authority of an address: `127.0.0.1:9101`, `[::1]:9101`. */
export function authorityOf(host: string, port: number): string {
  return `${host.includes(':') ? `[${host}]` : host}:${port}`;
}
