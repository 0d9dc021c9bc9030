// A route of venue A's REST as its handler sees it: a request of an authenticated caller in, a reply out. server.ts implements
// the rest.

import type { Reply } from '../../../core/net/listen.ts';

/** An API key and the wallet that made it (venue-a.md §1). */
export interface Caller {
  readonly apiKey: string;
  /** Checksummed address of the key's owner, which signs orders. */
  readonly address: string;
}

export interface Call {
  readonly parameters: readonly string[];
  readonly query: URLSearchParams;
  /** Undefined if absent or not JSON. */
  readonly body: unknown;
  /** The lag of private reads. */
  readonly staleMs: number;
}

interface RouteCommon {
  readonly method: 'get' | 'post' | 'delete';
  readonly path: string;
}

/** A wallet's own request. */
type L1Call = Call & { readonly address: string; readonly nonce: bigint };
/** A request with an API key. */
export type PrivateCall = Call & { readonly caller: Caller };

export type VenueARoute = RouteCommon &
  (
    | { readonly access: 'public'; handle(call: Call): Reply }
    | { readonly access: 'relayer'; handle(call: Call): Reply }
    | { readonly access: 'l1'; handle(call: L1Call): Reply }
    | { readonly access: 'l2'; handle(call: PrivateCall): Reply }
  );
type Method = VenueARoute['method'];

export function publicGet(path: string, handle: (call: Call) => Reply): VenueARoute {
  return { method: 'get', path, access: 'public', handle };
}

export function publicPost(path: string, handle: (call: Call) => Reply): VenueARoute {
  return { method: 'post', path, access: 'public', handle };
}

/** A POST to the relayer, with a key of it or a builder's credentials. */
export function relayed(path: string, handle: (call: Call) => Reply): VenueARoute {
  return { method: 'post', path, access: 'relayer', handle };
}

export function l1(method: Method, path: string, handle: (call: L1Call) => Reply): VenueARoute {
  return { method, path, access: 'l1', handle };
}

export function l2(method: Method, path: string, handle: (call: PrivateCall) => Reply): VenueARoute {
  return { method, path, access: 'l2', handle };
}
