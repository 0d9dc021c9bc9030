// The control API of the paper exchanges: JSON over HTTP, on a loopback port of its own. It is for operators and tests, never for callers
// of the venues. It asks for no key: any client that can connect controls the simulator. It refuses web pages, which could otherwise reach
// it through a browser. Thread of the paper exchanges.

import type { HttpRoute, InboundRequest, Reply } from '../../core/net/listen.ts';
import { limits } from '../../limits.ts';
import { type HttpServer, serve } from '../http-server.ts';
import { type ControlParts, type ControlRoute, errorReply, jsonOf, replyOf } from './control-route.ts';
import { ACCOUNT_ROUTES, FAULT_ROUTES, MARKET_ROUTES, VENUE_ROUTES } from './control-routes.ts';

interface ControlServerOptions {
  readonly parts: ControlParts;
  readonly host: string;
  /** 0 picks a free port. */
  readonly port: number;
}

const ROUTES: readonly ControlRoute[] = [...VENUE_ROUTES, ...FAULT_ROUTES, ...MARKET_ROUTES, ...ACCOUNT_ROUTES];

export function startControlServer({ parts, host, port }: ControlServerOptions): Promise<HttpServer> {
  return serve({
    host,
    port,
    http: ROUTES.map(route => httpRoute(route, parts)),
    bodyBytesMax: limits.paperControlBodyBytes,
    refuse: {
      notFound: () => errorReply(404, 'path: is not known here'),
      methodNotAllowed: (_request, allow) => errorReply(405, `method: must be one of ${allow}`),
      malformed: (_request, problem) => errorReply(400, problem),
      bodyTooLarge: () =>
        errorReply(413, `body: at most ${limits.paperControlBodyBytes} bytes (paperControlBodyBytes)`),
      failed: () => errorReply(500, 'server: a fault of its own'),
    },
  });
}

function httpRoute(route: ControlRoute, parts: ControlParts): HttpRoute {
  return {
    method: route.method,
    pattern: route.pattern,
    handle: (request, parameters) => {
      const turnedAway = refuseWebPages(request);
      if (turnedAway !== null) return turnedAway;
      const json = jsonOf(request);
      if (!json.ok) return replyOf(route, json);
      const query = new URLSearchParams(request.query);
      const outcome = route.handle({ parts, parameters, query, body: json.value });
      return outcome instanceof Promise ? outcome.then(late => replyOf(route, late)) : replyOf(route, outcome);
    },
  };
}

/** Refuses requests of web pages. A browser sends the origin of each request, except for a plain GET to its own origin. */
function refuseWebPages(request: InboundRequest): Reply | null {
  if (request.header('origin') !== '') return errorReply(403, 'Origin: must be absent; web pages are not served');
  const type = request.header('content-type').split(';', 1)[0]!.trim().toLowerCase();
  if (request.body.length > 0 && type !== 'application/json') {
    return errorReply(415, 'Content-Type: must be application/json');
  }
  return null;
}
