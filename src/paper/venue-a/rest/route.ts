// What a route of venue A's REST is, to its handlers: they are given a request whose caller is proven, and give back a reply.
// server.ts makes it true.

import type { InboundRequest, Reply } from '../../../net/listen.ts';

/** An API key and the wallet that made it (venue-a.md §1). */
export interface Caller {
  readonly apiKey: string;
  /** Checksummed address of the key's owner, which signs orders. */
  readonly address: string;
}

export interface Call {
  readonly request: InboundRequest;
  readonly parameters: readonly string[];
  readonly query: URLSearchParams;
  /** Undefined if there is none, or it is no JSON. */
  readonly body: unknown;
  /** How old private reads are to be. */
  readonly staleMs: number;
}

interface RouteCommon {
  readonly method: 'get' | 'post' | 'delete';
  readonly path: string;
}

export type VenueARoute = RouteCommon &
  (
    | { readonly access: 'public'; handle(call: Call): Reply }
    | { readonly access: 'l1'; handle(call: Call & { readonly address: string; readonly nonce: bigint }): Reply }
    | { readonly access: 'l2'; handle(call: Call & { readonly caller: Caller }): Reply }
  );

/** Of a route that anybody may read. */
export function publicGet(path: string, handle: (call: Call) => Reply): VenueARoute {
  return { method: 'get', path, access: 'public', handle };
}
