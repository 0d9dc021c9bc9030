// A route of venue B's REST as its handler sees it: a request of an authenticated caller who has paid its tokens in, a reply
// out. serving.ts implements the rest.

import type { JsonObject } from '../../../domain/json.ts';
import type { InboundRequest, Reply } from '../../../net/listen.ts';
import type { Owner } from '../records.ts';
import type { Scope } from './scopes.ts';

/** venue-b.md §2. */
export interface Caller {
  readonly keyId: string;
  readonly userId: string;
  /** Null: the key may use all subaccounts. */
  readonly subaccount: number | null;
  readonly scopes: readonly Scope[];
}

export interface Call {
  readonly request: InboundRequest;
  readonly parameters: readonly string[];
  readonly query: URLSearchParams;
  /** Empty if the request has no body, or the route reads none. */
  readonly body: JsonObject;
  /** Null: not signed, which public routes allow. */
  readonly caller: Caller | null;
  /** Lag of private reads. */
  readonly staleMs: number;
}

/** A call of a private route. */
export type SignedCall = Call & { readonly caller: Caller; readonly owner: Owner };

interface RouteCommon {
  readonly method: 'get' | 'post' | 'put' | 'delete';
  /** Below `/trade-api/v2`. */
  readonly path: string;
  /** Tokens of the caller's bucket (venue-b.md §9); default 10. */
  readonly cost?: number;
}

type PublicRoute = RouteCommon & { readonly access: 'public'; handle(call: Call): Reply };

/** The owner: the caller and the `subaccount` of query or body. */
export type SignedRoute = RouteCommon & {
  /** The bucket that pays; also the scope that the key needs. */
  readonly access: 'read' | 'write';
  /** A narrower scope that is sufficient too. */
  readonly scope?: Scope;
  /** Not for keys that are restricted to a subaccount. */
  readonly isWholeAccount?: true;
  /** `required`: refused without a JSON object. Default: the body is not read. */
  readonly takesBody?: 'required' | 'optional';
  /** The cost is per item of the body's `orders`. */
  readonly billsEachOrder?: true;
  /** A reply that is returned synchronously is sent at once. */
  handle(call: SignedCall): Reply | Promise<Reply>;
};

export type VenueBRoute = PublicRoute | SignedRoute;

/** A public route. */
export function publicGet(path: string, handle: (call: Call) => Reply): VenueBRoute {
  return { method: 'get', path, access: 'public', handle };
}
